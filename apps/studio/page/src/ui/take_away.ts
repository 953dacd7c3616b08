// SPDX-License-Identifier: Apache-2.0
import type { App } from '../state/app';
import { staging, timelineOf, type State } from '../state/state';
import { el } from './element';
import { button, errorLine } from './widgets';

/** The view as a PNG, of the canvas's own pixels. */
export function saveView(app: App): void {
    app.viewport.draw();
    app.viewport.renderer.domElement.toBlob((blob) => {
        if (blob) download(URL.createObjectURL(blob), `toile-${app.view.workspace}-${app.view.frame}.png`);
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

/** The dialog of all that can be taken away; the server's part comes as a job and a download. */
export class TakeAway {
    private pending = false;

    constructor(private readonly app: App) {
        app.onEvent.push((name, content) => {
            if (name === 'job' && this.pending) this.jobEvent(content);
        });
    }

    private jobEvent(job: Readonly<Record<string, unknown>>): void {
        if (job['state'] === 'running') return;
        this.pending = false;
        if (job['state'] !== 'done' || job['download'] === undefined) return;
        const href = `/download/${String(job['download'])}?token=${encodeURIComponent(this.app.token)}`;
        const name = String(job['name'] ?? 'toile');
        this.app.notify(`${name} is made; the browser saves it.`);
        download(href, name);
    }

    open(): void {
        const { app } = this;
        const { frames } = timelineOf(app.state);
        const dialog = el('dialog.take-away');
        const number = (name: string, value: number): HTMLInputElement =>
            el('input', { type: 'number', name, value: String(value), min: 0, step: 1 });
        const width = number('width', 1280), height = number('height', 720);
        const from = number('from', 0), to = number('to', frames - 1);
        const choices = shownItem(app.state);
        const item = el('select', { name: 'item' }, ...app.state.items.map((i) => el('option', { value: i.item }, i.name)));
        if (choices !== null) item.value = String(choices);
        const ask = (what: string, more: Readonly<Record<string, unknown>>) => async (): Promise<void> => {
            this.pending = true;
            if (await app.ask('take-away', `export.${what}`, { item: Number(item.value), ...more })) dialog.close();
            else this.pending = false;
        };
        const film = (): Readonly<Record<string, unknown>> => ({
            camera: this.camera(), width: Number(width.value), height: Number(height.value),
            from: Number(from.value), to: Number(to.value),
        });
        const choice = (text: string, help: string, run: () => void, id: string): HTMLElement => {
            const node = button(text, help, run);
            node.dataset['export'] = id;
            return el('div.choice', {}, node, el('small', {}, help));
        };
        dialog.append(
            el('h2', {}, 'Take away'),
            choice('Picture of the view', 'A PNG of what the view shows now', () => { saveView(app); dialog.close(); }, 'png'),
            el('label.field', {}, el('span.name', {}, 'Item'), item),
            choice('GLB', 'All frames as morph targets, for Blender and for the web', () => void ask('glb', {})(), 'glb'),
            choice('Page', 'One HTML file that plays the sequence anywhere, offline', () => void ask('html', {})(), 'html'),
            el('div.row', {},
                el('label.field', {}, el('span.name', {}, 'Frames'), from, to),
                el('label.field', {}, el('span.name', {}, 'Pixels'), width, height)),
            choice('Numbered PNGs', 'A picture of every frame from this side, in one archive', () => void ask('pngs', film())(), 'pngs'),
            choice('Film', 'The same as an MP4', () => void ask('film', film())(), 'film'),
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
