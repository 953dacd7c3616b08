// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { after, test } from 'node:test';
import { fileURLToPath } from 'node:url';

import {
    closeBrowser, countPixels, farthest, fingerprint, openPage, placeOf, positionsOf, ready,
    scratchFolder, seenVertex, startStudio, state, tick, until, writeScene,
} from './harness.mjs';

const kExamples = join(dirname(fileURLToPath(import.meta.url)), '../../examples');

after(closeBrowser);

async function withScene(run, options = {}) {
    const folder = scratchFolder();
    const scene = writeScene(join(folder, 'scene.toml'), options);
    const studio = await startStudio(scene);
    const page = await openPage(studio.url);
    try {
        await until(page, () => window.toile.app.state.sim.item !== null && window.toile.app.state.schema.length > 0);
        await ready(page);
        await run(page, { folder, studio });
        assert.deepEqual(page.complaints, []);
    } finally {
        await page.context().close();
        await studio.stop();
    }
}

const simulatedFrame = (page, frame) => until(page, (f) => window.toile.app.state.sim.frame >= f, frame);
const shownFrame = (page, frame) => until(page, (f) => window.toile.stage.view(window.toile.app.state.sim.item).frame >= f, frame);

test('a scene opens in Simulate; it plays, pauses, steps and rewinds', () => withScene(async (page) => {
    assert.equal(await page.getAttribute('body', 'data-workspace'), 'simulate');
    const start = await positionsOf(page, 0);
    const picture = await fingerprint(page);
    await page.keyboard.press('ArrowRight');
    await shownFrame(page, 1);
    assert.equal((await state(page)).sim.frame, 1);
    await page.click('[data-do="play"]');
    await simulatedFrame(page, 4);
    await page.keyboard.press('Space');
    await until(page, () => window.toile.app.state.sim.state === 'paused');
    const { sim } = await state(page);
    await shownFrame(page, sim.frame);
    assert.ok(sim.time > 0.1);
    assert.ok(farthest(start, await positionsOf(page, 0)) > 0.005);
    assert.notEqual(await fingerprint(page), picture);
    await page.click('[data-do="rewind"]');
    await until(page, () => window.toile.app.state.sim.frame === 0 && window.toile.stage.view(0).frame === 0);
    assert.ok(farthest(start, await positionsOf(page, 0)) < 1e-6);
}));

test('shows what contacts saw, live', () => withScene(async (page) => {
    await page.evaluate(() => document.querySelectorAll('details').forEach((d) => { d.open = true; }));
    for (const name of ['boxes', 'candidates', 'contacts-point', 'contacts-edge', 'collisions-point', 'collisions-edge', 'velocity']) {
        await tick(page, name);
    }
    // Frame by frame: while it plays, the trace of a frame may be gone before the page asks for it.
    for (let frame = 1, touched = false; !touched; ++frame) {
        assert.ok(frame <= 40, 'the cloth comes into contact');
        await page.click('[data-do="step"]');
        await simulatedFrame(page, frame);
        await until(page, (f) => window.toile.app.state.trace?.frame === f, frame);
        touched = await page.evaluate(() => window.toile.app.state.trace.steps.some((s) => s.contacts.length));
    }
    const seen = await page.evaluate(() => {
        const names = [];
        window.toile.viewport.scene.traverseVisible((o) => { if (o.name) names.push(o.name); });
        return names;
    });
    assert.ok(seen.includes('boxes'));
    assert.ok(await countPixels(page, '#8a93a6') > 0);
    assert.equal((await state(page)).errors.displays ?? '', '');
}));

test('a key of the scene changes, is refused, and holds after a rewind', () => withScene(async (page, { folder }) => {
    await page.evaluate(() => document.querySelectorAll('details').forEach((d) => { d.open = true; }));
    const density = await page.evaluate(() => window.toile.app.state.schema.find((k) => k.path.endsWith('density')));
    assert.ok(density, 'the schema has a density');
    assert.ok(density.unit);
    const field = `[data-path="${density.path}"]`;
    await page.fill(field, '-3');
    await page.dispatchEvent(field, 'change');
    await until(page, (p) => (window.toile.app.state.errors[`schema ${p}`] ?? '') !== '', density.path);
    assert.ok(await page.isVisible(`.error[data-place="schema ${density.path}"]`));
    await page.fill(field, '0.4');
    await page.dispatchEvent(field, 'change');
    await until(page, (p) => window.toile.app.state.schema.find((k) => k.path === p).value === 0.4, density.path);
    await until(page, (p) => (window.toile.app.state.errors[`schema ${p}`] ?? '') === '', density.path);
    await page.click('text=Show TOML');
    await until(page, () => document.querySelector('.text-dialog pre')?.textContent.includes('0.4'));
    await page.click('.text-dialog button');
    await page.click('text=Save as TOML');
    await page.fill('input[name="file-name"]', 'changed.toml');
    await page.click('[data-do="confirm"]');
    await until(page, () => !document.querySelector('dialog[open]'));
    assert.match(readFileSync(join(folder, 'changed.toml'), 'utf8'), /density = 0\.4/);
    await page.click('text=Save as TOML');
    await page.fill('input[name="file-name"]', 'changed.toml');
    await page.click('[data-do="confirm"]');
    await until(page, () => !document.querySelector('dialog .error').hidden);
    assert.match(await page.textContent('dialog .error'), /changed\.toml/);
    await page.keyboard.press('Escape');
}));

test('the cloth is taken hold of, led and let go with the mouse', () => withScene(async (page) => {
    await page.keyboard.press('g');
    const vertex = await seenVertex(page, 0, 0, 3);
    const at = await placeOf(page, 0, 0, vertex);
    const before = await positionsOf(page, 0);
    await page.mouse.move(at.x, at.y);
    await page.mouse.down();
    await until(page, () => !!window.toile.app.state.sim.grabbed);
    assert.equal((await state(page)).sim.grabbed.vertex, vertex);
    await page.mouse.move(at.x, at.y - 60, { steps: 5 });
    await page.evaluate(() => window.toile.app.ask('simulate', 'sim.play'));
    await until(page, ([v, y]) => window.toile.viewport.items.get(0).bodies.get(0).positions[3 * v + 1] > y + 0.02,
        [vertex, before[3 * vertex + 1]]);
    await page.mouse.up();
    await until(page, () => !window.toile.app.state.sim.grabbed);
    await page.evaluate(() => window.toile.app.ask('simulate', 'sim.pause'));
}));

test('a reload finds the simulation where it was', () => withScene(async (page) => {
    await page.keyboard.press('ArrowRight');
    await shownFrame(page, 1);
    await page.keyboard.press('ArrowRight');
    await shownFrame(page, 2);
    const there = await positionsOf(page, 0);
    await page.reload();
    await ready(page);
    await shownFrame(page, 2);
    assert.ok(farthest(there, await positionsOf(page, 0)) === 0);
    assert.equal(await page.getAttribute('body', 'data-workspace'), 'simulate');
}));

test('opens an environment folder of the first thesis', async () => {
    const studio = await startStudio(join(kExamples, 'clothontable', 'environment'));
    const page = await openPage(studio.url);
    try {
        await until(page, () => window.toile.app.state.sim.item === 0);
        await ready(page);
        const { items } = await state(page);
        assert.equal(items[0].kind, 'scene');
        assert.ok(items[0].up[2] > 0.99, 'up is z there');
        await page.keyboard.press('ArrowRight');
        await shownFrame(page, 1);
    } finally {
        await page.context().close();
        await studio.stop();
    }
});
