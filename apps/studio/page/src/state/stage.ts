// SPDX-License-Identifier: Apache-2.0
import { floats, integers, type BinaryMessage, type FieldValues, type Frame } from '../protocol/binary';
import type { BodyInfo, Item } from '../protocol/messages';
import { BodyView, type BodyLook } from '../view/body_view';
import { CameraRig } from '../view/camera_rig';
import { ItemView } from '../view/item_view';
import type { Pane } from '../view/viewport';
import type { App } from './app';
import { FramePump, Player } from './frames';
import { bodyColour, findItem, staging, timelineOf, type State, type Staging } from './state';

/** Colourings that are no field of a frame. */
export const kColourByBody = 'body';
export const kColourByVertex = 'vertex colours';
export const kColourByDifference = 'difference';

const kArrowWidth = 0.06;
const kCameraKeptMilliseconds = 300;

/** Brings the canvas to what the state says: items, frames, colours, cameras. */
export class Stage {
    private readonly loading = new Set<number>();
    private readonly pumps = new Map<number, FramePump>();
    private readonly extremes = new Map<string, [number, number]>();
    private differences: { item: number; frame: number; bodies: Map<number, FieldValues> } | null = null;
    private differenceBusy = false;
    private cameraKey = '';
    private cameraTimer = 0;
    private overlaid: number | null = null;
    readonly player: Player;
    /** Called when an item's picture has changed: overlays follow. */
    readonly onShown: ((item: number) => void)[] = [];

    constructor(private readonly app: App) {
        const { store, viewport } = app;
        this.player = new Player(app, () => timelineOf(app.state), () => this.settled());
        viewport.cameraChanged = () => this.keepCamerasSoon();
        store.on((s) => s.items, () => this.dropClosed());
        store.on((s) => JSON.stringify([staging(s), s.items.map((i) => [i.item, i.revision])]), () => this.restage());
        store.on((s) => [s.view.frame, s.view.colourBy, s.view.displays.velocity, s.view.workspace,
            s.view.compare, s.view.other, s.sim.state === 'none'], () => this.wantFrames());
        store.on((s) => [s.view.style, s.view.smooth, s.view.twoSided, s.view.normals, s.view.colours,
            s.view.theme, s.items, s.view.workspace], () => this.dress());
        store.on((s) => [s.view.colourBy, s.view.map, s.view.range, s.view.displays.velocity,
            s.view.displays.lengthFactor, s.view.displays.widthFactor], () => this.recolourAll());
        app.onHello.push(() => {
            for (const pump of this.pumps.values()) pump.forget();
            this.restage();
        });
        store.on((s) => s.view.grid, (grid) => viewport.setGrid(grid));
    }

    private settled(): boolean {
        return [...this.pumps.values()].every((pump) => pump.resting) && !this.loading.size;
    }

    get busy(): boolean {
        return !this.settled() || this.differenceBusy;
    }

    view(item: number | null | undefined): ItemView | null {
        return item === null || item === undefined ? null : this.app.viewport.items.get(item) ?? null;
    }

    private dropClosed(): void {
        const { viewport, state } = this.app;
        for (const item of [...viewport.items.keys()]) {
            const info = findItem(state, item);
            if (info && info.revision === viewport.items.get(item)?.revision) continue;
            viewport.removeItem(item);
            this.pumps.delete(item);
        }
    }

    private restage(): void {
        const { viewport, state } = this.app;
        const plan = staging(state);
        viewport.setPanes(plan.panes.length);
        viewport.panes.forEach((pane, i) => {
            pane.items = new Set(plan.panes[i]?.items ?? []);
            pane.only = plan.panes[i]?.only ?? null;
            pane.title.textContent = plan.panes[i]?.title ?? '';
            pane.element.hidden = i >= plan.panes.length;
        });
        if (plan.overlaid !== this.overlaid) {
            this.overlaid = plan.overlaid;
            this.dress();
        }
        this.linkCameras(plan);
        for (const item of viewport.panes.flatMap((pane) => [...pane.items])) void this.load(item);
        viewport.measure();
        this.useCameras(plan);
        this.wantFrames();
    }

    private linkCameras(plan: Staging): void {
        const [first, second] = this.app.viewport.panes;
        if (!first || !second) return;
        if (plan.linked) second.rig = first.rig;
        else if (second.rig === first.rig) second.rig = new CameraRig();
        second.rig.setAspect(this.app.viewport.paneSize().width / this.app.viewport.paneSize().height);
    }

    private paneKey(plan: Staging, pane: Pane): string {
        const { workspace } = this.app.view;
        const { items, only } = plan.panes[pane.index] ?? { items: [] };
        return workspace === 'look' ? 'look' : `${workspace} ${items.join()}${only ? `:${only}` : ''}`;
    }

    /** Each workspace keeps its cameras; one that is new frames what it shows. */
    private useCameras(plan: Staging): void {
        const { viewport, view } = this.app;
        const key = plan.panes.map((_, i) => this.paneKey(plan, viewport.panes[i]!)).join('|');
        if (key === this.cameraKey) return;
        this.cameraKey = key;
        for (const pane of viewport.panes.slice(0, plan.linked ? 1 : plan.panes.length)) {
            const kept = view.cameras[this.paneKey(plan, pane)];
            if (kept) pane.rig.restore(kept);
            else this.frameWhenThere(pane);
        }
    }

    private frameWhenThere(pane: Pane): void {
        const { viewport } = this.app;
        const box = viewport.focusOf(pane.items, pane.only);
        const whole = [...pane.items].every((i) => viewport.items.has(i));
        if (box.isEmpty() || !whole) return;
        pane.rig.frame(box);
        viewport.invalidate();
    }

    private keepCamerasSoon(): void {
        window.clearTimeout(this.cameraTimer);
        this.cameraTimer = window.setTimeout(() => this.keepCameras(), kCameraKeptMilliseconds);
    }

    keepCameras(): void {
        const plan = staging(this.app.state);
        const cameras = { ...this.app.view.cameras };
        plan.panes.forEach((_, i) => {
            const pane = this.app.viewport.panes[i]!;
            cameras[this.paneKey(plan, pane)] = pane.rig.state;
        });
        this.app.setView({ cameras });
    }

    private async load(number: number): Promise<void> {
        const { viewport } = this.app;
        const item = findItem(this.app.state, number);
        if (!item || viewport.items.has(number) || this.loading.has(number)) return;
        this.loading.add(number);
        const view = new ItemView(number, item.revision);
        const whole = await this.fillView(view, item);
        this.loading.delete(number);
        const now = findItem(this.app.state, number);
        if (!now || !whole) {
            view.dispose();  // a new connection asks anew
            return;
        }
        if (now.revision !== view.revision) {
            view.dispose();
            void this.load(number);
            return;
        }
        this.arrive(item, view);
    }

    /** False where the answer for a body was lost. */
    private async fillView(view: ItemView, item: Item): Promise<boolean> {
        for (let b = 0; b < item.bodies.length; ++b) {
            const answer = await this.app.askBinary('items', 'mesh', { item: item.item, body: b });
            if (!answer) return false;
            view.add(bodyView(answer, b, item.bodies[b]!));
        }
        return true;
    }

    private arrive(item: Item, view: ItemView): void {
        const { viewport } = this.app;
        if (item.up) viewport.setUp(item.up);
        viewport.addItem(view);
        this.pumps.set(item.item, new FramePump(this.app, item.item, (frame) => this.show(item.item, frame)));
        this.dressItem(item, view);
        for (const pane of viewport.panes.slice(0, viewport.nPanes)) {
            const kept = this.app.view.cameras[this.paneKey(staging(this.app.state), pane)];
            if (pane.items.has(item.item) && !kept) this.frameWhenThere(pane);
        }
        this.wantFrames();
        this.shown(item.item);
    }

    /** Tells what lies over an item that its picture has changed. */
    shown(item: number): void {
        for (const call of this.onShown) call(item);
        this.app.viewport.invalidate();
    }

    private fieldsFor(item: Item): string[] {
        const { colourBy, displays } = this.app.view;
        const fields = item.fields.includes(colourBy) ? [colourBy] : [];
        if (displays.velocity && (item.frames > 1 || this.isLive(item))) fields.push('velocity');
        return fields;
    }

    /** Fields for what the simulation is asked. */
    simFields(): string[] {
        const item = findItem(this.app.state, this.app.state.sim.item);
        return item ? this.fieldsFor(item) : [];
    }

    /** The frame of an item that the timeline's frame means. */
    private frameOf(item: Item, state: State): number {
        if (state.view.workspace === 'match') return 0;
        return Math.max(0, Math.min(state.view.frame, item.frames - 1));
    }

    wantFrames(): void {
        const { state, viewport } = this.app;
        for (const number of viewport.panes.slice(0, viewport.nPanes).flatMap((pane) => [...pane.items])) {
            const item = findItem(state, number);
            const pump = this.pumps.get(number);
            if (!item || !pump) continue;
            if (this.isLive(item)) pump.forget();
            else pump.want(this.frameOf(item, state), this.fieldsFor(item));
        }
        this.wantDifference();
    }

    /** A simulated scene's positions come from the simulation. */
    isLive(item: Item): boolean {
        return item.kind === 'scene' && item.item === this.app.state.sim.item;
    }

    /** The item's picture is asked for anew, as after a drag was undone. */
    refresh(item: number): void {
        this.pumps.get(item)?.forget();
        this.wantFrames();
    }

    show(item: number, frame: Frame): void {
        const begin = performance.now();
        const view = this.app.viewport.items.get(item);
        if (!view) return;
        view.apply(frame);
        this.recolour(view);
        this.app.viewport.spend(performance.now() - begin);
        this.shown(item);
    }

    private wantDifference(): void {
        const { view } = this.app;
        const a = staging(this.app.state).panes[0]?.items[0];
        const wanted = view.workspace === 'look' && view.colourBy === kColourByDifference
            && view.compare !== 'off' && view.other !== null && a !== undefined;
        if (!wanted) {
            this.differences = null;
            return;
        }
        if (!this.differenceBusy) void this.fetchDifference(a, view.other!);
    }

    private async fetchDifference(item: number, other: number): Promise<void> {
        this.differenceBusy = true;
        const frame = this.app.view.frame;
        const answer = await this.app.askBinary('look', 'difference', { item, other, frame });
        this.differenceBusy = false;
        if (answer) {
            this.differences = { item, frame, bodies: decodeDifference(answer) };
            this.recolourAll();
        }
        if (this.app.view.frame !== frame) this.wantDifference();
    }

    private recolourAll(): void {
        for (const view of this.app.viewport.items.values()) this.recolour(view);
        if ([kColourByBody, kColourByVertex].includes(this.app.view.colourBy)) {
            this.app.store.set({ legend: null });
        }
        this.app.viewport.invalidate();
    }

    private valuesOf(view: ItemView, body: number): FieldValues | null {
        const { colourBy } = this.app.view;
        if (colourBy === kColourByDifference) {
            return this.differences?.item === view.item ? this.differences.bodies.get(body) ?? null : null;
        }
        return view.shown?.bodies.find((b) => b.body === body)?.fields.get(colourBy) ?? null;
    }

    private recolour(view: ItemView): void {
        const { colourBy, map, displays } = this.app.view;
        for (const [index, body] of view.bodies) {
            const field = this.valuesOf(view, index);
            if (field) this.grow(colourBy, field);
            body.showTint(colourBy === kColourByVertex);
            body.setValues(field?.values ?? null, this.range(colourBy), map);
            const velocity = displays.velocity
                ? view.shown?.bodies.find((b) => b.body === index)?.fields.get('velocity') : undefined;
            const radius = kArrowWidth * displays.widthFactor * body.typicalEdge();
            body.setVelocities(velocity?.values ?? null, displays.lengthFactor, radius);
        }
    }

    /** The range of a colouring holds all that was seen, so that it stands still while it plays. */
    private grow(name: string, field: FieldValues): void {
        const known = this.extremes.get(name);
        const [low, high] = [field.minimum, field.maximum].map((v) => (Number.isFinite(v) ? v : 0));
        const next: [number, number] = known
            ? [Math.min(known[0], low!), Math.max(known[1], high!)] : [low!, high!];
        this.extremes.set(name, next);
        const range = this.app.view.range ?? next;
        const legend = this.app.state.legend;
        if (legend?.title === name && legend.range[0] === range[0] && legend.range[1] === range[1]) return;
        this.app.store.set({ legend: { title: name, unit: field.unit, range } });
    }

    private range(name: string): readonly [number, number] {
        return this.app.view.range ?? this.extremes.get(name) ?? [0, 1];
    }

    forgetExtremes(): void {
        this.extremes.clear();
        this.recolourAll();
    }

    /** Also after a change of theme, which is no part of the state. */
    dress(): void {
        for (const view of this.app.viewport.items.values()) {
            const item = findItem(this.app.state, view.item);
            if (item) this.dressItem(item, view);
        }
        this.app.viewport.invalidate();
    }

    private dressItem(item: Item, view: ItemView): void {
        const { style, smooth, twoSided, normals } = this.app.view;
        const dark = document.documentElement.dataset['theme'] === 'dark';
        for (const [index, body] of view.bodies) {
            const look: BodyLook = {
                style, smooth, twoSided, normals,
                colour: bodyColour(this.app.view, item, index),
                edgeColour: dark ? '#17191d' : '#2c2f36',
                opacity: item.item === this.overlaid ? 0.45 : 1,
            };
            body.setLook(look);
        }
        this.recolour(view);
    }

    /** By bodies, as `item:body`. */
    showTriangleColours(colours: ReadonlyMap<string, Float32Array<ArrayBuffer>>): void {
        for (const view of this.app.viewport.items.values()) {
            for (const [index, body] of view.bodies) {
                const wanted = colours.get(`${view.item}:${index}`) ?? null;
                if (wanted && wanted.length !== body.triangles.length) continue;
                if (wanted || body.hasTriangleColours) body.setTriangleColours(wanted);
            }
        }
        this.app.viewport.invalidate();
    }
}

function bodyView(answer: BinaryMessage, index: number, { name, role }: BodyInfo): BodyView {
    const { positions, triangles, colors, edges } = answer.header;
    return new BodyView(index, name, {
        positions: floats(answer, positions),
        triangles: integers(answer, triangles),
        colours: colors ? floats(answer, colors) : null,
        edges: edges ? integers(answer, edges) : null,
    }, role === 'obstacle');
}

function decodeDifference(answer: BinaryMessage): Map<number, FieldValues> {
    const bodies = new Map<number, FieldValues>();
    const raw = answer.header['bodies'] as readonly { body: number; values: unknown; maximum: number }[];
    for (const { body, values, maximum } of raw) {
        bodies.set(body, { values: floats(answer, values), unit: 'm', minimum: 0, maximum });
    }
    return bodies;
}

