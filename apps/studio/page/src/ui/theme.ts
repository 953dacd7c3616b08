// SPDX-License-Identifier: Apache-2.0
import type { App } from '../state/app';
import type { Stage } from '../state/stage';

/** Follows the switch, and the system where the switch leaves it to that; the canvas too. */
export function followTheme(app: App, stage: Stage): void {
    const dark = matchMedia('(prefers-color-scheme: dark)');
    const apply = (): void => {
        const { theme } = app.view;
        const name = theme === 'auto' ? (dark.matches ? 'dark' : 'light') : theme;
        document.documentElement.dataset['theme'] = name;
        const style = getComputedStyle(document.documentElement);
        const colour = (variable: string): string => style.getPropertyValue(variable).trim();
        app.viewport.setBackground(colour('--view'), [colour('--grid-axis'), colour('--grid')]);
        stage.dress();
    };
    dark.addEventListener('change', apply);
    app.store.on((s) => s.view.theme, apply);
}
