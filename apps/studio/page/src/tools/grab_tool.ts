// SPDX-License-Identifier: Apache-2.0
import { Plane, Ray, Vector3 } from 'three';

import type { App } from '../state/app';
import type { PanePointer, PaneTool } from '../view/navigation';
import type { Pane } from '../view/viewport';
import type { Stage } from '../state/stage';
import { findItem } from '../state/state';
import { Dots } from '../view/dots';
import { kHeldColour } from '../view/surface_material';

const kHeldPixels = 13;

/** Takes hold of the cloth where it is pressed, and leads it in a plane that faces the eye. */
export class GrabTool implements PaneTool {
    private plane: Plane | null = null;
    private next: readonly number[] | null = null;
    private busy = false;

    /** Where the cloth is held. */
    readonly dot = new Dots('held', kHeldPixels, '#ffffff', false);

    constructor(private readonly app: App, stage: Stage, private readonly pane: Pane) {
        pane.overlay.add(this.dot.object);
        app.store.on((s) => [s.sim.grabbed, s.sim.item, s.view.workspace], () => this.drawHeld(stage));
        stage.onShown.push((item) => {
            if (item === app.state.sim.item) this.drawHeld(stage);
        });
    }

    private drawHeld(stage: Stage): void {
        const { sim, view } = this.app.state;
        const body = stage.view(sim.item)?.bodies.get(sim.grabbed?.body ?? -1);
        const held = view.workspace === 'simulate' && body && sim.grabbed ? body.vertex(sim.grabbed.vertex).toArray() : [];
        this.dot.set(held, kHeldColour);
        this.app.viewport.invalidate();
    }

    press(pointer: PanePointer): boolean {
        const { app, pane } = this;
        const item = findItem(app.state, app.state.sim.item);
        const wanted = app.view.tool === 'grab' || pointer.event.ctrlKey;
        if (!item || !wanted || app.view.workspace !== 'simulate') return false;
        const hit = app.viewport.pick(pane, pointer.x, pointer.y, (_, body) => item.bodies[body.index]?.role === 'cloth');
        if (!hit) return app.view.tool === 'grab';  // a miss turns nothing
        const back = new Vector3();
        pane.rig.camera.getWorldDirection(back);
        this.plane = new Plane().setFromNormalAndCoplanarPoint(back, hit.point);
        void app.ask('simulate', 'sim.grab', { body: hit.body.index, vertex: hit.vertex });
        return true;
    }

    drag(pointer: PanePointer): void {
        if (!this.plane) return;
        const { origin, direction } = this.app.viewport.ray(this.pane, pointer.x, pointer.y);
        const point = new Ray(new Vector3(...origin), new Vector3(...direction)).intersectPlane(this.plane, new Vector3());
        if (!point) return;
        this.next = [point.x, point.y, point.z];
        if (!this.busy) void this.send();
    }

    release(): void {
        this.plane = null;
        this.next = null;
        void this.app.ask('simulate', 'sim.drop');
    }

    /** The newest place wins. */
    private async send(): Promise<void> {
        this.busy = true;
        while (this.next) {
            const point = this.next;
            this.next = null;
            await this.app.ask('simulate', 'sim.drag', { point });
        }
        this.busy = false;
    }
}
