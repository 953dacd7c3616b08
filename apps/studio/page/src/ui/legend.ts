// SPDX-License-Identifier: Apache-2.0
import type { App } from '../state/app';
import { colourAt } from '../view/colour_map';
import { el } from './element';
import { formatNumber } from './widgets';

const kHeight = 140;

/** The colour map of what is shown, with its lowest and highest value and unit. */
export function legendView(app: App): HTMLElement {
    const canvas = el('canvas', { width: 1, height: kHeight });
    const title = el('div.legend-title');
    const high = el('span'), middle = el('span'), low = el('span');
    const node = el('div.legend', {}, title,
        el('div.legend-bar', {}, canvas, el('div.legend-ticks', {}, high, middle, low)));
    app.store.on((s) => [s.legend, s.view.map], () => {
        const { legend, view } = app.state;
        node.hidden = !legend;
        if (!legend) return;
        const draw = canvas.getContext('2d')!;
        for (let y = 0; y < kHeight; ++y) {
            draw.fillStyle = `rgb(${colourAt(view.map, 1 - y / (kHeight - 1)).join()})`;
            draw.fillRect(0, y, 1, 1);
        }
        const [a, b] = legend.range;
        title.textContent = legend.unit && legend.unit !== '1' ? `${legend.title} [${legend.unit}]` : legend.title;
        high.textContent = formatNumber(b, 3);
        middle.textContent = formatNumber((a + b) / 2, 3);
        low.textContent = formatNumber(a, 3);
    });
    return node;
}
