// SPDX-License-Identifier: Apache-2.0
// Match, and Transfer with what was matched.
import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';

import {
    closeBrowser, drawnObjects, farthest, fingerprint, goTo, jobDone, openPage, placeOf, positionsOf,
    ready, scratchFolder, startStudio, state, tick, toile, until, writeFrames,
} from './harness.mjs';

const folder = scratchFolder();
const source = join(folder, 'source.obj'), target = join(folder, 'target.obj');
const motion = join(folder, 'motion');

before(() => {
    toile('make', 'sphere', '-o', source, '--subdivisions', 3);
    toile('make', 'uv-sphere', '-o', target);
    writeFrames(motion, source, 5, ([x, y, z], frame) => [x, y * (1 + 0.1 * frame), z + 0.05 * frame * y]);
});
after(closeBrowser);

async function withPage(paths, run) {
    const studio = await startStudio(...paths);
    const page = await openPage(studio.url, { width: 1000, height: 600 });
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
    assert.ok(report.coverage.target > 0.9);
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
    await tick(page, 'show-fitted', false);

    await goTo(page, 'transfer');
    const items = (await state(page)).items;
    const moving = items.find((i) => i.frames === 5).item, still = items.find((i) => /target/.test(i.name)).item;
    await page.selectOption('select[name="transfer-source"]', String(moving));
    await page.selectOption('select[name="transfer-target"]', String(still));
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
    await page.click('[data-do="confirm"]');
    await until(page, () => !document.querySelector('dialog[open]') || !document.querySelector('dialog .error').hidden);
    assert.equal(await page.$$eval('dialog[open] .error', (all) => all.map((e) => e.textContent).join()), '');
    assert.ok(existsSync(join(folder, 'moved.pc2')));
}));

test('a fit that cannot be says why, beside the markers', () => withPage([source, target], async (page) => {
    await openMatch(page);
    await page.evaluate(() => window.toile.app.ask('match', 'match.set', { pairs: [[0, 999999]] }));
    await until(page, () => (window.toile.app.state.errors.match ?? '') !== '');
    assert.match(await page.textContent('.error[data-place="match"]'), /999999/);
}));
