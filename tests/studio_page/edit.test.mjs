// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { existsSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';

import {
    closeBrowser, drawnObjects, farthest, goTo, jobDone, openPage, placeOf, positionsOf, ready,
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

/** Drags the handle's arrow of an axis by pixels. */
async function dragHandle(page, pixels) {
    await until(page, () => window.toile.editing.gizmo.enabled && !!window.toile.editing.gizmo.object);
    const ends = await page.evaluate(() => {
        const { viewport, editing } = window.toile;
        viewport.draw();
        const centre = editing.gizmo.object.position.clone();
        const box = viewport.panes[0].element.getBoundingClientRect();
        const arrow = centre.clone();
        const scale = editing.gizmo.object.position.distanceTo(viewport.panes[0].rig.camera.position);
        arrow.y += 0.055 * scale;
        const [a, b] = [centre, arrow].map((p) => viewport.project(viewport.panes[0], p));
        return { a: { x: a.x + box.left, y: a.y + box.top }, b: { x: b.x + box.left, y: b.y + box.top } };
    });
    await page.mouse.move(ends.b.x, ends.b.y);
    await until(page, () => window.toile.editing.gizmo.axis !== null);
    await page.mouse.down();
    await page.mouse.move(ends.b.x, ends.b.y - pixels, { steps: 6 });
    await page.mouse.up();
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
    const vertex = await seenVertex(page, 0, 0, 100);
    const at = await placeOf(page, 0, 0, vertex);
    await page.keyboard.press('b');
    await page.mouse.click(at.x, at.y);
    await page.keyboard.press('w');
    await dragHandle(page, 40);
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
    await tick(page, 'before-after');
    await ready(page);
    await chooseFrame(page, 5);
    await until(page, (r) => window.toile.stage.view(r)?.frame === 5, result);
    assert.equal(await page.evaluate(() => window.toile.viewport.nPanes), 2);
    assert.ok(farthest(await positionsOf(page, 0), await positionsOf(page, result)) > 0.05, 'another frame has the edit');
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
