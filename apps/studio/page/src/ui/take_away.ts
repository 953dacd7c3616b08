// SPDX-License-Identifier: Apache-2.0
import type { App } from '../state/app';
import { staging, timelineOf, type State } from '../state/state';
import { el } from './element';
import { button, errorLine } from './widgets';

const kUrlMilliseconds = 60000;

/** The view as a PNG, of the canvas's own pixels. */
export function saveView(app: App): void {
    app.viewport.draw();
    app.viewport.renderer.domElement.toBlob((blob) => {
        if (!blob) return;
        const url = URL.createObjectURL(blob);
        download(url, `toile-${app.view.workspace}-${app.view.frame}.png`);
        setTimeout(() => URL.revokeObjectURL(url), kUrlMilliseconds);
    }, 'image/png');
}

function download(href: string, name: string): void {
    const link = el('a', { href, download: name });
    document.body.append(link);
    link.click();
    link.remove();
}

function shownItem(state: State): number | null {
    const shown = staging(state).panes.flatMap((pane) => pane.items);
    const { selected } = state.view;
    if (selected !== null && shown.includes(selected)) return selected;
    return state.edit.result && shown.includes(state.edit.result) ? state.edit.result : shown[0] ?? null;
}

const kExportsKey = 'toile-studio-exports';

/** How many exports this page has asked for and not got yet; kept, so that a reload finds it. */
class Awaited {
    private memory = 0;

    get count(): number {
        try {
            return Number(sessionStorage.getItem(kExportsKey) ?? 0);
        } catch {
            return this.memory;
        }
    }

    add(change: number): void {
        this.memory = Math.max(0, this.count + change);
        try {
            sessionStorage.setItem(kExportsKey, String(this.memory));
        } catch {
            // Storage may be forbidden: then a reload forgets what it waits for.
        }
    }
}

type What = 'glb' | 'html' | 'pngs' | 'film';

/** The dialog of all that can be taken away; the server's part comes as a job and a download. */
export class TakeAway {
    private readonly awaited = new Awaited();
    private readonly taken = new Set<number>();

    constructor(private readonly app: App) {
        app.onEvent.push((name, content) => {
            if (name === 'job') this.jobEvent(content);
        });
        app.onHello.push(({ job }) => {
            if (job && job.state !== 'running') this.jobEvent(job as unknown as Readonly<Record<string, unknown>>);
        });
    }

    private jobEvent(job: Readonly<Record<string, unknown>>): void {
        if (job['state'] === 'running' || !this.awaited.count) return;
        const name = String(job['name'] ?? 'toile');
        if (job['state'] !== 'done') {
            if (name.startsWith('export.')) this.awaited.add(-1);
            return;
        }
        const number = Number(job['download'] ?? NaN);
        if (!Number.isFinite(number) || this.taken.has(number)) return;
        this.taken.add(number);
        this.awaited.add(-1);
        this.app.notify(`${name} is made; the browser saves it.`);
        download(`/download/${number}?token=${encodeURIComponent(this.app.token)}`, name);
    }

    private async ask(what: What, args: Readonly<Record<string, unknown>>): Promise<boolean> {
        this.awaited.add(1);
        const begun = await this.app.ask('take-away', `export.${what}`, args) !== null;
        if (!begun) this.awaited.add(-1);
        return begun;
    }

    open(): void {
        const { app } = this;
        const dialog = el('dialog.take-away');
        const item = itemChoice(app);
        const film = filmFields(app);
        const choice = (text: string, help: string, run: () => void, id: string): HTMLElement => {
            const node = button(text, help, run);
            node.dataset['export'] = id;
            return el('div.choice', {}, node, el('small', {}, help));
        };
        const made = (text: string, help: string, what: What, more: () => Readonly<Record<string, unknown>>): HTMLElement =>
            choice(text, help, () => void this.ask(what, { item: Number(item.value), ...more() })
                .then((begun) => { if (begun) dialog.close(); }), what);
        const pictures = (): Readonly<Record<string, unknown>> => ({ camera: this.camera(), ...film.values() });
        dialog.append(
            el('h2', {}, 'Take away'),
            choice('Picture of the view', 'A PNG of what the view shows now', () => { saveView(app); dialog.close(); }, 'png'),
            el('label.field', {}, el('span.name', {}, 'Item'), item),
            made('GLB', 'All frames as morph targets, for Blender and for the web', 'glb', () => ({})),
            made('Page', 'One HTML file that plays the sequence anywhere, offline', 'html', () => ({})),
            film.row,
            made('Numbered PNGs', 'A picture of every frame from this side, in one archive', 'pngs', pictures),
            made('Film', 'The same as an MP4', 'film', pictures),
            errorLine(app, 'take-away'),
            el('div.row.end', {}, button('Close', 'Close (Escape)', () => dialog.close())));
        dialog.addEventListener('close', () => {
            dialog.remove();
            app.setError('take-away', null);
        });
        document.body.append(dialog);
        dialog.showModal();
    }

    private camera(): Readonly<Record<string, unknown>> {
        const { rig } = this.app.viewport.panes[0]!;
        const { perspective } = rig;
        return {
            position: perspective.position.toArray(),
            target: rig.state.target,
            up: perspective.up.toArray(),
            field_of_view: perspective.fov,
        };
    }
}

function itemChoice(app: App): HTMLSelectElement {
    const item = el('select', { name: 'item' }, ...app.state.items.map((i) => el('option', { value: i.item }, i.name)));
    const shown = shownItem(app.state);
    if (shown !== null) item.value = String(shown);
    return item;
}

/** Which frames, and how large. */
function filmFields(app: App): { readonly row: HTMLElement; values(): Readonly<Record<string, unknown>> } {
    const number = (name: string, value: number): HTMLInputElement =>
        el('input', { type: 'number', name, value: String(value), min: 0, step: 1 });
    const width = number('width', 1280), height = number('height', 720);
    const from = number('from', 0), to = number('to', timelineOf(app.state).frames - 1);
    return {
        row: el('div.row', {},
            el('label.field', {}, el('span.name', {}, 'Frames'), from, to),
            el('label.field', {}, el('span.name', {}, 'Pixels'), width, height)),
        values: () => ({
            width: Number(width.value), height: Number(height.value), from: Number(from.value), to: Number(to.value),
        }),
    };
}
