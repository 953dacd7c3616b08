// SPDX-License-Identifier: Apache-2.0
import type { App } from '../state/app';
import { kColourByBody, kColourByDifference, kColourByVertex, type Stage } from '../state/stage';
import { staging, type CompareMode, type State } from '../state/state';
import { el } from '../ui/element';
import {
    button, checkbox, errorLine, formatNumber, labelled, row, section, segments, select, showWhen, type Choice,
} from '../ui/widgets';
import type { DrawStyle } from '../view/body_view';
import { kColourMaps, type ColourMapName } from '../view/colour_map';

const kStyles: readonly (readonly [DrawStyle, string, string])[] = [
    ['solid', 'Solid', 'Solid (z)'],
    ['edges', 'Edges', 'Solid with edges (z)'],
    ['wireframe', 'Wire', 'Wireframe (z)'],
    ['points', 'Points', 'Vertices (z)'],
];

export function styleSection(app: App): HTMLElement {
    return section('Drawing',
        segments(app, kStyles, (s) => s.view.style, (style) => app.setView({ style }), 'style'),
        row(
            checkbox(app, 'Smooth', 'Shade with the normals of vertices, else each triangle by itself',
                (s) => s.view.smooth, (smooth) => app.setView({ smooth }), 'smooth'),
            checkbox(app, 'Two-sided', 'Another colour for the back of each triangle',
                (s) => s.view.twoSided, (twoSided) => app.setView({ twoSided }), 'two-sided')),
        row(
            checkbox(app, 'Normals', 'An arrow along the normal of each vertex',
                (s) => s.view.normals, (normals) => app.setView({ normals }), 'normals'),
            checkbox(app, 'Grid', 'A grid under what is shown (g in Look)',
                (s) => s.view.grid, (grid) => app.setView({ grid }), 'grid')));
}

function colourings(state: State): readonly Choice[] {
    const shown = staging(state).panes.flatMap((pane) => pane.items);
    const items = state.items.filter((i) => shown.includes(i.item));
    const fields = [...new Set(items.flatMap((i) => i.fields))].filter((f) => f !== 'velocity');
    return [
        [kColourByBody, 'by body'], [kColourByVertex, 'of the mesh itself'],
        ...fields.map((f): Choice => [f, f.replaceAll('_', ' ')]),
        ...(state.view.compare === 'off' ? [] : [[kColourByDifference, 'difference of the two'] as Choice]),
    ];
}

export function colourSection(app: App, stage: Stage): HTMLElement {
    const low = el('input', { type: 'number', step: 'any', name: 'range-low' });
    const high = el('input', { type: 'number', step: 'any', name: 'range-high' });
    const typed = (): void => {
        if (low.value === '' || high.value === '') return;
        app.setView({ range: [Number(low.value), Number(high.value)] });
    };
    for (const input of [low, high]) input.addEventListener('change', typed);
    app.store.on((s) => s.legend, (legend) => {
        if (!legend || app.view.range) return;
        low.value = formatNumber(legend.range[0]);
        high.value = formatNumber(legend.range[1]);
    });
    const automatic = button('Auto', 'As wide as what has been shown', () => {
        app.setView({ range: null });
        stage.forgetExtremes();
    });
    const range = labelled('Range', 'Lowest and highest value, in the unit of the legend', low, high, automatic);
    return section('Colour',
        select(app, 'Colour', 'What the colours mean', colourings, (s) => s.view.colourBy,
            (colourBy) => app.setView({ colourBy, range: null }), 'colour-by'),
        select(app, 'Map', 'From low to high', () => kColourMaps.map((m): Choice => [m, m]),
            (s) => s.view.map, (map) => app.setView({ map: map as ColourMapName }), 'map'),
        showWhen(app, (s) => s.legend !== null, range));
}

const kCompare: readonly (readonly [CompareMode, string, string])[] = [
    ['off', 'Off', 'All items that are not hidden'],
    ['side', 'Side by side', 'Two items in two views that turn together'],
    ['overlay', 'Overlay', 'The second item over the first, see-through'],
];

function others(state: State): readonly Choice[] {
    const first = staging(state).panes[0]?.items[0];
    const rest = state.items.filter((i) => i.item !== (state.view.selected ?? first));
    return [['', 'choose\u2026'], ...rest.map((i): Choice => [String(i.item), i.name])];
}

function compareSection(app: App): HTMLElement {
    const setMode = (compare: CompareMode): void => {
        const first = app.view.selected ?? app.state.items[0]?.item ?? null;
        const other = app.view.other ?? app.state.items.find((i) => i.item !== first)?.item ?? null;
        const colourBy = compare === 'off' && app.view.colourBy === kColourByDifference ? kColourByBody : app.view.colourBy;
        app.setView({ compare, other, colourBy, selected: first });
    };
    return showWhen(app, (s) => s.items.length > 1, section('Compare',
        segments(app, kCompare, (s) => s.view.compare, setMode, 'compare'),
        showWhen(app, (s) => s.view.compare !== 'off', el('div', {},
            select(app, 'With', 'The item to compare the selected one with', others,
                (s) => String(s.view.other ?? ''),
                (value) => app.setView({ other: value === '' ? null : Number(value) }), 'other'),
            checkbox(app, 'Colour by difference', 'Distance between the vertices of the two [m]',
                (s) => s.view.colourBy === kColourByDifference,
                (on) => app.setView({ colourBy: on ? kColourByDifference : kColourByBody, range: null }), 'difference')))));
}

export function lookPanel(app: App): HTMLElement {
    return el('div.panel', { 'data-panel': 'look' }, errorLine(app, 'look'), compareSection(app));
}
