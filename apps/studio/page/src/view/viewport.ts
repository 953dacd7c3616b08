// SPDX-License-Identifier: Apache-2.0
import {
    Box3, Color, GridHelper, Group, LinearSRGBColorSpace, Scene, Vector2, Vector3,
    WebGLRenderer,
} from 'three';

import { el } from '../ui/element';
import type { BodyView } from './body_view';
import { CameraRig } from './camera_rig';
import type { ItemView } from './item_view';
import type { Labels } from './labels';
import type { PickRay } from './mesh_arrays';
import { Navigation, type PaneTool } from './navigation';

export interface Hit {
    readonly item: ItemView;
    readonly body: BodyView;
    readonly triangle: number;
    readonly vertex: number;
    readonly point: Vector3;
    readonly distance: number;
}

/** One picture: which items it shows and from where. */
export class Pane {
    readonly element: HTMLElement;
    readonly title = el('div.pane-title');
    readonly overlay = new Group();
    items: ReadonlySet<number> = new Set();
    /** Of its items only this body; all where it is null. */
    only: number | null = null;
    rig = new CameraRig();
    tool: PaneTool | null = null;

    constructor(readonly index: number) {
        this.element = el('div.pane', { 'data-pane': index }, this.title);
    }
}

export interface FrameStats {
    frames: number;
    scriptMilliseconds: number;
    pickMilliseconds: number;
}

/** The canvas: panes side by side, drawn only when something has changed. */
export class Viewport {
    readonly element = el('div.viewport');
    readonly scene = new Scene();
    readonly panes: readonly Pane[] = [new Pane(0), new Pane(1)];
    readonly items = new Map<number, ItemView>();
    readonly stats: FrameStats = { frames: 0, scriptMilliseconds: 0, pickMilliseconds: 0 };
    readonly labels = new Set<Labels>();
    readonly renderer: WebGLRenderer;
    nPanes = 1;
    occupied: () => boolean = () => false;
    /** Called before a picture is drawn: time to bring what depends on the camera up to date. */
    prepare: () => void = () => {};
    cameraChanged: () => void = () => {};
    private dirty = true;
    private spent = 0;
    private fitted = '';
    private grid: GridHelper | null = null;
    private gridOn = true;
    private gridColours: readonly [string, string] = ['#555555', '#444444'];
    private sceneBox = new Box3();
    private up = new Vector3(0, 1, 0);

    constructor(antialias: boolean) {
        this.renderer = new WebGLRenderer({ antialias });
        this.renderer.outputColorSpace = LinearSRGBColorSpace;
        this.renderer.autoClear = false;
        this.renderer.setPixelRatio(window.devicePixelRatio);
        this.renderer.domElement.className = 'canvas';
        this.element.append(this.renderer.domElement);
        for (const pane of this.panes) this.watch(pane);
        new ResizeObserver(() => this.resize()).observe(this.element);
        this.watchDensity();
        const tick = (): void => {
            if (this.dirty) this.draw();
            requestAnimationFrame(tick);
        };
        requestAnimationFrame(tick);
    }

    private watch(pane: Pane): void {
        this.element.append(pane.element);
        this.scene.add(pane.overlay);
        const viewport = this;
        new Navigation(pane.element, {
            get rig() { return pane.rig; },
            tool: () => pane.tool,
            occupied: () => viewport.occupied(),
            changed: () => {
                viewport.invalidate();
                viewport.cameraChanged();
            },
        });
    }

    /** A window that goes to another screen has another density. */
    private watchDensity(): void {
        const query = matchMedia(`(resolution: ${window.devicePixelRatio}dppx)`);
        query.addEventListener('change', () => {
            this.resize();
            this.watchDensity();
        }, { once: true });
    }

    setPanes(n: number): void {
        this.nPanes = n;
        this.element.dataset['panes'] = String(n);
        this.resize();
    }

    invalidate(): void {
        this.dirty = true;
    }

    /** Counts script time of work for the next picture that was done elsewhere. */
    spend(milliseconds: number): void {
        this.spent += milliseconds;
    }

    setBackground(background: string, grid: readonly [string, string]): void {
        this.renderer.setClearColor(new Color(background), 1);
        this.gridColours = grid;
        this.placeGrid();
    }

    setGrid(on: boolean): void {
        this.gridOn = on;
        this.placeGrid();
    }

    setUp(up: readonly [number, number, number]): void {
        if (this.up.equals(new Vector3(...up))) return;
        this.up.set(...up);
        for (const pane of this.panes) pane.rig.setUp(up);
        this.placeGrid();
    }

    addItem(view: ItemView): void {
        this.items.set(view.item, view);
        this.scene.add(view.group);
        this.measure();
    }

    removeItem(item: number): void {
        this.items.get(item)?.dispose();
        this.items.delete(item);
        this.measure();
    }

    boxOf(items: Iterable<number>): Box3 {
        const box = new Box3();
        for (const item of items) {
            const view = this.items.get(item);
            if (view) box.union(view.box());
        }
        return box;
    }

    focusOf(items: Iterable<number>, only: number | null = null): Box3 {
        const box = new Box3();
        for (const item of items) {
            const view = this.items.get(item);
            if (view) box.union(view.focus(only));
        }
        return box;
    }

    /** What all panes show, for clipping planes and the grid. */
    measure(): void {
        const shown = this.panes.slice(0, this.nPanes).flatMap((pane) => [...pane.items]);
        this.sceneBox = this.boxOf(shown);
        for (const pane of this.panes) pane.rig.setScene(this.sceneBox);
        this.placeGrid();
        this.invalidate();
    }

    get radius(): number {
        return this.sceneBox.isEmpty() ? 1 : this.sceneBox.getSize(new Vector3()).length() / 2;
    }

    private placeGrid(): void {
        this.grid?.removeFromParent();
        this.grid?.dispose();
        this.grid = null;
        this.invalidate();
        if (!this.gridOn || this.sceneBox.isEmpty()) return;
        const cell = Math.pow(10, Math.floor(Math.log10(Math.max(this.radius, 1e-9))));
        const share = this.radius / cell;
        const unit = share < 2 ? cell / 5 : share < 5 ? cell / 2 : cell;
        const n = 2 * Math.ceil((1.8 * this.radius) / unit);
        this.grid = new GridHelper(n * unit, n, ...this.gridColours);
        this.grid.name = 'grid';
        this.grid.renderOrder = -1;
        this.grid.material.depthTest = false;
        this.grid.material.depthWrite = false;
        this.grid.quaternion.setFromUnitVectors(new Vector3(0, 1, 0), this.up);
        const centre = this.sceneBox.getCenter(new Vector3());
        const lowest = this.lowest();
        const flat = centre.addScaledVector(this.up, lowest - centre.dot(this.up));
        this.grid.position.copy(flat.divideScalar(unit).round().multiplyScalar(unit));
        const height = this.grid.position.dot(this.up);
        this.grid.position.addScaledVector(this.up, lowest - 2e-3 * this.radius - height);
        this.scene.add(this.grid);
    }

    private lowest(): number {
        const { min, max } = this.sceneBox;
        const along = (a: number, b: number, u: number): number => Math.min(a * u, b * u);
        return along(min.x, max.x, this.up.x) + along(min.y, max.y, this.up.y)
            + along(min.z, max.z, this.up.z);
    }

    private resize(): void {
        this.fit();
        this.draw();
    }

    /** The canvas as large as its place in the page; true where it was not. */
    private fit(): boolean {
        const { clientWidth, clientHeight } = this.element;
        const size = this.renderer.getSize(new Vector2());
        const density = window.devicePixelRatio;
        const key = `${clientWidth} ${clientHeight} ${density} ${this.nPanes}`;
        if (!clientWidth || !clientHeight || key === this.fitted) return false;
        this.fitted = key;
        if (this.renderer.getPixelRatio() !== density) this.renderer.setPixelRatio(density);
        if (size.x !== clientWidth || size.y !== clientHeight) this.renderer.setSize(clientWidth, clientHeight, false);
        for (const pane of this.panes) pane.rig.setAspect(clientWidth / this.nPanes / clientHeight);
        this.invalidate();
        return true;
    }

    /** Draws now; the picture can be read until the browser's next turn. */
    draw(): void {
        const begin = performance.now();
        this.dirty = false;
        this.prepare();
        const size = this.renderer.getSize(new Vector2());
        const width = size.x / this.nPanes;
        this.renderer.setScissorTest(true);
        for (const pane of this.panes.slice(0, this.nPanes)) {
            this.drawPane(pane, pane.index * width, width, size.y);
        }
        this.stats.frames += 1;
        this.stats.scriptMilliseconds = performance.now() - begin + this.spent;
        this.spent = 0;
    }

    private drawPane(pane: Pane, left: number, width: number, height: number): void {
        this.renderer.setViewport(left, 0, width, height);
        this.renderer.setScissor(left, 0, width, height);
        this.renderer.clear();
        for (const label of this.labels) label.setViewport(width, height);
        for (const other of this.panes) other.overlay.visible = other === pane;
        const perspective = !pane.rig.state.orthographic;
        for (const view of this.items.values()) {
            view.group.visible = pane.items.has(view.item);
            for (const [index, body] of view.bodies) {
                body.group.visible = pane.only === null || pane.only === index;
                body.setPerspective(perspective);
            }
        }
        this.renderer.render(this.scene, pane.rig.camera);
    }

    /** A click may come before the browser has told of a new size: what it meant counts. */
    paneSize(): { width: number; height: number } {
        this.fit();
        const size = this.renderer.getSize(new Vector2());
        return { width: size.x / this.nPanes, height: size.y };
    }

    ray(pane: Pane, x: number, y: number): PickRay {
        const { width, height } = this.paneSize();
        const camera = pane.rig.camera;
        const nx = (2 * x) / width - 1, ny = 1 - (2 * y) / height;
        const near = new Vector3(nx, ny, -1).unproject(camera);
        const far = new Vector3(nx, ny, 1).unproject(camera);
        const direction = far.sub(near).normalize();
        return {
            origin: [near.x, near.y, near.z],
            direction: [direction.x, direction.y, direction.z],
        };
    }

    /** CSS pixels in the pane, and depth (-1 to 1), of a point. */
    project(pane: Pane, point: Vector3): { x: number; y: number; depth: number } {
        const { width, height } = this.paneSize();
        const p = point.clone().project(pane.rig.camera);
        return { x: ((p.x + 1) / 2) * width, y: ((1 - p.y) / 2) * height, depth: p.z };
    }

    pick(pane: Pane, x: number, y: number, wanted: (view: ItemView, body: BodyView) => boolean = () => true): Hit | null {
        const begin = performance.now();
        const ray = this.ray(pane, x, y);
        let best: Hit | null = null;
        for (const item of pane.items) {
            const view = this.items.get(item);
            for (const [index, body] of view?.bodies ?? []) {
                if (!view || (pane.only !== null && pane.only !== index) || !wanted(view, body)) continue;
                const hit = body.hit(ray);
                if (!hit || (best && hit.distance >= best.distance)) continue;
                const point = new Vector3(...ray.origin)
                    .addScaledVector(new Vector3(...ray.direction), hit.distance);
                best = { item: view, body, point, ...hit };
            }
        }
        this.stats.pickMilliseconds = performance.now() - begin;
        return best;
    }
}

