// SPDX-License-Identifier: Apache-2.0
import { ColorManagement } from 'three';

import { displaysSection } from './panels/displays_panel';
import { editPanel, openOnlySequence, takeTool } from './panels/edit_panel';
import { colourSection, lookPanel, styleSection } from './panels/look_panel';
import { givesUpMarkers, matchPanel, openOnlyMeshes } from './panels/match_panel';
import { simulatePanel } from './panels/simulate_panel';
import { transferPanel } from './panels/transfer_panel';
import type { Hello, Item } from './protocol/messages';
import { App } from './state/app';
import { Matching } from './state/matching';
import { Simulation } from './state/simulation';
import { Stage } from './state/stage';
import { isFirstVisit, kWorkspaces, type Workspace } from './state/state';
import { Traces } from './state/traces';
import { EditTool } from './tools/edit_tool';
import { GrabTool } from './tools/grab_tool';
import { MatchTool } from './tools/match_tool';
import { AxesWidget } from './ui/axes';
import { el } from './ui/element';
import { askIn, FileDialog, writtenWords } from './ui/file_dialog';
import { openHelp } from './ui/help';
import { itemList } from './ui/item_list';
import { legendView } from './ui/legend';
import { notices } from './ui/notices';
import { plots } from './ui/plots';
import { Shortcuts } from './ui/shortcuts';
import { TakeAway } from './ui/take_away';
import { giveKeyboardBack } from './ui/focus';
import { followTheme } from './ui/theme';
import { timeline, Transport } from './ui/timeline';
import { topBar } from './ui/top_bar';
import { showWhen } from './ui/widgets';
import type { PaneTool } from './view/navigation';
import { VertexIds } from './view/vertex_ids';
import { Viewport } from './view/viewport';

// Colours are those of the swatches, from end to end.
ColorManagement.enabled = false;

const query = new URLSearchParams(location.search);
const firstVisit = isFirstVisit();
const viewport = new Viewport(query.get('antialias') !== '0');
const app = new App(viewport, query.get('token') ?? '');
const stage = new Stage(app);
const simulation = new Simulation(app, stage);
const traces = new Traces(app, stage);
new Matching(app, stage);
const transport = new Transport(app, simulation);
const takeAway = new TakeAway(app);
const axes = new AxesWidget(viewport);
const vertexIds = new VertexIds(viewport);
const [first, second] = viewport.panes;
const matching = [new MatchTool(app, stage, first!, 0), new MatchTool(app, stage, second!, 1)] as const;
const editing = new EditTool(app, stage, first!);
const grabbing = new GrabTool(app, stage, first!);

/** The next click centres the view, as `s` of the first thesis's viewer does. */
const centring: PaneTool = {
    press: () => true,
    release: ({ x, y, event }) => {
        const pane = viewport.panes.find((p) => p.element.contains(event.target as Node)) ?? first!;
        const hit = viewport.pick(pane, x, y);
        if (hit) pane.rig.centre(hit.point);
        app.store.set({ centring: false });
        viewport.invalidate();
        viewport.cameraChanged();
    },
};

const looking: PaneTool = {
    click: ({ x, y, event }) => {
        const pane = viewport.panes.find((p) => p.element.contains(event.target as Node)) ?? first!;
        const hit = viewport.pick(pane, x, y);
        if (hit) app.setView({ selected: hit.item.item });
    },
};

const kTools: Readonly<Record<Workspace, readonly [PaneTool, PaneTool]>> = {
    look: [looking, looking],
    simulate: [grabbing, grabbing],
    match: [matching[0], matching[1]],
    transfer: [looking, looking],
    edit: [editing, looking],
};

app.store.on((s) => [s.view.workspace, s.centring], () => {
    viewport.panes.forEach((pane, i) => {
        pane.tool = app.state.centring ? centring : kTools[app.view.workspace][i]!;
    });
    viewport.element.classList.toggle('centring', app.state.centring);
});
app.store.on((s) => s.view.displays.vertexIds, () => viewport.invalidate());
app.store.on((s) => [s.view.tool, s.view.workspace], () => {
    viewport.element.dataset['tool'] = app.view.tool;
});
viewport.prepare = () => {
    editing.follow();
    axes.update();
    vertexIds.update(app.view.displays.vertexIds);
};

function frameItems(items: (pane: number) => Iterable<number>): void {
    viewport.panes.slice(0, viewport.nPanes).forEach((pane, i) => pane.rig.frame(viewport.focusOf(items(i), pane.only)));
    viewport.measure();
    viewport.cameraChanged();
}

const actions = {
    frameAll: () => {
        for (const pane of viewport.panes) pane.rig.comeUp();
        frameItems((i) => viewport.panes[i]!.items);
    },
    frameSelection: () => {
        const { selected } = app.view;
        const shown = (i: number): ReadonlySet<number> => viewport.panes[i]!.items;
        frameItems((i) => (selected !== null && shown(i).has(selected) ? [selected] : shown(i)));
    },
    help: () => openHelp(app.state.version),
    takeAway: () => takeAway.open(),
    open: () => {
        new FileDialog(app, {
            title: 'Open', action: 'Open', kinds: ['mesh', 'sequence', 'scene', 'run'],
            run: ({ root, path }) => askIn(app, 'open', { root, path }),
        });
    },
    saveItem: (item: Item) => {
        const name = item.kind === 'run' ? item.name : item.kind === 'mesh' ? `${item.name}.obj` : `${item.name}.pc2`;
        saveDialog('Save', name, 'save', { item: item.item }, (typed) => (/\.(pc2|mdd|mc|xml)$/i.test(typed)
            ? `Of a point cache, its mesh is written beside it: ${stem(typed)}.obj.` : ''));
    },
};

function saveDialog(
    title: string, save: string, request: string, more: Readonly<Record<string, unknown>> = {},
    besides?: (name: string) => string
): void {
    new FileDialog(app, {
        title, action: 'Save', save, ...(besides ? { besides } : {}),
        run: async (place) => {
            const answer = await app.ask<{ files?: readonly string[] }>('dialog', request, { ...more, ...place });
            if (!answer) return app.state.errors['dialog'] ?? 'That did not work.';
            app.notify(writtenWords(app, place, answer.files ?? []));
            return null;
        },
    });
}

function loadDialog(title: string, request: string, kinds: readonly string[], may = () => Promise.resolve(true)): void {
    new FileDialog(app, {
        title, action: 'Load', kinds,
        run: async ({ root, path }) => (await may() ? askIn(app, request, { root, path }) : 'Nothing was loaded.'),
    });
}

function stem(name: string): string {
    return name.replace(/\.[^./]*$/, '');
}

function saveById(item: number | null | undefined): void {
    const found = app.state.items.find((i) => i.item === item);
    if (found) actions.saveItem(found);
}

const panels: Readonly<Record<Workspace, HTMLElement>> = {
    look: lookPanel(app),
    simulate: simulatePanel(app, simulation, stage, {
        save: () => saveDialog('Save the scene', `${simulation.name || 'scene'}.toml`, 'sim.save'),
    }, transport),
    match: matchPanel(app, stage, {
        load: () => loadDialog('Load markers', 'match.load', ['markers'],
            () => givesUpMarkers(app, 'Load markers', 'What is loaded')),
        save: () => saveDialog('Save markers', 'markers.cons', 'match.save'),
    }),
    transfer: transferPanel(app, {
        choosePairs: (chosen) => {
            new FileDialog(app, {
                title: 'Pairs of triangles', action: 'Choose', kinds: ['pairs'],
                run: (place) => {
                    chosen(place);
                    return Promise.resolve(null);
                },
            });
        },
        save: saveById,
    }),
    edit: editPanel(app, editing, {
        load: () => loadDialog('Load the edited frame', 'edit.load', ['mesh'], () => editing.openShown()),
        saveFrame: () => void editing.openShown().then((opened) => opened && saveDialog('Save the edited frame', `frame_${app.view.frame}.obj`, 'edit.save', {},
            (typed) => `How it was edited and carried is written beside it: ${stem(typed)}.edit.json.`)),
        saveItem: saveById,
    }),
};
for (const name of kWorkspaces) showWhen(app, (s) => s.view.workspace === name, panels[name]);

const displays = showWhen(app, (s) => s.view.workspace === 'look' || s.view.workspace === 'simulate', displaysSection(app, transport));
viewport.element.append(legendView(app), axes.element, notices(app), showWhen(app,
    (s) => s.view.workspace === 'simulate' && s.view.tool === 'grab', el('div.tool-badge', {}, 'Take hold: press on the cloth and lead it (g ends it)')));
document.getElementById('studio')!.append(
    topBar(app, actions), itemList(app, actions.saveItem), viewport.element,
    el('aside.side.right', {}, ...kWorkspaces.map((name) => panels[name]), displays, colourSection(app, stage), styleSection(app)),
    el('footer.bottom', {}, timeline(app, transport), plots(app, transport)));
followTheme(app, stage);
new Shortcuts(app, transport, editing, actions);
window.addEventListener('pagehide', () => stage.keepCameras());

/** A page that is new begins where the opened things belong. */
app.onHello.push((hello: Hello) => {
    const scene = hello.items.find((i) => i.kind === 'scene');
    if (firstVisit && scene && hello.items.length === 1) app.setView({ workspace: 'simulate' });
    const held = hello.edit?.handle?.vertices;
    if (held && !app.state.selection.size) app.store.set({ selection: new Set(held) });
});
app.store.on((s) => [s.view.workspace, s.connection, s.items.length, s.sim.item], () => {
    if (app.view.workspace === 'simulate' && app.state.connection === 'open') simulation.openFirst();
});

app.store.on((s) => s.view.workspace, (workspace) => {
    if (workspace === 'edit') takeTool(app);
});
app.store.on((s) => [s.view.workspace, s.connection], () => {
    if (app.state.connection !== 'open') return;
    if (app.view.workspace === 'edit') openOnlySequence(app);
    if (app.view.workspace === 'match') openOnlyMeshes(app);
});
giveKeyboardBack();

declare global {
    interface Window {
        toile: unknown;
    }
}

/** For tests: what is shown, as objects. */
window.toile = { app, viewport, stage, editing, grabbing, traces, vertexIds, matching, stats: viewport.stats };
