// SPDX-License-Identifier: Apache-2.0
import type { MatchPart } from '../protocol/messages';
import type { App } from '../state/app';
import type { Stage } from '../state/stage';
import type { BodyView } from '../view/body_view';
import { Dots } from '../view/dots';
import { Labels } from '../view/labels';
import type { PanePointer, PaneTool } from '../view/navigation';
import type { Pane } from '../view/viewport';

type Side = 0 | 1;
type Pair = readonly [number, number];

const kLeastReachPixels = 9;
const kDotPixels = 9;
const kWorstPixels = 8;
const kWorstOfAllPixels = 17;
const kPendingColour = '#ffffff';
const kChosenColour = '#ffffff';
const kWorstColour = '#ff2d55';

/** Colours that neighbours in the list can be told apart by. */
export function pairColour(index: number): string {
    const hue = (index * 137.5) % 360;
    return `hsl(${hue.toFixed(1)}, 75%, 58%)`;
}

let lastChange: Promise<unknown> = Promise.resolve();

/** Changes the pairs as they are when the changes before it have been answered: none is lost. */
export function changePairs(app: App, change: (pairs: readonly Pair[]) => readonly Pair[]): Promise<boolean> {
    const next = lastChange.then(async () => {
        const pairs = change(app.state.match.pairs);
        const answer = await app.ask<MatchPart>('match', 'match.set', { pairs });
        if (answer) app.store.set({ match: { ...app.state.match, ...answer } });
        return answer !== null;
    });
    lastChange = next;
    return next;
}

export async function deleteMarker(app: App): Promise<void> {
    const { marker } = app.state;
    if (marker === null) return;
    if (await changePairs(app, (pairs) => pairs.filter((_, i) => i !== marker))) app.store.set({ marker: null });
}

/** Markers of one side: a click adds half a pair, a press on a marker takes it along. */
export class MatchTool implements PaneTool {
    readonly dots = new Dots('markers', kDotPixels, '#15171b');
    readonly numbers = new Labels('marker-numbers', '#ffffff', '#15171b', 15);
    readonly worst = new Dots('worst', kWorstPixels, '#ffffff');
    /** The worst place of all, or that of the list that was clicked; seen through the surface. */
    readonly singled = new Dots('worst-place', kWorstOfAllPixels, '#ffffff', false);
    private moving: { index: number; vertex: number } | null = null;

    constructor(private readonly app: App, private readonly stage: Stage, private readonly pane: Pane,
        private readonly side: Side) {
        pane.overlay.add(this.dots.object, this.numbers.object, this.worst.object, this.singled.object);
        app.viewport.labels.add(this.numbers);
        app.store.on((s) => [s.match, s.marker, s.pending, s.worst, s.view.workspace, s.view.markerSize,
            s.view.showFitted], () => this.draw());
        stage.onShown.push((item) => {
            if (item === this.item) this.draw();
        });
    }

    private get item(): number | null {
        const { match } = this.app.state;
        return this.side === 0 ? match.source : match.target;
    }

    private get body(): BodyView | null {
        const { match } = this.app.state;
        return this.stage.view(this.item)?.bodies.get(this.side === 0 ? match.source_body : match.target_body) ?? null;
    }

    private vertexAt({ x, y }: PanePointer): number | null {
        return this.app.viewport.pick(this.pane, x, y)?.vertex ?? null;
    }

    /** The marker under the pointer, if it is not behind the surface. */
    private markerAt({ x, y }: PanePointer): number | null {
        const { body } = this;
        if (!body) return null;
        let best = Math.max(kLeastReachPixels, 0.8 * this.app.view.markerSize), found: number | null = null;
        this.app.state.match.pairs.forEach((pair, i) => {
            const at = this.app.viewport.project(this.pane, body.vertex(pair[this.side]));
            const distance = Math.hypot(at.x - x, at.y - y);
            if (distance < best && this.isInFront(body, pair[this.side])) {
                best = distance;
                found = i;
            }
        });
        return found;
    }

    private isInFront(body: BodyView, vertex: number): boolean {
        const point = body.vertex(vertex);
        const at = this.app.viewport.project(this.pane, point);
        const hit = this.app.viewport.pick(this.pane, at.x, at.y);
        return !hit || hit.point.distanceTo(point) < 0.02 * this.app.viewport.radius;
    }

    press(pointer: PanePointer): boolean {
        const index = this.markerAt(pointer);
        if (index === null) return false;
        this.app.store.set({ marker: index, pending: null });
        this.moving = { index, vertex: this.app.state.match.pairs[index]![this.side] };
        return true;
    }

    drag(pointer: PanePointer): void {
        const vertex = this.vertexAt(pointer);
        if (!this.moving || vertex === null) return;
        this.moving = { ...this.moving, vertex };
        this.draw();
    }

    release(): void {
        const { moving } = this;
        this.moving = null;
        if (!moving) return;
        if (this.app.state.match.pairs[moving.index]?.[this.side] === moving.vertex) return;
        void changePairs(this.app, (pairs) =>
            pairs.map((pair, i) => (i === moving.index ? this.replaced(pair, moving.vertex) : pair)))
            .then(() => this.draw());
    }

    private replaced(pair: Pair, vertex: number): Pair {
        return this.side === 0 ? [vertex, pair[1]] : [pair[0], vertex];
    }

    click(pointer: PanePointer): void {
        const vertex = this.vertexAt(pointer);
        if (vertex === null) {
            this.app.store.set({ marker: null });
            return;
        }
        const { pending } = this.app.state;
        if (!pending || pending.side === this.side) {
            this.app.store.set({ pending: { side: this.side, vertex }, marker: null });
            return;
        }
        const pair: Pair = this.side === 1 ? [pending.vertex, vertex] : [vertex, pending.vertex];
        this.app.store.set({ pending: null });
        void changePairs(this.app, (pairs) => [...pairs, pair]);
    }

    private draw(): void {
        const { match, marker, pending, view } = this.app.state;
        const { body } = this;
        const on = view.workspace === 'match' && body !== null;
        const points: number[] = [], colours: string[] = [], texts: string[] = [];
        const add = (vertex: number, colour: string, text: string): void => {
            const p = body?.vertex(vertex);
            if (!p || vertex >= body!.nVertices) return;
            points.push(p.x, p.y, p.z);
            colours.push(colour);
            texts.push(text);
        };
        if (on) {
            match.pairs.forEach((pair, i) => {
                const vertex = this.moving?.index === i ? this.moving.vertex : pair[this.side];
                add(vertex, i === marker ? kChosenColour : pairColour(i), String(i + 1));
            });
            if (pending?.side === this.side) add(pending.vertex, kPendingColour, String(match.pairs.length + 1));
        }
        this.dots.setSize(view.markerSize);
        this.dots.set(points, colours);
        this.numbers.setSize(Math.max(12, 0.6 * view.markerSize + 8));
        this.numbers.set(texts.map((text, i) => ({
            point: [points[3 * i]!, points[3 * i + 1]!, points[3 * i + 2]!], text,
        })));
        this.drawWorst(on);
        this.app.viewport.invalidate();
    }

    /** The places where the fit is bad: on the target where the source came to lie, on the source its vertices. */
    private drawWorst(on: boolean): void {
        const { match, worst } = this.app.state;
        const all = on ? match.report?.worst ?? [] : [];
        const places = all.map(({ vertex, point }): readonly number[] => {
            if (this.side === 1) return point;
            return this.body && vertex < this.body.nVertices ? this.body.vertex(vertex).toArray() : point;
        });
        const chosen = Math.min(worst ?? 0, places.length - 1);
        this.worst.set(places.flat(), kWorstColour);
        this.singled.set(places[chosen] ?? [], worst === null ? kWorstColour : kChosenColour);
    }
}
