// SPDX-License-Identifier: Apache-2.0
import type { App } from '../state/app';
import { bodyChoices, parsePlace, placeKey, type Place } from '../state/places';
import { findItem, type State } from '../state/state';
import type { FilePlace } from '../ui/file_dialog';
import { el } from '../ui/element';
import { button, buttonWhen, errorLine, section, select, showWhen, textOf, type Choice } from '../ui/widgets';

export interface TransferActions {
    choosePairs(chosen: (place: FilePlace) => void): void;
    save(item: number): void;
}

interface Request {
    pairs: 'match' | { readonly root: number; readonly path: string };
    unmatched: string;
    anchors: string;
}

/** What the library is asked for; anchors are vertices, separated by spaces or commas. */
function argumentsOf({ transfer }: State, request: Request): Readonly<Record<string, unknown>> {
    const anchors = request.anchors.split(/[\s,]+/).filter(Boolean).map(Number);
    const { source, source_body, rest, rest_body, target, target_body } = transfer;
    return {
        source, source_body, target, target_body, pairs: request.pairs,
        ...(rest === null ? {} : { source_rest: rest, rest_body }),
        ...(request.unmatched === '' ? {} : { unmatched: request.unmatched }),
        ...(anchors.length ? { anchors } : {}),
    };
}

function moving(state: State, first: string): readonly Choice[] {
    return bodyChoices(state, first, (item, body) => item.frames > 1 && body.moves);
}

type Role = 'source' | 'rest' | 'target';

/** The choice is shown at once; the server keeps it when it has run. */
function choose(app: App, role: Role, value: string): void {
    const place = parsePlace(value);
    const patch = { [role]: place?.item ?? null, [`${role}_body`]: place?.body ?? 0, result: null };
    app.store.set({ transfer: { ...app.state.transfer, ...patch } });
}

/** What Match has is taken over where nothing is chosen: its target, and its source at rest or in motion. */
export function takeOverMatch(app: App): void {
    const { match, transfer } = app.state;
    if (match.source === null || match.target === null) return;
    const source = findItem(app.state, match.source);
    const moves = (source?.frames ?? 1) > 1;
    const motion = moves ? { item: match.source, body: match.source_body } : motionOf(app.state, match.source, match.source_body);
    const next = { ...transfer };
    if (transfer.target === null) Object.assign(next, { target: match.target, target_body: match.target_body });
    if (transfer.source === null && motion) Object.assign(next, { source: motion.item, source_body: motion.body });
    if (transfer.rest === null && next.source !== match.source) Object.assign(next, { rest: match.source, rest_body: match.source_body });
    if (JSON.stringify(next) !== JSON.stringify(transfer)) app.store.set({ transfer: next });
}

/** The only sequence that can be a motion of that mesh: as many vertices and triangles. */
function motionOf(state: State, item: number, body: number): Place | null {
    const mesh = findItem(state, item)?.bodies[body];
    const found = state.items.flatMap((other) => other.bodies.flatMap((own, b): Place[] =>
        (other.frames > 1 && own.moves && own.vertices === mesh?.vertices && own.triangles === mesh.triangles
            ? [{ item: other.item, body: b }] : [])));
    return found.length === 1 ? found[0]! : null;
}

export function transferPanel(app: App, actions: TransferActions): HTMLElement {
    const request: Request = { pairs: 'match', unmatched: '', anchors: '' };
    app.store.on((s) => [s.view.workspace, s.connection, s.match.source, s.match.target], () => {
        if (app.view.workspace === 'transfer' && app.state.connection === 'open') takeOverMatch(app);
    });
    const pairsName = el('span.note', {}, 'those of the last fit');
    const anchors = el('input', { type: 'text', name: 'anchors', placeholder: 'none', onchange: () => { request.anchors = anchors.value; } });
    const unmatched = el('select', { name: 'unmatched', onchange: () => { request.unmatched = unmatched.value; } },
        ...['', 'surroundings', 'identity'].map((v) => el('option', { value: v }, v || 'auto')));
    const pairs = el('div.row', {}, pairsName,
        button('File\u2026', 'Pairs from a file (.tricorrs, or what toile correspond wrote)', () => actions.choosePairs((place) => {
            request.pairs = { root: place.root, path: place.path };
            pairsName.textContent = place.path;
        })),
        button('Last fit', 'The pairs of the last fit in Match', () => {
            request.pairs = 'match';
            pairsName.textContent = 'those of the last fit';
        }));
    return el('div.panel', { 'data-panel': 'transfer' },
        section('Motion',
            select(app, 'Source', 'The sequence whose motion is given', (s) => moving(s, 'choose\u2026'),
                (s) => placeKey(s, s.transfer.source, s.transfer.source_body), (v) => choose(app, 'source', v), 'transfer-source'),
            select(app, 'At rest', 'The source\'s mesh at rest: that of the pairs', (s) => bodyChoices(s, 'its first frame'),
                (s) => placeKey(s, s.transfer.rest, s.transfer.rest_body), (v) => choose(app, 'rest', v), 'transfer-rest'),
            select(app, 'Target', 'The mesh that is to move', (s) => bodyChoices(s, 'choose\u2026'),
                (s) => placeKey(s, s.transfer.target, s.transfer.target_body), (v) => choose(app, 'target', v), 'transfer-target')),
        section('Pairs of triangles', pairs,
            el('label.field', { title: 'What moves target triangles without a pair' }, el('span.name', {}, 'Unpaired'), unmatched),
            el('label.field', { title: 'Target vertices that stay where they are, separated by spaces' }, el('span.name', {}, 'Anchors'), anchors)),
        errorLine(app, 'transfer'),
        buttonWhen(app, 'Transfer', 'Make the target move as the source does', ready,
            () => void app.ask('transfer', 'transfer.run', argumentsOf(app.state, request)), 'primary wide'),
        showWhen(app, (s) => s.transfer.result !== null, resultSection(app, actions)));
}

function ready(state: State): boolean {
    return state.transfer.source !== null && state.transfer.target !== null && state.job?.state !== 'running';
}

function resultSection(app: App, actions: TransferActions): HTMLElement {
    return section('Result',
        textOf(app, (s) => {
            const item = findItem(s, s.transfer.result);
            return item ? `${item.name}: ${item.frames} frames. Play shows both in step.` : '';
        }),
        button('Save\u2026', 'Write the new sequence into an opened folder', () => {
            const { result } = app.state.transfer;
            if (result !== null) actions.save(result);
        }));
}
