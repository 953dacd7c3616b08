// SPDX-License-Identifier: Apache-2.0

/** Fields keep the keyboard only while one types: what was chosen with the mouse, or ended with Enter, gives it back. */
export function giveKeyboardBack(): void {
    let byPointer = false;
    window.addEventListener('pointerdown', () => { byPointer = true; }, true);
    window.addEventListener('keydown', (event) => { byPointer = false; giveBack(event); }, true);
    window.addEventListener('change', (event) => {
        const node = event.target as HTMLElement;
        if (byPointer && !node.closest('dialog')) node.blur();
    });
    window.addEventListener('click', (event) => {
        const node = (event.target as HTMLElement).closest<HTMLElement>('button, summary');
        if (byPointer && node && !node.closest('dialog')) node.blur();
    });
}

/** Enter takes what was typed; a field that is made anew by that does not take the keyboard again. */
function giveBack(event: KeyboardEvent): void {
    const node = event.target as HTMLElement;
    if (event.key !== 'Enter' || node.closest('dialog') || !['INPUT', 'SELECT'].includes(node.tagName)) return;
    node.blur();
}
