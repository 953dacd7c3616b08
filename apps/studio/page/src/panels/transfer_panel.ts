// SPDX-License-Identifier: Apache-2.0
import type { App } from '../state/app';
import { findItem, type State } from '../state/state';
import type { FilePlace } from '../ui/file_dialog';
import { el } from '../ui/element';
import { button, buttonWhen, errorLine, section, select, showWhen, textOf, type Choice } from '../ui/widgets';

export interface TransferActions {
    choosePairs(chosen: (place: FilePlace) => void): void;
    save(item: number): void;
}

interface Request {
    source: number | null;
    rest: number | null;
    target: number | null;
    pairs: 'match' | { readonly root: number; readonly path: string };
    unmatched: string;
    anchors: string;
}

function items(state: State, first: string, moving: boolean): readonly Choice[] {
    const fitting = state.items.filter((i) => !moving || i.frames > 1 || i.kind === 'sequence');
    return [['', first], ...fitting.map((i): Choice => [String(i.item), i.name])];
}

function numberOf(value: string): number | null {
    return value === '' ? null : Number(value);
}

/** What the library is asked for; anchors are vertices, separated by spaces or commas. */
function argumentsOf(request: Request): Readonly<Record<string, unknown>> {
    const anchors = request.anchors.split(/[\s,]+/).filter(Boolean).map(Number);
    return {
        source: request.source, target: request.target, pairs: request.pairs,
        ...(request.rest === null ? {} : { source_rest: request.rest }),
        ...(request.unmatched === '' ? {} : { unmatched: request.unmatched }),
        ...(anchors.length ? { anchors } : {}),
    };
}

export function transferPanel(app: App, actions: TransferActions): HTMLElement {
    const request: Request = { source: null, rest: null, target: null, pairs: 'match', unmatched: '', anchors: '' };
    /** The choice is shown at once; the server keeps it when it has run. */
    const choose = (patch: Partial<Request>): void => {
        Object.assign(request, patch);
        const { transfer } = app.state;
        if ('source' in patch || 'target' in patch) {
            app.store.set({ transfer: { ...transfer, source: request.source, target: request.target, result: null } });
        }
    };
    app.store.on((s) => [s.transfer.source, s.transfer.target], ([source, target]) => {
        request.source = source ?? null;
        request.target = target ?? null;
    });
    const pairsName = el('span.note', {}, 'those of the last fit');
    const anchors = el('input', { type: 'text', name: 'anchors', placeholder: 'none', onchange: () => choose({ anchors: anchors.value }) });
    const unmatched = el('select', { name: 'unmatched', onchange: () => choose({ unmatched: unmatched.value }) },
        ...['', 'surroundings', 'identity'].map((v) => el('option', { value: v }, v || 'auto')));
    const pairs = el('div.row', {}, pairsName,
        button('File\u2026', 'Pairs from a file (.tricorrs, or what toile correspond wrote)', () => actions.choosePairs((place) => {
            choose({ pairs: { root: place.root, path: place.path } });
            pairsName.textContent = place.path;
        })),
        button('Last fit', 'The pairs of the last fit in Match', () => {
            choose({ pairs: 'match' });
            pairsName.textContent = 'those of the last fit';
        }));
    return el('div.panel', { 'data-panel': 'transfer' },
        section('Motion',
            select(app, 'Source', 'The sequence whose motion is given', (s) => items(s, 'choose\u2026', true),
                (s) => String(s.transfer.source ?? ''), (v) => choose({ source: numberOf(v) }), 'transfer-source'),
            select(app, 'At rest', 'The source\'s mesh at rest', (s) => items(s, 'its first frame', false),
                () => String(request.rest ?? ''), (v) => choose({ rest: numberOf(v) }), 'transfer-rest'),
            select(app, 'Target', 'The mesh that is to move', (s) => items(s, 'choose\u2026', false),
                (s) => String(s.transfer.target ?? ''), (v) => choose({ target: numberOf(v) }), 'transfer-target')),
        section('Pairs of triangles', pairs,
            el('label.field', { title: 'What moves target triangles without a pair' }, el('span.name', {}, 'Unpaired'), unmatched),
            el('label.field', { title: 'Target vertices that stay where they are, separated by spaces' }, el('span.name', {}, 'Anchors'), anchors)),
        errorLine(app, 'transfer'),
        buttonWhen(app, 'Transfer', 'Make the target move as the source does', ready,
            () => void app.ask('transfer', 'transfer.run', argumentsOf(request)), 'primary wide'),
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
