// SPDX-License-Identifier: Apache-2.0
import { decodeFrame } from '../protocol/binary';
import type { SchemaKey } from '../protocol/messages';
import type { App } from './app';
import type { Stage } from './stage';
import { findItem } from './state';

/** Shows the simulation's newest state, as fast as it comes and never faster than it is drawn. */
export class Simulation {
    private asking = false;
    private newest = -1;
    private shownFields = '';

    constructor(private readonly app: App, private readonly stage: Stage) {
        app.store.on((s) => [s.sim.number, s.sim.state, s.sim.item, s.view.workspace, s.view.colourBy,
            s.view.displays.velocity, s.items], () => void this.follow());
        app.store.on((s) => s.sim.item, () => this.begin());
        app.store.on((s) => [s.sim.item, s.view.workspace, s.sim.changed], () => void this.loadSchema());
        stage.onShown.push((item) => {
            if (item !== app.state.sim.item || stage.view(item)?.shown) return;
            this.newest = -1;  // its view is new: what was shown before it came is shown again
            void this.follow();
        });
    }

    private begin(): void {
        this.newest = -1;
        this.app.store.set({ schema: [] });
    }

    /** Opens the scene in the workspace, when none is open and there is just one choice. */
    openFirst(): void {
        const { sim, items } = this.app.state;
        const scene = items.find((i) => i.kind === 'scene');
        if (sim.item === null && scene) void this.app.ask('simulate', 'sim.open', { item: scene.item });
    }

    private async follow(): Promise<void> {
        const { sim, view } = this.app.state;
        if (this.asking || sim.item === null || view.workspace !== 'simulate') return;
        if (!this.stage.view(sim.item)) return;
        this.asking = true;
        try {
            let more = true;
            while (more && this.app.view.workspace === 'simulate') more = await this.fetch();
        } finally {
            this.asking = false;
        }
    }

    /** One answer; true where another should be asked for. */
    private async fetch(): Promise<boolean> {
        const { sim } = this.app.state;
        const fields = this.stage.simFields();
        const key = `${sim.item} ${fields.join()}`;
        const after = key === this.shownFields ? this.newest : -1;
        if (after >= sim.number && sim.state !== 'playing') return false;
        const answer = await this.app.askBinary('simulate', 'sim.latest', { fields, after });
        if (!answer) {
            await nextPicture();
            return this.app.state.sim.state === 'playing' && this.app.state.connection === 'open';
        }
        const frame = decodeFrame(answer);
        this.newest = frame.state;
        this.shownFields = key;
        const item = this.app.state.sim.item;
        if (item !== null) this.stage.show(item, frame);
        await nextPicture();
        return true;
    }

    private async loadSchema(): Promise<void> {
        const { sim, view } = this.app.state;
        if (sim.item === null || view.workspace !== 'simulate') return;
        const answer = await this.app.ask<{ keys: readonly SchemaKey[] }>('simulate', 'sim.schema');
        if (answer) this.app.store.set({ schema: answer.keys });
    }

    async change(path: string, value: unknown): Promise<void> {
        const answer = await this.app.ask(`schema ${path}`, 'sim.change', { path, value });
        if (answer) await this.loadSchema();
    }

    do(what: 'play' | 'pause' | 'step' | 'rewind'): void {
        void this.app.ask('simulate', `sim.${what}`);
    }

    get name(): string {
        return findItem(this.app.state, this.app.state.sim.item)?.name ?? '';
    }
}

function nextPicture(): Promise<void> {
    return new Promise((resolve) => requestAnimationFrame(() => resolve()));
}
