// SPDX-License-Identifier: Apache-2.0
// Match, and Transfer with what was matched.
import assert from 'node:assert/strict';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';

import {
    closeBrowser, drawnObjects, farthest, fingerprint, goTo, jobDone, openPage, placeOf, positionsOf,
    ready, scratchFolder, startStudio, state, tick, toile, until, writeFrames, writeScene,
} from './harness.mjs';

const folder = scratchFolder();
const source = join(folder, 'source.obj'), target = join(folder, 'target.obj');
const motion = join(folder, 'motion'), run = join(folder, 'run');

before(() => {
    toile('make', 'sphere', '-o', source, '--subdivisions', 3);
    toile('make', 'uv-sphere', '-o', target);
    toile('simulate', writeScene(join(folder, 'scene.toml')), '-o', run, '--frames', 3);
    writeFrames(motion, source, 5, ([x, y, z], frame) => [x, y * (1 + 0.1 * frame), z + 0.05 * frame * y]);
});
after(closeBrowser);

async function withPage(paths, run) {
    const studio = await startStudio(...paths);
    const page = await openPage(studio.url, { width: 1040, height: 600 });
    try {
        await run(page);
        assert.deepEqual(page.complaints, []);
    } finally {
        await page.context().close();
        await studio.stop();
    }
}

/** Two spheres seen from the same side: the same place in both panes is the same place on both. */
async function openMatch(page) {
    await goTo(page, 'match');
    const numbers = Object.fromEntries((await state(page)).items.map((i) => [i.name.replace(/\.obj$/, ''), i.item]));
    await page.selectOption('select[name="source"]', String(numbers.source));
    await page.selectOption('select[name="target"]', String(numbers.target));
    await until(page, () => window.toile.app.state.match.source !== null && window.toile.app.state.match.target !== null);
    await ready(page);
}

async function clickBoth(page, x, y) {
    const boxes = await page.$$eval('.pane', (panes) => panes.map((p) => p.getBoundingClientRect().toJSON()));
    const count = (await state(page)).match.pairs.length;
    for (const box of boxes) await page.mouse.click(box.x + box.width * x, box.y + box.height * y);
    await until(page, (n) => window.toile.app.state.match.pairs.length === n + 1, count);
}

/** Seven markers from three sides. */
async function markAll(page) {
    for (const side of ['Numpad1', 'Control+Numpad1', 'Numpad3']) {
        await page.keyboard.press(side);
        await clickBoth(page, 0.5, 0.42);
        if (side !== 'Numpad3') await clickBoth(page, 0.38, 0.55);
        await clickBoth(page, 0.6, 0.58);
    }
}

test('markers are clicked, moved, deleted, undone, saved and loaded', () => withPage([source], async (page) => {
    await openFiles(page);
    await openMatch(page);
    await markAll(page);
    const { match } = await state(page);
    assert.equal(match.pairs.length, 8);
    assert.ok((await drawnObjects(page)).includes('markers'));
    assert.equal(await page.$$eval('.markers li', (all) => all.length), 8);
    const last = match.pairs.length - 1;
    const from = await placeOf(page, match.source, 0, match.pairs[last][0]);
    await page.mouse.move(from.x, from.y);
    await page.mouse.down();
    await page.mouse.move(from.x - 30, from.y - 25, { steps: 4 });
    await page.mouse.up();
    await until(page, ([i, v]) => window.toile.app.state.match.pairs[i][0] !== v, [last, match.pairs[last][0]]);
    await page.keyboard.press('Control+z');
    await until(page, ([i, v]) => window.toile.app.state.match.pairs[i][0] === v, [last, match.pairs[last][0]]);
    await page.click(`.markers [data-pair="${last}"]`);
    await page.keyboard.press('Delete');
    await until(page, (n) => window.toile.app.state.match.pairs.length === n, last);
    await page.keyboard.press('Control+z');
    await until(page, (n) => window.toile.app.state.match.pairs.length === n, last + 1);
    await page.keyboard.press('Control+Shift+z');
    await until(page, (n) => window.toile.app.state.match.pairs.length === n, last);
    await page.click('[data-panel="match"] >> text=Save…');
    await page.fill('input[name="file-name"]', 'picked.cons');
    await page.click('[data-do="confirm"]');
    await until(page, () => !document.querySelector('dialog[open]'));
    assert.match(readFileSync(join(folder, 'picked.cons'), 'utf8'), /^7\s/);
    await page.evaluate(() => window.toile.app.ask('match', 'match.set', { pairs: [] }));
    await until(page, () => window.toile.app.state.match.pairs.length === 0);
    await page.click('[data-panel="match"] >> text=Load…');
    await page.click('.files [data-name="picked.cons"]');
    await page.click('[data-do="confirm"]');
    await until(page, () => window.toile.app.state.match.pairs.length === 7);
    await page.reload();
    await ready(page);
    assert.equal((await state(page)).match.pairs.length, 7);
    assert.ok((await drawnObjects(page)).includes('markers'));
}));

/** Opens the meshes through the dialog, as one who started the studio with a folder does. */
async function openFiles(page) {
    for (const name of ['source.obj', 'target.obj']) {
        if ((await state(page)).items.some((i) => i.path.endsWith(name))) continue;
        await page.click('text=Open…');
        await page.click(`.files [data-name="${name}"]`);
        await page.click('[data-do="confirm"]');
        await until(page, (n) => window.toile.app.state.items.some((i) => i.path.endsWith(n)), name);
    }
    await ready(page);
}

test('fits, shows what matched, and transfers a motion that plays in step', () => withPage([source, target, motion], async (page) => {
    await openMatch(page);
    await markAll(page);
    await page.click('text=Fit source to target');
    await until(page, () => window.toile.app.state.match.report !== null);
    await jobDone(page);
    const { report } = (await state(page)).match;
    assert.equal(report.residuals.length, 8);
    assert.ok(report.mean < 3, `mean distance ${report.mean} %`);
    assert.ok(report.coverage.target > 0.9, `${report.coverage.target} of the target is paired`);
    await until(page, () => window.toile.stage.view(window.toile.app.state.match.source).bodies.get(0).hasTriangleColours
        && window.toile.stage.view(window.toile.app.state.match.target).bodies.get(0).hasTriangleColours);
    assert.ok((await drawnObjects(page)).filter((n) => n === 'triangle-colours').length === 2);
    const matched = await fingerprint(page);
    await tick(page, 'match-colours', false);
    assert.notEqual(await fingerprint(page), matched);
    const own = await positionsOf(page, (await state(page)).match.source);
    await tick(page, 'show-fitted');
    await until(page, (s) => window.toile.stage.view(s).bodies.get(0).group.userData.fitted === true, (await state(page)).match.source);
    assert.ok(farthest(own, await positionsOf(page, (await state(page)).match.source)) > 0);
    const markersOnMesh = () => page.evaluate(() => {
        const { matching, app, stage } = window.toile;
        const body = stage.view(app.state.match.source).bodies.get(0);
        const dots = matching[0].dots.object.geometry.attributes.position.array;
        return app.state.match.pairs.every(([v], i) => [0, 1, 2].every((k) => Math.abs(dots[3 * i + k] - body.positions[3 * v + k]) < 1e-6));
    });
    assert.ok(await markersOnMesh(), 'markers go with the mesh that is shown');
    await page.reload();
    await ready(page);
    await until(page, (s) => window.toile.stage.view(s).bodies.get(0).group.userData.fitted === true, (await state(page)).match.source);
    assert.ok(await markersOnMesh());
    assert.match(await page.textContent('[data-report] [data-unit]'), /1 % is/);
    await tick(page, 'show-fitted', false);
    assert.ok(await markersOnMesh());

    await goTo(page, 'transfer');
    const items = (await state(page)).items;
    const moving = items.find((i) => i.frames === 5).item;
    const chosen = await page.evaluate(() => ['source', 'rest', 'target'].map((w) => document.querySelector(`select[name="transfer-${w}"]`).selectedOptions[0].textContent));
    assert.deepEqual(chosen, ['motion', 'source', 'target'], 'what Match has is taken over');
    await page.click('[data-panel="transfer"] button.primary');
    await until(page, () => window.toile.app.state.transfer.result !== null);
    await ready(page);
    const { result } = (await state(page)).transfer;
    const rest = await positionsOf(page, result);
    await page.fill('.frame-number', '4');
    await page.dispatchEvent('.frame-number', 'change');
    await until(page, ([a, b]) => window.toile.stage.view(a)?.frame === 4 && window.toile.stage.view(b)?.frame === 4, [moving, result]);
    const last = await positionsOf(page, result);
    const top = (p) => Math.max(...p.filter((_, i) => i % 3 === 1));
    assert.ok(top(last) > 1.25 * top(rest), 'the target stretches as the source does');
    await page.click('[data-panel="transfer"] >> text=Save…');
    await page.fill('input[name="file-name"]', 'moved.pc2');
    assert.match(await page.textContent('[data-besides]'), /moved\.obj/);
    await page.click('[data-do="confirm"]');
    await until(page, () => !document.querySelector('dialog[open]') || !document.querySelector('dialog .error').hidden);
    assert.equal(await page.$$eval('dialog[open] .error', (all) => all.map((e) => e.textContent).join()), '');
    assert.ok(existsSync(join(folder, 'moved.pc2')) && existsSync(join(folder, 'moved.obj')));
    assert.match(await page.textContent('.notices'), /moved\.pc2 and moved\.obj are written in the folder toile-studio-/);
}));

/** What a pane shows at a place: the vertex that a click there means. */
const vertexAt = (page, pane, x, y) => page.evaluate(([i, px, py]) => {
    const { viewport } = window.toile;
    const box = viewport.panes[i].element.getBoundingClientRect();
    return viewport.pick(viewport.panes[i], px - box.x, py - box.y).vertex;
}, [pane, x, y]);

test('no marker is lost that is clicked fast, just after the window has another size', () => withPage([source, target], async (page) => {
    await openMatch(page);
    for (const size of [{ width: 1240, height: 700 }, { width: 900, height: 560 }]) {
        const before = (await state(page)).match.pairs.length;
        await page.setViewportSize(size);
        const boxes = await page.$$eval('.pane', (panes) => panes.map((p) => p.getBoundingClientRect().toJSON()));
        const places = [[0.5, 0.42], [0.42, 0.55], [0.58, 0.56], [0.5, 0.6], [0.46, 0.47]];
        const wanted = [];
        for (const [x, y] of places) {
            for (const box of boxes) await page.mouse.click(box.x + box.width * x, box.y + box.height * y);
        }
        await until(page, (n) => window.toile.app.state.match.pairs.length === n, before + places.length);
        for (const [x, y] of places) {
            wanted.push([await vertexAt(page, 0, boxes[0].x + boxes[0].width * x, boxes[0].y + boxes[0].height * y),
                await vertexAt(page, 1, boxes[1].x + boxes[1].width * x, boxes[1].y + boxes[1].height * y)]);
        }
        assert.deepEqual((await state(page)).match.pairs.slice(before), wanted);
        assert.equal((await state(page)).pending, null);
        await page.evaluate(() => window.toile.app.ask('match', 'match.set', { pairs: [] }));
        await until(page, () => window.toile.app.state.match.pairs.length === 0);
    }
}));

test('the worst place is singled out, and a marker is added there with one click', () => withPage([source, target], async (page) => {
    await openMatch(page);
    await markAll(page);
    await page.click('text=Fit source to target');
    await until(page, () => window.toile.app.state.match.report !== null);
    await jobDone(page);
    const { report, pairs } = (await state(page)).match;
    assert.equal((await drawnObjects(page)).filter((n) => n === 'worst-place').length, 2, 'on both sides');
    assert.match(await page.textContent('.worst li.first'), new RegExp(`worst: vertex ${report.worst[0].vertex}`));
    assert.match(await page.textContent('[data-report] [data-unit]'), /percent of the diagonal of the target's bounding box \(1\.73 m; 1 % is 0\.017 m\)/);
    await page.click('.worst li.first button');
    await until(page, (n) => window.toile.app.state.match.pairs.length === n, pairs.length + 1);
    const added = (await state(page)).match.pairs.at(-1);
    assert.equal(added[0], report.worst[0].vertex);
    const positions = await positionsOf(page, (await state(page)).match.target);
    const far = (v) => Math.hypot(...report.worst[0].point.map((x, k) => x - positions[3 * v + k]));
    const least = Math.min(...positions.filter((_, i) => i % 3 === 0).map((_, v) => far(v)));
    assert.equal(far(added[1]), least, 'the nearest vertex of the target');
    assert.equal((await state(page)).marker, pairs.length);
    await page.keyboard.press('Delete');
    await until(page, (n) => window.toile.app.state.match.pairs.length === n, pairs.length);
    const disc = await page.evaluate(() => window.toile.matching[0].dots.object.material.uniforms.size.value);
    await page.evaluate(() => window.toile.app.setView({ markerSize: 20 }));
    assert.ok(await page.evaluate(() => window.toile.matching[0].dots.object.material.uniforms.size.value) > disc);
}));

test('markers are not replaced without a question', () => withPage([source, target], async (page) => {
    await openMatch(page);
    writeFileSync(join(folder, 'one.cons'), '1\n5, 5\n');
    await clickBoth(page, 0.5, 0.42);
    const load = async (answer) => {
        await page.click('[data-panel="match"] >> text=Load…');
        await page.click('.files [data-name="one.cons"]');
        await page.click('.file-dialog [data-do="confirm"]');
        await page.waitForSelector('dialog.confirm');
        assert.match(await page.textContent('dialog.confirm'), /the marker that is there/);
        await page.click(answer);
    };
    const { pairs } = (await state(page)).match;
    await load('dialog.confirm >> text=Cancel');
    assert.match(await page.textContent('.file-dialog .error'), /Nothing was loaded/);
    await page.keyboard.press('Escape');
    assert.deepEqual((await state(page)).match.pairs, pairs);
    await load('dialog.confirm [data-do="agree"]');
    await until(page, () => window.toile.app.state.match.pairs[0]?.[0] === 5);
    await page.selectOption('select[name="target"]', String((await state(page)).match.source));
    await page.waitForSelector('dialog.confirm');
    await page.keyboard.press('Escape');
    await until(page, (t) => document.querySelector('select[name="target"]').value === t, String((await state(page)).match.target));
    await page.selectOption('select[name="target"]', String((await state(page)).match.source));
    await page.click('dialog.confirm [data-do="agree"]');
    await until(page, () => window.toile.app.state.match.target === window.toile.app.state.match.source);
}));

test('any body of an item can be matched, transferred and edited', () => withPage([run, motion], async (page) => {
    await goTo(page, 'match');
    const item = (await state(page)).items.find((i) => i.kind === 'run').item;
    const choices = await page.$$eval('select[name="source"] option', (all) => all.map((o) => [o.value, o.textContent]));
    assert.deepEqual(choices.filter(([v]) => v.startsWith(`${item}:`)).map(([, t]) => t), ['run · cloth', 'run · ball']);
    await page.selectOption('select[name="source"]', `${item}:1`);
    await page.selectOption('select[name="target"]', `${item}:0`);
    await until(page, () => window.toile.app.state.match.source_body === 1 && window.toile.app.state.match.target !== null);
    await ready(page);
    assert.deepEqual(await page.$$eval('.pane-title', (all) => all.map((t) => t.textContent)), ['Source: run · ball', 'Target: run · cloth']);
    const ball = await vertexAt(page, 0, ...await middle(page, 0));
    assert.ok(ball < (await state(page)).items.find((i) => i.item === item).bodies[1].vertices);
    await clickBoth(page, 0.5, 0.5);
    await page.reload();
    await ready(page);
    assert.equal((await state(page)).match.source_body, 1);
    await goTo(page, 'edit');
    await page.selectOption('select[name="edit-item"]', `${item}:1`);
    await until(page, () => window.toile.app.state.edit.body === 1);
    assert.equal(await page.evaluate(() => window.toile.editing.body.name), 'ball');
}));

async function middle(page, pane) {
    const box = await page.$$eval('.pane', (panes, i) => panes[i].getBoundingClientRect().toJSON(), pane);
    return [box.x + box.width / 2, box.y + box.height / 2];
}

test('a fit that cannot be says why, beside the markers', () => withPage([source, target], async (page) => {
    await openMatch(page);
    await page.evaluate(() => window.toile.app.ask('match', 'match.set', { pairs: [[0, 999999]] }));
    await until(page, () => (window.toile.app.state.errors.match ?? '') !== '');
    assert.match(await page.textContent('.error[data-place="match"]'), /999999/);
}));
