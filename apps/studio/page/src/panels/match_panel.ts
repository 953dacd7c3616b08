// SPDX-License-Identifier: Apache-2.0
import { Vector3 } from 'three';

import type { MatchReport } from '../protocol/messages';
import type { App } from '../state/app';
import { bodyChoices, parsePlace, placeKey } from '../state/places';
import type { Stage } from '../state/stage';
import type { State } from '../state/state';
import { changePairs, deleteMarker, pairColour } from '../tools/match_tool';
import { confirmed } from '../ui/confirm';
import { el } from '../ui/element';
import {
    button, buttonWhen, checkbox, errorLine, folded, formatNumber, logSlider, row, section, select, showWhen, textOf, type Choice,
} from '../ui/widgets';

export interface MatchActions {
    load(): void;
    save(): void;
}

function meshes(state: State): readonly Choice[] {
    return bodyChoices(state, 'choose\u2026');
}

/** The fit's options as they were chosen last; what is left alone is the library's default. */
const options: Record<string, unknown> = {};

export function fitOptions(): Readonly<Record<string, unknown>> {
    return { ...options };
}

/** Two meshes and nothing else: the first is the source, the other the target. */
export function openOnlyMeshes(app: App): void {
    const { items, match } = app.state;
    const plain = items.length === 2 && items.every((i) => i.bodies.length === 1);
    if (!plain || match.source !== null || match.target !== null) return;
    void app.ask('match', 'match.open', { source: items[0]!.item, target: items[1]!.item });
}

export function matchPanel(app: App, stage: Stage, actions: MatchActions): HTMLElement {
    const open = async (which: 'source' | 'target', value: string): Promise<boolean> => {
        const { match } = app.state;
        const place = parsePlace(value);
        if (!place || !await givesUpMarkers(app, 'Choose another mesh', 'Another mesh')) return false;
        const { source, source_body, target, target_body } = match;
        const chosen = { source, source_body, target, target_body, [which]: place.item, [`${which}_body`]: place.body };
        if (chosen.source !== null && chosen.target !== null) return await app.ask('match', 'match.open', chosen) !== null;
        app.store.set({ match: { ...match, ...chosen } });
        return true;
    };
    const hasPairs = (s: State): boolean => s.match.pairs.length > 0;
    return el('div.panel', { 'data-panel': 'match' },
        section('Meshes',
            select(app, 'Source', 'The mesh whose motion is to be used', meshes,
                (s) => placeKey(s, s.match.source, s.match.source_body), (v) => open('source', v), 'source'),
            select(app, 'Target', 'The mesh that is to move', meshes,
                (s) => placeKey(s, s.match.target, s.match.target_body), (v) => open('target', v), 'target')),
        section('Markers',
            textOf(app, hint), errorLine(app, 'match'),
            markerList(app, stage),
            row(
                buttonWhen(app, 'Undo', 'Undo (Ctrl+Z)', (s) => s.match.can_undo, () => void app.ask('match', 'match.undo')),
                buttonWhen(app, 'Redo', 'Redo (Ctrl+Shift+Z)', (s) => s.match.can_redo, () => void app.ask('match', 'match.redo')),
                buttonWhen(app, 'Delete', 'Delete the chosen marker (Delete)', (s) => s.marker !== null, () => void deleteMarker(app))),
            logSlider(app, 'Size', 'Of the markers on the screen [pixels]', (s) => s.view.markerSize,
                (markerSize) => app.setView({ markerSize }), [3, 30], 'marker-size'),
            row(button('Load\u2026', 'Markers from a .cons file', actions.load),
                buttonWhen(app, 'Save\u2026', 'Markers as a .cons file', hasPairs, actions.save))),
        section('Fit',
            fitForm(),
            buttonWhen(app, 'Fit source to target', 'Lay the source over the target by its markers', (s) => hasPairs(s) && s.job?.state !== 'running',
                () => void app.ask('match', 'match.fit', { options: fitOptions() }), 'primary wide'),
            reportView(app, stage)));
}

function hint(state: State): string {
    const { match, pending } = state;
    if (match.source === null || match.target === null) return 'Choose a source and a target.';
    if (pending) {
        return `Now click the same place on the ${pending.side === 0 ? 'target' : 'source'}. Escape gives it up.`;
    }
    if (!match.pairs.length) return 'Click a place on the source, then the same place on the target.';
    return 'Click on source and target for one more; drag a marker to move it.';
}

function markerList(app: App, stage: Stage): HTMLElement {
    const list = el('ol.markers');
    app.store.on((s) => [s.match, s.marker], () => {
        const { match, marker } = app.state;
        list.replaceChildren(...match.pairs.map((pair, i) => {
            const residual = match.report?.residuals[i];
            const swatch = el('span.key');
            swatch.style.background = pairColour(i);
            return el('li', {
                'data-pair': i, 'aria-selected': String(marker === i),
                title: `Source vertex ${pair[0]}, target vertex ${pair[1]}; a double click centres both views`,
                onclick: () => app.store.set({ marker: i }),
                ondblclick: () => centrePair(app, stage, pair),
            }, swatch, el('b', {}, String(i + 1)), el('span', {}, `${pair[0]} \u2192 ${pair[1]}`),
            residual === undefined || residual === null ? null : el('small', { title: 'Distance left after the fit, percent of the target\'s diagonal' }, `${residual.toFixed(2)} %`));
        }));
    });
    return list;
}

function centrePair(app: App, stage: Stage, pair: readonly [number, number]): void {
    const { match } = app.state;
    [match.source, match.target].forEach((item, side) => {
        const body = stage.view(item)?.bodies.get(side === 0 ? match.source_body : match.target_body);
        if (body) app.viewport.panes[side]?.rig.centre(body.vertex(pair[side]!));
    });
    app.viewport.invalidate();
}

function fitForm(): HTMLElement {
    const put = (name: string, value: unknown): void => {
        if (value === null || value === '') delete options[name];
        else options[name] = value;
    };
    const kind = el('select', { name: 'fit', onchange: () => put('fit', kind.value) });
    kind.append(...[['plate', 'plate: fast'], ['full', 'full: tighter folds, slower'], ['classic', 'classic: the paper\'s']]
        .map(([value, text]) => el('option', { value }, text!)));
    const number = (name: string, placeholder: string): HTMLInputElement => {
        const input = el('input', { type: 'number', name, placeholder, step: 'any', min: 0,
            onchange: () => put(name, input.value === '' ? null : Number(input.value)) });
        return input;
    };
    const align = el('input', { type: 'checkbox', checked: true, onchange: () => put('align', align.checked) });
    const both = el('input', { type: 'checkbox', onchange: () => put('both_directions', both.checked) });
    const field = (text: string, title: string, control: HTMLElement, unit = ''): HTMLElement =>
        el('label.field', { title }, el('span.name', {}, text), control, unit ? el('span.unit', {}, unit) : null);
    return folded('Options',
        field('Method', 'How the source is bent over the target', kind),
        field('Nearest', 'Source triangles paired with each target triangle', number('nearest', '10')),
        field('Distance', 'Greatest distance of paired triangles, percent of the target\'s diagonal', number('max_distance', '5'), '%'),
        field('Angle', 'Greatest angle between their normals [degrees]', number('max_angle', '60'), '\u00b0'),
        row(el('label.check', { title: 'Off where the meshes are in one place and unit already' }, align, 'Align first')),
        row(el('label.check', { title: 'Also pair every source triangle with its nearest target triangle' }, both, 'Both directions')));
}

function reportView(app: App, stage: Stage): HTMLElement {
    const table = el('table.numbers');
    const unit = el('p.note', { 'data-unit': '' });
    const stale = el('p.note', {}, 'Markers have changed since this fit.');
    const worst = el('ol.worst');
    app.store.on((s) => s.match, ({ report }) => {
        if (!report) return;
        stale.hidden = !report.stale;
        const percent = (v: number): string => `${formatNumber(v, 3)} %`;
        unit.textContent = unitWords(app, stage);
        const rows: readonly (readonly [string, string, string])[] = [
            ['mean distance', percent(report.mean), 'Of the fitted source from the target, percent of the target\'s diagonal'],
            ['95th percentile', percent(report.p95), 'The same, of all but the worst twentieth'],
            ['maximum', percent(report.maximum), 'The same, at the worst place'],
            ['source paired', percent(100 * report.coverage.source), 'Share of the source\'s triangles with a pair'],
            ['target paired', percent(100 * report.coverage.target), 'Share of the target\'s area that has a pair'],
        ];
        table.replaceChildren(...rows.map(([name, value, title]) => el('tr', { title }, el('th', {}, name), el('td', {}, value))));
    });
    stage.onShown.push((item) => {
        if (item === app.state.match.target && app.state.match.report) unit.textContent = unitWords(app, stage);
    });
    app.store.on((s) => [s.match.report, s.worst], () => {
        const { match: { report }, worst: chosen } = app.state;
        worst.replaceChildren(...(report?.worst ?? []).map((place, i) => worstEntry(app, stage, place, i, chosen)));
    });
    return showWhen(app, (s) => s.match.report !== null, el('div', { 'data-report': '' }, table, unit, stale,
        el('h3', { title: 'Where the fitted source lies farthest from the target; the worst is the large disc' }, 'Worst places'), worst,
        row(checkbox(app, 'Matched colours', 'The same colour means matched', (s) => s.view.matchColours,
            (matchColours) => app.setView({ matchColours }), 'match-colours')),
        row(checkbox(app, 'Show the fitted source', 'The source as it was laid over the target', (s) => s.view.showFitted,
            (showFitted) => app.setView({ showFitted }), 'show-fitted'))));
}

type Worst = MatchReport['worst'][number];

function worstEntry(app: App, stage: Stage, place: Worst, index: number, chosen: number | null): HTMLElement {
    const add = button('+ Marker', 'Add a pair here: this vertex, and the target vertex nearest to where it came to lie; '
        + 'drag either marker to where it belongs', () => void addWorst(app, stage, place, index), 'small');
    add.addEventListener('click', (event) => event.stopPropagation());
    return el('li', {
        'data-vertex': place.vertex, title: 'Centre both views here', class: index === 0 ? 'first' : '',
        'aria-selected': String(chosen === index),
        onclick: () => {
            app.store.set({ worst: index });
            lookAt(app, stage, place);
        },
    }, el('span', {}, index === 0 ? `worst: vertex ${place.vertex}` : `vertex ${place.vertex}`),
    el('small', {}, `${formatNumber(place.distance, 3)} %`), add);
}

async function addWorst(app: App, stage: Stage, place: Worst, index: number): Promise<void> {
    const { match } = app.state;
    const target = stage.view(match.target)?.bodies.get(match.target_body)?.nearestVertex(new Vector3(...place.point));
    if (target === undefined) return;
    app.store.set({ worst: index });
    if (!await changePairs(app, (pairs) => [...pairs, [place.vertex, target]])) return;
    app.store.set({ marker: app.state.match.pairs.length - 1 });
    lookAt(app, stage, place);
}

function lookAt(app: App, stage: Stage, { point, vertex }: Worst): void {
    const { match } = app.state;
    app.viewport.panes[1]?.rig.centre(new Vector3(...point));
    const body = stage.view(match.source)?.bodies.get(match.source_body);
    if (body && vertex < body.nVertices) app.viewport.panes[0]?.rig.centre(body.vertex(vertex));
    app.viewport.invalidate();
}

/** What the percentages are of. */
function unitWords(app: App, stage: Stage): string {
    const { match } = app.state;
    const body = stage.view(match.target)?.bodies.get(match.target_body);
    const diagonal = body?.diagonal() ?? 0;
    const size = diagonal > 0 ? ` (${formatNumber(diagonal, 3)} m; 1 % is ${formatNumber(diagonal / 100, 2)} m)` : '';
    return `Distances in percent of the diagonal of the target's bounding box${size}; paired: of triangles or area.`;
}

/** True where there are no markers, or they may be given up. */
export async function givesUpMarkers(app: App, title: string, what: string): Promise<boolean> {
    const n = app.state.match.pairs.length;
    if (!n) return true;
    const markers = n === 1 ? 'the marker that is there' : `the ${n} markers that are there`;
    return confirmed(title, `${what} takes the place of ${markers}.`, 'Replace');
}
