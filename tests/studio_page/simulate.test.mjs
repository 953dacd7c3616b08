// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { after, test } from 'node:test';
import { fileURLToPath } from 'node:url';

import {
    closeBrowser, countPixels, drawnObjects, farthest, fingerprint, openPage, placeOf, positionsOf, ready,
    scratchFolder, seenVertex, startStudio, state, tick, until, writeScene,
} from './harness.mjs';

const kExamples = join(dirname(fileURLToPath(import.meta.url)), '../../examples');

after(closeBrowser);

/** Two boards that a step cannot part close on the cloth between them. */
const kPress = `
[scene]
frames = 20
gravity = [0, 0, 0]

[solver]
max_halvings = 1

[[cloth]]
name = "cloth"
shape = { type = "rectangle", width = 1, length = 1, divisions = [4, 4] }

[[obstacle]]
name = "below"
shape = { type = "rectangle", width = 3, length = 3, divisions = [1, 1] }
translation = [0, -0.05, 0]

[[obstacle]]
name = "above"
shape = { type = "rectangle", width = 3, length = 3, divisions = [1, 1] }
translation = [0, 0.05, 0]

[[obstacle.piece]]
time = 0
velocity = [0, -0.5, 0]
`;

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
const shownFrame = (page, frame) => until(page, (f) => window.toile.stage.view(window.toile.app.state.sim.item)?.frame >= f, frame);

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
    assert.ok(await page.isVisible('.tool-badge'));
    const camera = () => page.evaluate(() => window.toile.viewport.panes[0].rig.state);
    const standing = await camera();
    const pane = await (await page.$('.pane')).boundingBox();
    await page.mouse.move(pane.x + pane.width - 30, pane.y + 40);
    await page.mouse.down();
    await page.mouse.move(pane.x + pane.width - 90, pane.y + 140, { steps: 3 });
    await page.mouse.up();
    await page.keyboard.press('Escape');
    assert.deepEqual(await camera(), standing, 'a miss turns nothing');
    assert.equal((await state(page)).view.tool, 'grab', 'Escape leaves the tool in the hand');
    const vertex = await seenVertex(page, 0, 0, 3);
    const at = await placeOf(page, 0, 0, vertex);
    const before = await positionsOf(page, 0);
    await page.mouse.move(at.x, at.y);
    await page.mouse.down();
    await until(page, () => !!window.toile.app.state.sim.grabbed);
    assert.equal((await state(page)).sim.grabbed.vertex, vertex);
    assert.ok((await drawnObjects(page)).includes('held'), 'what is held is seen');
    await page.mouse.move(at.x, at.y - 60, { steps: 5 });
    await page.evaluate(() => window.toile.app.ask('simulate', 'sim.play'));
    await until(page, ([v, y]) => window.toile.viewport.items.get(0).bodies.get(0).positions[3 * v + 1] > y + 0.02,
        [vertex, before[3 * vertex + 1]]);
    await page.mouse.up();
    await until(page, () => !window.toile.app.state.sim.grabbed);
    assert.ok(!(await drawnObjects(page)).includes('held'));
    await page.evaluate(() => window.toile.app.ask('simulate', 'sim.pause'));
}));

test('says where no trace was kept, and how one comes', () => withScene(async (page) => {
    await page.keyboard.press('ArrowRight');
    await shownFrame(page, 1);
    await tick(page, 'contacts-point');
    await page.waitForSelector('[data-missing-trace] >> text=frame 1 was not kept');
    assert.equal((await state(page)).errors.displays ?? '', '', 'that is no fault');
    await page.click('[data-missing-trace] >> text=One frame on');
    await until(page, () => window.toile.app.state.trace?.frame === 2);
    assert.equal(await page.isVisible('[data-missing-trace]'), false);
    await tick(page, 'contacts-point', false);
    await until(page, () => window.toile.app.state.trace === null);
    await page.keyboard.press('ArrowRight');
    await shownFrame(page, 3);
    await tick(page, 'boxes');
    await page.waitForSelector('[data-missing-trace] >> text=frame 3 was not kept');
    await page.click('[data-missing-trace] >> text=Rewind and play');
    await simulatedFrame(page, 1);
    await page.evaluate(() => window.toile.app.ask('simulate', 'sim.pause'));
    await until(page, () => window.toile.app.state.trace !== null && window.toile.app.state.trace.frame === window.toile.app.state.sim.frame);
}));

test('Enter and the mouse give the keyboard back, and a note says when a value takes effect', () => withScene(async (page) => {
    await page.evaluate(() => document.querySelectorAll('details').forEach((d) => { d.open = true; }));
    const field = '[data-path="cloth.0.fabric.density"]';
    await page.click(field, { clickCount: 3 });
    await page.keyboard.type('0.3');
    await page.keyboard.press('Enter');
    await until(page, () => window.toile.app.state.sim.changed);
    assert.match(await page.textContent('.changed-note:not([hidden]) .note:not([hidden])'), /takes effect when it is played/);
    await page.keyboard.press('ArrowRight');
    await shownFrame(page, 1);
    await page.selectOption('select[name="colour-by"]', 'speed');
    await page.click(field, { clickCount: 3 });
    await page.keyboard.type('0.00001');
    await page.keyboard.press('Enter');
    await until(page, (f) => window.toile.app.state.sim.changed && document.querySelector(f).value === '1e-5', field);
    assert.match(await page.textContent('.changed-note:not([hidden]) .note:not([hidden])'), /takes effect at the next start/);
    await page.click('[data-do="step"]');
    await shownFrame(page, 2);
    await page.keyboard.press('Shift+Home');
    await until(page, () => window.toile.app.state.sim.frame === 0);
    const focused = () => page.evaluate(() => document.activeElement.tagName);
    await page.click('input[name="grid"]');
    assert.equal(await focused(), 'BODY');
    await page.focus(field);
    await page.keyboard.press('Tab');
    assert.notEqual(await focused(), 'BODY', 'who goes by keyboard stays in the form');
}));

test('bodies have the names and colours of their scene, and vectors the names of their parts', () => withScene(async (page) => {
    await page.evaluate(() => document.querySelectorAll('details').forEach((d) => { d.open = true; }));
    const groups = await page.$$eval('.schema .group > summary', (all) => all.map((g) => g.textContent));
    assert.ok(groups.includes('towelcloth') && groups.includes('ballobstacle'), groups.join(', '));
    const parts = await page.$$eval('[data-path^="cloth.0.rotation"]', (all) => all.map((i) => i.previousSibling.textContent));
    assert.deepEqual(parts, ['x', 'y', 'z', '\u00b0']);
    assert.equal(await page.inputValue('.swatch'), '#ff3300');
    const { colors } = await page.evaluate(() => ({ colors: window.toile.app.state.items[0].bodies.map((b) => b.color) }));
    assert.deepEqual(colors, [[1, 0.2, 0], null]);
    const front = await page.evaluate(() => window.toile.stage.view(0).bodies.get(0).surface.material.uniforms.front.value.getHexString());
    assert.equal(front, 'ff3300');
    await page.evaluate(() => window.toile.app.setView({ colours: { 0: '#0000ff' } }));
    assert.equal(await page.evaluate(() => window.toile.stage.view(0).bodies.get(0).surface.material.uniforms.front.value.getHexString()), '0000ff');
}, { name: 'towel', colour: '[1, 0.2, 0]' }));

test('an obstacle that was moved in the scene stands elsewhere after the restart', () => withScene(async (page) => {
    const middle = async () => {
        const p = await positionsOf(page, 0, 1);
        return p.filter((_, i) => i % 3 === 1).reduce((a, b) => a + b) / (p.length / 3);
    };
    assert.ok(Math.abs(await middle()) < 1e-6);
    await page.evaluate(() => window.toile.app.ask('simulate', 'sim.change', { path: 'obstacle.0.translation', value: [0, -0.5, 0] }));
    await until(page, () => window.toile.app.state.sim.changed);
    await page.click('[data-do="rewind"]');
    await until(page, () => !window.toile.app.state.sim.changed);
    await ready(page);
    await until(page, () => window.toile.stage.view(0)?.bodies.get(1)?.positions[1] < 0.1);
    assert.ok(Math.abs(await middle() + 0.5) < 1e-6);
}));

test('what a step could not resolve is shown where it happened', async () => {
    const folder = scratchFolder();
    const scene = join(folder, 'press.toml');
    writeFileSync(scene, kPress);
    const studio = await startStudio(scene);
    const page = await openPage(studio.url);
    try {
        await until(page, () => window.toile.app.state.sim.item !== null);
        await ready(page);
        await page.keyboard.press('Space');
        await until(page, () => window.toile.app.state.sim.state === 'failed');
        const { failure } = (await state(page)).sim;
        assert.ok(failure.points.length > 0 && failure.message.length > 10);
        assert.equal(await page.textContent('.failure p'), failure.message);
        const marks = () => page.evaluate(() => {
            const { viewport } = window.toile;
            let places = [];
            viewport.scene.traverseVisible((o) => { if (o.name === 'unresolved') places = [...o.geometry.attributes.position.array]; });
            return places;
        });
        await until(page, () => {
            let drawn = false;
            window.toile.viewport.scene.traverseVisible((o) => { drawn ||= o.name === 'unresolved'; });
            return drawn;
        });
        const places = await marks();
        assert.equal(places.length, 3 * failure.points.length);
        assert.ok(failure.points.flat().every((x, i) => Math.abs(x - places[i]) < 1e-5));
        assert.ok(await countPixels(page, '#ff2d55') > 5, 'and seen');
        await page.click('text=Show where');
        const { target } = await page.evaluate(() => window.toile.viewport.panes[0].rig.state);
        assert.ok(Math.hypot(...target.map((x, k) => x - failure.points[0][k])) < 1e-6);
        await page.click('[data-do="rewind"]');
        await until(page, () => window.toile.app.state.sim.state === 'paused');
        assert.deepEqual(await marks(), []);
        assert.equal(await page.isVisible('.failure'), false);
        assert.deepEqual(page.complaints, []);
    } finally {
        await page.context().close();
        await studio.stop();
    }
});

test('the frames are kept, scrubbed and taken away, and outlive the rewind', () => withScene(async (page) => {
    await page.click('[data-do="step"]');
    await shownFrame(page, 1);
    await page.click('[data-do="step"]');
    await shownFrame(page, 2);
    const last = await positionsOf(page, 0);
    await page.click('text=Keep the frames');
    await until(page, () => window.toile.app.view.workspace === 'look' && window.toile.app.state.items.length === 2);
    await ready(page);
    await until(page, () => window.toile.stage.view(1)?.frame === 2);
    assert.ok(farthest(last, await positionsOf(page, 1)) < 1e-6);
    await page.keyboard.press('2');
    await page.keyboard.press('Shift+Home');
    await until(page, () => window.toile.app.state.sim.frame === 0);
    await page.keyboard.press('1');
    await page.fill('.frame-number', '1');
    await page.dispatchEvent('.frame-number', 'change');
    await until(page, () => window.toile.stage.view(1)?.frame === 1);
    await page.keyboard.press('Control+e');
    await page.selectOption('.take-away select[name="item"]', '1');
    const waiting = page.waitForEvent('download');
    await page.click('[data-export="glb"]');
    assert.match((await waiting).suggestedFilename(), /\.glb$/);
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
