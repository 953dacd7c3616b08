// SPDX-License-Identifier: Apache-2.0
import { Vector3 } from 'three';

import { Labels, type Label } from './labels';
import type { Pane, Viewport } from './viewport';

const kMostLabels = 300;
const kCellWidth = 42;
const kCellHeight = 16;

/** Numbers of the vertices nearest to the eye: a few hundred, and none over another. */
export class VertexIds {
    readonly labels = new Labels('vertex-ids', '#ffffff', '#20242c', 13);

    constructor(private readonly viewport: Viewport) {
        viewport.labels.add(this.labels);
        viewport.scene.add(this.labels.object);
    }

    update(on: boolean): void {
        if (!on) {
            if (this.labels.labels.length) this.labels.set([]);
            return;
        }
        const pane = this.viewport.panes[0];
        if (pane) this.labels.set(this.choose(pane));
    }

    private choose(pane: Pane): Label[] {
        const taken = new Taken();
        return this.seen(pane).sort((a, b) => a.depth - b.depth)
            .filter(({ x, y }) => taken.size < kMostLabels && taken.take(x, y))
            .map(({ label }) => label);
    }

    /** Of the vertices in each cell of the screen the one that is nearest to the eye. */
    private seen(pane: Pane): Seen[] {
        const { width, height } = this.viewport.paneSize();
        const nearest = new Map<number, Seen>();
        const point = new Vector3(), at = new Vector3();
        const columns = Math.ceil(width / kCellWidth);
        for (const item of pane.items) {
            for (const body of this.viewport.items.get(item)?.bodies.values() ?? []) {
                for (let v = 0; v < body.nVertices; ++v) {
                    at.copy(body.vertex(v, point)).project(pane.rig.camera);
                    if (Math.abs(at.x) > 1 || Math.abs(at.y) > 1 || Math.abs(at.z) > 1) continue;
                    const x = ((at.x + 1) / 2) * width, y = ((1 - at.y) / 2) * height;
                    const cell = Math.floor(y / kCellHeight) * columns + Math.floor(x / kCellWidth);
                    const known = nearest.get(cell);
                    if (known && known.depth <= at.z) continue;
                    const label: Label = { point: [point.x, point.y, point.z], text: String(v) };
                    nearest.set(cell, { x, y, depth: at.z, label });
                }
            }
        }
        return [...nearest.values()];
    }
}

interface Seen {
    readonly x: number;
    readonly y: number;
    readonly depth: number;
    readonly label: Label;
}

/** Places on the screen that have a label, by cells. */
class Taken {
    private readonly cells = new Map<string, { x: number; y: number }>();

    get size(): number {
        return this.cells.size;
    }

    /** False where a label is too near. */
    take(x: number, y: number): boolean {
        const column = Math.floor(x / kCellWidth), line = Math.floor(y / kCellHeight);
        for (let c = column - 1; c <= column + 1; ++c) {
            for (let l = line - 1; l <= line + 1; ++l) {
                const other = this.cells.get(`${c} ${l}`);
                if (other && Math.abs(other.x - x) < kCellWidth && Math.abs(other.y - y) < kCellHeight) return false;
            }
        }
        this.cells.set(`${column} ${line}`, { x, y });
        return true;
    }
}
