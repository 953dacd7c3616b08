// SPDX-License-Identifier: Apache-2.0
import {
    Box3, BufferAttribute, BufferGeometry, Color, DynamicDrawUsage, Group, LineBasicMaterial,
    LineSegments, Mesh, Points, PointsMaterial, Vector3,
} from 'three';

import { Arrows } from './arrows';
import { colourTexture, type ColourMapName } from './colour_map';
import {
    copyFinite, hitMesh, makeUnit, triangleEdges, vertexNormals, type Floats, type Integers, type MeshHit,
    type PickRay,
} from './mesh_arrays';
import { ColourSource, kNoValue, SurfaceMaterial } from './surface_material';

export type DrawStyle = 'solid' | 'wireframe' | 'edges' | 'points';

export interface BodyLook {
    readonly style: DrawStyle;
    readonly smooth: boolean;
    readonly twoSided: boolean;
    readonly colour: string;
    readonly edgeColour: string;
    readonly opacity: number;
    readonly normals: boolean;
}

export interface MeshArrays {
    readonly positions: Floats;
    readonly triangles: Integers;
    readonly edges?: Integers | null;
    readonly colours?: Floats | null;
}

const kBackHueShift = 0.52;

function backOf(front: Color): Color {
    const hsl = { h: 0, s: 0, l: 0 };
    front.getHSL(hsl);
    return new Color().setHSL((hsl.h + kBackHueShift) % 1, hsl.s * 0.55, hsl.l * 0.8);
}

/** One body: buffers that are made once; a frame only copies positions into them. */
export class BodyView {
    readonly group = new Group();
    readonly positions: Floats;
    readonly triangles: Integers;
    readonly nVertices: number;
    readonly surface: Mesh<BufferGeometry, SurfaceMaterial>;
    readonly points: Points<BufferGeometry, PointsMaterial>;
    readonly velocity = new Arrows('velocity', '#e5484d');
    readonly normalArrows = new Arrows('normals', '#3e8ef7');
    private lines: LineSegments<BufferGeometry, LineBasicMaterial> | null = null;
    private readonly lineMaterial = new LineBasicMaterial();
    private readonly position: BufferAttribute;
    private readonly normal: BufferAttribute;
    private value: BufferAttribute | null = null;
    private tint: BufferAttribute | null = null;
    private mark: BufferAttribute | null = null;
    private look: BodyLook | null = null;
    private normalsAreOld = true;
    private normalsAreUnit = false;
    /** Makes normals that are weighted by area about one long, whatever the mesh's unit. */
    private readonly normalScale: number;
    private triangleColoured: Mesh<BufferGeometry, SurfaceMaterial> | null = null;

    constructor(readonly index: number, readonly name: string, readonly mesh: MeshArrays,
        readonly isObstacle = false) {
        this.positions = new Float32Array(mesh.positions);
        this.triangles = mesh.triangles;
        this.nVertices = this.positions.length / 3;
        this.position = new BufferAttribute(this.positions, 3).setUsage(DynamicDrawUsage);
        const normals = new Float32Array(this.positions.length);
        this.normal = new BufferAttribute(normals, 3).setUsage(DynamicDrawUsage);
        const geometry = new BufferGeometry();
        geometry.setAttribute('position', this.position);
        geometry.setAttribute('normal', this.normal);
        geometry.setIndex(new BufferAttribute(this.triangles, 1));
        this.surface = new Mesh(geometry, new SurfaceMaterial());
        this.points = this.makePoints();
        this.normalScale = 1 / Math.max(this.typicalEdge() ** 2, Number.MIN_VALUE);
        for (const object of [this.surface, this.points]) object.frustumCulled = false;
        this.surface.name = 'surface';
        this.points.name = 'points';
        this.group.add(this.surface, this.points, this.velocity.object, this.normalArrows.object);
        this.group.name = name;
        if (mesh.colours) this.setTint(mesh.colours);
    }

    get wireframe(): LineSegments | null {
        return this.lines;
    }

    /** Copies positions into the buffers that are there. */
    setPositions(positions: Floats): void {
        this.positions.set(positions);
        this.position.needsUpdate = true;
        this.normalsAreOld = true;
        this.refreshNormals();
        if (this.triangleColoured) this.spreadPositions(this.triangleColoured.geometry);
    }

    setLook(look: BodyLook): void {
        this.look = look;
        const front = new Color(look.colour);
        for (const mesh of [this.surface, this.triangleColoured]) {
            mesh?.material.setColours(front, backOf(front));
            mesh?.material.setTwoSided(look.twoSided);
            mesh?.material.setOpacity(look.opacity);
            mesh?.material.setSmooth(look.smooth && mesh === this.surface);
        }
        this.points.material.color.set(look.colour);
        this.points.visible = look.style === 'points';
        this.showLines(look);
        this.showSurface(look.style === 'solid' || look.style === 'edges');
        this.refreshNormals();
    }

    setPerspective(perspective: boolean): void {
        this.surface.material.setPerspective(perspective);
        this.triangleColoured?.material.setPerspective(perspective);
    }

    /** Values per vertex through a colour map; null for the body's own colour. */
    setValues(values: Floats | null, range: readonly [number, number], map: ColourMapName): void {
        if (!values || values.length !== this.nVertices) {
            this.surface.material.setSource(this.restingSource());
            return;
        }
        if (!this.value) {
            this.value = new BufferAttribute(new Float32Array(this.nVertices), 1);
            this.value.setUsage(DynamicDrawUsage);
            this.surface.geometry.setAttribute('value', this.value);
        }
        copyFinite(values, this.value.array as Floats, kNoValue);
        this.value.needsUpdate = true;
        this.surface.material.setRange(range[0], range[1], colourTexture(map));
        this.surface.material.setSource(ColourSource.Value);
    }

    private useTint = false;

    /** The mesh's own colours of its vertices, where it has any. */
    showTint(use: boolean): void {
        this.useTint = use && this.tint !== null;
        this.surface.material.setSource(this.restingSource());
    }

    private restingSource(): ColourSource {
        return this.useTint ? ColourSource.Vertex : ColourSource.Body;
    }

    setTint(colours: Floats): void {
        this.tint = new BufferAttribute(colours, 3);
        this.surface.geometry.setAttribute('tint', this.tint);
    }

    /** Marks of the vertices from 0 to 1 (held); null to take them away. */
    setMarks(marks: ReadonlyMap<number, number> | null): void {
        if (!marks && !this.mark) return;
        if (!this.mark) {
            this.mark = new BufferAttribute(new Float32Array(this.nVertices), 1).setUsage(DynamicDrawUsage);
            this.surface.geometry.setAttribute('mark', this.mark);
        }
        const values = this.mark.array as Floats;
        values.fill(0);
        for (const [vertex, value] of marks ?? []) if (vertex < this.nVertices) values[vertex] = value;
        this.mark.needsUpdate = true;
    }

    /** The mark of a vertex. */
    markOf(vertex: number): number {
        return this.mark?.array[vertex] ?? 0;
    }

    /** Colours of the triangles, 3 a triangle; null to take them away. */
    setTriangleColours(colours: Floats | null): void {
        if (this.triangleColoured) {
            this.group.remove(this.triangleColoured);
            this.triangleColoured.geometry.dispose();
            this.triangleColoured.material.dispose();
            this.triangleColoured = null;
        }
        if (colours) this.triangleColoured = this.makeTriangleColoured(colours);
        if (this.look) this.setLook(this.look);
    }

    get hasTriangleColours(): boolean {
        return this.triangleColoured !== null;
    }

    setVelocities(vectors: Floats | null, lengthFactor: number, radius: number): void {
        if (!vectors || vectors.length !== this.positions.length) {
            this.velocity.hide();
            return;
        }
        this.velocity.setFactors(lengthFactor, radius);
        this.velocity.set(this.positions, vectors);
    }

    hit(ray: PickRay): MeshHit | null {
        return hitMesh(ray, this.positions, this.triangles);
    }

    vertex(v: number, out = new Vector3()): Vector3 {
        return out.fromArray(this.positions, 3 * v);
    }

    nearestVertex(point: Vector3): number {
        const p = this.positions;
        let best = Infinity, nearest = 0;
        for (let v = 0; v < this.nVertices; ++v) {
            const x = p[3 * v]! - point.x, y = p[3 * v + 1]! - point.y, z = p[3 * v + 2]! - point.z;
            const d = x * x + y * y + z * z;
            if (d < best) {
                best = d;
                nearest = v;
            }
        }
        return nearest;
    }

    /** Of the bounding box of the mesh as it came. */
    diagonal(): number {
        return new Box3().setFromArray(this.mesh.positions).getSize(new Vector3()).length();
    }

    expandBox(box: Box3): void {
        const point = new Vector3();
        const step = Math.max(1, Math.floor(this.nVertices / 5000));
        for (let v = 0; v < this.nVertices; v += step) {
            this.vertex(v, point);
            if (Number.isFinite(point.x + point.y + point.z)) box.expandByPoint(point);
        }
    }

    dispose(): void {
        this.surface.geometry.dispose();
        this.surface.material.dispose();
        this.lines?.geometry.dispose();
        this.lineMaterial.dispose();
        this.points.geometry.dispose();
        this.points.material.dispose();
        this.velocity.dispose();
        this.normalArrows.dispose();
        this.setTriangleColours(null);
    }

    private refreshNormals(): void {
        const { look } = this;
        if (!look || !(look.smooth || look.normals)) return this.normalArrows.hide();
        if (this.normalsAreOld || (look.normals && !this.normalsAreUnit)) {
            vertexNormals(this.positions, this.triangles, this.normalScale, this.normal.array as Floats);
            if (look.normals) makeUnit(this.normal.array as Floats);
            this.normal.needsUpdate = true;
            this.normalsAreOld = false;
            this.normalsAreUnit = look.normals;
        }
        if (!look.normals) return this.normalArrows.hide();
        const size = this.typicalEdge();
        this.normalArrows.setFactors(size, 0.03 * size);
        this.normalArrows.set(this.positions, this.normal.array as Floats);
    }

    /** A length to draw signs with: the mean over a few edges. */
    typicalEdge(): number {
        const a = new Vector3(), b = new Vector3();
        let sum = 0, count = 0;
        const step = 3 * Math.max(1, Math.floor(this.triangles.length / 3 / 200));
        for (let t = 0; t < this.triangles.length; t += step) {
            this.vertex(this.triangles[t]!, a);
            sum += a.distanceTo(this.vertex(this.triangles[t + 1]!, b));
            ++count;
        }
        return count ? sum / count : 0;
    }

    private showSurface(visible: boolean): void {
        this.surface.visible = visible && !this.triangleColoured;
        if (this.triangleColoured) this.triangleColoured.visible = visible;
    }

    private showLines(look: BodyLook): void {
        const wanted = look.style === 'wireframe' || look.style === 'edges';
        if (wanted && !this.lines) this.makeLines();
        if (!this.lines) return;
        this.lines.visible = wanted;
        this.lineMaterial.color.set(look.style === 'wireframe' ? look.colour : look.edgeColour);
    }

    private makeLines(): void {
        const geometry = new BufferGeometry();
        geometry.setAttribute('position', this.position);
        const edges = this.mesh.edges?.length
            ? this.mesh.edges : triangleEdges(this.triangles, this.nVertices);
        geometry.setIndex(new BufferAttribute(edges, 1));
        this.lines = new LineSegments(geometry, this.lineMaterial);
        this.lines.frustumCulled = false;
        this.lines.name = 'wireframe';
        this.group.add(this.lines);
    }

    private makePoints(): Points<BufferGeometry, PointsMaterial> {
        const geometry = new BufferGeometry();
        geometry.setAttribute('position', this.position);
        return new Points(geometry, new PointsMaterial({ size: 4, sizeAttenuation: false }));
    }

    private makeTriangleColoured(colours: Floats): Mesh<BufferGeometry, SurfaceMaterial> {
        const geometry = new BufferGeometry();
        const n = this.triangles.length;
        geometry.setAttribute('position', new BufferAttribute(new Float32Array(3 * n), 3));
        const tint = new Float32Array(3 * n);
        for (let i = 0; i < n; ++i) {
            const t = 3 * Math.floor(i / 3);
            for (let k = 0; k < 3; ++k) tint[3 * i + k] = colours[t + k] ?? 0;
        }
        geometry.setAttribute('tint', new BufferAttribute(tint, 3));
        this.spreadPositions(geometry);
        const mesh = new Mesh(geometry, new SurfaceMaterial());
        mesh.material.setSource(ColourSource.Vertex);
        mesh.frustumCulled = false;
        mesh.name = 'triangle-colours';
        this.group.add(mesh);
        return mesh;
    }

    private spreadPositions(geometry: BufferGeometry): void {
        const position = geometry.getAttribute('position');
        const out = position.array as Float32Array;
        this.triangles.forEach((v, i) => {
            for (let k = 0; k < 3; ++k) out[3 * i + k] = this.positions[3 * v + k]!;
        });
        position.needsUpdate = true;
    }
}
