// SPDX-License-Identifier: Apache-2.0
// Line segments of what contacts saw in a step: six numbers a segment.
import type { Stencil, TracedBox, TracedStep, Vec } from '../protocol/messages';

export interface IdRange {
    readonly from: number;
    readonly to: number;
}

type Point = [number, number, number];

function mix(points: readonly Vec[], weights: readonly number[]): Point {
    const sum: Point = [0, 0, 0];
    points.forEach((point, i) => {
        for (let k = 0; k < 3; ++k) sum[k] = sum[k]! + weights[i]! * point[k]!;
    });
    return sum;
}

function vertices(stencil: Stencil, positions: readonly Vec[]): Vec[] {
    const [, ...indices] = stencil;
    return indices.map((v) => positions[v] ?? [0, 0, 0]);
}

/** Positions at a time of the step, 0 to 1; paths are straight. */
function atTime(start: readonly Vec[], ends: readonly Vec[], time: number): Vec[] {
    return start.map((p, i) => mix([p, ends[i] ?? p], [1 - time, time]));
}

/** The box's twelve edges. */
export function boxSegments(boxes: readonly TracedBox[], minDepth: number, maxDepth: number): number[] {
    const out: number[] = [];
    for (const { depth, min, max } of boxes) {
        if (depth < minDepth || depth > maxDepth) continue;
        const corner = (i: number): Vec => [
            i & 1 ? max[0] : min[0], i & 2 ? max[1] : min[1], i & 4 ? max[2] : min[2],
        ];
        for (let i = 0; i < 8; ++i) {
            for (const bit of [1, 2, 4]) {
                if (!(i & bit)) out.push(...corner(i), ...corner(i | bit));
            }
        }
    }
    return out;
}

/** From the centre of the first side to that of the second. */
export function candidateSegments(step: TracedStep): number[] {
    return step.candidates.flatMap((stencil) => {
        const points = vertices(stencil, step.start);
        const third = 1 / 3;
        return stencil[0] === 'point-triangle'
            ? [...mix(points, [1, 0, 0, 0]), ...mix(points, [0, third, third, third])]
            : [...mix(points, [0.5, 0.5, 0, 0]), ...mix(points, [0, 0, 0.5, 0.5])];
    });
}

function inRange<T extends { readonly pair: Stencil }>(
    all: readonly T[], kind: Stencil[0], { from, to }: IdRange
): T[] {
    return all.filter((one) => one.pair[0] === kind).slice(Math.max(0, from), to + 1);
}

export function countOf(all: readonly { readonly pair: Stencil }[], kind: Stencil[0]): number {
    return all.reduce((n, one) => n + (one.pair[0] === kind ? 1 : 0), 0);
}

/** Between the closest points. */
export function contactSegments(step: TracedStep, kind: Stencil[0], range: IdRange): number[] {
    return inRange(step.contacts, kind, range).flatMap(({ first, second }) => [...first, ...second]);
}

export interface CollisionShapes {
    /** The node's path from the start of the step to the hit. */
    readonly paths: number[];
    /** Corners of the triangles at the hit, nine numbers each. */
    readonly triangles: number[];
    /** The edges at the hit. */
    readonly edges: number[];
    /** Where the points that will meet are at the start, joined. */
    readonly joins: number[];
}

export function collisionShapes(
    step: TracedStep, round: number, kinds: { point: boolean; edge: boolean }, range: IdRange
): CollisionShapes {
    const shapes: CollisionShapes = { paths: [], triangles: [], edges: [], joins: [] };
    const traced = step.rounds[round];
    if (!traced) return shapes;
    if (kinds.point) {
        for (const { pair, time } of inRange(traced.collisions, 'point-triangle', range)) {
            const start = vertices(pair, step.start);
            const hit = atTime(start, vertices(pair, traced.ends), time);
            shapes.paths.push(...start[0]!, ...hit[0]!);
            shapes.triangles.push(...hit[1]!, ...hit[2]!, ...hit[3]!);
        }
    }
    if (kinds.edge) {
        for (const { pair, time } of inRange(traced.collisions, 'edge-edge', range)) {
            const start = vertices(pair, step.start);
            const hit = atTime(start, vertices(pair, traced.ends), time);
            shapes.edges.push(...hit[0]!, ...hit[1]!, ...hit[2]!, ...hit[3]!);
            const [a, b] = closestOnLines(hit);
            shapes.joins.push(...mix(start, [1 - a, a, 0, 0]), ...mix(start, [0, 0, 1 - b, b]));
        }
    }
    return shapes;
}

/** Shares along two edges where they are nearest; the middles where they are parallel. */
function closestOnLines(points: readonly Vec[]): [number, number] {
    const [p0, p1, q0, q1] = points as [Vec, Vec, Vec, Vec];
    const minus = (a: Vec, b: Vec): Vec => [a[0] - b[0], a[1] - b[1], a[2] - b[2]];
    const dot = (a: Vec, b: Vec): number => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
    const u = minus(p1, p0), v = minus(q1, q0), w = minus(q0, p0);
    const uu = dot(u, u), uv = dot(u, v), vv = dot(v, v);
    const det = uu * vv - uv * uv;
    if (!(det > 0)) return [0.5, 0.5];
    const clamp = (x: number): number => Math.min(1, Math.max(0, x));
    const a = (dot(u, w) * vv - uv * dot(v, w)) / det;
    const b = (uv * dot(u, w) - uu * dot(v, w)) / det;
    return [clamp(a), clamp(b)];
}

/** Ends of the paths of what still met in the last round of a step that was given up. */
export function unresolvedPoints(step: TracedStep): number[] {
    const last = step.rounds[step.rounds.length - 1];
    if (step.accepted || !last) return [];
    return last.collisions.flatMap(({ pair, time }) => {
        const hit = atTime(vertices(pair, step.start), vertices(pair, last.ends), time);
        return pair[0] === 'point-triangle' ? [...hit[0]!] : mix(hit, [0.25, 0.25, 0.25, 0.25]);
    });
}
