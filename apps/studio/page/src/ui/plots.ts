// SPDX-License-Identifier: Apache-2.0
import type { RunLog } from '../protocol/messages';
import type { App } from '../state/app';
import { findItem, type State } from '../state/state';
import { el } from './element';
import type { Transport } from './timeline';
import { formatNumber } from './widgets';

const kHeight = 62;
const kUnplotted = ['frame', 'time'];

/** The run whose log is plotted: the simulation's, or the selected run's, or the only one's. */
export function loggedItem(state: State): number | null {
    if (state.view.workspace === 'simulate') return state.sim.item;
    const selected = findItem(state, state.view.selected);
    if (selected?.kind === 'run') return selected.item;
    return state.items.find((i) => i.kind === 'run' && !state.view.hidden.includes(i.item))?.item ?? null;
}

interface Series {
    readonly name: string;
    readonly values: readonly number[];
}

/** Columns of numbers that are not all the same. */
export function seriesOf(log: RunLog): Series[] {
    return log.columns.flatMap((name, c) => {
        if (kUnplotted.includes(name)) return [];
        const values = log.rows.map((row) => (typeof row[c] === 'number' ? (row[c] as number) : NaN));
        const known = values.filter(Number.isFinite);
        const flat = known.every((v) => v === known[0]);
        return known.length < 2 || flat ? [] : [{ name, values }];
    });
}

/** Small plots under the timeline; a press on one goes to its frame. */
export function plots(app: App, transport: Transport): HTMLElement {
    const strip = el('div.plots');
    const redraw = (): void => {
        const { log, view } = app.state;
        const series = log && view.plots !== 'none' ? seriesOf(log) : [];
        strip.classList.toggle('all', view.plots === 'all');
        strip.hidden = !log || view.plots === 'none';  // it keeps its room when a simulation is rewound
        if (strip.children.length !== series.length) {
            strip.replaceChildren(...series.map(() => plot(app, transport)));
        }
        series.forEach((one, i) => drawPlot(strip.children[i] as HTMLElement, one, log!, app));
    };
    app.store.on((s) => [s.log, s.view.plots, s.view.frame, s.sim.frame, s.view.theme, s.view.workspace], redraw);
    new ResizeObserver(redraw).observe(strip);
    return strip;
}

function plot(app: App, transport: Transport): HTMLElement {
    const canvas = el('canvas');
    const seek = (event: PointerEvent): void => {
        if (!(event.buttons & 1)) return;
        const { log } = app.state;
        const box = canvas.getBoundingClientRect();
        const share = (event.clientX - box.left) / box.width;
        const row = log?.rows[Math.round(share * (log.rows.length - 1))];
        const frame = row?.[log?.columns.indexOf('frame') ?? -1];
        if (typeof frame === 'number') transport.seek(frame);
    };
    canvas.addEventListener('pointerdown', seek);
    canvas.addEventListener('pointermove', seek);
    return el('figure.plot', {}, el('figcaption'), canvas);
}

function drawPlot(figure: HTMLElement, { name, values }: Series, log: RunLog, app: App): void {
    const caption = figure.firstElementChild as HTMLElement;
    const canvas = figure.lastElementChild as HTMLCanvasElement;
    figure.dataset['column'] = name;
    const known = values.filter(Number.isFinite);
    const low = Math.min(...known), high = Math.max(...known);
    const frames = log.rows.map((row) => Number(row[log.columns.indexOf('frame')]));
    const frame = app.view.workspace === 'simulate' ? app.state.sim.frame : app.view.frame;
    const at = frames.indexOf(frame);
    const now = at >= 0 && Number.isFinite(values[at]!) ? formatNumber(values[at]!, 3) : '';
    caption.replaceChildren(el('span', {}, name.replace(/^seconds\.(.*)$/, '$1 [s]').replaceAll('_', ' ')), el('b', {}, now));
    caption.title = `${name}: from ${formatNumber(low)} to ${formatNumber(high)}`;
    drawCurve(canvas, values, low, high, at / Math.max(1, values.length - 1));
}

function drawCurve(
    canvas: HTMLCanvasElement, values: readonly number[], low: number, high: number, cursor: number
): void {
    const density = window.devicePixelRatio;
    const width = Math.max(40, canvas.clientWidth);
    canvas.width = width * density;
    canvas.height = kHeight * density;
    const draw = canvas.getContext('2d')!;
    const style = getComputedStyle(canvas);
    draw.scale(density, density);
    const x = (i: number): number => (i / Math.max(1, values.length - 1)) * (width - 2) + 1;
    const y = (v: number): number => kHeight - 4 - ((v - low) / (high - low)) * (kHeight - 8);
    draw.strokeStyle = style.getPropertyValue('--accent') || '#48f';
    draw.lineWidth = 1.4;
    draw.beginPath();
    let pen = false;
    values.forEach((value, i) => {
        if (!Number.isFinite(value)) {
            pen = false;
            return;
        }
        if (pen) draw.lineTo(x(i), y(value));
        else draw.moveTo(x(i), y(value));
        pen = true;
    });
    draw.stroke();
    if (cursor < 0) return;
    draw.strokeStyle = style.color;
    draw.globalAlpha = 0.5;
    draw.lineWidth = 1;
    draw.beginPath();
    draw.moveTo(1 + cursor * (width - 2), 0);
    draw.lineTo(1 + cursor * (width - 2), kHeight);
    draw.stroke();
}
