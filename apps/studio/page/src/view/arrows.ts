// SPDX-License-Identifier: Apache-2.0
import {
    BufferAttribute, Color, InstancedBufferAttribute, InstancedBufferGeometry, Mesh, ShaderMaterial,
} from 'three';

import type { Floats } from './mesh_arrays';

const kSides = 6;
const kShaft = 0.72;
const kHeadWidth = 2.6;

const kVertexShader = /* glsl */ `
attribute vec3 anchor;
attribute vec3 vector;
uniform float lengthFactor;
uniform float radius;
varying vec3 vView;
void main() {
    float size = length(vector) * lengthFactor;
    vec3 along = size > 0.0 ? normalize(vector) : vec3(0.0, 0.0, 1.0);
    vec3 helper = abs(along.z) < 0.9 ? vec3(0.0, 0.0, 1.0) : vec3(1.0, 0.0, 0.0);
    vec3 side = normalize(cross(helper, along));
    vec3 other = cross(along, side);
    float width = min(radius, 0.2 * size);
    vec3 point = anchor + (side * position.x + other * position.y) * width + along * position.z * size;
    vec4 view = modelViewMatrix * vec4(point, 1.0);
    vView = view.xyz;
    gl_Position = projectionMatrix * view;
}`;

const kFragmentShader = /* glsl */ `
uniform vec3 colour;
varying vec3 vView;
void main() {
    vec3 n = normalize(cross(dFdx(vView), dFdy(vView)));
    gl_FragColor = vec4(colour * (0.55 + 0.5 * max(dot(n, normalize(vec3(-0.3, 0.6, 0.7))), 0.0)), 1.0);
}`;

/** An arrow of length 1 along z with a shaft of radius 1. */
function arrowShape(): { points: Float32Array; triangles: number[] } {
    const rings: [number, number][] = [[1, 0], [1, kShaft], [kHeadWidth, kShaft], [0, 1]];
    const points: number[] = [], triangles: number[] = [];
    for (const [radius, z] of rings) {
        for (let s = 0; s < kSides; ++s) {
            const angle = (2 * Math.PI * s) / kSides;
            points.push(radius * Math.cos(angle), radius * Math.sin(angle), z);
        }
    }
    for (let r = 0; r + 1 < rings.length; ++r) {
        for (let s = 0; s < kSides; ++s) {
            const a = r * kSides + s, b = r * kSides + ((s + 1) % kSides);
            triangles.push(a, b, a + kSides, b, b + kSides, a + kSides);
        }
    }
    return { points: new Float32Array(points), triangles };
}

/** An arrow at every vertex; two arrays are copied when they change, the rest is the shader's. */
export class Arrows {
    readonly object: Mesh<InstancedBufferGeometry, ShaderMaterial>;
    private readonly material: ShaderMaterial;
    count = 0;

    constructor(name: string, colour: string) {
        this.material = new ShaderMaterial({
            vertexShader: kVertexShader,
            fragmentShader: kFragmentShader,
            side: 2,
            uniforms: {
                lengthFactor: { value: 1 },
                radius: { value: 0.01 },
                colour: { value: new Color(colour) },
            },
        });
        this.object = new Mesh(new InstancedBufferGeometry(), this.material);
        this.object.name = name;
        this.object.frustumCulled = false;
        this.object.visible = false;
    }

    /** `lengthFactor` multiplies the vectors; `radius` is the shaft's, m. */
    setFactors(lengthFactor: number, radius: number): void {
        this.material.uniforms['lengthFactor']!.value = lengthFactor;
        this.material.uniforms['radius']!.value = radius;
    }

    set(anchors: Floats, vectors: Floats): void {
        if (this.count !== anchors.length / 3) this.rebuild(anchors.length / 3);
        this.copy('anchor', anchors);
        this.copy('vector', vectors);
        this.object.visible = this.count > 0;
    }

    dispose(): void {
        this.object.geometry.dispose();
        this.material.dispose();
    }

    hide(): void {
        this.object.visible = false;
    }

    private copy(name: string, values: Floats): void {
        const attribute = this.object.geometry.getAttribute(name);
        (attribute.array as Float32Array).set(values);
        attribute.needsUpdate = true;
    }

    private rebuild(count: number): void {
        this.count = count;
        this.object.geometry.dispose();
        const geometry = new InstancedBufferGeometry();
        const { points, triangles } = arrowShape();
        geometry.setAttribute('position', new BufferAttribute(points, 3));
        geometry.setIndex(triangles);
        for (const name of ['anchor', 'vector']) {
            const attribute = new InstancedBufferAttribute(new Float32Array(3 * count), 3);
            geometry.setAttribute(name, attribute);
        }
        geometry.instanceCount = count;
        this.object.geometry = geometry;
    }
}
