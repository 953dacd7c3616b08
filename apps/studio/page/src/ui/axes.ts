// SPDX-License-Identifier: Apache-2.0
import { Vector3 } from 'three';

import type { Side } from '../view/camera_rig';
import type { Viewport } from '../view/viewport';
import { svg } from './element';

const kSize = 74;
const kReach = 26;

const kAxes: readonly (readonly [string, string, Vector3])[] = [
    ['x', '#e5484d', new Vector3(1, 0, 0)],
    ['y', '#46a758', new Vector3(0, 1, 0)],
    ['z', '#3e8ef7', new Vector3(0, 0, 1)],
];

/** Where x, y and z point; a click on an axis looks along it. */
export class AxesWidget {
    readonly element = svg('svg', { viewBox: `0 0 ${kSize} ${kSize}`, class: 'axes' });
    private shown = '';

    constructor(private readonly viewport: Viewport) {}

    update(): void {
        const camera = this.viewport.panes[0]!.rig.camera;
        const key = camera.quaternion.toArray().map((v) => v.toFixed(3)).join();
        if (key === this.shown) return;
        this.shown = key;
        const inverse = camera.quaternion.clone().invert();
        const ends = kAxes.flatMap(([name, colour, axis]) => [1, -1].map((sign) => ({
            name, colour, axis, sign, at: axis.clone().multiplyScalar(sign).applyQuaternion(inverse),
        })));
        ends.sort((a, b) => a.at.z - b.at.z);
        const c = kSize / 2;
        this.element.replaceChildren(...ends.flatMap(({ name, colour, axis, sign, at }) => {
            const x = c + kReach * at.x, y = c - kReach * at.y;
            const ball = svg('circle', {
                cx: x, cy: y, r: sign > 0 ? 8 : 5, fill: colour, 'fill-opacity': sign > 0 ? 1 : 0.35,
                onclick: () => this.look(axis.clone().multiplyScalar(sign)),
            });
            if (sign < 0) return [ball];
            const text = svg('text', { x, y: y + 3.5, 'text-anchor': 'middle' });
            text.textContent = name;
            return [svg('line', { x1: c, y1: c, x2: x, y2: y, stroke: colour, 'stroke-width': 2 }), ball, text];
        }));
    }

    /** Of the turntable's six sides the one that faces the axis. */
    private look(axis: Vector3): void {
        const { rig } = this.viewport.panes[0]!;
        const sides: readonly Side[] = ['front', 'back', 'left', 'right', 'top', 'bottom'];
        let best: Side = 'front', most = -Infinity;
        for (const side of sides) {
            rig.look(side);
            const back = rig.camera.position.clone().sub(new Vector3(...rig.state.target)).normalize();
            if (back.dot(axis) > most) {
                most = back.dot(axis);
                best = side;
            }
        }
        rig.look(best);
        this.viewport.invalidate();
        this.viewport.cameraChanged();
    }
}
