// SPDX-License-Identifier: Apache-2.0
import type { Item } from '../protocol/messages';
import type { App } from '../state/app';
import { staging, swatchColour } from '../state/state';
import { confirmed } from './confirm';
import { el } from './element';
import { icon } from './icons';
import { button, errorLine } from './widgets';

function describe(item: Item): string {
    const count = (key: 'vertices' | 'triangles'): number => item.bodies.reduce((sum, b) => sum + b[key], 0);
    const frames = item.frames > 1 ? `${item.frames} frames at ${item.fps} per second\n` : '';
    const bodies = item.bodies.map((b) => `${b.name} (${b.role}): ${b.vertices} vertices`).join('\n');
    return `${item.path || item.name}\n${item.kind}, ${count('vertices')} vertices, ${count('triangles')} triangles\n${frames}${bodies}`;
}

function short(item: Item): string {
    const vertices = item.bodies.reduce((sum, b) => sum + b.vertices, 0);
    const size = vertices >= 10000 ? `${Math.round(vertices / 1000)}k` : String(vertices);
    return `${item.kind} \u00b7 ${size} v${item.frames > 1 ? ` \u00b7 ${item.frames} f` : ''}`;
}

/** Hides an item, or shows it again. */
export function toggleItem(app: App, item: number): void {
    const { hidden } = app.view;
    app.setView({ hidden: hidden.includes(item) ? hidden.filter((i) => i !== item) : [...hidden, item] });
}

export function itemList(app: App, save: (item: Item) => void): HTMLElement {
    const list = el('ul.items');
    app.store.on((s) => [s.items, s.view.hidden, s.view.selected, s.view.colours, s.view.workspace,
        JSON.stringify(staging(s).panes)], () => {
        const { items } = app.state;
        list.replaceChildren(...items.map((item) => entry(app, item, save)));
    });
    const empty = el('p.note', {}, 'Nothing is open. "Open\u2026" lists the folders that the studio was started with.');
    app.store.on((s) => s.items.length, (n) => { empty.hidden = n > 0; });
    return el('aside.side.left', {}, el('h2', {}, 'Opened'), empty, list, errorLine(app, 'items'));
}

/** What is not saved is not closed without a question. */
async function closeItem(app: App, item: Item): Promise<void> {
    const discard = Boolean(item.unsaved);
    if (discard && !await confirmed('Close without saving', `'${item.name}' is not saved; it is lost when it is closed.`, 'Close it')) return;
    await app.ask('items', 'close', { item: item.item, discard });
}

function entry(app: App, item: Item, save: (item: Item) => void): HTMLElement {
    const { view } = app;
    const hidden = view.hidden.includes(item.item);
    const staged = staging(app.state).panes.some((pane) => pane.items.includes(item.item));
    const swatch = el('input.swatch', {
        type: 'color', value: swatchColour(view, item), title: 'Colour',
        onclick: (event: Event) => event.stopPropagation(),
        onchange: () => app.setView({ colours: { ...app.view.colours, [item.item]: swatch.value } }),
    });
    const eye = button('', hidden ? 'Show (h)' : 'Hide (h)', () => toggleItem(app, item.item), 'bare');
    eye.replaceChildren(icon(hidden ? 'hidden' : 'eye'));
    eye.dataset['eye'] = '';
    if (view.workspace !== 'look') eye.classList.add('unused');
    const close = button('', 'Close', () => void closeItem(app, item), 'bare close');
    close.replaceChildren(icon('close'));
    return el('li', {
        'data-item': item.item, title: describe(item), class: staged && !hidden ? '' : 'off',
        'aria-selected': String(view.selected === item.item),
        onclick: () => app.setView({ selected: item.item }),
    }, eye, swatch,
    el('span.item-name', {}, el('b', {}, item.name), el('small', {}, short(item))),
    item.unsaved ? button('Save', 'Not saved yet: write it into an opened folder', () => save(item), 'small') : null,
    close);
}
