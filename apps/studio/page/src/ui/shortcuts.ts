// SPDX-License-Identifier: Apache-2.0
import type { App } from '../state/app';
import { kWorkspaces } from '../state/state';
import { deleteMarker } from '../tools/match_tool';
import type { EditTool } from '../tools/edit_tool';
import { invertSelection, selectAll } from '../panels/edit_panel';
import type { DrawStyle } from '../view/body_view';
import type { Side } from '../view/camera_rig';
import { toggleItem } from './item_list';
import type { Transport } from './timeline';

export interface Shortcut {
    readonly keys: string;
    readonly text: string;
    readonly group: string;
}

/** What `?` lists; the pointer's ways are in it too. */
export const kShortcuts: readonly Shortcut[] = [
    { group: 'View', keys: 'Left or middle drag', text: 'turn' },
    { group: 'View', keys: 'Right drag, Shift + middle drag', text: 'move' },
    { group: 'View', keys: 'Wheel, Ctrl + middle drag', text: 'zoom' },
    { group: 'View', keys: 'f  .', text: 'frame the selection' },
    { group: 'View', keys: 'Home', text: 'frame all' },
    { group: 'View', keys: 's, then click', text: 'centre on a point of the surface' },
    { group: 'View', keys: 'Numpad 1 3 7', text: 'front, right, top; with Ctrl the other side' },
    { group: 'View', keys: 'Numpad 4 6 8 2', text: 'turn by steps' },
    { group: 'View', keys: 'Numpad 5, p', text: 'perspective or parallel' },
    { group: 'View', keys: 'z', text: 'next way of drawing' },
    { group: 'View', keys: 'n', text: 'vertex numbers' },
    { group: 'View', keys: 'v', text: 'velocities' },
    { group: 'View', keys: 'h', text: 'hide or show the selected item' },
    { group: 'Time', keys: 'Space', text: 'play or pause' },
    { group: 'Time', keys: '\u2190 \u2192', text: 'a frame back or on; with Shift ten' },
    { group: 'Time', keys: 'Shift + Home', text: 'to the start; a simulation is made anew' },
    { group: 'Workspaces', keys: '1 2 3 4 5', text: 'Look, Simulate, Match, Transfer, Edit' },
    { group: 'Workspaces', keys: 'Ctrl + O', text: 'open' },
    { group: 'Workspaces', keys: 'Ctrl + E', text: 'take away' },
    { group: 'Workspaces', keys: 'Ctrl + Z, Ctrl + Shift + Z', text: 'undo, redo (Match, Edit)' },
    { group: 'Workspaces', keys: 'Escape', text: 'give up what was begun' },
    { group: 'Simulate', keys: 'g', text: 'take hold of the cloth; or Ctrl + drag' },
    { group: 'Match', keys: 'Delete', text: 'delete the chosen marker' },
    { group: 'Edit', keys: 'b x c', text: 'brush, box, radius' },
    { group: 'Edit', keys: 'w e r', text: 'move, turn, scale' },
    { group: 'Edit', keys: 'a  Alt + A  i', text: 'all, none, invert' },
    { group: 'Help', keys: '?', text: 'this list' },
];

export interface ShortcutActions {
    frameAll(): void;
    frameSelection(): void;
    open(): void;
    takeAway(): void;
    help(): void;
}

const kStyles: readonly DrawStyle[] = ['solid', 'edges', 'wireframe', 'points'];
const kTurnStep = 32;

function isTyping(event: KeyboardEvent): boolean {
    const node = event.target as HTMLElement | null;
    if (!node) return false;
    if (node.tagName === 'INPUT') {
        const { type } = node as HTMLInputElement;
        return !['checkbox', 'range', 'color'].includes(type);
    }
    return ['TEXTAREA', 'SELECT'].includes(node.tagName);
}

/** The keyboard; nothing is taken from fields and dialogs. */
export class Shortcuts {
    constructor(private readonly app: App, private readonly transport: Transport,
        private readonly editing: EditTool, private readonly actions: ShortcutActions) {
        window.addEventListener('keydown', (event) => this.down(event));
    }

    private down(event: KeyboardEvent): void {
        if (document.querySelector('dialog[open]')) return;
        if (isTyping(event)) {
            if (event.key === 'Enter' || event.key === 'Escape') (event.target as HTMLElement).blur();
            return;
        }
        const done = event.ctrlKey || event.metaKey
            ? this.withControl(event) || this.numpad(event)
            : this.numpad(event) || this.plain(event) || this.ofWorkspace(event);
        if (done) event.preventDefault();
    }

    private withControl(event: KeyboardEvent): boolean {
        switch (event.key.toLowerCase()) {
            case 'o': this.actions.open(); return true;
            case 'e': this.actions.takeAway(); return true;
            case 'z': return this.history(event.shiftKey ? 'redo' : 'undo');
            case 'y': return this.history('redo');
        }
        return false;
    }

    private history(what: 'undo' | 'redo'): boolean {
        const { workspace } = this.app.view;
        if (workspace !== 'match' && workspace !== 'edit') return false;
        const asked = this.app.ask(workspace, `${workspace}.${what}`);
        if (workspace === 'edit') void asked.then(() => this.editing.forgetHandle());
        return true;
    }

    private numpad(event: KeyboardEvent): boolean {
        const sides: Readonly<Record<string, readonly [Side, Side]>> = {
            Numpad1: ['front', 'back'], Numpad3: ['right', 'left'], Numpad7: ['top', 'bottom'],
        };
        const turns: Readonly<Record<string, readonly [number, number]>> = {
            Numpad4: [kTurnStep, 0], Numpad6: [-kTurnStep, 0], Numpad8: [0, kTurnStep], Numpad2: [0, -kTurnStep],
        };
        const { viewport } = this.app;
        const side = sides[event.code], turn = turns[event.code];
        if (!side && !turn && event.code !== 'Numpad5') return false;
        for (const rig of new Set(viewport.panes.map((pane) => pane.rig))) {
            if (side) rig.look(event.ctrlKey ? side[1] : side[0]);
            else if (turn) rig.orbit(...turn);
            else rig.togglePerspective();
        }
        viewport.invalidate();
        viewport.cameraChanged();
        return true;
    }

    private plain(event: KeyboardEvent): boolean {
        const { app, transport } = this;
        const many = event.shiftKey ? 10 : 1;
        switch (event.key) {
            case ' ': transport.toggle(); return true;
            case 'ArrowRight': transport.step(many); return true;
            case 'ArrowLeft': transport.step(-many); return true;
            case 'Home':
                if (event.shiftKey) transport.rewind();
                else this.actions.frameAll();
                return true;
            case 'f': case '.': this.actions.frameSelection(); return true;
            case 's': app.store.set({ centring: true }); return true;
            case 'p':
                for (const rig of new Set(app.viewport.panes.map((pane) => pane.rig))) rig.togglePerspective();
                app.viewport.invalidate();
                app.viewport.cameraChanged();
                return true;
            case 'z': {
                const next = (kStyles.indexOf(app.view.style) + 1) % kStyles.length;
                app.setView({ style: kStyles[next]! });
                return true;
            }
            case 'n': app.setDisplays({ vertexIds: !app.view.displays.vertexIds }); return true;
            case 'v': app.setDisplays({ velocity: !app.view.displays.velocity }); return true;
            case 'h':
                if (app.view.selected !== null) toggleItem(app, app.view.selected);
                return true;
            case '?': this.actions.help(); return true;
            case 'Escape':
                app.store.set({ centring: false, pending: null, marker: null });
                if (app.view.workspace === 'edit' && app.view.tool !== 'orbit') app.setView({ tool: 'orbit' });
                return true;
        }
        const workspace = kWorkspaces[Number(event.key) - 1];
        if (!workspace) return false;
        app.setView({ workspace });
        return true;
    }

    private ofWorkspace(event: KeyboardEvent): boolean {
        const { app } = this;
        if (app.view.workspace === 'look' && event.key === 'g') {
            app.setView({ grid: !app.view.grid });
            return true;
        }
        if (app.view.workspace === 'simulate' && event.key === 'g') {
            app.setView({ tool: app.view.tool === 'grab' ? 'orbit' : 'grab' });
            return true;
        }
        if (app.view.workspace === 'match' && (event.key === 'Delete' || event.key === 'Backspace')) {
            void deleteMarker(app);
            return true;
        }
        return app.view.workspace === 'edit' && this.ofEdit(event);
    }

    private ofEdit(event: KeyboardEvent): boolean {
        const { app } = this;
        const tools = { b: 'brush', x: 'box', c: 'geodesic', w: 'translate', e: 'rotate', r: 'scale' } as const;
        const tool = tools[event.key as keyof typeof tools];
        if (tool) app.setView({ tool });
        else if (event.key.toLowerCase() === 'a' && event.altKey) app.store.set({ selection: new Set() });
        else if (event.key === 'a') selectAll(app, this.editing);
        else if (event.key === 'i') invertSelection(app, this.editing);
        else return false;
        return true;
    }
}
