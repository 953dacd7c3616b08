// SPDX-License-Identifier: Apache-2.0
import {
    CanvasTexture, Color, InstancedBufferAttribute, InstancedBufferGeometry, LinearFilter, Mesh,
    BufferAttribute, ShaderMaterial, Vector2,
} from 'three';

export interface Label {
    readonly point: readonly [number, number, number];
    readonly text: string;
}

const kGlyphs = '0123456789';
const kCell = 32;
const kGlyphWidth = 0.62;

const kVertexShader = /* glsl */ `
attribute vec3 anchor;
attribute vec2 place;
uniform vec2 pixels;
uniform float size;
varying vec2 vTexel;
void main() {
    vec4 clip = projectionMatrix * modelViewMatrix * vec4(anchor, 1.0);
    vec2 offset = vec2((position.x + place.y) * ${kGlyphWidth} * size + 4.0, position.y * size + 3.0);
    clip.xy += 2.0 * offset / pixels * clip.w;
    clip.z -= 0.002 * clip.w;
    float glyph = place.x;
    vTexel = vec2((glyph + 0.5 + (position.x - 0.5) * ${kGlyphWidth}) / ${kGlyphs.length}.0, position.y);
    gl_Position = clip;
}`;

const kFragmentShader = /* glsl */ `
uniform sampler2D map;
uniform vec3 colour;
uniform vec3 halo;
varying vec2 vTexel;
void main() {
    vec4 texel = texture2D(map, vTexel);
    if (texel.a < 0.25) discard;
    gl_FragColor = vec4(mix(halo, colour, texel.r), 1.0);
}`;

let atlas: CanvasTexture | null = null;

/** Digits side by side: white, with a black rim that the shader turns into the halo's colour. */
function glyphAtlas(): CanvasTexture {
    if (atlas) return atlas;
    const canvas = document.createElement('canvas');
    canvas.width = kCell * kGlyphs.length;
    canvas.height = kCell;
    const draw = canvas.getContext('2d')!;
    draw.font = `600 ${kCell * 0.8}px ui-monospace, "DejaVu Sans Mono", monospace`;
    draw.textAlign = 'center';
    draw.textBaseline = 'middle';
    draw.lineJoin = 'round';
    draw.lineWidth = kCell * 0.22;
    draw.strokeStyle = '#000';
    draw.fillStyle = '#fff';
    [...kGlyphs].forEach((glyph, i) => {
        draw.strokeText(glyph, kCell * (i + 0.5), kCell * 0.55);
        draw.fillText(glyph, kCell * (i + 0.5), kCell * 0.55);
    });
    atlas = new CanvasTexture(canvas);
    atlas.minFilter = LinearFilter;
    return atlas;
}

/** Numbers beside points, of one size on the screen, hidden by what lies before them. */
export class Labels {
    readonly object: Mesh<InstancedBufferGeometry, ShaderMaterial>;
    private readonly material: ShaderMaterial;
    labels: readonly Label[] = [];

    constructor(name: string, colour: string, halo: string, size: number, depthTest = true) {
        this.material = new ShaderMaterial({
            vertexShader: kVertexShader,
            fragmentShader: kFragmentShader,
            depthTest,
            uniforms: {
                map: { value: glyphAtlas() },
                pixels: { value: new Vector2(1, 1) },
                size: { value: size },
                colour: { value: new Color(colour) },
                halo: { value: new Color(halo) },
            },
        });
        this.object = new Mesh(new InstancedBufferGeometry(), this.material);
        this.object.name = name;
        this.object.frustumCulled = false;
        this.object.renderOrder = 3;
        this.object.visible = false;
    }

    setViewport(width: number, height: number): void {
        (this.material.uniforms['pixels']!.value as Vector2).set(width, height);
    }

    setSize(pixels: number): void {
        this.material.uniforms['size']!.value = pixels;
    }

    setColours(colour: string, halo: string): void {
        this.material.uniforms['colour']!.value = new Color(colour);
        this.material.uniforms['halo']!.value = new Color(halo);
    }

    /** Only digits are drawn. */
    set(labels: readonly Label[]): void {
        this.labels = labels;
        const anchors: number[] = [], places: number[] = [];
        for (const { point, text } of labels) {
            [...text].forEach((glyph, i) => {
                anchors.push(...point);
                places.push(kGlyphs.indexOf(glyph), i);
            });
        }
        this.object.geometry.dispose();
        this.object.geometry = quads(anchors, places);
        this.object.visible = labels.length > 0;
    }
}

function quads(anchors: readonly number[], places: readonly number[]): InstancedBufferGeometry {
    const geometry = new InstancedBufferGeometry();
    const corners = new Float32Array([0, 0, 0, 1, 0, 0, 1, 1, 0, 0, 1, 0]);
    geometry.setAttribute('position', new BufferAttribute(corners, 3));
    geometry.setIndex([0, 1, 2, 0, 2, 3]);
    const anchor = new InstancedBufferAttribute(new Float32Array(anchors), 3);
    geometry.setAttribute('anchor', anchor);
    geometry.setAttribute('place', new InstancedBufferAttribute(new Float32Array(places), 2));
    geometry.instanceCount = places.length / 2;
    return geometry;
}
