// SPDX-License-Identifier: Apache-2.0
import type { SchemaKey } from '../protocol/messages';
import type { App } from '../state/app';
import { el } from '../ui/element';
import { fieldNumber } from '../ui/widgets';

type Change = (path: string, value: unknown) => void;

const kOpenGroups = new Set<string>();

/** A body's keys stand under its name, with what it is beside it; the rest under their section. */
function groupOf({ path, group }: SchemaKey): readonly [name: string, kind: string] {
    const section = path.split('.')[0] ?? '';
    return group && group !== section ? [group, section] : [section.replaceAll('_', ' '), ''];
}

function hint(key: SchemaKey): string {
    const range = key.minimum !== undefined && key.minimum !== null || key.maximum !== undefined && key.maximum !== null
        ? `\n${key.above_minimum ? 'above' : 'from'} ${key.minimum ?? '\u2212\u221e'} to ${key.maximum ?? '\u221e'}` : '';
    const unit = key.unit ? ` [${key.unit}]` : '';
    const standard = key.default !== undefined && key.default !== null ? `\ndefault ${JSON.stringify(key.default)}` : '';
    return `${key.path}${unit}\n${key.help ?? ''}${range}${standard}`;
}

/** The scene's keys in groups, each as its type wants it; a refused value shows the sentence under it. */
export function schemaForm(app: App, change: Change): HTMLElement {
    const filter = el('input', { type: 'search', placeholder: 'Find a key\u2026', name: 'schema-filter', 'aria-label': 'Find a key' });
    const groups = el('div.schema');
    const rebuild = (): void => {
        const focused = (document.activeElement as HTMLElement | null)?.dataset['path'];
        groups.replaceChildren(...buildGroups(app, filter.value.trim().toLowerCase(), change));
        if (focused) groups.querySelector<HTMLElement>(`[data-path="${CSS.escape(focused)}"]`)?.focus();
    };
    filter.addEventListener('input', rebuild);
    app.store.on((s) => s.schema, rebuild);
    app.store.on((s) => s.errors, (errors) => showErrors(groups, errors));
    return el('div', {}, filter, groups);
}

function buildGroups(app: App, words: string, change: Change): HTMLElement[] {
    const names = new Map<string, SchemaKey[]>();
    for (const key of app.state.schema) {
        if (words && !`${key.path} ${key.label} ${key.help ?? ''}`.toLowerCase().includes(words)) continue;
        const group = groupOf(key).join('\n');
        names.set(group, [...(names.get(group) ?? []), key]);
    }
    return [...names].map(([name, keys]) => {
        const [own, kind] = name.split('\n');
        const node = el('details.group', { open: words !== '' || kOpenGroups.has(name) },
            el('summary', {}, own!, kind ? el('small', {}, kind) : null), ...keys.map((key) => field(app, key, change)));
        node.addEventListener('toggle', () => {
            if (node.open) kOpenGroups.add(name);
            else kOpenGroups.delete(name);
        });
        return node;
    });
}

function showErrors(groups: HTMLElement, errors: Readonly<Record<string, string>>): void {
    for (const node of groups.querySelectorAll<HTMLElement>('.error[data-place]')) {
        const text = errors[node.dataset['place'] ?? ''] ?? '';
        node.textContent = text;
        node.hidden = !text;
    }
}

function field(app: App, key: SchemaKey, change: Change): HTMLElement {
    const control = controlOf(key, (value) => change(key.path, value));
    const place = `schema ${key.path}`;
    const text = app.state.errors[place] ?? '';
    const changed = key.default !== undefined && JSON.stringify(key.default) !== JSON.stringify(key.value);
    const name = el('span.name', { class: changed ? 'name changed' : 'name' }, key.label || key.path.split('.').pop()!);
    const unit = key.unit ? el('span.unit', {}, key.unit) : null;
    return el('div.schema-key', { title: hint(key) },
        key.type === 'vector' ? el('div.field.tall', {}, name, unit, control) : el('label.field', {}, name, control, unit),
        el('p.error', { 'data-place': place, hidden: !text }, text));
}

function controlOf(key: SchemaKey, set: (value: unknown) => void): HTMLElement {
    const common = { 'data-path': key.path, name: key.path };
    if (key.type === 'boolean') {
        const input = el('input', { ...common, type: 'checkbox', onchange: () => set(input.checked) });
        input.checked = key.value === true;
        return input;
    }
    if (key.type === 'choice') {
        const node = el('select', { ...common, onchange: () => set(node.value) });
        node.append(...(key.choices ?? []).map((c) => el('option', { value: c }, c)));
        node.value = String(key.value ?? '');
        return node;
    }
    if (key.type === 'vector') return vectorControl(key, set);
    if (key.type === 'text') {
        const input = el('input', { ...common, type: 'text', onchange: () => set(input.value) });
        input.value = typeof key.value === 'string' ? key.value : key.value == null ? '' : JSON.stringify(key.value);
        return input;
    }
    const input = el('input', {
        ...common, type: 'number', step: key.type === 'integer' ? 1 : 'any',
        min: key.minimum ?? undefined, max: key.maximum ?? undefined,
        onchange: () => {
            if (input.value !== '') set(Number(input.value));
            else if (isOptional(key)) set(null);
        },
    });
    input.value = typeof key.value === 'number' ? fieldNumber(key.value) : '';
    return input;
}

/** A value that may be none: an emptied field takes it back. */
function isOptional(key: SchemaKey): boolean {
    return key.default === null;
}

/** What the numbers of a vector are. */
function partNames({ unit, value }: SchemaKey): readonly string[] {
    const count = Array.isArray(value) ? value.length : 3;
    if (unit === 'RGB') return ['red', 'green', 'blue'];
    if (count === 4) return ['x', 'y', 'z', /second/.test(unit ?? '') ? '\u00b0/s' : '\u00b0'];
    return count === 2 ? ['first', 'second'] : ['x', 'y', 'z'];
}

function vectorControl(key: SchemaKey, set: (value: unknown) => void): HTMLElement {
    const names = partNames(key);
    const values = Array.isArray(key.value) ? (key.value as readonly number[]) : names.map(() => null);
    const inputs = values.map((value, i) => el('input', {
        type: 'number', step: 'any', value: value === null ? '' : fieldNumber(value), 'data-path': `${key.path}.${i}`,
        'aria-label': `${key.label} ${names[i] ?? i}`,
        onchange: () => {
            if (inputs.every((input) => input.value !== '')) set(inputs.map((input) => Number(input.value)));
            else if (isOptional(key) && inputs.every((input) => input.value === '')) set(null);
        },
    }));
    return el('span.vector', {}, ...inputs.map((input, i) => el('label', {}, el('small', {}, names[i] ?? String(i)), input)));
}
