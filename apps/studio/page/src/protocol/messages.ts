// SPDX-License-Identifier: Apache-2.0
// What page and server say to each other: docs/studio-protocol.md.

export type ItemKind = 'mesh' | 'sequence' | 'run' | 'scene';
export type Vec = readonly [number, number, number];

export interface BodyInfo {
    readonly name: string;
    readonly role: 'cloth' | 'obstacle' | 'mesh';
    readonly vertices: number;
    readonly triangles: number;
    readonly moves: boolean;
    /** As its scene has it; each part from 0 to 1. */
    readonly color?: Vec | null;
}

export interface Item {
    readonly item: number;
    readonly kind: ItemKind;
    readonly name: string;
    readonly path: string;
    readonly root?: number;
    readonly bodies: readonly BodyInfo[];
    readonly frames: number;
    readonly fps: number;
    readonly fields: readonly string[];
    readonly up?: Vec | null;
    readonly made_by?: string | null;
    readonly unsaved?: boolean;
    /** Rises when its meshes are others. */
    readonly revision: number;
}

export interface SimFailure {
    readonly message: string;
    readonly vertices?: readonly (readonly [number, number])[];
    readonly points?: readonly Vec[];
}

export interface SimPart {
    readonly item: number | null;
    readonly state: 'none' | 'paused' | 'playing' | 'failed';
    readonly frame: number;
    readonly time: number;
    readonly frames: number;
    readonly fps: number;
    readonly number: number;
    readonly changed: boolean;
    readonly grabbed?: { readonly body: number; readonly vertex: number } | null;
    readonly report?: Readonly<Record<string, unknown>> | null;
    readonly failure?: SimFailure | null;
}

export interface MatchReport {
    readonly mean: number;
    readonly p95: number;
    readonly maximum: number;
    /** One a pair; null of one that the fit left out. */
    readonly residuals: readonly (number | null)[];
    readonly coverage: { readonly source: number; readonly target: number };
    readonly worst: readonly { readonly vertex: number; readonly point: Vec; readonly distance: number }[];
    readonly stale?: boolean;
}

export interface MatchPart {
    readonly source: number | null;
    readonly target: number | null;
    readonly source_body: number;
    readonly target_body: number;
    readonly pairs: readonly (readonly [number, number])[];
    readonly can_undo: boolean;
    readonly can_redo: boolean;
    readonly report: MatchReport | null;
}

export interface TransferPart {
    readonly source: number | null;
    readonly source_body: number;
    readonly rest: number | null;
    readonly rest_body: number;
    readonly target: number | null;
    readonly target_body: number;
    readonly result: number | null;
}

export interface EditPart {
    readonly item: number | null;
    readonly body?: number;
    readonly frame: number;
    readonly edited: readonly number[];
    readonly handle: { readonly vertices?: readonly number[] } | null;
    readonly can_undo: boolean;
    readonly can_redo: boolean;
    readonly result?: number | null;
}

export interface Job {
    readonly name: string;
    readonly part: number;
    readonly text: string;
    readonly state: 'running' | 'done' | 'failed' | 'cancelled';
    readonly error?: string | { readonly message: string } | null;
    readonly download?: number;
    readonly size?: number;
}

export interface Hello {
    readonly version: string;
    readonly items: readonly Item[];
    readonly roots: readonly string[];
    readonly sim?: SimPart | null;
    readonly match?: MatchPart | null;
    readonly transfer?: TransferPart | null;
    readonly edit?: EditPart | null;
    readonly job?: Job | null;
}

export interface FileEntry {
    readonly name: string;
    readonly folder: boolean;
    readonly kind: string;
    readonly size: number;
}

export interface SchemaKey {
    readonly path: string;
    readonly group?: string;
    readonly label: string;
    readonly help?: string;
    readonly unit?: string;
    readonly type: 'number' | 'integer' | 'text' | 'choice' | 'vector' | 'boolean';
    readonly minimum?: number | null;
    readonly maximum?: number | null;
    /** The minimum itself is not allowed. */
    readonly above_minimum?: boolean;
    readonly choices?: readonly string[] | null;
    readonly value: unknown;
    readonly default?: unknown;
}

export interface RunLog {
    readonly columns: readonly string[];
    readonly rows: readonly (readonly (number | string | null)[])[];
}

/** A pair of the broad or narrow phase: kind and four vertices, numbered over all bodies. */
export type Stencil = readonly ['point-triangle' | 'edge-edge', number, number, number, number];

export interface TracedBox {
    readonly body: number;
    readonly depth: number;
    readonly leaf: boolean;
    readonly min: Vec;
    readonly max: Vec;
}

export interface TracedStep {
    readonly start_time: number;
    readonly end_time: number;
    readonly accepted: boolean;
    readonly start: readonly Vec[];
    readonly estimate: readonly Vec[];
    readonly boxes: readonly TracedBox[];
    readonly proximity_boxes: readonly TracedBox[];
    readonly candidates: readonly Stencil[];
    readonly contacts: readonly {
        readonly pair: Stencil;
        readonly first: Vec;
        readonly second: Vec;
        readonly normal: Vec;
        readonly gap: number;
    }[];
    readonly rounds: readonly {
        readonly collisions: readonly { readonly pair: Stencil; readonly time: number }[];
        readonly ends: readonly Vec[];
    }[];
    readonly ends: readonly Vec[];
}

export interface Trace {
    readonly frame?: number;
    readonly bodies?: readonly {
        readonly name: string;
        readonly first_vertex: number;
        readonly vertices: number;
    }[];
    readonly steps: readonly TracedStep[];
}
