// SPDX-License-Identifier: Apache-2.0
import {
    BufferAttribute, BufferGeometry, Color, DoubleSide, Group, Mesh, MeshBasicMaterial,
} from 'three';

import type { Trace, TracedStep, Vec } from '../protocol/messages';
import type { Displays } from '../state/state';
import { Dots } from './dots';
import { FatLines } from './fat_lines';
import type { ItemView } from './item_view';
import { SurfaceMaterial } from './surface_material';
import {
    boxSegments, candidateSegments, collisionShapes, contactSegments, unresolvedPoints,
} from './trace_lines';

/** The colours that the first thesis gave to what its panels draw, made to be seen on dark and light. */
export const kTraceColours = {
    boxes: '#8a93a6', proximityBoxes: '#5b8def', candidates: '#e2b93b', pointTriangle: '#ef4444',
    edgeEdge: '#22c55e', path: '#3b82f6', triangle: '#facc15', edge: '#9ca3af', join: '#22c55e',
    nextStep: '#f97316', iteration: '#b58a3c', unresolved: '#ff2d55',
} as const;

const kThin = 1.2;
const kWide = 3;
const kMarkPixels = 11;

/** A step of a trace, drawn in the group of its item. */
export class TraceView {
    readonly group = new Group();
    private readonly lines = {
        boxes: new FatLines('boxes', kTraceColours.boxes, kThin),
        proximityBoxes: new FatLines('proximity-boxes', kTraceColours.proximityBoxes, kThin),
        candidates: new FatLines('candidates', kTraceColours.candidates, kThin),
        contactsPoint: new FatLines('contacts-node-triangle', kTraceColours.pointTriangle, kWide),
        contactsEdge: new FatLines('contacts-edge-edge', kTraceColours.edgeEdge, kWide),
        paths: new FatLines('collision-paths', kTraceColours.path, kWide),
        edges: new FatLines('collision-edges', kTraceColours.edge, kWide),
        joins: new FatLines('collision-joins', kTraceColours.join, kWide),
    };
    private readonly triangles: Mesh<BufferGeometry, MeshBasicMaterial>;
    private readonly marks = new Dots('unresolved', kMarkPixels, '#ffffff', false);
    private readonly nextStep = new Group();
    private readonly iteration = new Group();

    constructor() {
        this.group.name = 'trace';
        for (const lines of Object.values(this.lines)) this.group.add(lines.object);
        this.triangles = new Mesh(new BufferGeometry(), new MeshBasicMaterial({
            color: new Color(kTraceColours.triangle), side: DoubleSide, transparent: true, opacity: 0.75,
        }));
        this.triangles.name = 'collision-triangles';
        this.nextStep.name = 'next-step';
        this.iteration.name = 'iteration';
        this.triangles.frustumCulled = false;
        this.triangles.visible = false;
        this.group.add(this.triangles, this.marks.object, this.nextStep, this.iteration);
    }

    attach(view: ItemView | null): void {
        if (view && this.group.parent !== view.group) view.group.add(this.group);
        if (!view) this.group.removeFromParent();
    }

    draw(trace: Trace | null, displays: Displays, view: ItemView, failed: readonly Vec[]): void {
        const step = trace?.steps[Math.min(displays.step, trace.steps.length - 1)] ?? null;
        this.drawLines(step, displays);
        this.drawMeshes(trace, step, displays, view);
        const open = step ? unresolvedPoints(step) : [];
        this.marks.set([...open, ...failed.flat()], kTraceColours.unresolved);
    }

    private drawLines(step: TracedStep | null, d: Displays): void {
        const { lines } = this;
        const box = (on: boolean, boxes: TracedStep['boxes'] | undefined): number[] =>
            on && boxes ? boxSegments(boxes, d.minDepth, d.maxDepth) : [];
        lines.boxes.set(box(d.boxes, step?.boxes));
        lines.proximityBoxes.set(box(d.proximityBoxes, step?.proximity_boxes));
        lines.candidates.set(d.candidates && step ? candidateSegments(step) : []);
        const contacts = (on: boolean, kind: 'point-triangle' | 'edge-edge'): number[] =>
            on && step ? contactSegments(step, kind, d.contacts) : [];
        lines.contactsPoint.set(contacts(d.contacts.first, 'point-triangle'));
        lines.contactsEdge.set(contacts(d.contacts.second, 'edge-edge'));
        const kinds = { point: d.collisions.first, edge: d.collisions.second };
        const shapes = step ? collisionShapes(step, shownRound(step, d), kinds, d.collisions) : null;
        lines.paths.set(shapes?.paths ?? []);
        lines.edges.set(shapes?.edges ?? []);
        lines.joins.set(shapes?.joins ?? []);
        fillPoints(this.triangles, shapes?.triangles ?? []);
    }

    private drawMeshes(trace: Trace | null, step: TracedStep | null, d: Displays, view: ItemView): void {
        fillBodies(this.nextStep, trace, d.nextStep ? step?.estimate : undefined, view, kTraceColours.nextStep);
        const round = step?.rounds[step ? shownRound(step, d) : 0];
        fillBodies(this.iteration, trace, d.iterations ? round?.ends : undefined, view, kTraceColours.iteration);
    }
}

export function shownRound(step: TracedStep, displays: Displays): number {
    return Math.max(0, Math.min(displays.round, step.rounds.length - 1));
}

function fillPoints(object: Mesh<BufferGeometry>, points: readonly number[]): void {
    object.visible = points.length > 0;
    object.geometry.dispose();
    object.geometry = new BufferGeometry();
    object.geometry.setAttribute('position', new BufferAttribute(new Float32Array(points), 3));
}

function clear(group: Group): void {
    for (const child of [...group.children] as Mesh<BufferGeometry, SurfaceMaterial>[]) {
        child.geometry.dispose();
        child.material.dispose();
        child.removeFromParent();
    }
}

/** All bodies that move, elsewhere: they lie over those of the frame, in one strong colour. */
function fillBodies(
    group: Group, trace: Trace | null, positions: readonly Vec[] | undefined, view: ItemView, colour: string
): void {
    clear(group);
    if (!positions?.length) return;
    let first = 0;
    for (const [index, body] of view.bodies) {
        const begin = trace?.bodies?.[index]?.first_vertex ?? first;
        first = begin + body.nVertices;
        const own = positions.slice(begin, begin + body.nVertices);
        if (own.length !== body.nVertices) continue;
        const geometry = new BufferGeometry();
        geometry.setAttribute('position', new BufferAttribute(new Float32Array(own.flat()), 3));
        geometry.setIndex(new BufferAttribute(body.triangles, 1));
        const material = new SurfaceMaterial();
        material.setColours(new Color(colour), new Color(colour).multiplyScalar(0.8));
        material.setSmooth(false);
        material.setOpacity(0.6);
        const mesh = new Mesh(geometry, material);
        mesh.frustumCulled = false;
        mesh.name = body.name;
        group.add(mesh);
    }
}
