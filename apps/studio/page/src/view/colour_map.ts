// SPDX-License-Identifier: Apache-2.0
import { ClampToEdgeWrapping, DataTexture, LinearFilter, RGBAFormat } from 'three';

export type ColourMapName = 'viridis' | 'heat' | 'ice';

/** Colours at equal distances from the lowest value to the highest. */
const kStops: Readonly<Record<ColourMapName, readonly string[]>> = {
    viridis: ['440154', '46327e', '365c8d', '277f8e', '1fa187', '4ac16d', 'a0da39', 'fde725'],
    heat: ['20243a', '5b2a5e', 'a8324e', 'e0603a', 'f6a54a', 'fdf3c0'],
    ice: ['2b5f9e', '7fb0d8', 'eeeeea', 'e69a7a', 'b33a3a'],
};

export const kColourMaps = Object.keys(kStops) as ColourMapName[];

const kTexels = 256;

function channel(hex: string, i: number): number {
    return parseInt(hex.slice(2 * i, 2 * i + 2), 16);
}

/** The colour of a value between 0 and 1, as three bytes. */
export function colourAt(name: ColourMapName, value: number): [number, number, number] {
    const stops = kStops[name];
    const x = Math.min(1, Math.max(0, value)) * (stops.length - 1);
    const first = Math.min(Math.floor(x), stops.length - 2);
    const [a, b] = [stops[first] ?? '000000', stops[first + 1] ?? '000000'];
    const mix = (i: number): number =>
        Math.round(channel(a, i) + (x - first) * (channel(b, i) - channel(a, i)));
    return [mix(0), mix(1), mix(2)];
}

const textures = new Map<ColourMapName, DataTexture>();

export function colourTexture(name: ColourMapName): DataTexture {
    let texture = textures.get(name);
    if (texture) return texture;
    const bytes = new Uint8Array(4 * kTexels);
    for (let i = 0; i < kTexels; ++i) {
        bytes.set([...colourAt(name, i / (kTexels - 1)), 255], 4 * i);
    }
    texture = new DataTexture(bytes, kTexels, 1, RGBAFormat);
    texture.wrapS = ClampToEdgeWrapping;
    texture.minFilter = LinearFilter;
    texture.magFilter = LinearFilter;
    texture.needsUpdate = true;
    textures.set(name, texture);
    return texture;
}

/** `#rrggbb` of a colour map's middle steps, for a legend's gradient. */
export function cssStops(name: ColourMapName): string {
    return kStops[name].map((hex) => `#${hex}`).join(', ');
}
