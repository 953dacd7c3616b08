// SPDX-License-Identifier: Apache-2.0
import type { BinaryMessage } from '../protocol/binary';
import { Connection, type Arguments, type Said } from '../protocol/connection';
import type { EditPart, Hello, Item, Job, MatchPart, SimPart, TransferPart } from '../protocol/messages';
import type { Viewport } from '../view/viewport';
import {
    initialState, keepView, kNoEdit, kNoMatch, kNoSim, kNoTransfer, type Displays, type State,
    type ViewSettings,
} from './state';
import { Store } from './store';

const kNoticeMilliseconds = 8000;

/** What every view and controller is given: the state, the server, the canvas. */
export class App {
    readonly store = new Store<State>(initialState());
    readonly connection: Connection;
    private lastNotice = 0;
    /** Called with each event after the state has taken it. */
    readonly onEvent: ((name: string, content: Said) => void)[] = [];
    /** Called when a connection has brought everything there is. */
    readonly onHello: ((hello: Hello) => void)[] = [];

    constructor(readonly viewport: Viewport, readonly token: string) {
        const scheme = location.protocol === 'https:' ? 'wss' : 'ws';
        const url = `${scheme}://${location.host}/socket?token=${encodeURIComponent(token)}`;
        this.connection = new Connection(url, {
            opened: () => void this.hello(),
            lost: () => this.store.set({ connection: 'lost' }),
            event: (name, content) => this.take(name, content),
        });
        this.store.on((s) => s.view, (view) => keepView(view));
    }

    get state(): State {
        return this.store.get();
    }

    get view(): ViewSettings {
        return this.store.get().view;
    }

    setView(patch: Partial<ViewSettings>): void {
        this.store.set({ view: { ...this.view, ...patch } });
    }

    setDisplays(patch: Partial<Displays>): void {
        this.setView({ displays: { ...this.view.displays, ...patch } });
    }

    /** Asks the server; a refusal's sentence is shown at `place`, and null returned. */
    async ask<T = Said>(place: string, name: string, args: Arguments = {}): Promise<T | null> {
        try {
            const answer = await this.connection.ask<T>(name, args);
            this.setError(place, null);
            return answer;
        } catch (error) {
            this.setError(place, error);
            return null;
        }
    }

    async askBinary(place: string, name: string, args: Arguments = {}): Promise<BinaryMessage | null> {
        try {
            const answer = await this.connection.askBinary(name, args);
            if (answer) this.setError(place, null);
            return answer;
        } catch (error) {
            this.setError(place, error);
            return null;
        }
    }

    setError(place: string, error: unknown): void {
        const { errors } = this.state;
        const text = error instanceof Error ? error.message : error ? String(error) : '';
        if ((errors[place] ?? '') === text) return;
        this.store.set({ errors: { ...errors, [place]: text } });
    }

    notify(text: string, bad = false): void {
        const id = ++this.lastNotice;
        this.store.set({ notices: [...this.state.notices, { id, text, bad }] });
        if (!bad) setTimeout(() => this.dismiss(id), kNoticeMilliseconds);
    }

    dismiss(id: number): void {
        this.store.set({ notices: this.state.notices.filter((n) => n.id !== id) });
    }

    private async hello(): Promise<void> {
        const hello = await this.ask<Hello>('general', 'hello');
        if (!hello) return;
        this.store.set({
            connection: 'open',
            version: hello.version,
            items: hello.items,
            roots: hello.roots ?? [],
            sim: { ...kNoSim, ...hello.sim },
            match: { ...kNoMatch, ...hello.match },
            transfer: { ...kNoTransfer, ...hello.transfer },
            edit: { ...kNoEdit, ...hello.edit },
            job: hello.job?.state === 'running' ? hello.job : null,
        });
        for (const call of this.onHello) call(hello);
    }

    private take(name: string, content: Said): void {
        switch (name) {
            case 'items':
                this.store.set({ items: content['items'] as readonly Item[] });
                break;
            case 'sim':
                this.store.set({ sim: { ...kNoSim, ...(content as unknown as SimPart) } });
                break;
            case 'match':
                this.store.set({ match: { ...kNoMatch, ...(content as unknown as MatchPart) } });
                break;
            case 'transfer':
                this.store.set({ transfer: { ...kNoTransfer, ...(content as unknown as TransferPart) } });
                break;
            case 'edit':
                this.store.set({ edit: { ...kNoEdit, ...(content as unknown as EditPart) } });
                break;
            case 'job':
                this.store.set({ job: content as unknown as Job });
                break;
        }
        for (const call of this.onEvent) call(name, content);
    }
}
