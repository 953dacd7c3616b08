// SPDX-License-Identifier: Apache-2.0
import { Color, DoubleSide, ShaderMaterial, type Texture } from 'three';

import { colourTexture } from './colour_map';

/** Where a surface's colour comes from; numbers as the shader knows them. */
export const ColourSource = { Body: 0, Value: 1, Vertex: 2 } as const;
export type ColourSource = (typeof ColourSource)[keyof typeof ColourSource];

/** Stands for a value that is not finite: shown grey. */
export const kNoValue = -3e38;

/** On a surface: what is selected or held, and what gives way, the less the fainter. */
export const kHeldColour = '#ff7a18';
export const kGivingColour = '#ffd84d';

function rgb(hex: string): string {
    return [1, 3, 5].map((i) => (parseInt(hex.slice(i, i + 2), 16) / 255).toFixed(4)).join(', ');
}

const kVertexShader = /* glsl */ `
attribute float value;
attribute vec3 tint;
attribute float mark;
varying float vMark;
varying vec3 vView;
varying vec3 vNormal;
varying float vValue;
varying vec3 vTint;
void main() {
    vec4 view = modelViewMatrix * vec4(position, 1.0);
    vView = view.xyz;
    vNormal = normalMatrix * (dot(normal, normal) > 0.0 ? normalize(normal) : normal);
    vValue = value;
    vTint = tint;
    vMark = mark;
    gl_Position = projectionMatrix * view;
}`;

const kFragmentShader = /* glsl */ `
uniform vec3 front;
uniform vec3 back;
uniform int source;
uniform bool smoothShading;
uniform bool twoSided;
uniform bool perspective;
uniform float opacity;
uniform vec2 range;
uniform sampler2D map;
varying vec3 vView;
varying vec3 vNormal;
varying float vValue;
varying vec3 vTint;
varying float vMark;

vec3 facing() {
    vec3 flatNormal = cross(dFdx(vView), dFdy(vView));
    vec3 n = smoothShading && dot(vNormal, vNormal) > 0.0 ? vNormal : flatNormal;
    n = normalize(n);
    vec3 toEye = perspective ? -vView : vec3(0.0, 0.0, 1.0);
    return dot(n, toEye) < 0.0 ? -n : n;
}

vec3 base() {
    if (source == 1) {
        if (vValue < -1e38) return vec3(0.45);
        float x = (vValue - range.x) / max(range.y - range.x, 1e-30);
        return texture2D(map, vec2(clamp(x, 0.002, 0.998), 0.5)).rgb;
    }
    vec3 colour = source == 2 ? vTint : front;
    if (!twoSided || gl_FrontFacing) return colour;
    return source == 2 ? colour * 0.6 : back;
}

void main() {
    vec3 n = facing();
    float key = max(dot(n, normalize(vec3(-0.35, 0.6, 0.75))), 0.0);
    float fill = max(dot(n, normalize(vec3(0.7, -0.1, 0.5))), 0.0);
    float light = 0.34 + 0.56 * key + 0.2 * fill;
    vec3 marked = mix(vec3(${rgb(kGivingColour)}), vec3(${rgb(kHeldColour)}), smoothstep(0.78, 1.0, vMark));
    vec3 colour = mix(base(), marked, min(0.9, 1.15 * clamp(vMark, 0.0, 1.0)));
    gl_FragColor = vec4(colour * light, opacity);
}`;

/** Two colours for two sides, a light that goes with the eye, and values through a colour map. */
export class SurfaceMaterial extends ShaderMaterial {
    constructor() {
        super({
            vertexShader: kVertexShader,
            fragmentShader: kFragmentShader,
            side: DoubleSide,
            polygonOffset: true,
            polygonOffsetFactor: 1,
            polygonOffsetUnits: 1,
            uniforms: {
                front: { value: new Color() },
                back: { value: new Color() },
                source: { value: ColourSource.Body },
                smoothShading: { value: true },
                twoSided: { value: true },
                perspective: { value: true },
                opacity: { value: 1 },
                range: { value: [0, 1] },
                map: { value: colourTexture('viridis') },
            },
        });
    }

    private put(name: string, value: unknown): void {
        const uniform = this.uniforms[name];
        if (uniform) uniform.value = value;
    }

    /** Colours are used as they are given: what is drawn is what the swatch shows. */
    setColours(front: Color, back: Color): void {
        this.put('front', front);
        this.put('back', back);
    }

    setSource(source: ColourSource): void {
        this.put('source', source);
    }

    setSmooth(smooth: boolean): void {
        this.put('smoothShading', smooth);
    }

    setTwoSided(twoSided: boolean): void {
        this.put('twoSided', twoSided);
    }

    setPerspective(perspective: boolean): void {
        this.put('perspective', perspective);
    }

    setOpacity(opacity: number): void {
        this.put('opacity', opacity);
        this.transparent = opacity < 1;
        this.depthWrite = opacity >= 1;
    }

    setRange(minimum: number, maximum: number, map: Texture): void {
        this.put('range', [minimum, maximum]);
        this.put('map', map);
    }
}
