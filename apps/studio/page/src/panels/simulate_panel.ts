// SPDX-License-Identifier: Apache-2.0
import { Vector3 } from 'three';

import type { Item } from '../protocol/messages';
import type { App } from '../state/app';
import type { Simulation } from '../state/simulation';
import type { Stage } from '../state/stage';
import type { State } from '../state/state';
import { el } from '../ui/element';
import { formatNumber, button, buttonWhen, errorLine, row, section, segments, select, showWhen, textOf, type Choice } from '../ui/widgets';
import type { Transport } from '../ui/timeline';
import { schemaForm } from './schema_form';

export interface SimulateActions {
    save(): void;
}

function scenes(state: State): readonly Choice[] {
    const all = state.items.filter((i) => i.kind === 'scene');
    return [['', all.length ? 'choose\u2026' : 'no scene is open'], ...all.map((i): Choice => [String(i.item), i.name])];
}

/** Numbers of the newest frame's line, without those that are structures. */
function report(state: State): readonly (readonly [string, string])[] {
    return Object.entries(state.sim.report ?? {}).flatMap(([name, value]) =>
        typeof value === 'number' ? [[name.replaceAll('_', ' '), formatNumber(value)] as const] : []);
}

export function simulatePanel(app: App, simulation: Simulation, stage: Stage, actions: SimulateActions, transport: Transport): HTMLElement {
    return el('div.panel', { 'data-panel': 'simulate' },
        section('Scene',
            select(app, 'Scene', 'The scene that is simulated', scenes, (s) => String(s.sim.item ?? ''),
                (value) => { if (value) void app.ask('simulate', 'sim.open', { item: Number(value) }); }, 'scene'),
            errorLine(app, 'simulate'),
            failure(app, stage),
            segments(app, [
                ['orbit', 'Turn the view', 'The left button turns the view'],
                ['grab', 'Take hold', 'The left button takes hold of the cloth and leads it (g); Ctrl does so too'],
            ], (s) => (s.view.tool === 'grab' ? 'grab' : 'orbit'), (tool) => app.setView({ tool }), 'sim-tool'),
            row(buttonWhen(app, 'Keep the frames', 'The frames since the last rewind as a run of its own, to be scrubbed, saved and taken away; '
                + 'what is not kept is forgotten at the next rewind', (s) => s.sim.frame > 0, () => void keepFrames(app))),
            textOf(app, (s) => (s.sim.grabbed ? `Vertex ${s.sim.grabbed.vertex} is held.` : ''))),
        showWhen(app, (s) => s.schema.length > 0, parameters(app, simulation, actions, transport)),
        showWhen(app, (s) => report(s).length > 0, numbers(app)));
}

/** The run that was kept is shown where it can be scrubbed. */
async function keepFrames(app: App): Promise<void> {
    const item = await app.ask<Item>('simulate', 'sim.keep');
    if (!item) return;
    app.setView({ workspace: 'look', selected: item.item, frame: Math.max(0, item.frames - 1) });
    app.notify(`The frames are kept as '${item.name}': scrub them here, Save them, or take them away.`);
}

/** What could not be resolved: the sentence, and a way to the place. */
function failure(app: App, stage: Stage): HTMLElement {
    const text = el('p');
    const show = button('Show where', 'Centre the view on the place', () => {
        const { failure: failed, item } = app.state.sim;
        const point = failed?.points?.[0];
        const [body, vertex] = failed?.vertices?.[0] ?? [];
        const pane = app.viewport.panes[0]!;
        if (point) pane.rig.centre(new Vector3(...point));
        else if (body !== undefined && vertex !== undefined) {
            const at = stage.view(item)?.bodies.get(body)?.vertex(vertex);
            if (at) pane.rig.centre(at);
        }
        app.viewport.invalidate();
    });
    const node = el('div.failure', { role: 'alert' }, text, show);
    app.store.on((s) => s.sim.failure ?? null, (failed) => {
        node.hidden = !failed;
        text.textContent = failed?.message ?? '';
        show.hidden = !failed?.points?.length && !failed?.vertices?.length;
    });
    return node;
}

function parameters(app: App, simulation: Simulation, actions: SimulateActions, transport: Transport): HTMLElement {
    const note = showWhen(app, (s) => s.sim.changed, el('div.changed-note', {},
        textOf(app, (s) => (s.sim.frame === 0 ? 'Changed: it takes effect when it is played.'
            : 'Changed: it takes effect at the next start, not in what runs now.'), 'note'),
        button('Rewind and start', 'Make the world anew with the changed scene, and play', () => transport.again(), 'primary')));
    return section('Parameters',
        showWhen(app, (s) => !s.sim.changed, el('p.note', {}, 'A changed value takes effect at the next start. Blue names: other than the default.')), note,
        schemaForm(app, (path, value) => void simulation.change(path, value)),
        row(
            button('Save as TOML\u2026', 'Write the scene, with its changes, into an opened folder', actions.save),
            button('Show TOML', 'The scene as text', () => void showText(app))));
}

async function showText(app: App): Promise<void> {
    const answer = await app.ask<{ text: string }>('simulate', 'sim.text');
    if (!answer) return;
    const { text } = answer;
    const dialog = el('dialog.text-dialog', {}, el('pre', {}, text));
    const close = button('Close', 'Close (Escape)', () => dialog.close());
    dialog.append(el('div.row.end', {}, close));
    dialog.addEventListener('close', () => dialog.remove());
    document.body.append(dialog);
    dialog.showModal();
}

function numbers(app: App): HTMLElement {
    const table = el('table.numbers');
    app.store.on((s) => JSON.stringify(report(s)), () => {
        table.replaceChildren(...report(app.state).map(([name, value]) =>
            el('tr', {}, el('th', {}, name), el('td', {}, value))));
    });
    return section('This frame', table);
}
