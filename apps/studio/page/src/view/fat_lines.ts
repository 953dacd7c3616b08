// SPDX-License-Identifier: Apache-2.0
import { Color } from 'three';
import { LineMaterial } from 'three/examples/jsm/lines/LineMaterial.js';
import { LineSegments2 } from 'three/examples/jsm/lines/LineSegments2.js';
import { LineSegmentsGeometry } from 'three/examples/jsm/lines/LineSegmentsGeometry.js';

/** Segments as wide as `pixels`, in one colour; made anew when they change. */
export class FatLines {
    readonly object: LineSegments2;
    private readonly material: LineMaterial;
    count = 0;

    constructor(name: string, colour: string, pixels: number) {
        this.material = new LineMaterial({ color: new Color(colour), linewidth: pixels });
        this.object = new LineSegments2(new LineSegmentsGeometry(), this.material);
        this.object.name = name;
        this.object.frustumCulled = false;
        this.object.visible = false;
    }

    /** Six numbers a segment. */
    set(ends: readonly number[]): void {
        this.count = ends.length / 6;
        this.object.visible = this.count > 0;
        this.object.geometry.dispose();
        if (!this.count) return;
        this.object.geometry = new LineSegmentsGeometry();
        this.object.geometry.setPositions(ends as number[]);
    }

    setWidth(pixels: number): void {
        this.material.linewidth = pixels;
    }
}
