// SPDX-License-Identifier: Apache-2.0
import { svg } from './element';

/** Outlines in a box of 16 by 16, drawn for this page. */
const kPaths = {
    play: 'M4 2.5v11l9.5-5.5z',
    pause: 'M4 2.5h3v11H4zM9 2.5h3v11H9z',
    step: 'M3 2.5v11l7-5.5zM11 2.5h2v11h-2z',
    back: 'M13 2.5v11l-7-5.5zM3 2.5h2v11H3z',
    rewind: 'M8.5 8l6-5v10zM2.5 8l6-5v10zM1 3h1.5v10H1z',
    plots: 'M1 1.5h1.5v11.7H15V15H1zM4 10l3-4 2.5 2.2L13.5 3l1.1.9-4.9 6.4-2.5-2.2-2.2 3z',
    eye: 'M8 3C4 3 1.5 6.5 1 8c.5 1.5 3 5 7 5s6.5-3.5 7-5c-.5-1.5-3-5-7-5zm0 7.8a2.8 2.8 0 1 1 0-5.6 2.8 2.8 0 0 1 0 5.6z',
    hidden: 'M2 7.5c1.2 2 3.400 3.5 6 3.5s4.8-1.5 6-3.5l1 .7c-.6 1-1.300 1.8-2.2 2.5l1.2 1.6-.9.7-1.300-1.7c-.9.5-1.900.8-3 .9V14H7.2v-1.8c-1.100-.1-2.100-.4-3-.9l-1.300 1.7-.9-.7 1.2-1.6C2.300 10 1.6 9.2 1 8.2z',
    close: 'M3.5 2.5L8 7l4.5-4.5 1 1L9 8l4.5 4.5-1 1L8 9l-4.5 4.5-1-1L7 8 2.5 3.5z',
    loop: 'M4 4h7V2l3 3-3 3V6H5v3H3V5a1 1 0 0 1 1-1zm8 8H5v2L2 11l3-3v2h6V7h2v4a1 1 0 0 1-1 1z',
} as const;

export type IconName = keyof typeof kPaths;

export function icon(name: IconName): SVGElement {
    return svg('svg', { viewBox: '0 0 16 16', class: 'icon', 'aria-hidden': 'true' },
        svg('path', { d: kPaths[name] }));
}
