// SPDX-License-Identifier: Apache-2.0
import type { App } from '../state/app';
import { frameShown, needsTrace } from '../state/traces';
import { kManyIds, type PairDisplay, type State } from '../state/state';
import { loggedItem } from '../ui/plots';
import { el } from '../ui/element';
import type { Transport } from '../ui/timeline';
import {
    button, checkbox, errorLine, folded, logSlider, numberField, row, showWhen, textOf,
} from '../ui/widgets';
import { countOf } from '../view/trace_lines';
import { kTraceColours, shownRound } from '../view/trace_view';

function step(state: State) {
    const steps = state.trace?.steps ?? [];
    return steps[Math.min(state.view.displays.step, steps.length - 1)] ?? null;
}

/** The four panels of displays of the first thesis, live and on a run with traces. */
export function displaysSection(app: App, transport: Transport): HTMLElement {
    const node = folded('Displays', errorLine(app, 'displays'), missingTrace(app, transport), stateDisplays(app), traceDisplays(app));
    node.dataset['section'] = 'displays';
    return node;
}

/** Why nothing is drawn of what contacts saw, and what brings it. */
function missingTrace(app: App, transport: Transport): HTMLElement {
    const live = (s: State): boolean => s.view.workspace === 'simulate';
    const text = textOf(app, (s) => {
        if (!live(s)) return s.traceMissing;
        if (s.sim.frame === 0) return 'Nothing has met yet at the start; play, or make one frame.';
        return `What contacts saw in frame ${s.sim.frame} was not kept, because no display asked for it when it was made. It is kept from now on.`;
    });
    return showWhen(app, (s) => needsTrace(s.view.displays) && s.traceMissing !== '' && s.sim.state !== 'playing',
        el('div.changed-note', { 'data-missing-trace': '' }, text, showWhen(app, live, row(
            button('One frame on', 'Make the next frame, with its trace (\u2192)', () => transport.step(1), 'primary'),
            button('Rewind and play', 'From the start, with the trace of every frame', () => transport.again())))));
}

function stateDisplays(app: App): HTMLElement {
    const arrows = el('div.indent', {},
        logSlider(app, 'Length', 'Length of an arrow for each m/s of speed [s]',
            (s) => s.view.displays.lengthFactor, (lengthFactor) => app.setDisplays({ lengthFactor }), [1e-3, 10], 'length-factor'),
        logSlider(app, 'Width', 'Width of the arrows, relative to the size of the triangles',
            (s) => s.view.displays.widthFactor, (widthFactor) => app.setDisplays({ widthFactor }), [0.1, 10], 'width-factor'));
    return el('div', {},
        row(checkbox(app, 'Vertex numbers', 'The numbers of the vertices nearest to the eye (n)',
            (s) => s.view.displays.vertexIds, (vertexIds) => app.setDisplays({ vertexIds }), 'vertex-ids')),
        row(checkbox(app, 'Velocities', 'An arrow from each vertex (v)',
            (s) => s.view.displays.velocity, (velocity) => app.setDisplays({ velocity }), 'velocity')),
        showWhen(app, (s) => s.view.displays.velocity, arrows));
}

function key(colour: string): HTMLElement {
    const node = el('span.key');
    node.style.background = colour;
    return node;
}

function withKey(colour: string, control: HTMLElement): HTMLElement {
    control.append(key(colour));
    return control;
}

function traceDisplays(app: App): HTMLElement {
    return showWhen(app, (s) => loggedItem(s) !== null, el('div', {},
        stepChoice(app), boxDisplays(app),
        row(withKey(kTraceColours.candidates, checkbox(app, 'Candidates of the broad phase',
            'A line between the centres of each pair whose boxes overlap',
            (s) => s.view.displays.candidates, (candidates) => app.setDisplays({ candidates }), 'candidates'))),
        el('h3', {}, 'Contacts'),
        pairDisplays(app, 'contacts', kTraceColours.pointTriangle, kTraceColours.edgeEdge),
        el('h3', {}, 'Collisions'),
        pairDisplays(app, 'collisions', kTraceColours.path, kTraceColours.edge),
        roundChoice(app),
        row(withKey(kTraceColours.nextStep, checkbox(app, 'Next step without collisions',
            'Where all would be after the step if nothing were in the way',
            (s) => s.view.displays.nextStep, (nextStep) => app.setDisplays({ nextStep }), 'next-step'))),
        row(withKey(kTraceColours.iteration, checkbox(app, 'Mesh of the iteration',
            'Where all would end after the chosen round of impulses',
            (s) => s.view.displays.iterations, (iterations) => app.setDisplays({ iterations }), 'iterations')))));
}

function stepChoice(app: App): HTMLElement {
    return showWhen(app, (s) => needsTrace(s.view.displays) && (s.trace?.steps.length ?? 0) > 0, el('div', {},
        numberField(app, 'Step', 'Step of the frame; a frame may take several', (s) => s.view.displays.step,
            (value) => app.setDisplays({ step: Math.max(0, value ?? 0) }), { minimum: 0, step: 1, name: 'step' }),
        textOf(app, (s) => {
            const chosen = step(s);
            if (!chosen || !s.trace) return '';
            const n = s.trace.steps.length;
            const words = chosen.accepted ? '' : ', given up';
            return `${n} step${n === 1 ? '' : 's'} in this frame; ${(1000 * chosen.start_time).toFixed(2)} to ${(1000 * chosen.end_time).toFixed(2)} ms${words}`;
        })));
}

function boxDisplays(app: App): HTMLElement {
    const depth = (text: string, which: 'minDepth' | 'maxDepth'): HTMLElement =>
        numberField(app, text, 'Level of the tree; 0 holds the whole body', (s) => s.view.displays[which],
            (value) => app.setDisplays({ [which]: Math.max(0, value ?? 0) }), { minimum: 0, maximum: 40, step: 1, name: which });
    return el('div', {}, el('h3', {}, 'Boxes'),
        row(
            withKey(kTraceColours.boxes, checkbox(app, 'Exact', 'Boxes of the tree, as small as what they hold',
                (s) => s.view.displays.boxes, (boxes) => app.setDisplays({ boxes }), 'boxes')),
            withKey(kTraceColours.proximityBoxes, checkbox(app, 'Proximity', 'Boxes that are half a thickness wider on every side',
                (s) => s.view.displays.proximityBoxes, (proximityBoxes) => app.setDisplays({ proximityBoxes }), 'proximity-boxes'))),
        row(depth('From depth', 'minDepth'), depth('to', 'maxDepth')));
}

function pairDisplays(app: App, which: 'contacts' | 'collisions', first: string, second: string): HTMLElement {
    const set = (patch: Partial<PairDisplay>): void =>
        app.setDisplays({ [which]: { ...app.view.displays[which], ...patch } });
    const count = (kind: 'point-triangle' | 'edge-edge') => (s: State): string => {
        const chosen = step(s);
        if (!chosen || s.trace?.frame !== frameShown(s)) return needsTrace(s.view.displays) && !s.traceMissing ? '\u2026' : '';
        const all = which === 'contacts' ? chosen.contacts : chosen.rounds[shownRound(chosen, s.view.displays)]?.collisions ?? [];
        return String(countOf(all, kind));
    };
    const counted = (box: HTMLElement, kind: 'point-triangle' | 'edge-edge'): HTMLElement => {
        const number = el('span.count');
        app.store.on(count(kind), (text) => { number.textContent = text; });
        box.append(number);
        return box;
    };
    const what = which === 'contacts' ? 'line between the closest points' : 'path to the hit and triangle there';
    const whatEdge = which === 'contacts' ? 'line between the closest points' : 'edges at the hit, and the points that will meet';
    return el('div', {},
        row(
            counted(withKey(first, checkbox(app, 'Node\u2013triangle', what, (s) => s.view.displays[which].first,
                (on) => set({ first: on }), `${which}-point`)), 'point-triangle'),
            counted(withKey(second, checkbox(app, 'Edge\u2013edge', whatEdge, (s) => s.view.displays[which].second,
                (on) => set({ second: on }), `${which}-edge`)), 'edge-edge')),
        row(
            numberField(app, 'From', 'First number shown', (s) => s.view.displays[which].from,
                (from) => set({ from: Math.max(0, from ?? 0) }), { minimum: 0, step: 1, name: `${which}-from` }),
            numberField(app, 'to', 'Last number shown; empty for all', (s) => limit(s.view.displays[which].to),
                (to) => set({ to: to ?? kManyIds }), { minimum: 0, step: 1, name: `${which}-to`, placeholder: 'all' })));
}

function limit(to: number): number | null {
    return to >= kManyIds ? null : to;
}

function roundChoice(app: App): HTMLElement {
    return el('div', {},
        numberField(app, 'Round', 'Iteration of detection and impulses', (s) => s.view.displays.round,
            (value) => app.setDisplays({ round: Math.max(0, value ?? 0) }), { minimum: 0, step: 1, name: 'round' }),
        textOf(app, (s) => {
            const n = step(s)?.rounds.length;
            return n ? `${n} round${n === 1 ? '' : 's'} in this step` : '';
        }));
}
