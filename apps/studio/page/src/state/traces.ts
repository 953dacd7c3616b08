// SPDX-License-Identifier: Apache-2.0
import type { RunLog, Trace, Vec } from '../protocol/messages';
import { loggedItem } from '../ui/plots';
import { TraceView } from '../view/trace_view';
import type { App } from './app';
import type { Stage } from './stage';
import type { Displays, State } from './state';

export function needsTrace(d: Displays): boolean {
    return d.boxes || d.proximityBoxes || d.candidates || d.contacts.first || d.contacts.second
        || d.collisions.first || d.collisions.second || d.nextStep || d.iterations;
}

export function frameShown(state: State): number {
    return state.view.workspace === 'simulate' ? state.sim.frame : state.view.frame;
}

/** Fetches what contacts saw in the frame that is shown, and the run's log; draws the former. */
export class Traces {
    readonly view = new TraceView();
    private busy = false;
    private logBusy = false;
    private on = false;

    constructor(private readonly app: App, private readonly stage: Stage) {
        const { store } = app;
        store.on((s) => [loggedItem(s), frameShown(s), needsTrace(s.view.displays), s.sim.state,
            s.view.workspace, s.view.displays.boxes || s.view.displays.proximityBoxes], () => void this.want());
        store.on((s) => [s.trace, s.view.displays, s.sim.failure, s.view.workspace], () => this.draw());
        store.on((s) => [loggedItem(s), s.sim.frame, s.view.workspace, s.connection], () => void this.wantLog());
        stage.onShown.push((item) => {
            if (item === loggedItem(app.state)) this.draw();
        });
    }

    private key(): string {
        const { state } = this.app;
        const { sim, view } = state;
        const live = view.workspace === 'simulate';
        return `${loggedItem(state)} ${frameShown(state)} ${live ? sim.frame : ''}`;
    }

    private async want(): Promise<void> {
        const { app } = this;
        if (this.busy) return;
        if (!needsTrace(app.view.displays)) {
            if (this.on && app.state.sim.item !== null) void app.ask('displays', 'sim.trace', { on: false });
            this.on = false;
            if (app.state.trace || app.state.traceMissing) app.store.set({ trace: null, traceOf: '', traceMissing: '' });
            return;
        }
        const key = this.key();
        if (key === app.state.traceOf || loggedItem(app.state) === null) return;
        this.busy = true;
        try {
            await this.fetch(key);
        } finally {
            this.busy = false;
        }
        if (this.key() !== key) void this.want();
    }

    private async fetch(key: string): Promise<void> {
        const { app } = this;
        const live = app.view.workspace === 'simulate';
        if (live && !this.on) {
            this.on = true;
            await app.ask('displays', 'sim.trace', { on: true });
        }
        const frame = frameShown(app.state);
        try {
            const trace = await app.connection.ask<Trace>('trace', live ? { frame } : { item: loggedItem(app.state), frame });
            app.store.set({ trace, traceOf: key, traceMissing: '' });
        } catch (error) {
            const sentence = error instanceof Error ? error.message : String(error);
            app.store.set({ trace: null, traceOf: key, traceMissing: sentence });
        }
    }

    private draw(): void {
        const { app } = this;
        const item = loggedItem(app.state);
        const view = this.stage.view(item);
        this.view.attach(view);
        if (!view) return;
        const live = app.view.workspace === 'simulate';
        const failure = live ? app.state.sim.failure : null;
        const points: Vec[] = [...(failure?.points ?? [])];
        if (failure && !points.length) {
            for (const [body, vertex] of failure.vertices ?? []) {
                const p = view.bodies.get(body)?.vertex(vertex);
                if (p) points.push([p.x, p.y, p.z]);
            }
        }
        this.view.draw(needsTrace(app.view.displays) ? app.state.trace : null, app.view.displays, view, points);
        app.viewport.invalidate();
    }

    private async wantLog(): Promise<void> {
        const { app } = this;
        const item = loggedItem(app.state);
        if (item === null) {
            if (app.state.log) app.store.set({ log: null });
            return;
        }
        if (this.logBusy || app.state.connection !== 'open') return;
        this.logBusy = true;
        const live = app.view.workspace === 'simulate';
        const key = `${item} ${live} ${app.state.sim.frame}`;
        const log = await app.ask<RunLog>('plots', 'log', live ? {} : { item });
        app.store.set({ log: log?.columns ? log : null });
        this.logBusy = false;
        const now = loggedItem(app.state);
        const nowLive = app.view.workspace === 'simulate';
        if (`${now} ${nowLive} ${app.state.sim.frame}` !== key) void this.wantLog();
    }
}
