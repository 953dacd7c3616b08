// SPDX-License-Identifier: Apache-2.0
import type { App } from '../state/app';
import type { Simulation } from '../state/simulation';
import { staging, timelineOf } from '../state/state';
import { el } from './element';
import { icon, type IconName } from './icons';
import { errorLine } from './widgets';

const kSpeeds = [0.1, 0.25, 0.5, 1, 2, 4];

/** What the transport's buttons and keys do, in the workspace that is shown. */
export class Transport {
    constructor(private readonly app: App, private readonly simulation: Simulation) {}

    get simulates(): boolean {
        return this.app.view.workspace === 'simulate';
    }

    get playing(): boolean {
        return this.simulates ? this.app.state.sim.state === 'playing' : this.app.state.playing;
    }

    toggle(): void {
        if (this.simulates) this.simulation.do(this.playing ? 'pause' : 'play');
        else if (timelineOf(this.app.state).frames > 1) this.app.store.set({ playing: !this.playing });
    }

    step(frames: number): void {
        if (this.simulates) {
            if (frames > 0) this.simulation.do('step');
            return;
        }
        this.app.store.set({ playing: false });
        this.seek(this.app.view.frame + frames);
    }

    rewind(): void {
        if (this.simulates) this.simulation.do('rewind');
        else {
            this.app.store.set({ playing: false });
            this.seek(0);
        }
    }

    /** A simulation from its start. */
    again(): void {
        void this.app.ask('simulate', 'sim.rewind').then((done) => {
            if (done) this.simulation.do('play');
        });
    }

    seek(frame: number): void {
        if (this.simulates) return;
        const { frames } = timelineOf(this.app.state);
        this.app.setView({ frame: Math.max(0, Math.min(frames - 1, Math.round(frame))) });
    }
}

function iconButton(name: IconName, title: string, id: string, onclick: () => void): HTMLButtonElement {
    const node = el('button.transport', { type: 'button', title, onclick, 'data-do': id });
    node.append(icon(name));
    return node;
}

export function timeline(app: App, transport: Transport): HTMLElement {
    const play = iconButton('play', 'Play or pause (Space)', 'play', () => transport.toggle());
    const back = iconButton('back', 'One frame back (\u2190)', 'back', () => transport.step(-1));
    app.store.on(() => transport.playing, (playing) => {
        play.replaceChildren(icon(playing ? 'pause' : 'play'));
        play.setAttribute('aria-pressed', String(playing));
    });
    app.store.on((s) => s.view.workspace === 'simulate', (simulates) => { back.hidden = simulates; });
    return el('div.timeline', {},
        iconButton('rewind', 'To the start; a simulation is made anew (Home with Shift)', 'rewind', () => transport.rewind()),
        back, play,
        iconButton('step', 'One frame on (\u2192)', 'step', () => transport.step(1)),
        track(app, transport), frameNumber(app, transport), speed(app), loopButton(app), plotsButton(app),
        errorLine(app, 'timeline'));
}

function track(app: App, transport: Transport): HTMLElement {
    const input = el('input', {
        type: 'range', min: 0, step: 1, value: 0, class: 'scrub', title: 'Frame', 'aria-label': 'Frame',
        oninput: () => {
            app.store.set({ playing: false });
            transport.seek(Number(input.value));
        },
    });
    const marks = el('div.marks');
    app.store.on((s) => {
        const { frames } = timelineOf(s);
        return [frames, s.view.workspace === 'simulate' ? s.sim.frame : s.view.frame, s.view.workspace];
    }, ([frames, frame, workspace]) => {
        input.max = String(Math.max(1, Number(frames) - 1));
        input.value = String(frame);
        input.disabled = workspace === 'simulate' || Number(frames) < 2;
    });
    app.store.on((s) => [s.edit, s.view.workspace, timelineOf(s).frames], () => {
        const { edit, view } = app.state;
        const { frames } = timelineOf(app.state);
        const shown = view.workspace === 'edit' ? edit.edited : [];
        marks.replaceChildren(...shown.map((frame) => {
            const mark = el('span.mark', { title: `Frame ${frame} is edited`, 'data-frame': frame });
            mark.style.left = `${(100 * frame) / Math.max(1, frames - 1)}%`;
            return mark;
        }));
    });
    return el('div.track', {}, marks, input);
}

function frameNumber(app: App, transport: Transport): HTMLElement {
    const input = el('input.frame-number', {
        type: 'number', min: 0, step: 1, title: 'Frame', 'aria-label': 'Frame number',
        onchange: () => {
            transport.seek(Number(input.value));
            input.blur();  // so that the next key is a shortcut again
        },
    });
    const rest = el('span.unit');
    app.store.on((s) => {
        const simulates = s.view.workspace === 'simulate';
        const { frames, fps } = timelineOf(s);
        const frame = simulates ? s.sim.frame : Math.min(s.view.frame, frames - 1);
        const some = staging(s).panes.some((pane) => pane.items.length > 0);
        return [frame, frames, simulates ? s.sim.time : frame / (fps || 25), simulates, some];
    }, ([frame, frames, time, simulates, some]) => {
        if (document.activeElement !== input) input.value = some ? String(frame) : '';
        input.disabled = Boolean(simulates) || Number(frames) < 2;
        rest.textContent = some ? `/ ${Math.max(0, Number(frames) - 1)}   ${Number(time).toFixed(3)} s` : '';
    });
    return el('span.frame', {}, input, rest);
}

function speed(app: App): HTMLElement {
    const node = el('select', { title: 'Speed of playback', onchange: () => app.setView({ speed: Number(node.value) }) });
    node.append(...kSpeeds.map((s) => el('option', { value: s }, `${s}\u00d7`)));
    app.store.on((s) => s.view.speed, (value) => { node.value = String(value); });
    app.store.on((s) => s.view.workspace === 'simulate', (simulates) => { node.hidden = simulates; });
    return node;
}

/** One row of plots, all of them, none. */
function plotsButton(app: App): HTMLElement {
    const next = { row: 'all', all: 'none', none: 'row' } as const;
    const node = iconButton('plots', 'Plots of the log: a row, all, none', 'plots', () => app.setView({ plots: next[app.view.plots] }));
    app.store.on((s) => s.log === null, (none) => { node.hidden = none; });
    app.store.on((s) => s.view.plots, (plots) => node.setAttribute('aria-pressed', String(plots === 'all')));
    return node;
}

function loopButton(app: App): HTMLElement {
    const node = iconButton('loop', 'Play again from the start', 'loop', () => app.setView({ loop: !app.view.loop }));
    app.store.on((s) => s.view.loop, (loop) => node.setAttribute('aria-pressed', String(loop)));
    app.store.on((s) => s.view.workspace === 'simulate', (simulates) => { node.hidden = simulates; });
    return node;
}
