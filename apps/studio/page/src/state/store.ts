// SPDX-License-Identifier: Apache-2.0

interface Listener<S> {
    readonly select: (state: S) => unknown;
    readonly call: (selected: never, state: S) => void;
    last: unknown;
}

function same(a: unknown, b: unknown): boolean {
    if (Object.is(a, b)) return true;
    if (!Array.isArray(a) || !Array.isArray(b) || a.length !== b.length) return false;
    return a.every((value, i) => Object.is(value, b[i]));
}

/**
 * The one place of what the page knows. State is never changed in place; a listener is called when
 * what it selects has changed (an array is compared by its elements).
 */
export class Store<S extends object> {
    private readonly listeners: Listener<S>[] = [];
    private telling = false;
    private again = false;

    constructor(private state: S) {}

    get(): S {
        return this.state;
    }

    set(patch: Partial<S>): void {
        this.state = { ...this.state, ...patch };
        this.tell();
    }

    /** Calls at once, and then at every change of what is selected. */
    on<T>(select: (state: S) => T, call: (selected: T, state: S) => void): void {
        const last = select(this.state);
        this.listeners.push({ select, call, last });
        call(last, this.state);
    }

    private tell(): void {
        if (this.telling) {
            this.again = true;
            return;
        }
        this.telling = true;
        try {
            do {
                this.again = false;
                for (const listener of this.listeners) this.check(listener);
            } while (this.again);
        } finally {
            this.telling = false;
        }
    }

    private check(listener: Listener<S>): void {
        const selected = listener.select(this.state);
        if (same(selected, listener.last)) return;
        listener.last = selected;
        try {
            listener.call(selected as never, this.state);
        } catch (error) {
            reportError(error);  // one view's fault leaves the others as they should be
        }
    }
}
