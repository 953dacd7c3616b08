// SPDX-License-Identifier: Apache-2.0

export type Child = Node | string | null | undefined | false;

type Attributes = Readonly<Record<string, unknown>>;

function setAttribute(node: HTMLElement | SVGElement, name: string, value: unknown): void {
    if (value === undefined || value === null || value === false) return;
    if (name.startsWith('on')) {
        node.addEventListener(name.slice(2), value as EventListener);
    } else if (node instanceof HTMLElement && name in node && typeof value !== 'string') {
        (node as unknown as Record<string, unknown>)[name] = value;
    } else {
        node.setAttribute(name, value === true ? '' : String(value));
    }
}

/** `el('button.primary', { title, onclick }, 'Play')`: an element with classes, attributes, content. */
export function el<K extends keyof HTMLElementTagNameMap>(
    what: K | `${K}.${string}`, attributes: Attributes = {}, ...children: Child[]
): HTMLElementTagNameMap[K] {
    const [tag, ...classes] = what.split('.');
    const node = document.createElement(tag as K);
    if (classes.length) node.className = classes.join(' ');
    for (const [name, value] of Object.entries(attributes)) setAttribute(node, name, value);
    node.append(...children.filter((child): child is Node | string => !!child));
    return node;
}

export function svg(tag: string, attributes: Attributes = {}, ...children: SVGElement[]): SVGElement {
    const node = document.createElementNS('http://www.w3.org/2000/svg', tag);
    for (const [name, value] of Object.entries(attributes)) setAttribute(node, name, value);
    node.append(...children);
    return node;
}
