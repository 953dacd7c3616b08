// SPDX-License-Identifier: Apache-2.0
import type {
    EditPart, Item, Job, MatchPart, RunLog, SchemaKey, SimPart, Trace, TransferPart, Vec,
} from '../protocol/messages';
import type { DrawStyle } from '../view/body_view';
import type { CameraState } from '../view/camera_rig';
import type { ColourMapName } from '../view/colour_map';

export const kWorkspaces = ['look', 'simulate', 'match', 'transfer', 'edit'] as const;
export type Workspace = (typeof kWorkspaces)[number];

export interface PairDisplay {
    readonly first: boolean;
    readonly second: boolean;
    readonly from: number;
    readonly to: number;
}

/** The displays of the first thesis's four panels. */
export interface Displays {
    readonly vertexIds: boolean;
    readonly velocity: boolean;
    readonly lengthFactor: number;
    readonly widthFactor: number;
    readonly boxes: boolean;
    readonly proximityBoxes: boolean;
    readonly minDepth: number;
    readonly maxDepth: number;
    readonly candidates: boolean;
    /** first: node-triangle, second: edge-edge. */
    readonly contacts: PairDisplay;
    readonly collisions: PairDisplay;
    readonly nextStep: boolean;
    readonly iterations: boolean;
    readonly step: number;
    readonly round: number;
}

export type CompareMode = 'off' | 'side' | 'overlay';
export type Tool = 'orbit' | 'grab' | 'brush' | 'box' | 'geodesic' | 'translate' | 'rotate' | 'scale';

/** How things are looked at: kept in the browser's session, so that a reload finds it. */
export interface ViewSettings {
    readonly theme: 'auto' | 'light' | 'dark';
    readonly workspace: Workspace;
    readonly selected: number | null;
    readonly hidden: readonly number[];
    readonly colours: Readonly<Record<number, string>>;
    readonly style: DrawStyle;
    readonly smooth: boolean;
    readonly twoSided: boolean;
    readonly normals: boolean;
    readonly grid: boolean;
    readonly colourBy: string;
    readonly map: ColourMapName;
    readonly range: readonly [number, number] | null;
    readonly compare: CompareMode;
    readonly other: number | null;
    readonly displays: Displays;
    readonly frame: number;
    readonly speed: number;
    readonly loop: boolean;
    readonly plots: 'none' | 'row' | 'all';
    readonly tool: Tool;
    readonly falloff: number | null;
    readonly brush: number;
    readonly radius: number | null;
    /** A box takes what is hidden too. */
    readonly through: boolean;
    readonly markerSize: number;
    /** The folder that was used last, of which root. */
    readonly folder: { readonly root: number; readonly path: string };
    readonly dragMode: 'arap' | 'smooth';
    readonly beforeAfter: boolean;
    readonly linked: boolean;
    readonly matchColours: boolean;
    readonly showFitted: boolean;
    readonly cameras: Readonly<Record<string, CameraState>>;
}

export interface Legend {
    readonly title: string;
    readonly unit: string;
    readonly range: readonly [number, number];
    readonly note?: string;
}

export interface State {
    readonly connection: 'connecting' | 'open' | 'lost';
    readonly version: string;
    readonly items: readonly Item[];
    readonly roots: readonly string[];
    readonly sim: SimPart;
    readonly match: MatchPart;
    readonly transfer: TransferPart;
    readonly edit: EditPart;
    readonly job: Job | null;
    readonly view: ViewSettings;
    /** A sentence by the place where it is shown: a workspace, a dialog, a key of the schema. */
    readonly errors: Readonly<Record<string, string>>;
    readonly notices: readonly { readonly id: number; readonly text: string; readonly bad: boolean }[];
    readonly playing: boolean;
    readonly legend: Legend | null;
    readonly trace: Trace | null;
    readonly traceOf: string;
    /** Why there is none of the frame that is shown. */
    readonly traceMissing: string;
    readonly log: RunLog | null;
    readonly schema: readonly SchemaKey[];
    /** Vertices chosen in Edit. */
    readonly selection: ReadonlySet<number>;
    /** What the handle that is held moves, and how much of it: 0 to 1. */
    readonly weights: { readonly vertices: Uint32Array; readonly weights: Float32Array } | null;
    readonly marker: number | null;
    /** Of the worst places of a fit the one that is looked at. */
    readonly worst: number | null;
    /** The first half of a pair of markers: on which side, and where. */
    readonly pending: { readonly side: 0 | 1; readonly vertex: number } | null;
    readonly centring: boolean;
}

export const kNoSim: SimPart = {
    item: null, state: 'none', frame: 0, time: 0, frames: 0, fps: 25, number: 0, changed: false,
};
export const kNoMatch: MatchPart = {
    source: null, target: null, source_body: 0, target_body: 0, pairs: [], can_undo: false,
    can_redo: false, report: null,
};
export const kNoTransfer: TransferPart = {
    source: null, source_body: 0, rest: null, rest_body: 0, target: null, target_body: 0, result: null,
};
export const kNoEdit: EditPart = {
    item: null, body: 0, frame: 0, edited: [], handle: null, can_undo: false, can_redo: false, result: null,
};

export const kManyIds = 100000;

const kDisplays: Displays = {
    vertexIds: false, velocity: false, lengthFactor: 0.1, widthFactor: 1,
    boxes: false, proximityBoxes: false, minDepth: 0, maxDepth: 4, candidates: false,
    contacts: { first: false, second: false, from: 0, to: kManyIds },
    collisions: { first: false, second: false, from: 0, to: kManyIds },
    nextStep: false, iterations: false, step: 0, round: 0,
};

const kView: ViewSettings = {
    theme: 'auto', workspace: 'look', selected: null, hidden: [], colours: {}, style: 'solid',
    smooth: true, twoSided: true, normals: false, grid: true, colourBy: 'body', map: 'viridis',
    range: null, compare: 'off', other: null, displays: kDisplays, frame: 0, speed: 1, loop: true,
    plots: 'row', tool: 'orbit', falloff: null, brush: 24, radius: null, through: false,
    markerSize: 9, folder: { root: 0, path: '' }, dragMode: 'arap',
    beforeAfter: false, linked: true, matchColours: true, showFitted: false, cameras: {},
};

const kSessionKey = 'toile-studio-view';

export function initialState(): State {
    return {
        connection: 'connecting', version: '', items: [], roots: [], sim: kNoSim, match: kNoMatch,
        transfer: kNoTransfer, edit: kNoEdit, job: null, view: loadView(), errors: {}, notices: [],
        playing: false, legend: null, trace: null, traceOf: '', traceMissing: '', log: null, schema: [],
        selection: new Set(), weights: null, marker: null, worst: null, pending: null, centring: false,
    };
}

function loadView(): ViewSettings {
    try {
        const kept = JSON.parse(sessionStorage.getItem(kSessionKey) ?? '{}') as Partial<ViewSettings>;
        if (typeof kept.plots !== 'string') delete (kept as { plots?: unknown }).plots;
        return { ...kView, ...kept, displays: { ...kDisplays, ...kept.displays } };
    } catch {
        return kView;
    }
}

export function keepView(view: ViewSettings): void {
    try {
        sessionStorage.setItem(kSessionKey, JSON.stringify(view));
    } catch {
        // Storage may be forbidden: then a reload begins with the defaults.
    }
}

/** True where nothing was kept: the page is new, not reloaded. */
export function isFirstVisit(): boolean {
    try {
        return sessionStorage.getItem(kSessionKey) === null;
    } catch {
        return true;
    }
}

const kItemColours = [
    '#6f9bd8', '#e0a15a', '#7cb87a', '#c98bb9', '#d9756c', '#6bb8b5', '#b8a15f', '#9a8fd6',
    '#8fb0a0', '#d28f9c',
];
const kObstacleColour = '#a9a59d';

export function itemColour(view: ViewSettings, item: number): string {
    return view.colours[item] ?? kItemColours[item % kItemColours.length] ?? '#6f9bd8';
}

/** `#rrggbb` of three parts from 0 to 1. */
function hex(colour: Vec): string {
    return `#${colour.map((part) => Math.round(255 * Math.min(1, Math.max(0, part))).toString(16).padStart(2, '0')).join('')}`;
}

/** The body that an item's swatch shows: its first that is no obstacle. */
function leading(item: Item): number {
    return Math.max(0, item.bodies.findIndex((b) => b.role !== 'obstacle'));
}

/** The colour of an item's swatch: the chosen one, its scene's, or one of the palette. */
export function swatchColour(view: ViewSettings, item: Item): string {
    return bodyColour(view, item, leading(item));
}

export function bodyColour(view: ViewSettings, item: Item, body: number): string {
    const info = item.bodies[body];
    const first = leading(item);
    const isObstacle = info?.role === 'obstacle';
    const chosen = view.colours[item.item];
    if (chosen && (!isObstacle || body === first)) return chosen;
    if (info?.color) return hex(info.color);
    if (isObstacle) return kObstacleColour;
    if (body === first) return itemColour(view, item.item);
    return kItemColours[(item.item + body) % kItemColours.length] ?? '#6f9bd8';
}

export function findItem(state: State, item: number | null | undefined): Item | null {
    return state.items.find((i) => i.item === item) ?? null;
}

export interface StagedPane {
    readonly items: readonly number[];
    readonly title: string;
    /** The one body that is shown of its items; all where it is not given. */
    readonly only?: number;
}

/** What the stage shows: which items in which pane. */
export interface Staging {
    readonly panes: readonly StagedPane[];
    readonly linked: boolean;
    /** Items of which the second lies over the first. */
    readonly overlaid: number | null;
}

function present(state: State, items: readonly (number | null | undefined)[]): number[] {
    return items.filter((i): i is number => findItem(state, i) !== null);
}

function title(state: State, item: number | null | undefined, words = '', body?: number): string {
    const found = findItem(state, item);
    const own = body !== undefined && found && found.bodies.length > 1 ? ` \u00b7 ${found.bodies[body]?.name ?? ''}` : '';
    const name = found ? `${found.name}${own}` : '';
    return words && name ? `${words}: ${name}` : name || words;
}

function stageLook(state: State): Staging {
    const { view } = state;
    const visible = state.items.map((i) => i.item).filter((i) => !view.hidden.includes(i));
    const first = findItem(state, view.selected)?.item ?? visible[0];
    const other = findItem(state, view.other)?.item;
    if (view.compare === 'side' && first !== undefined && other !== undefined && other !== first) {
        return {
            panes: [
                { items: [first], title: title(state, first) },
                { items: [other], title: title(state, other) },
            ],
            linked: true, overlaid: null,
        };
    }
    if (view.compare === 'overlay' && first !== undefined && other !== undefined) {
        return { panes: [{ items: [first, other], title: '' }], linked: true, overlaid: other };
    }
    return { panes: [{ items: visible, title: '' }], linked: true, overlaid: null };
}

export function staging(state: State): Staging {
    const { view, match, transfer, edit } = state;
    const pane = (item: number | null | undefined, words: string, only?: number): StagedPane => ({
        items: present(state, [item]), title: title(state, item, words, only),
        ...(only === undefined ? {} : { only }),
    });
    const two = (a: StagedPane, b: StagedPane): Staging => ({ panes: [a, b], linked: false, overlaid: null });
    switch (view.workspace) {
        case 'look':
            return stageLook(state);
        case 'simulate':
            return { panes: [{ items: present(state, [state.sim.item]), title: '' }], linked: true, overlaid: null };
        case 'match':
            return two(pane(match.source, 'Source', match.source_body), pane(match.target, 'Target', match.target_body));
        case 'transfer':
            return two(pane(transfer.source, 'Source', transfer.source_body),
                transfer.result !== null ? pane(transfer.result, 'Result') : pane(transfer.target, 'Target', transfer.target_body));
        case 'edit':
            if (view.beforeAfter && findItem(state, edit.result)) {
                return { ...two(pane(edit.item, 'Before', edit.body ?? 0), pane(edit.result, 'After')), linked: true };
            }
            return { panes: [{ items: present(state, [edit.item]), title: '' }], linked: true, overlaid: null };
    }
}

/** Frames of the timeline: the longest of what is shown. */
export function timelineOf(state: State): { frames: number; fps: number } {
    if (state.view.workspace === 'simulate') {
        return { frames: Math.max(state.sim.frames, state.sim.frame) + 1, fps: state.sim.fps };
    }
    const shown = staging(state).panes.flatMap((pane) => pane.items);
    const items = shown.map((i) => findItem(state, i)).filter((i): i is Item => i !== null);
    const frames = Math.max(1, ...items.map((i) => i.frames));
    const longest = items.find((i) => i.frames === frames);
    return { frames, fps: longest?.fps || 25 };
}
