// SPDX-License-Identifier: Apache-2.0
import type { CameraRig } from './camera_rig';

export interface PanePointer {
    /** CSS pixels from the pane's left upper corner. */
    readonly x: number;
    readonly y: number;
    readonly event: PointerEvent;
}

/** What a workspace does with the left button; true where it takes the pointer for itself. */
export interface PaneTool {
    press?(pointer: PanePointer): boolean;
    drag?(pointer: PanePointer): void;
    release?(pointer: PanePointer): void;
    /** A press and a release in one place, that no tool took. */
    click?(pointer: PanePointer): void;
    hover?(pointer: PanePointer): void;
}

export interface NavigationTarget {
    readonly rig: CameraRig;
    tool(): PaneTool | null;
    /** True while something else has the pointer, as a handle. */
    occupied(): boolean;
    changed(): void;
}

const kClickPixels = 4;
const kLinePixels = 33;
const kPagePixels = 300;

type Action = 'none' | 'orbit' | 'pan' | 'zoom' | 'tool';

/** Turns pointer and wheel of one pane into the camera's moves, as Blender and MeshLab have them. */
export class Navigation {
    private action: Action = 'none';
    private last = { x: 0, y: 0 };
    private start = { x: 0, y: 0 };
    private moved = false;
    private button = -1;
    private id = -1;

    constructor(private readonly element: HTMLElement, private readonly target: NavigationTarget) {
        element.addEventListener('pointerdown', (event) => this.down(event));
        element.addEventListener('pointermove', (event) => this.move(event));
        element.addEventListener('pointerup', (event) => this.up(event));
        element.addEventListener('pointercancel', (event) => this.up(event));
        element.addEventListener('lostpointercapture', (event) => this.up(event));
        element.addEventListener('wheel', (event) => this.wheel(event), { passive: false });
        element.addEventListener('contextmenu', (event) => event.preventDefault());
    }

    private pointer(event: PointerEvent): PanePointer {
        const box = this.element.getBoundingClientRect();
        return { x: event.clientX - box.left, y: event.clientY - box.top, event };
    }

    private down(event: PointerEvent): void {
        if (this.action !== 'none' && this.id !== event.pointerId) return;  // another finger
        if (event.button === 0 && this.target.occupied()) return;
        this.id = event.pointerId;
        const pointer = this.pointer(event);
        this.start = this.last = { x: event.clientX, y: event.clientY };
        this.moved = false;
        this.button = event.button;
        this.action = this.begin(pointer);
        this.element.setPointerCapture(event.pointerId);
        (document.activeElement as HTMLElement | null)?.blur?.();
        event.preventDefault();
    }

    private begin(pointer: PanePointer): Action {
        const { button, shiftKey, ctrlKey, altKey } = pointer.event;
        if (button === 1) return shiftKey ? 'pan' : ctrlKey ? 'zoom' : 'orbit';
        if (button === 2) return 'pan';
        if (button !== 0) return 'none';
        if (!altKey && this.target.tool()?.press?.(pointer)) return 'tool';
        return shiftKey ? 'pan' : 'orbit';
    }

    private move(event: PointerEvent): void {
        const dx = event.clientX - this.last.x, dy = event.clientY - this.last.y;
        this.last = { x: event.clientX, y: event.clientY };
        const far = Math.hypot(event.clientX - this.start.x, event.clientY - this.start.y);
        if (far > kClickPixels) this.moved = true;
        if (this.action === 'none') {
            this.target.tool()?.hover?.(this.pointer(event));
            return;
        }
        if (this.action === 'tool') {
            this.target.tool()?.drag?.(this.pointer(event));
            return;
        }
        if (this.moved) this.moveCamera(dx, dy);
    }

    private moveCamera(dx: number, dy: number): void {
        const { rig } = this.target;
        if (this.action === 'orbit') rig.orbit(dx, dy);
        if (this.action === 'pan') rig.pan(dx, dy, this.element.clientHeight);
        if (this.action === 'zoom') rig.zoom(4 * dy);
        this.target.changed();
    }

    private up(event: PointerEvent): void {
        if (event.pointerId !== this.id) return;
        const action = this.action;
        this.action = 'none';
        if (action === 'tool') this.target.tool()?.release?.(this.pointer(event));
        else if (action === 'orbit' && !this.moved && this.button === 0) {
            this.target.tool()?.click?.(this.pointer(event));
        }
    }

    private wheel(event: WheelEvent): void {
        event.preventDefault();
        const unit = event.deltaMode === 1 ? kLinePixels : event.deltaMode === 2 ? kPagePixels : 1;
        this.target.rig.zoom(event.deltaY * unit);
        this.target.changed();
    }
}
