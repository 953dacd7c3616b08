// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { existsSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';

import {
    closeBrowser, countPixels, drawnObjects, farthest, fill, goTo, jobDone, openPage, placeOf, positionsOf, ready,
    scratchFolder, seenVertex, startStudio, state, tick, toile, until, writeFrames,
} from './harness.mjs';

const folder = scratchFolder();
const motion = join(folder, 'motion');

before(() => {
    const ball = join(folder, 'ball.obj');
    toile('make', 'sphere', '-o', ball, '--subdivisions', 3);
    writeFrames(motion, ball, 6, ([x, y, z], frame) => [x + 0.1 * frame, y, z]);
});
after(closeBrowser);

async function withMotion(run) {
    const studio = await startStudio(motion);
    const page = await openPage(studio.url, { width: 1000, height: 640 });
    try {
        await goTo(page, 'edit');
        await page.selectOption('select[name="edit-item"]', '0');
        await until(page, () => window.toile.app.state.edit.item === 0);
        await ready(page);
        await run(page);
        assert.deepEqual(page.complaints, []);
    } finally {
        await page.context().close();
        await studio.stop();
    }
}

const selected = (page) => page.evaluate(() => window.toile.app.state.selection.size);

async function chooseFrame(page, frame) {
    await page.fill('.frame-number', String(frame));
    await page.dispatchEvent('.frame-number', 'change');
    await until(page, (f) => window.toile.stage.view(0).frame === f, frame);
}

/** Drags the handle from one place beside its middle to another, in pixels; returns the axis it had. */
async function dragHandle(page, from, to) {
    await until(page, () => window.toile.editing.gizmo.enabled && !!window.toile.editing.gizmo.object);
    const middle = await page.evaluate(() => {
        const { viewport, editing } = window.toile;
        viewport.draw();
        const box = viewport.panes[0].element.getBoundingClientRect();
        const at = viewport.project(viewport.panes[0], editing.gizmo.object.position);
        return { x: at.x + box.left, y: at.y + box.top };
    });
    const place = ([x, y]) => [middle.x + x, middle.y + y];
    await page.mouse.move(...place(from));
    await until(page, () => window.toile.editing.gizmo.axis !== null);
    const axis = await page.evaluate(() => window.toile.editing.gizmo.axis);
    await page.mouse.down();
    await page.mouse.move(...place(to), { steps: 6 });
    await page.mouse.up();
    return axis;
}

/** Where, beside the handle's middle, the mouse takes hold of an axis; the nearest place on the screen. */
function gripOf(page, axis) {
    return page.evaluate((wanted) => {
        const { viewport, editing } = window.toile;
        const pane = viewport.panes[0], box = pane.element.getBoundingClientRect();
        const at = viewport.project(pane, editing.gizmo.object.position);
        const hover = (x, y) => {
            pane.element.dispatchEvent(new PointerEvent('pointermove', {
                clientX: box.left + at.x + x, clientY: box.top + at.y + y, pointerType: 'mouse', bubbles: true,
            }));
            return editing.gizmo.axis;
        };
        for (let r = 6; r < 160; r += 3) {
            for (let k = 0; k < 48; ++k) {
                const [x, y] = [r * Math.cos((k * Math.PI) / 24), r * Math.sin((k * Math.PI) / 24)];
                if (hover(x, y) === wanted) return [x, y];
            }
        }
        throw new Error(`no place takes hold of ${wanted}`);
    }, axis);
}

async function brushSome(page) {
    const vertex = await seenVertex(page, 0, 0, 100);
    const at = await placeOf(page, 0, 0, vertex);
    await page.keyboard.press('b');
    await page.mouse.click(at.x, at.y);
    await until(page, () => window.toile.app.state.selection.size > 0);
    return vertex;
}

test('selects by brush, box and radius', () => withMotion(async (page) => {
    const vertex = await seenVertex(page, 0, 0, 100);
    const at = await placeOf(page, 0, 0, vertex);
    await page.keyboard.press('b');
    await page.mouse.click(at.x, at.y);
    const brushed = await selected(page);
    assert.ok(brushed > 1 && brushed < 300, `${brushed} vertices`);
    assert.ok((await drawnObjects(page)).includes('selection'));
    await page.keyboard.press('x');
    await page.mouse.move(at.x - 60, at.y - 60);
    await page.mouse.down();
    await page.mouse.move(at.x + 60, at.y + 60, { steps: 4 });
    await page.mouse.up();
    assert.ok(await selected(page) > brushed);
    await page.keyboard.press('c');
    await page.mouse.click(at.x, at.y);
    await until(page, (v) => window.toile.app.state.selection.has(v), vertex);
    const positions = await positionsOf(page, 0);
    const far = await page.evaluate(() => Math.max(0, ...window.toile.app.state.selection));
    assert.ok(far < positions.length / 3);
    await page.keyboard.press('i');
    await page.keyboard.press('a');
    assert.equal(await selected(page), positions.length / 3);
}));

test('a frame is edited with the handle, undone, carried through, and played before and after', () => withMotion(async (page) => {
    await chooseFrame(page, 2);
    const start = await positionsOf(page, 0);
    const vertex = await brushSome(page);
    await page.keyboard.press('w');
    await until(page, () => window.toile.editing.gizmo.enabled && !!window.toile.editing.gizmo.object);
    const [x, y] = await gripOf(page, 'Y');
    assert.equal(await dragHandle(page, [x, y], [x, y - 40]), 'Y');
    await until(page, () => window.toile.app.state.edit.edited.includes(2) && window.toile.app.state.edit.can_undo);
    const edited = await positionsOf(page, 0);
    assert.ok(farthest(start, edited) > 0.05);
    assert.ok(await page.evaluate(() => window.toile.editing.solve) > 0);
    await page.keyboard.press('Control+z');
    await until(page, ([v, y]) => Math.abs(window.toile.viewport.items.get(0).bodies.get(0).positions[3 * v + 1] - y) < 1e-5,
        [vertex, start[3 * vertex + 1]]);
    await page.keyboard.press('Control+Shift+z');
    await until(page, ([v, y]) => Math.abs(window.toile.viewport.items.get(0).bodies.get(0).positions[3 * v + 1] - y) < 1e-5,
        [vertex, edited[3 * vertex + 1]]);
    assert.equal(await page.$$eval('.mark', (all) => all.length), 1);
    await page.reload();
    await ready(page);
    await until(page, ([v, y]) => window.toile.stage.view(0).frame === 2
        && Math.abs(window.toile.viewport.items.get(0).bodies.get(0).positions[3 * v + 1] - y) < 1e-5, [vertex, edited[3 * vertex + 1]]);
    await page.click('text=Carry through the sequence');
    await until(page, () => window.toile.app.state.edit.result !== null);
    await jobDone(page);
    const { result } = (await state(page)).edit;
    await until(page, () => window.toile.app.state.playing && window.toile.app.view.beforeAfter, result);
    await ready(page);
    assert.deepEqual(await page.$$eval('.pane-title', (all) => all.map((t) => t.textContent)), ['Before: motion', 'After: motion-edited']);
    await page.keyboard.press('Space');
    assert.equal((await state(page)).playing, false, 'the button that was clicked has given the keyboard back');
    await chooseFrame(page, 5);
    await until(page, (r) => window.toile.stage.view(r)?.frame === 5, result);
    assert.equal(await page.evaluate(() => window.toile.viewport.nPanes), 2);
    assert.ok(farthest(await positionsOf(page, 0), await positionsOf(page, result)) > 0.05, 'another frame has the edit');
    await chooseFrame(page, 2);
    await until(page, (r) => window.toile.stage.view(r)?.frame === 2, result);
    await until(page, ([v, y]) => Math.abs(window.toile.viewport.items.get(0).bodies.get(0).positions[3 * v + 1] - y) < 1e-6,
        [vertex, start[3 * vertex + 1]]);
    assert.ok(farthest(start, await positionsOf(page, 0)) < 1e-6, 'before is as it was, in the edited frame too');
    assert.ok(farthest(edited, await positionsOf(page, result)) < 1e-5, 'after is as it was edited');
    assert.ok(!(await drawnObjects(page)).includes('selection'));
    await tick(page, 'before-after', false);
    await until(page, ([v, y]) => Math.abs(window.toile.viewport.items.get(0).bodies.get(0).positions[3 * v + 1] - y) < 1e-5,
        [vertex, edited[3 * vertex + 1]]);
}));

test('shows what is selected, what the handle holds, and what gives way', () => withMotion(async (page) => {
    assert.equal(await page.getAttribute('[data-name="select-tool"] [data-value="brush"]', 'aria-pressed'), 'true', 'a tool is in the hand');
    const vertex = await seenVertex(page, 0, 0, 100);
    const plain = await countPixels(page, '#ff7a18');
    await brushSome(page);
    assert.equal(await page.evaluate((v) => window.toile.editing.body.markOf(v), vertex), 1);
    assert.ok(await countPixels(page, '#ff7a18') > plain + 20, 'what is selected is seen');
    await page.keyboard.press('w');
    await until(page, () => window.toile.app.state.weights !== null);
    const marks = await page.evaluate(() => {
        const { app, editing } = window.toile;
        const { vertices, weights } = app.state.weights;
        return [...vertices].map((v, i) => [app.state.selection.has(v), weights[i], editing.body.markOf(v)]);
    });
    for (const [held, weight, mark] of marks) {
        if (held) assert.equal(mark, 1);
        else assert.ok(mark < 0.8 && Math.abs(mark - 0.75 * weight) < 1e-6);
    }
    const giving = marks.filter(([held, weight]) => !held && weight > 0);
    assert.ok(giving.length > 0 && giving.length < (await positionsOf(page, 0)).length / 3);
    await fill(page, 'falloff', 0.6);
    await until(page, (n) => window.toile.app.state.weights?.vertices.length > n, marks.length);
    await page.keyboard.press('Escape');  // gives the keyboard back
    await page.keyboard.press('Escape');
    await until(page, () => window.toile.app.state.weights === null);
    assert.ok(await page.evaluate((v) => window.toile.editing.body.markOf(v), vertex) === 1, 'still selected');
    await goTo(page, 'look');
    assert.equal(await page.evaluate((v) => window.toile.editing.body.markOf(v), vertex), 0);
}));

test('a box takes what is seen, and what is hidden only when it is told to', () => withMotion(async (page) => {
    const box = async () => {
        await page.keyboard.press('x');
        const pane = await (await page.$('.pane')).boundingBox();
        await page.mouse.move(pane.x + 10, pane.y + 10);
        await page.mouse.down();
        await page.mouse.move(pane.x + pane.width - 10, pane.y + pane.height - 10, { steps: 3 });
        await page.mouse.up();
        return selected(page);
    };
    const all = (await positionsOf(page, 0)).length / 3;
    const seen = await box();
    assert.ok(seen > 0.3 * all && seen < 0.6 * all, `${seen} of ${all} vertices of a ball are seen`);
    const facing = await page.evaluate(() => {
        const { viewport, app, editing } = window.toile;
        const eye = viewport.panes[0].rig.camera.position;
        let away = 0;
        for (const v of app.state.selection) {
            const p = editing.body.vertex(v);
            const outwards = p.clone();  // the ball stands at the origin in frame 0
            if (outwards.dot(eye.clone().sub(p)) < -0.1 * p.length() * eye.distanceTo(p)) ++away;
        }
        return away;
    });
    assert.equal(facing, 0, 'none of them on the far side');
    await tick(page, 'through');
    assert.equal(await box(), all);
    await page.keyboard.press('Numpad5');
    await tick(page, 'through', false);
    const parallel = await box();
    assert.ok(parallel > 0.35 * all && parallel < 0.65 * all, `${parallel} in a parallel view`);
}));

test('the handle turns and scales the selection', () => withMotion(async (page) => {
    await brushSome(page);
    const start = await positionsOf(page, 0);
    const held = (await state(page)).selection;
    const middle = (p) => [0, 1, 2].map((k) => held.reduce((sum, v) => sum + p[3 * v + k], 0) / held.length);
    const spread = (p) => {
        const c = middle(p);
        return held.reduce((sum, v) => sum + Math.hypot(...c.map((x, k) => p[3 * v + k] - x)), 0) / held.length;
    };
    const turnOfHeld = (p) => Math.max(...held.map((v) => Math.hypot(...[0, 1, 2].map((k) =>
        (p[3 * v + k] - middle(p)[k]) - (start[3 * v + k] - middle(start)[k])))));
    await page.keyboard.press('e');
    await until(page, () => window.toile.editing.gizmo.mode === 'rotate' && window.toile.editing.gizmo.enabled && !!window.toile.editing.gizmo.object);
    const turn = await gripOf(page, 'E');
    await dragHandle(page, turn, [-turn[1], turn[0]]);
    await until(page, () => window.toile.app.state.edit.can_undo);
    const turned = await positionsOf(page, 0);
    assert.ok(Math.hypot(...middle(turned).map((x, k) => x - middle(start)[k])) < 0.02 * spread(start) + 1e-3, 'it turns about its middle');
    assert.ok(Math.abs(spread(turned) / spread(start) - 1) < 0.01, 'its size stays');
    assert.ok(turnOfHeld(turned) > 0.3 * spread(start), 'and it is turned');
    await page.keyboard.press('Control+z');
    await until(page, () => !window.toile.app.state.edit.can_undo);
    await page.keyboard.press('r');
    await until(page, () => window.toile.editing.gizmo.mode === 'scale' && window.toile.editing.gizmo.enabled && !!window.toile.editing.gizmo.object);
    const grip = await gripOf(page, 'X');
    await dragHandle(page, grip, grip.map((x) => 1.6 * x));
    await until(page, () => window.toile.app.state.edit.can_undo);
    const scaled = spread(await positionsOf(page, 0)) / spread(start);
    assert.ok(scaled > 1.3 && scaled < 2, `it is ${scaled} times as large`);
}));

test('an edited frame comes from a mesh file, and its files are named when it is saved', () => withMotion(async (page) => {
    await chooseFrame(page, 3);
    const start = await positionsOf(page, 0);
    writeFrames(join(motion, 'edits'), join(motion, 'frame_0003.obj'), 1, ([x, y, z]) => [x, y > 0.3 ? 1.4 * y - 0.12 : y, z]);
    await page.click('[data-panel="edit"] >> text=Load mesh…');
    await page.click('.files [data-name="edits"] button');
    await until(page, () => document.querySelector('.crumbs').textContent.endsWith('edits') && document.querySelectorAll('.files li').length === 1);
    await page.click('.files [data-name="frame_0000.obj"]');
    await page.click('[data-do="confirm"]');
    await until(page, () => window.toile.app.state.edit.edited.includes(3));
    await until(page, () => window.toile.stage.view(0).bodies.get(0).positions.some((y, i) => i % 3 === 1 && y > 0.55));
    assert.ok(farthest(start, await positionsOf(page, 0)) > 0.05);
    await page.click('[data-panel="edit"] >> text=Load mesh…');
    await page.waitForSelector('.files [data-name="frame_0000.obj"]');
    assert.match(await page.textContent('.crumbs'), /edits$/, 'the folder that was used last');
    await page.keyboard.press('Escape');
    await page.click('[data-panel="edit"] >> text=Save mesh…');
    await page.fill('input[name="file-name"]', 'mine.obj');
    assert.match(await page.textContent('[data-besides]'), /mine\.edit\.json/);
    await page.click('[data-do="confirm"]');
    await until(page, () => !document.querySelector('dialog[open]'));
    assert.match(await page.textContent('.notices'), /mine\.obj and mine\.edit\.json are written in the folder motion\/edits/);
    assert.ok(existsSync(join(motion, 'edits', 'mine.obj')) && existsSync(join(motion, 'edits', 'mine.edit.json')));
    await page.click('[data-panel="edit"] >> text=Load mesh…');
    await page.fill('input[name="file-name"]', 'nothing.obj');
    await page.click('[data-do="confirm"]');
    await until(page, () => !document.querySelector('dialog .error').hidden);
    await page.keyboard.press('Escape');
    rmSync(join(motion, 'edits'), { recursive: true });
}));

test('with nothing chosen the timeline shows no frame', async () => {
    const studio = await startStudio(join(folder, 'ball.obj'));
    const page = await openPage(studio.url);
    try {
        await page.evaluate(() => window.toile.app.setView({ frame: 1 }));
        await goTo(page, 'edit');
        assert.equal(await page.inputValue('.frame-number'), '');
        assert.equal(await page.textContent('.frame .unit'), '');
        assert.equal(await page.textContent('select[name="edit-item"]'), 'no sequence is open');
        await goTo(page, 'look');
        assert.equal(await page.inputValue('.frame-number'), '0');
    } finally {
        await page.context().close();
        await studio.stop();
    }
});

test('Cancel ends a job, and nothing comes of it', () => withMotion(async (page) => {
    const items = (await state(page)).items.length;
    await page.keyboard.press('Control+e');
    await page.fill('.take-away input[name="width"]', '1920');
    await page.fill('.take-away input[name="height"]', '1080');
    await page.click('[data-export="pngs"]');
    await page.waitForSelector('[data-job] >> text=Cancel');
    await page.click('[data-job] >> text=Cancel');
    await until(page, () => window.toile.app.state.job.state === 'cancelled');
    assert.equal(await page.isVisible('[data-job]'), false);
    assert.equal((await state(page)).items.length, items);
    assert.equal((await state(page)).job.download, undefined);
}));

test('an export that is under way when the page is loaded again is got all the same', () => withMotion(async (page) => {
    await page.keyboard.press('Control+e');
    await page.fill('.take-away input[name="width"]', '640');
    await page.fill('.take-away input[name="height"]', '480');
    await page.click('[data-export="pngs"]');
    await page.waitForSelector('[data-job] >> text=Cancel');
    const waiting = page.waitForEvent('download');
    await page.reload();
    assert.match((await waiting).suggestedFilename(), /\.zip$/);
}));

test('what is not saved is not closed without a question', () => withMotion(async (page) => {
    await brushSome(page);
    await page.keyboard.press('w');
    await until(page, () => window.toile.editing.gizmo.enabled && !!window.toile.editing.gizmo.object);
    const [x, y] = await gripOf(page, 'Y');
    await dragHandle(page, [x, y], [x, y - 30]);
    await until(page, () => window.toile.app.state.edit.can_undo);
    await page.evaluate(() => window.toile.app.ask('edit', 'edit.carry', {}));
    await until(page, () => window.toile.app.state.items.length === 2);
    const close = '[data-item="1"] .close';
    await page.hover('[data-item="1"]');
    await page.click(close);
    await page.click('dialog.confirm >> text=Cancel');
    assert.equal((await state(page)).items.length, 2);
    await page.hover('[data-item="1"]');
    await page.click(close);
    await page.click('dialog.confirm [data-do="agree"]');
    await until(page, () => window.toile.app.state.items.length === 1);
}));

test('takes away GLB, page, archive, film and picture', () => withMotion(async (page) => {
    const names = { glb: /\.glb$/, html: /\.html$/, pngs: /\.zip$/, film: /\.mp4$/ };
    for (const [what, pattern] of Object.entries(names)) {
        await page.keyboard.press('Control+e');
        if (what === 'pngs' || what === 'film') {
            await page.fill('.take-away input[name="width"]', '96');
            await page.fill('.take-away input[name="height"]', '64');
            await page.fill('.take-away input[name="to"]', '2');
        }
        const waiting = page.waitForEvent('download');
        await page.click(`[data-export="${what}"]`);
        const download = await waiting;
        assert.match(download.suggestedFilename(), pattern);
        const path = join(folder, download.suggestedFilename());
        await download.saveAs(path);
        assert.ok(statSync(path).size > 500);
    }
    await page.keyboard.press('Control+e');
    const waiting = page.waitForEvent('download');
    await page.click('[data-export="png"]');
    const picture = join(folder, 'view.png');
    await (await waiting).saveAs(picture);
    assert.ok(existsSync(picture) && statSync(picture).size > 2000);
}));
