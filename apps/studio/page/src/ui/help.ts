// SPDX-License-Identifier: Apache-2.0
import { el } from './element';
import { kShortcuts } from './shortcuts';
import { button } from './widgets';

/** The list of shortcuts. */
export function openHelp(version: string): void {
    const groups = [...new Set(kShortcuts.map((s) => s.group))];
    const dialog = el('dialog.help', {},
        el('h2', {}, 'Shortcuts'),
        el('div.columns', {}, ...groups.map((group) => el('section', {}, el('h3', {}, group),
            el('dl', {}, ...kShortcuts.filter((s) => s.group === group).flatMap(({ keys, text }) => [
                el('dt', {}, keys), el('dd', {}, text)]))))),
        el('div.row.end', {}, el('small', {}, version ? `toile ${version}` : ''), button('Close', 'Close (Escape)', () => dialog.close())));
    dialog.addEventListener('close', () => dialog.remove());
    document.body.append(dialog);
    dialog.showModal();
}
