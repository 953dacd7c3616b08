// SPDX-License-Identifier: Apache-2.0
import { BufferAttribute, BufferGeometry, Color, Points, ShaderMaterial } from 'three';

const kVertexShader = /* glsl */ `
attribute vec3 tint;
uniform float size;
varying vec3 vTint;
void main() {
    vTint = tint;
    gl_Position = projectionMatrix * modelViewMatrix * vec4(position, 1.0);
    gl_Position.z -= 0.0015 * gl_Position.w;
    gl_PointSize = size;
}`;

const kFragmentShader = /* glsl */ `
uniform vec3 rim;
uniform float size;
varying vec3 vTint;
void main() {
    float r = length(gl_PointCoord - 0.5) * 2.0;
    if (r > 1.0) discard;
    float border = 1.0 - 3.2 / size;
    gl_FragColor = vec4(r > border ? rim : vTint, 1.0);
}`;

/** Round dots of one size on the screen, each with its colour; what lies before them hides them. */
export class Dots {
    readonly object: Points<BufferGeometry, ShaderMaterial>;
    count = 0;

    constructor(name: string, private pixels: number, rim: string, depthTest = true) {
        const material = new ShaderMaterial({
            vertexShader: kVertexShader,
            fragmentShader: kFragmentShader,
            depthTest,
            uniforms: { size: { value: pixels * window.devicePixelRatio }, rim: { value: new Color(rim) } },
        });
        this.object = new Points(new BufferGeometry(), material);
        this.object.name = name;
        this.object.frustumCulled = false;
        this.object.renderOrder = 2;
        this.object.visible = false;
    }

    /** How wide they are on the screen, in CSS pixels, from the next `set` on. */
    setSize(pixels: number): void {
        this.pixels = pixels;
    }

    /** Three numbers a dot; one colour for all, or one each. */
    set(points: readonly number[] | Float32Array, colours: string | readonly string[]): void {
        this.count = points.length / 3;
        this.object.visible = this.count > 0;
        this.object.material.uniforms['size']!.value = this.pixels * window.devicePixelRatio;
        this.object.geometry.dispose();
        this.object.geometry = new BufferGeometry();
        const tint = new Float32Array(points.length);
        const one = typeof colours === 'string' ? new Color(colours) : null;
        for (let i = 0; i < this.count; ++i) {
            (one ?? new Color((colours as readonly string[])[i])).toArray(tint, 3 * i);
        }
        this.object.geometry.setAttribute('position', new BufferAttribute(new Float32Array(points), 3));
        this.object.geometry.setAttribute('tint', new BufferAttribute(tint, 3));
    }
}
