// SPDX-License-Identifier: Apache-2.0
import { Object3D, Quaternion, Vector3 } from 'three';
import { TransformControls } from 'three/examples/jsm/controls/TransformControls.js';

import { floats, integers } from '../protocol/binary';
import type { App } from '../state/app';
import type { Stage } from '../state/stage';
import type { Tool } from '../state/state';
import { el } from '../ui/element';
import type { BodyView } from '../view/body_view';
import { Dots } from '../view/dots';
import type { PanePointer, PaneTool } from '../view/navigation';
import { kHeldColour } from '../view/surface_material';
import { Visibility } from '../view/visibility';
import type { Pane } from '../view/viewport';

/** Of what gives way, so that it stays another colour than what is held. */
const kMostGiving = 0.75;
const kDotPixels = 6;
const kFalloffShare = 0.25;

export function isHandle(tool: Tool): tool is 'translate' | 'rotate' | 'scale' {
    return tool === 'translate' || tool === 'rotate' || tool === 'scale';
}

interface Drag {
    readonly translate: readonly number[];
    readonly rotate: readonly number[];
    readonly scale: number;
    readonly pivot: readonly number[];
}

/** Selecting vertices of the frame, and moving them with a handle. */
export class EditTool implements PaneTool {
    readonly dots = new Dots('selection', kDotPixels, '#c25500');
    readonly gizmo: TransformControls;
    private readonly proxy = new Object3D();
    private readonly pivot = new Vector3();
    private readonly rectangle = el('div.rectangle', { hidden: true });
    private corner: { x: number; y: number } | null = null;
    private next: Drag | null = null;
    private busy = false;
    private handleBusy = false;
    private handleKey = '';
    /** What the frame was last brought to. */
    private refreshed: { readonly edit: unknown; readonly frame: number; readonly shown: unknown } | null = null;
    /** Milliseconds of the server's last solve. */
    solve = 0;

    constructor(private readonly app: App, private readonly stage: Stage, private readonly pane: Pane) {
        const { viewport, store } = app;
        pane.element.append(this.rectangle);
        this.gizmo = new TransformControls(pane.rig.camera, pane.element);
        this.gizmo.setSize(0.9);
        pane.overlay.add(this.dots.object, this.proxy, this.gizmo.getHelper());
        this.gizmo.getHelper().name = 'handle';
        this.gizmo.addEventListener('change', () => viewport.invalidate());
        this.gizmo.addEventListener('objectChange', () => this.moved());
        this.gizmo.addEventListener('mouseUp', () => void this.releaseHandle());
        viewport.occupied = () => this.gizmo.enabled && this.gizmo.axis !== null;
        store.on((s) => [s.selection, s.weights, s.view.workspace, s.edit.item, s.edit.body, s.view.beforeAfter],
            () => this.drawSelection());
        store.on((s) => [s.selection, s.view.tool, s.view.falloff, s.view.dragMode, s.view.workspace,
            s.edit.item, s.edit.frame, s.view.frame, s.view.beforeAfter], () => void this.takeHandle());
        store.on((s) => [s.edit, s.view.frame, s.view.workspace, s.view.beforeAfter], () => void this.refresh());
        stage.onShown.push((item) => {
            if (item !== app.state.edit.item) return;
            this.drawSelection();
            void this.refresh();
        });
    }

    /** Before each picture: the handle is drawn for the camera that is used. */
    follow(): void {
        this.gizmo.camera = this.pane.rig.camera;
    }

    get body(): BodyView | null {
        const { edit } = this.app.state;
        return this.stage.view(edit.item)?.bodies.get(edit.body ?? 0) ?? null;
    }

    private readonly isEdited = (_: unknown, body: BodyView): boolean => body === this.body;

    private get tool(): Tool {
        return this.app.view.workspace === 'edit' ? this.app.view.tool : 'orbit';
    }

    defaultFalloff(): number {
        return this.app.view.falloff ?? Number((kFalloffShare * this.size()).toPrecision(2));
    }

    defaultRadius(): number {
        return this.app.view.radius ?? Number((0.5 * kFalloffShare * this.size()).toPrecision(2));
    }

    /** Half the diagonal of the mesh as it came: the same in every frame. */
    private size(): number {
        return this.body ? this.body.diagonal() / 2 : this.app.viewport.radius;
    }

    press(pointer: PanePointer): boolean {
        if (this.gizmo.enabled && this.gizmo.axis !== null) return false;
        const { tool } = this;
        if (this.app.view.beforeAfter) return false;
        if (tool === 'box') {
            this.corner = { x: pointer.x, y: pointer.y };
            if (!pointer.event.shiftKey && !pointer.event.ctrlKey) this.app.store.set({ selection: new Set() });
            return true;
        }
        if (tool === 'geodesic') {
            const hit = this.app.viewport.pick(this.pane, pointer.x, pointer.y, this.isEdited);
            if (hit) void this.selectGeodesic(hit.body.index, hit.vertex, pointer.event);
            return hit !== null;
        }
        return tool === 'brush' && this.paint(pointer, true);
    }

    drag(pointer: PanePointer): void {
        if (this.tool === 'brush') this.paint(pointer, false);
        if (this.tool === 'box') this.showRectangle(pointer);
    }

    release(pointer: PanePointer): void {
        if (this.tool === 'box') this.selectBox(pointer);
        this.rectangle.hidden = true;
        this.corner = null;
    }

    private select(vertices: Iterable<number>, remove: boolean, keep: boolean): void {
        const selection = new Set(keep ? this.app.state.selection : []);
        for (const v of vertices) {
            if (remove) selection.delete(v);
            else selection.add(v);
        }
        this.app.store.set({ selection });
    }

    /** A ball about the point under the pointer, as wide as the brush is on the screen. */
    private paint({ x, y, event }: PanePointer, first: boolean): boolean {
        const { body, app } = this;
        const hit = app.viewport.pick(this.pane, x, y, this.isEdited);
        if (!body || !hit) return false;
        const beside = app.viewport.ray(this.pane, x + app.view.brush, y);
        const across = new Vector3(...beside.origin).addScaledVector(new Vector3(...beside.direction), hit.distance);
        const radius = Math.max(across.distanceTo(hit.point), hit.point.distanceTo(body.vertex(hit.vertex)) * 1.001);
        const near: number[] = [];
        const p = new Vector3();
        for (let v = 0; v < body.nVertices; ++v) {
            if (body.vertex(v, p).distanceTo(hit.point) <= radius) near.push(v);
        }
        this.select(near, event.ctrlKey, !first || event.shiftKey || event.ctrlKey);
        return true;
    }

    private showRectangle({ x, y }: PanePointer): void {
        if (!this.corner) return;
        const { style } = this.rectangle;
        this.rectangle.hidden = false;
        style.left = `${Math.min(x, this.corner.x)}px`;
        style.top = `${Math.min(y, this.corner.y)}px`;
        style.width = `${Math.abs(x - this.corner.x)}px`;
        style.height = `${Math.abs(y - this.corner.y)}px`;
    }

    private selectBox({ x, y, event }: PanePointer): void {
        const { body, corner } = this;
        if (!body || !corner) return;
        const [left, right] = [Math.min(x, corner.x), Math.max(x, corner.x)];
        const [top, bottom] = [Math.min(y, corner.y), Math.max(y, corner.y)];
        const { viewport, view } = this.app;
        const seen = view.through ? null : new Visibility(viewport, this.pane);
        const inside: number[] = [];
        const p = new Vector3();
        for (let v = 0; v < body.nVertices; ++v) {
            const at = viewport.project(this.pane, body.vertex(v, p));
            const within = at.x >= left && at.x <= right && at.y >= top && at.y <= bottom && Math.abs(at.depth) <= 1;
            if (within && (!seen || seen.sees(p, body))) inside.push(v);
        }
        this.select(inside, event.ctrlKey, true);
    }

    private async selectGeodesic(body: number, vertex: number, event: PointerEvent): Promise<void> {
        const { edit, view } = this.app.state;
        const args = { item: edit.item, body, frame: view.frame, vertex, radius: this.defaultRadius() };
        const answer = await this.app.askBinary('edit', 'geodesic', args);
        if (!answer) return;
        this.app.setError('edit', null);
        this.select(integers(answer, answer.header['vertices']), event.ctrlKey, event.shiftKey || event.ctrlKey);
    }

    private drawSelection(): void {
        const { body } = this;
        const { selection, view } = this.app.state;
        const points: number[] = [];
        if (body && view.workspace === 'edit' && !view.beforeAfter) {
            for (const v of selection) {
                if (v < body.nVertices) points.push(...body.positions.subarray(3 * v, 3 * v + 3));
            }
        }
        this.dots.set(points, kHeldColour);
        this.drawMarks();
        this.app.viewport.invalidate();
    }

    private marked: BodyView | null = null;

    /** The surface shows what is selected, and how much of the handle's move the rest follows. */
    private drawMarks(): void {
        const { body } = this;
        const { selection, weights, view } = this.app.state;
        if (this.marked !== body) this.marked?.setMarks(null);
        this.marked = body;
        if (!body || view.workspace !== 'edit' || view.beforeAfter) {
            body?.setMarks(null);
            return;
        }
        const marks = new Map<number, number>();
        weights?.vertices.forEach((v, i) => marks.set(v, kMostGiving * Math.min(1, weights.weights[i]!)));
        for (const v of selection) marks.set(v, 1);
        body.setMarks(marks);
    }

    /** The frame as it is edited, when it is on the screen and not just dragged. */
    private async refresh(): Promise<void> {
        const { edit, view } = this.app.state;
        const current = this.stage.view(edit.item);
        if (view.workspace !== 'edit' || edit.item === null || !current || this.busy || this.gizmo.dragging) return;
        const frame = view.frame;
        const last = this.refreshed;
        if (last?.edit === edit && last.frame === frame && last.shown === current.shown) return;
        if (current.shown?.frame !== frame) return;
        if (view.beforeAfter) {
            this.showOriginal(edit.item, frame);
            return;
        }
        this.refreshed = { edit, frame, shown: current.shown };
        if (!edit.edited.includes(frame) && !(edit.handle && edit.frame === frame)) {
            this.showOriginal(edit.item, frame);
            return;
        }
        this.wasEdited.add(frame);
        const answer = await this.app.askBinary('edit', 'edit.positions', { frame });
        if (!answer || this.app.view.frame !== frame || this.app.view.beforeAfter || this.gizmo.dragging) return;
        this.apply(floats(answer, answer.header['positions']));
        this.placeHandle();
    }

    private readonly wasEdited = new Set<number>();

    /** The frame as it is in the sequence, where it was shown as it is edited. */
    private showOriginal(item: number, frame: number): void {
        this.refreshed = null;
        if (this.wasEdited.delete(frame)) this.stage.refresh(item);
    }

    private apply(positions: Float32Array<ArrayBuffer>): void {
        const { body } = this;
        if (!body || positions.length !== body.positions.length) return;
        body.setPositions(positions);
        this.drawSelection();
    }

    /** With a handle tool and a selection, the server is told what the handle holds. */
    private async takeHandle(): Promise<void> {
        const { app, tool } = this;
        const { selection, edit, view } = app.state;
        if (!isHandle(tool) || !selection.size || edit.item === null || view.beforeAfter || !this.body) {
            this.gizmo.detach();
            this.gizmo.enabled = false;
            if (app.state.weights) app.store.set({ weights: null });
            app.viewport.invalidate();
            return;
        }
        this.gizmo.setMode(tool);
        const options = { falloff: this.defaultFalloff(), mode: view.dragMode };
        const key = `${this.numberOf(selection)} ${JSON.stringify([edit.item, edit.body, view.frame, options])}`;
        if (key !== this.handleKey && !this.handleBusy) {
            this.handleBusy = true;
            const vertices = [...selection].sort((a, b) => a - b);
            const taken = await this.open(view.frame) && await app.askBinary('edit', 'edit.handle', { vertices, ...options });
            this.handleBusy = false;
            if (!taken) return;
            app.setError('edit', null);
            this.handleKey = key;
            const { vertices: moved, weights } = taken.header;
            app.store.set({ weights: { vertices: integers(taken, moved), weights: floats(taken, weights) } });
            void this.takeHandle();
            return;
        }
        if (key !== this.handleKey) return;
        this.gizmo.enabled = true;
        this.placeHandle();
    }

    private numbered: ReadonlySet<number> | null = null;
    private lastNumber = 0;

    /** A selection is never changed in place: another set is another selection. */
    private numberOf(selection: ReadonlySet<number>): number {
        if (selection !== this.numbered) ++this.lastNumber;
        this.numbered = selection;
        return this.lastNumber;
    }

    /** A tool or a frame that comes after an edit begins with a new handle. */
    forgetHandle(): void {
        this.handleKey = '';
        void this.takeHandle();
    }

    /** The frame that is shown becomes the one that is edited. */
    openShown(): Promise<boolean> {
        return this.open(this.app.view.frame);
    }

    private async open(frame: number): Promise<boolean> {
        const { edit } = this.app.state;
        const key = `${edit.item} ${edit.body ?? 0} ${frame}`;
        if (edit.frame === frame && edit.item !== null && this.openedFrame === key) return true;
        const done = (await this.app.ask('edit', 'edit.open', { item: edit.item, body: edit.body ?? 0, frame })) !== null;
        if (done) this.openedFrame = key;
        return done;
    }

    private openedFrame = '';

    private placeHandle(): void {
        const { body } = this;
        const { selection } = this.app.state;
        if (!body || !selection.size || !this.gizmo.enabled || this.gizmo.dragging) return;
        this.pivot.set(0, 0, 0);
        for (const v of selection) this.pivot.add(body.vertex(v));
        this.pivot.divideScalar(selection.size);
        this.proxy.position.copy(this.pivot);
        this.proxy.quaternion.identity();
        this.proxy.scale.set(1, 1, 1);
        this.proxy.updateMatrixWorld();
        this.gizmo.attach(this.proxy);
        this.app.viewport.invalidate();
    }

    private moved(): void {
        if (!this.gizmo.dragging) return;
        const { position, quaternion, scale } = this.proxy;
        const factors = [scale.x, scale.y, scale.z];
        const strongest = factors.reduce((a, b) =>
            (Math.abs(Math.log(Math.abs(b))) > Math.abs(Math.log(Math.abs(a))) ? b : a), 1);
        this.next = {
            translate: position.clone().sub(this.pivot).toArray(),
            rotate: rotationVector(quaternion),
            scale: Math.max(Math.abs(strongest), 1e-3),
            pivot: this.pivot.toArray(),
        };
        if (!this.busy) void this.send();
    }

    /** The newest place of the handle wins. */
    private async send(): Promise<void> {
        this.busy = true;
        try {
            while (this.next) {
                const drag = this.next;
                this.next = null;
                const answer = await this.app.askBinary('edit', 'edit.drag', { ...drag });
                if (!answer) continue;
                this.solve = Number(answer.header['milliseconds'] ?? 0);
                this.apply(floats(answer, answer.header['positions']));
            }
        } finally {
            this.busy = false;
        }
    }

    private async releaseHandle(): Promise<void> {
        while (this.busy) await new Promise((resolve) => requestAnimationFrame(resolve));
        await this.app.ask('edit', 'edit.release');
        this.refreshed = null;
        await this.refresh();
        this.placeHandle();
    }
}

/** Axis times degrees. */
function rotationVector(q: Quaternion): number[] {
    const w = Math.min(1, Math.max(-1, q.w));
    const half = Math.acos(Math.abs(w)) * Math.sign(w || 1);
    const axis = new Vector3(q.x, q.y, q.z);
    if (axis.length() === 0) return [0, 0, 0];
    return axis.normalize().multiplyScalar((2 * half * 180) / Math.PI).toArray();
}
