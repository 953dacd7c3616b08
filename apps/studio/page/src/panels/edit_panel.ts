// SPDX-License-Identifier: Apache-2.0
import type { BodyInfo, Item } from '../protocol/messages';
import type { App } from '../state/app';
import { bodyChoices, parsePlace, placeKey } from '../state/places';
import { findItem, type State, type Tool } from '../state/state';
import { isHandle, type EditTool } from '../tools/edit_tool';
import { confirmed } from '../ui/confirm';
import { el } from '../ui/element';
import {
    button, buttonWhen, checkbox, errorLine, logSlider, numberField, row, section, segments, select,
    showWhen, textOf, type Choice,
} from '../ui/widgets';
import { kGivingColour, kHeldColour } from '../view/surface_material';

export interface EditActions {
    load(): void;
    saveFrame(): void;
    saveItem(item: number): void;
}

const kSelecting: readonly (readonly [Tool, string, string])[] = [
    ['orbit', 'View', 'The left button turns the view (Escape)'],
    ['brush', 'Brush', 'Paint over vertices; Shift adds, Ctrl takes away (b)'],
    ['box', 'Box', 'Drag a rectangle; Shift adds, Ctrl takes away (x)'],
    ['geodesic', 'Radius', 'Click: all within a distance over the surface; Shift adds, Ctrl takes away (c)'],
];
const kHandles: readonly (readonly [Tool, string, string])[] = [
    ['translate', 'Move', 'Move the selection with the handle (w)'],
    ['rotate', 'Turn', 'Turn it (e)'],
    ['scale', 'Scale', 'Scale it (r)'],
];

function isEditable(item: Item, body: BodyInfo): boolean {
    return item.frames > 1 && item.kind !== 'scene' && body.moves;
}

function sequences(state: State): readonly Choice[] {
    const some = state.items.some((item) => item.bodies.some((body) => isEditable(item, body)));
    return bodyChoices(state, some ? 'choose\u2026' : 'no sequence is open', isEditable);
}

async function openSequence(app: App, value: string): Promise<boolean> {
    const place = parsePlace(value);
    if (!place) return false;
    const { edit } = app.state;
    const other = place.item !== edit.item || place.body !== (edit.body ?? 0);
    if (other && edit.edited.length && !await confirmed('Edit another sequence',
        `The edited frames (${edit.edited.join(', ')}) of this one are given up; save their meshes first to keep them.`, 'Go on')) {
        return false;
    }
    app.store.set({ selection: new Set() });
    const frames = findItem(app.state, place.item)?.frames ?? 1;
    const frame = Math.max(0, Math.min(app.view.frame, frames - 1));
    return await app.ask('edit', 'edit.open', { ...place, frame }) !== null;
}

/** One who comes to Edit finds a tool in the hand. */
export function takeTool(app: App): void {
    if (app.view.tool === 'orbit' || app.view.tool === 'grab') app.setView({ tool: 'brush' });
}

/** The only sequence there is needs not be chosen. */
export function openOnlySequence(app: App): void {
    const { state } = app;
    const only = state.items.flatMap((item) => item.bodies.flatMap((body, b) => (isEditable(item, body) ? [`${item.item}:${b}`] : [])));
    if (state.edit.item === null && only.length === 1) void openSequence(app, only[0]!);
}

/** How far the edit reaches; what is empty is not limited. */
const carry = { before: null as number | null, after: null as number | null, ease: 0, strength: 1 };

export function editPanel(app: App, tool: EditTool, actions: EditActions): HTMLElement {
    const opened = (s: State): boolean => s.edit.item !== null;
    app.store.on((s) => s.edit.result, () => showCarried(app));
    app.onEvent.push((name, content) => {
        if (name === 'job' && ['failed', 'cancelled'].includes(String(content['state']))) carrying = false;
    });
    return el('div.panel', { 'data-panel': 'edit' },
        section('Sequence',
            select(app, 'Sequence', 'The sequence to edit', sequences, (s) => placeKey(s, s.edit.item, s.edit.body),
                (value) => openSequence(app, value), 'edit-item'),
            textOf(app, (s) => frameWords(s)), errorLine(app, 'edit')),
        showWhen(app, opened, el('div', {}, selectSection(app, tool), handleSection(app, tool, actions), carrySection(app, actions))));
}

function frameWords(state: State): string {
    const { edit, view } = state;
    if (edit.item === null) return sequences(state).length > 1 ? 'Choose the sequence of which a frame is to be edited.' : 'Open a sequence to edit one of its frames.';
    const others = edit.edited.filter((f) => f !== view.frame);
    const here = edit.edited.includes(view.frame) ? `Frame ${view.frame} is edited.` : `Frame ${view.frame} is as it was.`;
    return others.length ? `${here} Also edited: ${others.join(', ')}.` : here;
}

function selectSection(app: App, tool: EditTool): HTMLElement {
    return section('Select',
        segments(app, kSelecting, (s) => s.view.tool, (chosen) => app.setView({ tool: chosen }), 'select-tool'),
        showWhen(app, (s) => s.view.tool === 'brush', logSlider(app, 'Brush', 'Radius on the screen [pixels]',
            (s) => s.view.brush, (brush) => app.setView({ brush }), [3, 200], 'brush')),
        showWhen(app, (s) => s.view.tool === 'box', checkbox(app, 'Through', 'The box takes what is hidden too, else only what is seen',
            (s) => s.view.through, (through) => app.setView({ through }), 'through')),
        showWhen(app, (s) => s.view.tool === 'geodesic', numberField(app, 'Radius', 'Distance over the surface',
            (s) => s.view.radius ?? tool.defaultRadius(), (radius) => app.setView({ radius }), { unit: 'm', minimum: 0, name: 'radius' })),
        row(
            textOf(app, (s) => (s.selection.size === 1 ? '1 vertex' : `${s.selection.size} vertices`)),
            button('All', 'Select all vertices (a)', () => selectAll(app, tool)),
            button('None', 'Select nothing (Alt+A)', () => app.store.set({ selection: new Set() })),
            button('Invert', 'Select what is not selected (i)', () => invertSelection(app, tool))));
}

export function selectAll(app: App, tool: EditTool): void {
    const n = tool.body?.nVertices ?? 0;
    app.store.set({ selection: new Set(Array.from({ length: n }, (_, v) => v)) });
}

export function invertSelection(app: App, tool: EditTool): void {
    const { selection } = app.state;
    const n = tool.body?.nVertices ?? 0;
    app.store.set({ selection: new Set(Array.from({ length: n }, (_, v) => v).filter((v) => !selection.has(v))) });
}

function handleSection(app: App, tool: EditTool, actions: EditActions): HTMLElement {
    return section('Handle',
        segments(app, kHandles, (s) => s.view.tool, (chosen) => app.setView({ tool: chosen }), 'handle-tool'),
        showWhen(app, (s) => isHandle(s.view.tool) && !s.selection.size, el('p.note', {}, 'Select some vertices first.')),
        showWhen(app, (s) => s.selection.size > 0, el('p.note.keys', {}, key(kHeldColour), 'held', key(kGivingColour), 'gives way')),
        numberField(app, 'Falloff', 'Beyond this distance from the selection nothing moves', (s) => s.view.falloff ?? (s.edit.item === null ? null : tool.defaultFalloff()),
            (falloff) => app.setView({ falloff }), { unit: 'm', minimum: 0, name: 'falloff' }),
        select(app, 'Detail', 'How what lies between gives way', () => [['arap', 'as rigid as possible'], ['smooth', 'smooth']],
            (s) => s.view.dragMode, (mode) => app.setView({ dragMode: mode === 'smooth' ? 'smooth' : 'arap' }), 'drag-mode'),
        row(
            buttonWhen(app, 'Undo', 'Undo (Ctrl+Z)', (s) => s.edit.can_undo, () => void app.ask('edit', 'edit.undo').then(() => tool.forgetHandle())),
            buttonWhen(app, 'Redo', 'Redo (Ctrl+Shift+Z)', (s) => s.edit.can_redo, () => void app.ask('edit', 'edit.redo').then(() => tool.forgetHandle()))),
        row(
            button('Load mesh\u2026', 'Take the edited frame from a mesh file, as from Blender', actions.load),
            buttonWhen(app, 'Save mesh\u2026', 'Write the edited frame as a mesh', (s) => s.edit.edited.length > 0, actions.saveFrame)));
}

function key(colour: string): HTMLElement {
    const node = el('span.key');
    node.style.background = colour;
    return node;
}

/** Carries, and shows what has come of it: both sequences in step. */
function carryThrough(app: App): void {
    void app.ask('edit', 'edit.carry', carryArguments()).then((begun) => { carrying = begun !== null; });
}

let carrying = false;

function showCarried(app: App): void {
    if (!carrying || app.view.workspace !== 'edit') return;
    carrying = false;
    app.setView({ beforeAfter: true, tool: 'orbit' });
    app.store.set({ playing: true });
}

function carrySection(app: App, actions: EditActions): HTMLElement {
    const number = (name: 'before' | 'after' | 'ease' | 'strength', placeholder: string, step: number | 'any'): HTMLInputElement => {
        const input = el('input', {
            type: 'number', name, placeholder, min: 0, step, value: carry[name] === null ? '' : String(carry[name]),
            onchange: () => {
                const value = input.value === '' ? null : Number(input.value);
                if (name === 'before' || name === 'after') carry[name] = value;
                else carry[name] = value ?? (name === 'strength' ? 1 : 0);
            },
        });
        return input;
    };
    const field = (text: string, title: string, ...controls: HTMLElement[]): HTMLElement =>
        el('label.field', { title }, el('span.name', {}, text), ...controls);
    return section('Carry through',
        field('Frames', 'How many frames before and after the edited one change; empty for all', number('before', 'all before', 1), number('after', 'all after', 1)),
        field('Ease', 'Frames from no change to the whole', number('ease', '0', 1)),
        field('Strength', '1 is the edit as it is; more exaggerates', number('strength', '1', 'any')),
        buttonWhen(app, 'Carry through the sequence', 'Make a new sequence in which every frame has the edit', (s) => s.edit.edited.length > 0 && s.job?.state !== 'running',
            () => carryThrough(app), 'primary wide'),
        showWhen(app, (s) => findItem(s, s.edit.result) !== null, el('div.row', {},
            checkbox(app, 'Before and after', 'Play the old and the new sequence side by side', (s) => s.view.beforeAfter,
                (beforeAfter) => app.setView({ beforeAfter, tool: beforeAfter ? 'orbit' : 'brush' }), 'before-after'),
            button('Save sequence\u2026', 'Write the new sequence into an opened folder', () => {
                const { result } = app.state.edit;
                if (result !== null && result !== undefined) actions.saveItem(result);
            }))));
}

function carryArguments(): Readonly<Record<string, unknown>> {
    const { before, after, ease, strength } = carry;
    const window = before === null && after === null ? null : [before, after];
    return { window, ease, strength };
}
