// SPDX-License-Identifier: Apache-2.0
import { DoubleSide, Mesh, Scene, ShaderMaterial, Vector3, WebGLRenderTarget } from 'three';

import type { BodyView } from './body_view';
import type { Pane, Viewport } from './viewport';

const kVertexShader = /* glsl */ `
varying vec2 vDepth;
void main() {
    gl_Position = projectionMatrix * modelViewMatrix * vec4(position, 1.0);
    vDepth = gl_Position.zw;
}`;

/** The depth in three bytes; the fourth says that something is there. */
const kFragmentShader = /* glsl */ `
varying vec2 vDepth;
void main() {
    float d = clamp(0.5 + 0.5 * vDepth.x / vDepth.y, 0.0, 0.9999999);
    vec3 parts = fract(d * vec3(1.0, 255.0, 65025.0));
    gl_FragColor = vec4(parts - parts.yzz * vec3(1.0 / 255.0, 1.0 / 255.0, 0.0), 1.0);
}`;

/** What may lie before a vertex, as a share of its triangles' size: it is on a surface that is seen aslant. */
const kSlack = 0.35;

/** Which points are seen in a pane, by a picture of the depth of all that it shows. */
export class Visibility {
    private readonly bytes: Uint8Array;
    private readonly width: number;
    private readonly height: number;
    private slackOf: BodyView | null = null;
    private slack = 0;

    constructor(private readonly viewport: Viewport, private readonly pane: Pane) {
        const size = viewport.paneSize();
        this.width = Math.max(1, Math.round(size.width));
        this.height = Math.max(1, Math.round(size.height));
        this.bytes = new Uint8Array(4 * this.width * this.height);
        this.draw();
    }

    private draw(): void {
        const { renderer, items } = this.viewport;
        const material = new ShaderMaterial({ vertexShader: kVertexShader, fragmentShader: kFragmentShader, side: DoubleSide });
        const target = new WebGLRenderTarget(this.width, this.height);
        const scene = new Scene();
        for (const item of this.pane.items) {
            for (const [index, body] of items.get(item)?.bodies ?? []) {
                if (this.pane.only !== null && this.pane.only !== index) continue;
                const mesh = new Mesh(body.surface.geometry, material);
                mesh.frustumCulled = false;
                scene.add(mesh);
            }
        }
        renderer.setRenderTarget(target);
        renderer.setScissorTest(false);
        renderer.setClearAlpha(0);
        renderer.clear();
        renderer.render(scene, this.pane.rig.camera);
        renderer.readRenderTargetPixels(target, 0, 0, this.width, this.height, this.bytes);
        renderer.setRenderTarget(null);
        renderer.setClearAlpha(1);
        target.dispose();
        material.dispose();
        this.viewport.invalidate();
    }

    /** Distance from the eye's plane of what is seen at a pixel; nothing where nothing is. */
    private depthAt(x: number, y: number): number | null {
        if (x < 0 || y < 0 || x >= this.width || y >= this.height) return null;
        const i = 4 * ((this.height - 1 - y) * this.width + x);
        if (this.bytes[i + 3]! < 128) return null;
        const d = this.bytes[i]! / 255 + this.bytes[i + 1]! / 65025 + this.bytes[i + 2]! / 16581375;
        const { near, far } = this.pane.rig.camera;
        const z = 2 * d - 1;
        if (this.pane.rig.state.orthographic) return near + ((z + 1) / 2) * (far - near);
        return (2 * far * near) / (far + near - z * (far - near));
    }

    /** True where nothing lies before the point; at an outline a pixel beside it may be the one. */
    sees(point: Vector3, body: BodyView): boolean {
        const { camera } = this.pane.rig;
        const at = this.viewport.project(this.pane, point);
        const own = -point.clone().applyMatrix4(camera.matrixWorldInverse).z;
        if (this.slackOf !== body) {
            this.slackOf = body;
            this.slack = kSlack * body.typicalEdge();
        }
        const [x, y] = [Math.floor(at.x), Math.floor(at.y)];
        let something = false;
        for (let dy = -1; dy <= 1; ++dy) {
            for (let dx = -1; dx <= 1; ++dx) {
                const depth = this.depthAt(x + dx, y + dy);
                if (depth === null) continue;
                something = true;
                if (own <= depth + this.slack) return true;
            }
        }
        return !something;
    }
}
