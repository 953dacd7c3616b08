// SPDX-License-Identifier: Apache-2.0
import type { App } from '../state/app';
import { kWorkspaces, type Workspace } from '../state/state';
import { el } from './element';
import { button } from './widgets';

const kWorkspaceHelp: Readonly<Record<Workspace, string>> = {
    look: 'Look: play, colour and compare what is open (1)',
    simulate: 'Simulate: run a scene, watch its contacts, change its fabric (2)',
    match: 'Match: pick markers on two meshes and fit one to the other (3)',
    transfer: 'Transfer: give a motion to another mesh (4)',
    edit: 'Edit: change one frame and carry it through the others (5)',
};

export interface TopBarActions {
    open(): void;
    takeAway(): void;
    help(): void;
}

export function topBar(app: App, actions: TopBarActions): HTMLElement {
    const tabs = kWorkspaces.map((name) => {
        const tab = button(name[0]!.toUpperCase() + name.slice(1), kWorkspaceHelp[name], () => app.setView({ workspace: name }));
        tab.dataset['workspace'] = name;
        tab.setAttribute('role', 'tab');
        return tab;
    });
    app.store.on((s) => s.view.workspace, (workspace) => {
        document.body.dataset['workspace'] = workspace;
        for (const tab of tabs) {
            tab.setAttribute('aria-selected', String(tab.dataset['workspace'] === workspace));
        }
    });
    return el('header.top-bar', {},
        el('span.brand', {}, 'toile'),
        button('Open\u2026', 'Open a mesh, sequence, run or scene from the opened folders (Ctrl+O)', actions.open),
        el('nav.tabs', { role: 'tablist' }, ...tabs),
        jobView(app),
        el('span.space'),
        button('Take away\u2026', 'Picture, film, GLB or a page that plays offline (Ctrl+E)', actions.takeAway),
        themeButton(app),
        button('?', 'Shortcuts (?)', actions.help, 'round'),
    );
}

function themeButton(app: App): HTMLElement {
    const next = { auto: 'light', light: 'dark', dark: 'auto' } as const;
    const sign = { auto: '\u25d0', light: '\u2600', dark: '\u263e' } as const;
    const node = button('', '', () => app.setView({ theme: next[app.view.theme] }), 'round');
    app.store.on((s) => s.view.theme, (theme) => {
        node.textContent = sign[theme];
        node.title = `Theme: ${theme === 'auto' ? 'as the system has it' : theme}`;
    });
    return node;
}

/** The running job: what it does, how far it is, and its end. */
function jobView(app: App): HTMLElement {
    const bar = el('progress', { max: 1 });
    const text = el('span.job-text');
    const cancel = button('Cancel', 'End the running job', () => void app.ask('general', 'job.cancel'));
    const node = el('div.job', { 'data-job': '' }, text, bar, cancel);
    app.store.on((s) => s.job, (job) => {
        node.hidden = job?.state !== 'running';
        if (!job) return;
        bar.value = job.part || 0;
        text.textContent = job.text || job.name;
        text.title = job.name;
    });
    return node;
}
