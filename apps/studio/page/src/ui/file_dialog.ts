// SPDX-License-Identifier: Apache-2.0
import type { FileEntry } from '../protocol/messages';
import type { App } from '../state/app';
import { el } from './element';
import { button } from './widgets';

export interface FilePlace {
    readonly root: number;
    readonly path: string;
    readonly overwrite: boolean;
}

export interface FileDialogOptions {
    readonly title: string;
    readonly action: string;
    /** Does what the dialog is for; null or a sentence that is shown in it. */
    readonly run: (place: FilePlace) => Promise<string | null>;
    /** A proposed name: the dialog then saves, and asks before it overwrites. */
    readonly save?: string;
    /** What is written besides, by the name as it is typed. */
    readonly besides?: (name: string) => string;
    /** Kinds that are not greyed; all where it is not given. */
    readonly kinds?: readonly string[];
}

function join(folder: string, name: string): string {
    return folder ? `${folder}/${name}` : name;
}

function size(bytes: number): string {
    if (bytes < 1000) return `${bytes} B`;
    return bytes < 1e6 ? `${Math.round(bytes / 1000)} kB` : `${(bytes / 1e6).toFixed(1)} MB`;
}

/** Lists the opened folders; the server shows nothing outside of them. */
export class FileDialog {
    private readonly dialog = el('dialog.file-dialog');
    private readonly list = el('ul.files', { tabindex: 0 });
    private readonly error = el('p.error', { role: 'alert', hidden: true });
    private readonly name = el('input', { type: 'text', name: 'file-name', spellcheck: false });
    private readonly overwrite = el('input', { type: 'checkbox', name: 'overwrite' });
    private readonly overwriteLabel = el('label.check', { hidden: true }, this.overwrite, 'Write over the file that is there');
    private readonly crumbs = el('nav.crumbs');
    private readonly besides = el('p.note', { 'data-besides': '', hidden: true });
    private readonly roots = el('select', { name: 'root', title: 'Opened folder', onchange: () => void this.go(Number(this.roots.value), '') });
    private root = 0;
    private folder = '';

    constructor(private readonly app: App, private readonly options: FileDialogOptions) {
        const { title, action, save } = options;
        this.name.value = save ?? '';
        this.name.addEventListener('input', () => this.showBesides());
        this.roots.append(...app.state.roots.map((name, i) => el('option', { value: i }, name)));
        const confirm = el('button.primary', { type: 'submit', 'data-do': 'confirm' }, action);
        const form = el('form', { method: 'dialog', onsubmit: (event: Event) => {
            event.preventDefault();
            void this.confirm();
        } },
        el('h2', {}, title), el('div.row', {}, this.roots, this.crumbs), this.list,
        el('label.field', {}, el('span.name', {}, 'Name'), this.name), this.besides, this.overwriteLabel, this.error,
        el('div.row.end', {}, button('Cancel', 'Close (Escape)', () => this.dialog.close()), confirm));
        this.dialog.append(form);
        this.dialog.addEventListener('close', () => this.dialog.remove());
        document.body.append(this.dialog);
        this.dialog.showModal();
        this.showBesides();
        void this.begin();
    }

    /** In the folder that was used last, where it is still there. */
    private async begin(): Promise<void> {
        const { root, path } = this.app.view.folder;
        const known = root < this.app.state.roots.length;
        await this.go(known ? root : 0, known ? path : '');
        if (!this.error.hidden) await this.go(0, '');
    }

    private showBesides(): void {
        const text = this.name.value.trim() ? this.options.besides?.(this.name.value.trim()) ?? '' : '';
        this.besides.textContent = text;
        this.besides.hidden = !text;
    }

    private async go(root: number, folder: string): Promise<void> {
        this.root = root;
        this.folder = folder;
        this.roots.value = String(root);
        const entries = await this.fetch();
        this.showCrumbs();
        const sorted = [...entries].sort((a, b) => Number(b.folder) - Number(a.folder) || a.name.localeCompare(b.name));
        this.list.replaceChildren(...sorted.map((entry) => this.entry(entry)));
        if (!entries.length) this.list.replaceChildren(el('li.off', {}, 'Nothing here.'));
    }

    private async fetch(): Promise<readonly FileEntry[]> {
        const args = { root: this.root, path: this.folder || '.' };
        const answer = await this.app.ask<{ entries: readonly FileEntry[] }>('dialog', 'files', args);
        this.say(this.app.state.errors['dialog'] ?? '');
        return answer?.entries ?? [];
    }

    private showCrumbs(): void {
        const parts = this.folder.split('/').filter(Boolean);
        const crumb = (text: string, path: string): HTMLElement => button(text, path || 'The opened folder', () => void this.go(this.root, path), 'bare');
        this.crumbs.replaceChildren(crumb(this.app.state.roots[this.root] ?? '/', ''),
            ...parts.flatMap((part, i) => ['/', crumb(part, parts.slice(0, i + 1).join('/'))]));
    }

    private entry(entry: FileEntry): HTMLElement {
        const { kinds } = this.options;
        const path = join(this.folder, entry.name);
        const fits = entry.folder || !kinds || kinds.includes(entry.kind);
        const opens = entry.folder && !['run', 'sequence', 'scene'].includes(entry.kind);
        return el('li', {
            class: fits ? '' : 'off', 'data-name': entry.name, 'data-kind': entry.kind,
            onclick: () => {
                if (opens) void this.go(this.root, path);
                else this.name.value = entry.name;
                this.showBesides();
            },
            ondblclick: () => {
                if (entry.folder && this.options.save !== undefined) void this.go(this.root, path);
                else if (!opens && this.options.save === undefined) void this.confirm();
            },
        }, el('span.file-name', {}, entry.folder ? `${entry.name}/` : entry.name),
        el('small', {}, entry.kind === 'other' ? '' : entry.kind),
        el('small', {}, entry.folder ? '' : size(entry.size)),
        entry.folder && !opens ? button('\u203a', 'Look into the folder', () => void this.go(this.root, path), 'bare') : null);
    }

    private say(text: string): void {
        this.error.textContent = text;
        this.error.hidden = !text;
    }

    private async confirm(): Promise<void> {
        const name = this.name.value.trim();
        if (!name) return this.say('Choose a file, or write its name.');
        const path = join(this.folder, name);
        const sentence = await this.options.run({ root: this.root, path, overwrite: this.overwrite.checked });
        if (sentence === null) {
            this.app.setView({ folder: { root: this.root, path: this.folder } });
            this.dialog.close();
            return;
        }
        this.say(/--force/.test(sentence) ? `'${name}' exists already: tick the box to write over it.` : sentence);
        if (this.options.save !== undefined) this.overwriteLabel.hidden = false;
    }
}

/** What was written, by name, and into which folder. */
export function writtenWords(app: App, place: FilePlace, files: readonly string[]): string {
    const names = files.length ? files : [place.path];
    const folder = names[0]!.split('/').slice(0, -1).join('/');
    const own = names.map((name) => name.split('/').pop());
    const where = [app.state.roots[place.root] ?? '', folder].filter(Boolean).join('/');
    return `${own.join(' and ')} ${own.length > 1 ? 'are' : 'is'} written in the folder ${where}.`;
}

/** A `run` that asks the server one thing, and shows its sentence in the dialog. */
export async function askIn(app: App, name: string, args: Readonly<Record<string, unknown>>): Promise<string | null> {
    const answer = await app.ask('dialog', name, args);
    return answer ? null : app.state.errors['dialog'] ?? 'That did not work.';
}
