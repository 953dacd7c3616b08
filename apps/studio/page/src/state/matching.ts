// SPDX-License-Identifier: Apache-2.0
import { floats } from '../protocol/binary';
import type { App } from './app';
import type { Stage } from './stage';

/** Fetches the colours and the fitted source after each fit, and shows them where they are wanted. */
export class Matching {
    private colours = new Map<string, Float32Array<ArrayBuffer>>();
    private fetched: unknown = null;

    constructor(private readonly app: App, private readonly stage: Stage) {
        app.store.on((s) => [s.match.report, s.match.source, s.match.target, s.view.workspace, s.connection],
            () => void this.fetch());
        app.store.on((s) => [s.view.matchColours, s.view.workspace], () => this.show());
        app.store.on((s) => [s.view.showFitted, s.match.report, s.view.workspace], () => void this.showFitted());
        stage.onShown.push((item) => {
            this.show();
            const body = item === app.state.match.source ? stage.view(item)?.bodies.get(app.state.match.source_body) : null;
            if (body && !body.group.userData['fitted']) void this.showFitted();
        });
    }

    private async fetch(): Promise<void> {
        const { match, view, connection } = this.app.state;
        if (view.workspace !== 'match' || connection !== 'open') return;
        if (!match.report) {
            this.colours = new Map();
            this.fetched = null;
            this.show();
            return;
        }
        const places = [match.source, match.source_body, match.target, match.target_body];
        const key = JSON.stringify([...places, { ...match.report, stale: false }]);
        if (key === this.fetched) return;
        this.fetched = key;
        const answer = await this.app.askBinary('match', 'match.colors');
        if (!answer || match.source === null || match.target === null) return;
        this.colours = new Map([
            [`${match.source}:${match.source_body}`, floats(answer, answer.header['source'])],
            [`${match.target}:${match.target_body}`, floats(answer, answer.header['target'])],
        ]);
        this.show();
    }

    private shown: ReadonlyMap<string, unknown> | null = null;

    private show(): void {
        const { view } = this.app;
        const on = view.workspace === 'match' && view.matchColours;
        const wanted = on ? this.colours : new Map<string, Float32Array<ArrayBuffer>>();
        const loaded = [...wanted.keys()].every((place) => this.stage.view(Number.parseInt(place, 10)));
        if (wanted === this.shown || !loaded) return;
        this.shown = wanted.size || this.shown?.size ? wanted : this.shown;
        this.stage.showTriangleColours(wanted);
    }

    /** The source's view holds the fitted positions while they are wanted, its own else. */
    private async showFitted(): Promise<void> {
        const { view, state } = this.app;
        const body = this.stage.view(state.match.source)?.bodies.get(state.match.source_body);
        if (!body) return;
        if (view.workspace !== 'match' || !view.showFitted || !state.match.report) {
            if (!body.group.userData['fitted']) return;
            body.setPositions(body.mesh.positions);
            body.group.userData['fitted'] = false;
        } else {
            const answer = await this.app.askBinary('match', 'match.fitted');
            if (!answer) return;
            body.setPositions(floats(answer, answer.header['positions']));
            body.group.userData['fitted'] = true;
        }
        if (state.match.source !== null) this.stage.shown(state.match.source);
    }
}
