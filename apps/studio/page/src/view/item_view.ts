// SPDX-License-Identifier: Apache-2.0
import { Box3, Group, Vector3 } from 'three';

import type { Frame } from '../protocol/binary';
import { BodyView } from './body_view';

const kLargeObstacle = 1.5;

/** All bodies of an item as they are shown, and the frame that they show. */
export class ItemView {
    readonly group = new Group();
    readonly bodies = new Map<number, BodyView>();
    frame = -1;
    time = 0;
    /** The last frame's answer: its fields are looked at again when the colours change. */
    shown: Frame | null = null;

    constructor(readonly item: number, readonly revision: number) {
        this.group.name = `item ${item}`;
    }

    add(body: BodyView): void {
        this.bodies.set(body.index, body);
        this.group.add(body.group);
    }

    apply(frame: Frame): void {
        this.frame = frame.frame;
        this.time = frame.time;
        this.shown = frame;
        for (const { body, positions } of frame.bodies) {
            if (positions) this.bodies.get(body)?.setPositions(positions);
        }
    }

    box(): Box3 {
        const box = new Box3();
        for (const body of this.bodies.values()) body.expandBox(box);
        return box;
    }

    /** What one looks for in it: all but obstacles that are much larger than the rest, as floors. */
    focus(only: number | null = null): Box3 {
        const box = new Box3();
        if (only !== null) {
            this.bodies.get(only)?.expandBox(box);
            return box;
        }
        for (const body of this.bodies.values()) {
            if (!body.isObstacle) body.expandBox(box);
        }
        if (box.isEmpty()) return this.box();
        const size = box.getSize(new Vector3()).length();
        for (const body of this.bodies.values()) {
            if (!body.isObstacle) continue;
            const own = new Box3();
            body.expandBox(own);
            if (own.getSize(new Vector3()).length() < kLargeObstacle * size) box.union(own);
        }
        return box;
    }

    dispose(): void {
        this.group.removeFromParent();
        for (const body of this.bodies.values()) body.dispose();
    }
}
