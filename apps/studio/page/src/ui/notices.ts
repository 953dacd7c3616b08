// SPDX-License-Identifier: Apache-2.0
import type { App } from '../state/app';
import { el } from './element';
import { button, errorLine } from './widgets';

/** Short messages over the view, and the sentence about a lost connection. */
export function notices(app: App): HTMLElement {
    const list = el('div.notices', { role: 'status' });
    app.store.on((s) => [s.notices, s.connection], () => {
        const lost = app.state.connection === 'lost'
            ? [el('div.notice.bad', {}, 'The studio\'s server does not answer; trying again. Nothing that it holds is lost while it runs.')]
            : [];
        const shown = app.state.notices.map(({ id, text, bad }) => el(bad ? 'div.notice.bad' : 'div.notice', {},
            el('span', {}, text), button('\u00d7', 'Dismiss', () => app.dismiss(id), 'bare')));
        list.replaceChildren(...lost, ...shown);
    });
    return el('div.notice-place', {}, list, errorLine(app, 'general'));
}
