// SPDX-License-Identifier: Apache-2.0
// Passes over the arrays of a mesh: normals, edges, the nearest hit of a ray. Plain loops over
// typed arrays, since they run at every frame or every click.

export type Floats = Float32Array<ArrayBuffer>;
export type Integers = Uint32Array<ArrayBuffer>;

/**
 * Normals of the vertices, weighted by area, times `scale`: of any length, the shader makes them
 * one long; into `out`, 3n.
 */
export function vertexNormals(positions: Floats, triangles: Integers, scale: number, out: Floats): void {
    out.fill(0);
    const p = positions;
    const n = triangles.length;
    for (let t = 0; t < n; t += 3) {
        const a = 3 * triangles[t]!, b = 3 * triangles[t + 1]!, c = 3 * triangles[t + 2]!;
        const ax = p[a]!, ay = p[a + 1]!, az = p[a + 2]!;
        const ux = scale * (p[b]! - ax), uy = scale * (p[b + 1]! - ay), uz = scale * (p[b + 2]! - az);
        const vx = p[c]! - ax, vy = p[c + 1]! - ay, vz = p[c + 2]! - az;
        const nx = uy * vz - uz * vy, ny = uz * vx - ux * vz, nz = ux * vy - uy * vx;
        out[a] = out[a]! + nx; out[a + 1] = out[a + 1]! + ny; out[a + 2] = out[a + 2]! + nz;
        out[b] = out[b]! + nx; out[b + 1] = out[b + 1]! + ny; out[b + 2] = out[b + 2]! + nz;
        out[c] = out[c]! + nx; out[c + 1] = out[c + 1]! + ny; out[c + 2] = out[c + 2]! + nz;
    }
}

/** Vectors of no length stay as they are. */
export function makeUnit(vectors: Floats): void {
    for (let i = 0; i < vectors.length; i += 3) {
        const x = vectors[i]!, y = vectors[i + 1]!, z = vectors[i + 2]!;
        const length = Math.sqrt(x * x + y * y + z * z);
        if (length === 0) continue;
        vectors[i] = x / length;
        vectors[i + 1] = y / length;
        vectors[i + 2] = z / length;
    }
}

/** Each edge of the triangles once, as pairs of vertices. */
export function triangleEdges(triangles: Integers, nVertices: number): Integers {
    const seen = new Set<number>();
    const edges: number[] = [];
    for (let t = 0; t < triangles.length; t += 3) {
        for (let side = 0; side < 3; ++side) {
            const a = triangles[t + side]!;
            const b = triangles[t + ((side + 1) % 3)]!;
            const key = Math.min(a, b) * nVertices + Math.max(a, b);
            if (seen.has(key)) continue;
            seen.add(key);
            edges.push(a, b);
        }
    }
    return new Uint32Array(edges);
}

export interface MeshHit {
    readonly triangle: number;
    readonly distance: number;
    /** The corner of the triangle that is nearest to the hit. */
    readonly vertex: number;
}

export interface PickRay {
    readonly origin: readonly [number, number, number];
    readonly direction: readonly [number, number, number];
}

/** The first triangle that the ray meets, from either side; triangles without area are never met. */
export function hitMesh(ray: PickRay, positions: Floats, triangles: Integers): MeshHit | null {
    const [ox, oy, oz] = ray.origin;
    const [dx, dy, dz] = ray.direction;
    const p = positions;
    let best = Infinity, triangle = -1;
    for (let t = 0; t < triangles.length; t += 3) {
        const a = 3 * triangles[t]!, b = 3 * triangles[t + 1]!, c = 3 * triangles[t + 2]!;
        const ax = p[a]!, ay = p[a + 1]!, az = p[a + 2]!;
        const ux = p[b]! - ax, uy = p[b + 1]! - ay, uz = p[b + 2]! - az;
        const vx = p[c]! - ax, vy = p[c + 1]! - ay, vz = p[c + 2]! - az;
        const hx = dy * vz - dz * vy, hy = dz * vx - dx * vz, hz = dx * vy - dy * vx;
        const det = ux * hx + uy * hy + uz * hz;
        if (det === 0) continue;
        const sx = ox - ax, sy = oy - ay, sz = oz - az;
        const u = (sx * hx + sy * hy + sz * hz) / det;
        if (u < 0 || u > 1) continue;
        const qx = sy * uz - sz * uy, qy = sz * ux - sx * uz, qz = sx * uy - sy * ux;
        const v = (dx * qx + dy * qy + dz * qz) / det;
        if (v < 0 || u + v > 1) continue;
        const distance = (vx * qx + vy * qy + vz * qz) / det;
        if (distance <= 0 || distance >= best) continue;
        best = distance;
        triangle = t / 3;
    }
    if (triangle < 0) return null;
    const point: [number, number, number] = [ox + best * dx, oy + best * dy, oz + best * dz];
    return { triangle, distance: best, vertex: nearestCorner(triangle, point, p, triangles) };
}

function nearestCorner(
    triangle: number, point: readonly [number, number, number], p: Floats, triangles: Integers
): number {
    let best = Infinity, vertex = 0;
    for (let i = 0; i < 3; ++i) {
        const v = triangles[3 * triangle + i]!;
        const x = p[3 * v]! - point[0], y = p[3 * v + 1]! - point[1], z = p[3 * v + 2]! - point[2];
        const d = x * x + y * y + z * z;
        if (d < best) {
            best = d;
            vertex = v;
        }
    }
    return vertex;
}

/** Copies values; what is not finite becomes `none`. */
export function copyFinite(from: Floats, to: Floats, none: number): void {
    const n = Math.min(from.length, to.length);
    for (let i = 0; i < n; ++i) {
        const value = from[i]!;
        to[i] = Number.isFinite(value) ? value : none;
    }
}
