// SPDX-License-Identifier: Apache-2.0
import type { BodyInfo, Item } from '../protocol/messages';
import type { State } from './state';

/** A body of an item. */
export interface Place {
    readonly item: number;
    readonly body: number;
}

type Choice = readonly [value: string, text: string];

/** `3`, or `3:1` where an item has several bodies: what a list of choices calls a body. */
export function placeKey(state: State, item: number | null | undefined, body = 0): string {
    const found = state.items.find((i) => i.item === item);
    if (!found) return '';
    return found.bodies.length > 1 ? `${found.item}:${body}` : String(found.item);
}

export function parsePlace(key: string): Place | null {
    if (key === '') return null;
    const [item, body] = key.split(':').map(Number);
    return { item: item!, body: body ?? 0 };
}

/** Every body of every item that is wanted; a body has its own name where it is not alone. */
export function bodyChoices(
    state: State, first: string, wanted: (item: Item, body: BodyInfo) => boolean = () => true
): readonly Choice[] {
    const all = state.items.flatMap((item) => item.bodies.flatMap((body, b): Choice[] => {
        if (!wanted(item, body)) return [];
        const name = item.bodies.length > 1 ? `${item.name} \u00b7 ${body.name}` : item.name;
        return [[placeKey(state, item.item, b), name]];
    }));
    return [['', first], ...all];
}
