// SPDX-License-Identifier: Apache-2.0
import { el } from './element';
import { button } from './widgets';

/** Asks before something is given up; false where it is closed otherwise. */
export function confirmed(title: string, text: string, action: string): Promise<boolean> {
    return new Promise((resolve) => {
        let agreed = false;
        const dialog = el('dialog.confirm', { role: 'alertdialog' }, el('h2', {}, title), el('p', {}, text));
        const yes = button(action, action, () => {
            agreed = true;
            dialog.close();
        }, 'primary');
        yes.dataset['do'] = 'agree';
        dialog.append(el('div.row.end', {}, button('Cancel', 'Leave all as it is (Escape)', () => dialog.close()), yes));
        dialog.addEventListener('close', () => {
            dialog.remove();
            resolve(agreed);
        });
        document.body.append(dialog);
        dialog.showModal();
        yes.focus();
    });
}
