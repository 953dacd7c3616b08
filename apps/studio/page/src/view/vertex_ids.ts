// SPDX-License-Identifier: Apache-2.0
import { Vector3 } from 'three';

import { Labels, type Label } from './labels';
import type { Pane, Viewport } from './viewport';

const kMostLabels = 300;
const kCellWidth = 34;
const kCellHeight = 16;

/** Numbers of the vertices nearest to the eye: a few hundred, and none over another. */
export class VertexIds {
    readonly labels = new Labels('vertex-ids', '#ffffff', '#20242c', 13);

    constructor(private readonly viewport: Viewport) {
        viewport.labels.add(this.labels);
        viewport.scene.add(this.labels.object);
    }

    update(on: boolean): void {
        if (!on) {
            if (this.labels.labels.length) this.labels.set([]);
            return;
        }
        const pane = this.viewport.panes[0];
        if (pane) this.labels.set(this.choose(pane));
    }

    private choose(pane: Pane): Label[] {
        const { width, height } = this.viewport.paneSize();
        const nearest = new Map<number, { depth: number; label: Label }>();
        const point = new Vector3(), seen = new Vector3();
        const columns = Math.ceil(width / kCellWidth);
        for (const item of pane.items) {
            for (const body of this.viewport.items.get(item)?.bodies.values() ?? []) {
                for (let v = 0; v < body.nVertices; ++v) {
                    seen.copy(body.vertex(v, point)).project(pane.rig.camera);
                    if (Math.abs(seen.x) > 1 || Math.abs(seen.y) > 1 || Math.abs(seen.z) > 1) continue;
                    const column = Math.floor(((seen.x + 1) / 2) * width / kCellWidth);
                    const cell = Math.floor(((1 - seen.y) / 2) * height / kCellHeight) * columns + column;
                    const known = nearest.get(cell);
                    if (known && known.depth <= seen.z) continue;
                    const label: Label = { point: [point.x, point.y, point.z], text: String(v) };
                    nearest.set(cell, { depth: seen.z, label });
                }
            }
        }
        const all = [...nearest.values()].sort((a, b) => a.depth - b.depth);
        return all.slice(0, kMostLabels).map(({ label }) => label);
    }
}
