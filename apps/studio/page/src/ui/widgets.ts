// SPDX-License-Identifier: Apache-2.0
// Controls that show a part of the state and change it: each is made once and follows the store.
import type { App } from '../state/app';
import type { State } from '../state/state';
import { el, type Child } from './element';

type Get<T> = (state: State) => T;

export function button(
    text: string, title: string, onclick: () => void, className = ''
): HTMLButtonElement {
    return el('button', { type: 'button', title, onclick, class: className }, text);
}

/** A button that is dead while `when` says no. */
export function buttonWhen(
    app: App, text: string, title: string, when: Get<boolean>, onclick: () => void, className = ''
): HTMLButtonElement {
    const node = button(text, title, onclick, className);
    app.store.on(when, (able) => { node.disabled = !able; });
    return node;
}

export function section(title: string, ...children: Child[]): HTMLElement {
    const node = el('details.section', { open: true }, el('summary', {}, title), ...children);
    return node;
}

/** A section that is folded at first. */
export function folded(title: string, ...children: Child[]): HTMLElement {
    return el('details.section', {}, el('summary', {}, title), ...children);
}

export function row(...children: Child[]): HTMLElement {
    return el('div.row', {}, ...children);
}

export function labelled(text: string, title: string, ...controls: Child[]): HTMLElement {
    return el('label.field', { title }, el('span.name', {}, text), ...controls);
}

export function checkbox(
    app: App, text: string, title: string, get: Get<boolean>, set: (on: boolean) => void, name = ''
): HTMLElement {
    const input = el('input', { type: 'checkbox', name, onchange: () => set(input.checked) });
    app.store.on(get, (on) => { input.checked = on; });
    return el('label.check', { title }, input, text);
}

export interface NumberOptions {
    readonly unit?: string;
    readonly minimum?: number;
    readonly maximum?: number;
    readonly step?: number | 'any';
    readonly name?: string;
    readonly placeholder?: string;
}

/** Calls `set` with what was typed when it is a number; an emptied field is null. */
export function numberField(
    app: App, text: string, title: string, get: Get<number | null>, set: (value: number | null) => void,
    { unit, minimum, maximum, step = 'any', name = '', placeholder = '' }: NumberOptions = {}
): HTMLElement {
    const input = el('input', {
        type: 'number', name, min: minimum, max: maximum, step, placeholder,
        onchange: () => {
            const value = input.value === '' ? null : Number(input.value);
            if (value === null || Number.isFinite(value)) set(value);
        },
    });
    app.store.on(get, (value) => { input.value = value === null ? '' : fieldNumber(value); });
    return labelled(text, unit ? `${title} [${unit}]` : title, input, unit ? el('span.unit', {}, unit) : null);
}

/** A slider over powers of ten, for factors that no fixed range suits. */
export function logSlider(
    app: App, text: string, title: string, get: Get<number>, set: (value: number) => void,
    range: readonly [number, number], name = ''
): HTMLElement {
    const shown = el('span.unit.number');
    const input = el('input', {
        type: 'range', name, min: Math.log10(range[0]), max: Math.log10(range[1]), step: 0.01,
        oninput: () => set(Number(Math.pow(10, Number(input.value)).toPrecision(3))),
    });
    app.store.on(get, (value) => {
        input.value = String(Math.log10(Math.max(value, range[0])));
        shown.textContent = String(Number(value.toPrecision(3)));
    });
    return labelled(text, title, input, shown);
}

export type Choice = readonly [value: string, text: string];

/** The choices may depend on the state. What `set` refuses (false) is not shown as chosen. */
export function select(
    app: App, text: string, title: string, choices: Get<readonly Choice[]>, get: Get<string>,
    set: (value: string) => void | Promise<boolean>, name = ''
): HTMLElement {
    const node = el('select', { name, onchange: () => {
        void Promise.resolve(set(node.value)).then((taken) => {
            if (taken === false) node.value = get(app.state);
        });
    } });
    const refill = (state: State): void => {
        const options = choices(state).map(([value, label]) => el('option', { value }, label));
        node.replaceChildren(...options);
        node.value = get(state);
    };
    app.store.on((s) => JSON.stringify(choices(s)), (_, s) => refill(s));
    app.store.on(get, (value) => { node.value = value; });
    return labelled(text, title, node);
}

/** Buttons of which one is pressed. */
export function segments<T extends string>(
    app: App, choices: readonly (readonly [T, string, string])[], get: Get<T>, set: (value: T) => void,
    name = ''
): HTMLElement {
    const buttons = choices.map(([value, text, title]) => {
        const node = button(text, title, () => set(value));
        node.dataset['value'] = value;
        return node;
    });
    app.store.on(get, (value) => {
        for (const node of buttons) node.setAttribute('aria-pressed', String(node.dataset['value'] === value));
    });
    return el('div.segments', { role: 'group', 'data-name': name }, ...buttons);
}

/** The server's sentence for a place, or nothing. */
export function errorLine(app: App, place: string): HTMLElement {
    const node = el('p.error', { role: 'alert', 'data-place': place });
    app.store.on((s) => s.errors[place] ?? '', (text) => {
        node.textContent = text;
        node.hidden = !text;
    });
    return node;
}

/** Shows a part of the page while `when` says so. */
export function showWhen<T extends HTMLElement>(app: App, when: Get<boolean>, node: T): T {
    app.store.on(when, (on) => { node.hidden = !on; });
    return node;
}

/** A text that follows the state. */
export function textOf(app: App, get: Get<string>, className = 'note'): HTMLElement {
    const node = el('p', { class: className });
    app.store.on(get, (text) => {
        node.textContent = text;
        node.hidden = !text;
    });
    return node;
}

export function formatNumber(value: number, digits = 4): string {
    if (!Number.isFinite(value)) return String(value);
    const size = Math.abs(value);
    const rounded = Number(value.toPrecision(digits));
    if (size !== 0 && (size < 1e-3 || size >= 1e5)) {
        return Number(value.toPrecision(Math.max(1, digits - 1))).toExponential().replace('e+', 'e');
    }
    return String(rounded);
}

const kFieldDigits = 7;

/** A number as a field shows it: `1e-5`, not `0.00001`, and without the noise of its last digits. */
export function fieldNumber(value: number): string {
    const rounded = Number(value.toPrecision(kFieldDigits));
    const size = Math.abs(rounded);
    return size !== 0 && (size < 1e-3 || size >= 1e6) ? rounded.toExponential().replace('e+', 'e') : String(rounded);
}
