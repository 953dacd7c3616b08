// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { copyFileSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';

import {
    closeBrowser, countPixels, drawnObjects, farthest, fill, fingerprint, openPage, positionsOf, ready,
    scratchFolder, seenVertex, placeOf, startStudio, state, tick, toile, until, writeFrames, writeScene,
} from './harness.mjs';

const folder = scratchFolder();
const ball = join(folder, 'ball.obj'), box = join(folder, 'box.obj'), scene = join(folder, 'scene.toml');
const run = join(folder, 'run');

before(() => {
    toile('make', 'sphere', '-o', ball, '--subdivisions', 2);
    toile('make', 'box', '-o', box);
    writeScene(scene);
    toile('simulate', scene, '-o', run, '--frames', 12, ...Array.from({ length: 12 }, (_, i) => ['--trace', i + 1]).flat());
});
after(closeBrowser);

async function withPage(paths, test_) {
    const studio = await startStudio(...paths);
    const page = await openPage(studio.url);
    try {
        await test_(page, studio);
        assert.deepEqual(page.complaints, []);
        assert.deepEqual(page.foreign, []);
    } finally {
        await page.context().close();
        await studio.stop();
    }
}

test('opens many meshes at once, each in a colour of its own', () => withPage([ball, box], async (page) => {
    const { items } = await state(page);
    assert.deepEqual(items.map((i) => i.kind), ['mesh', 'mesh']);
    const surfaces = (await drawnObjects(page)).filter((name) => name === 'surface');
    assert.equal(surfaces.length, 2);
    const colours = await page.$$eval('.swatch', (all) => all.map((s) => s.value));
    assert.notEqual(colours[0], colours[1]);
    const both = await fingerprint(page);
    await page.click('[data-item="0"] [data-eye]');
    assert.equal((await drawnObjects(page)).filter((name) => name === 'surface').length, 1);
    assert.notEqual(await fingerprint(page), both);
}));

test('draws solid, edges, wireframe and points', () => withPage([ball], async (page) => {
    const pictures = new Set();
    const expected = { solid: ['surface'], edges: ['surface', 'wireframe'], wireframe: ['wireframe'], points: ['points'] };
    for (const [style, names] of Object.entries(expected)) {
        await page.click(`[data-name="style"] [data-value="${style}"]`);
        const drawn = await drawnObjects(page);
        assert.deepEqual(drawn.filter((n) => ['surface', 'wireframe', 'points'].includes(n)).sort(), names);
        pictures.add(await fingerprint(page));
    }
    assert.equal(pictures.size, 4);
    await page.click('[data-name="style"] [data-value="solid"]');
    const smooth = await fingerprint(page);
    await tick(page, 'smooth', false);
    assert.notEqual(await fingerprint(page), smooth);
    await tick(page, 'normals');
    assert.ok((await drawnObjects(page)).includes('normals'));
}));

test('turns, moves, zooms and frames with the mouse and the keys', () => withPage([ball], async (page) => {
    const camera = () => page.evaluate(() => window.toile.viewport.panes[0].rig.state);
    const pane = await (await page.$('.pane')).boundingBox();
    const [x, y] = [pane.x + pane.width / 2, pane.y + pane.height / 2];
    const drag = async (button) => {
        await page.mouse.move(x, y);
        await page.mouse.down({ button });
        await page.mouse.move(x + 40, y + 25, { steps: 4 });
        await page.mouse.up({ button });
    };
    const start = await camera();
    await drag('left');
    const turned = await camera();
    assert.notEqual(turned.azimuth, start.azimuth);
    assert.deepEqual(turned.target, start.target);
    await drag('right');
    const moved = await camera();
    assert.equal(moved.azimuth, turned.azimuth);
    assert.notDeepEqual(moved.target, turned.target);
    await page.mouse.wheel(0, 300);
    await until(page, (d) => window.toile.viewport.panes[0].rig.state.distance > d * 1.1, moved.distance);
    await page.keyboard.press('Home');
    assert.ok(Math.hypot(...(await camera()).target) < 1e-3);
    await page.keyboard.press('Numpad7');
    assert.ok((await camera()).elevation > 1.57);
    await page.keyboard.press('Numpad5');
    assert.equal((await camera()).orthographic, true);
    await page.keyboard.press('Numpad1');
    await page.keyboard.press('s');
    const vertex = await seenVertex(page, 0, 0, 40);
    const at = await placeOf(page, 0, 0, vertex);
    await page.mouse.click(at.x, at.y);
    const target = (await camera()).target;
    const p = (await positionsOf(page, 0)).slice(3 * vertex, 3 * vertex + 3);
    const missed = Math.hypot(...p.map((v, k) => v - target[k]));
    assert.ok(missed < 0.02, `the view is centred ${missed} m beside vertex ${vertex}`);
}));

test('plays, steps and rewinds a run, colours it, and plots its log', () => withPage([run], async (page) => {
    const { items } = await state(page);
    assert.equal(items[0].kind, 'run');
    const frames = items[0].frames;
    assert.ok(frames >= 12);
    const start = await positionsOf(page, 0);
    await page.keyboard.press('ArrowRight');
    await until(page, () => window.toile.stage.view(0).frame === 1);
    await page.fill('.frame-number', String(frames - 1));
    await page.dispatchEvent('.frame-number', 'change');
    await until(page, (f) => window.toile.stage.view(0).frame === f, frames - 1);
    assert.ok(farthest(start, await positionsOf(page, 0)) > 0.01);
    await page.click('[data-do="rewind"]');
    await until(page, () => window.toile.stage.view(0).frame === 0);
    await page.click('[data-do="play"]');
    await until(page, () => window.toile.stage.view(0).frame > 2);
    await page.keyboard.press('Space');
    assert.equal((await state(page)).playing, false);
    const plain = await fingerprint(page);
    const fields = items[0].fields.filter((f) => f !== 'velocity');
    assert.ok(fields.length >= 3);
    for (const field of fields) {
        await page.evaluate((f) => window.toile.app.setView({ colourBy: f, range: null }), field);
        await until(page, (f) => window.toile.app.state.legend?.title === f, field);
    }
    assert.notEqual(await fingerprint(page), plain);
    assert.ok(await page.isVisible('.legend'));
    await until(page, () => document.querySelectorAll('.plot').length > 2);
}));

test('shows every display of a run with traces', () => withPage([run], async (page) => {
    await page.fill('.frame-number', '12');
    await page.dispatchEvent('.frame-number', 'change');
    await until(page, () => window.toile.stage.view(0).frame === 12);
    const appears = async (name, object) => {
        await tick(page, name);
        await until(page, (wanted) => {
            let found = false;
            window.toile.viewport.scene.traverseVisible((o) => { found ||= o.name === wanted && (!o.isGroup || o.children.length > 0); });
            return found;
        }, object);
    };
    await appears('vertex-ids', 'vertex-ids');
    const ids = await page.evaluate(() => window.toile.vertexIds.labels.labels.length);
    assert.ok(ids > 10 && ids <= 300);
    await tick(page, 'vertex-ids', false);
    await appears('velocity', 'velocity');
    const short = await countPixels(page, '#e5484d');
    await page.evaluate(() => window.toile.app.setDisplays({ lengthFactor: 1, widthFactor: 4 }));
    assert.ok(await countPixels(page, '#e5484d') > short);
    await tick(page, 'velocity', false);
    await appears('boxes', 'boxes');
    await appears('proximity-boxes', 'proximity-boxes');
    const segments = () => page.evaluate(() => {
        let n = 0;
        window.toile.viewport.scene.traverse((o) => { if (o.name === 'boxes') n = o.geometry.attributes.instanceStart.count; });
        return n;
    });
    const many = await segments();
    await fill(page, 'maxDepth', 1);
    await until(page, () => window.toile.app.view.displays.maxDepth === 1);
    assert.ok(await segments() < many);
    await tick(page, 'boxes', false);
    await tick(page, 'proximity-boxes', false);
    await appears('candidates', 'candidates');
    assert.ok(await countPixels(page, '#e2b93b') > 0);
    await tick(page, 'candidates', false);
    await tick(page, 'contacts-point');
    await tick(page, 'contacts-edge');
    await until(page, () => (window.toile.app.state.trace?.steps[0].contacts.length ?? 0) > 0);
    const contacts = await page.evaluate(() => {
        const { contacts } = window.toile.app.state.trace.steps[0];
        const count = (kind) => contacts.filter((c) => c.pair[0] === kind).length;
        let red = 0, green = 0;
        window.toile.viewport.scene.traverse((o) => {
            if (o.name === 'contacts-node-triangle' && o.visible) red = o.geometry.attributes.instanceStart.count;
            if (o.name === 'contacts-edge-edge' && o.visible) green = o.geometry.attributes.instanceStart.count;
        });
        return { red, green, points: count('point-triangle'), edges: count('edge-edge') };
    });
    assert.equal(contacts.red, contacts.points);
    assert.equal(contacts.green, contacts.edges);
    await fill(page, 'contacts-to', 0);
    await until(page, () => {
        let n = -1;
        window.toile.viewport.scene.traverse((o) => { if (o.name === 'contacts-node-triangle') n = o.visible ? o.geometry.attributes.instanceStart.count : 0; });
        return n <= 1;
    });
    await tick(page, 'collisions-point');
    await tick(page, 'collisions-edge');
    await appears('next-step', 'next-step');
    assert.ok(await countPixels(page, '#f97316') >= 0);
    await appears('iterations', 'iteration');
    assert.deepEqual((await state(page)).errors.displays ?? '', '');
}));

test('compares two sequences side by side, overlaid and by their difference', () => withPage([run, box], async (page) => {
    await page.click('[data-name="compare"] [data-value="side"]');
    await ready(page);
    assert.equal(await page.evaluate(() => window.toile.viewport.nPanes), 2);
    const side = await fingerprint(page);
    await page.click('[data-name="compare"] [data-value="overlay"]');
    await ready(page);
    assert.equal(await page.evaluate(() => window.toile.viewport.nPanes), 1);
    assert.notEqual(await fingerprint(page), side);
    await tick(page, 'difference');
    await until(page, () => (window.toile.app.state.errors.look ?? '') !== '');
    assert.match(await page.textContent('.error[data-place="look"]'), /\w.*\.$/);
}));

test('colours the difference of two sequences, vertex by vertex', () => {
    const [a, b] = [join(folder, 'first'), join(folder, 'second')];
    writeFrames(a, ball, 4, ([x, y, z], frame) => [x + 0.1 * frame, y, z]);
    writeFrames(b, ball, 4, ([x, y, z], frame) => [x + 0.1 * frame, y + (y > 0.3 ? 0.05 * frame : 0), z]);
    return withPage([a, b], async (page) => {
        await page.click('[data-name="compare"] [data-value="overlay"]');
        await ready(page);
        const plain = await fingerprint(page);
        await tick(page, 'difference');
        for (const frame of [2, 3]) {
            await page.fill('.frame-number', String(frame));
            await page.dispatchEvent('.frame-number', 'change');
            await until(page, (f) => window.toile.stage.view(0).frame === f && window.toile.stage.view(1).frame === f, frame);
            await ready(page);
            await until(page, (most) => {
                const values = window.toile.stage.view(0).bodies.get(0).surface.geometry.getAttribute('value')?.array ?? [];
                return Math.abs(Math.max(...values) - most) < 1e-5;
            }, 0.05 * frame);
            const [values, start] = await page.evaluate(() => {
                const body = window.toile.stage.view(0).bodies.get(0);
                return [[...body.surface.geometry.getAttribute('value').array], [...body.mesh.positions]];
            });
            values.forEach((value, v) => {
                const wanted = start[3 * v + 1] > 0.3 ? 0.05 * frame : 0;
                assert.ok(Math.abs(value - wanted) < 1e-5, `vertex ${v}: ${value} m for ${wanted} m`);
            });
        }
        assert.equal((await state(page)).legend.unit, 'm');
        assert.notEqual(await fingerprint(page), plain);
    });
});

test('a folder of meshes is looked through, and what is chosen in it opens', () => {
    const meshes = join(folder, 'meshes');
    mkdirSync(join(meshes, 'more'), { recursive: true });
    copyFileSync(ball, join(meshes, 'red.obj'));
    copyFileSync(box, join(meshes, 'blue.obj'));
    copyFileSync(box, join(meshes, 'more', 'deep.obj'));
    return withPage([meshes], async (page) => {
        assert.deepEqual((await state(page)).items, [], 'it is no sequence: nothing is opened by itself');
        assert.ok(await page.isVisible('text=Nothing is open'));
        for (const name of ['red.obj', 'blue.obj']) {
            await page.click('text=Open…');
            await page.dblclick(`.files [data-name="${name}"]`);
            await until(page, (n) => window.toile.app.state.items.some((i) => i.path === n), name);
        }
        await page.click('text=Open…');
        await page.click('.files [data-name="more"]');
        await page.click('.files [data-name="deep.obj"]');
        await page.click('[data-do="confirm"]');
        await until(page, () => window.toile.app.state.items.length === 3);
        await ready(page);
        assert.equal((await drawnObjects(page)).filter((n) => n === 'surface').length, 3);
        assert.deepEqual((await state(page)).items.map((i) => i.path), ['red.obj', 'blue.obj', 'more/deep.obj']);
    });
});

test('takes up a lost connection, with the frame that was asked for meanwhile', () => withPage([run], async (page) => {
    await page.evaluate(() => {
        const { app } = window.toile;
        app.connection.socket.close();
        app.setView({ frame: 7 });
    });
    await until(page, () => window.toile.app.state.connection === 'lost');
    await until(page, () => window.toile.app.state.connection === 'open' && window.toile.stage.view(0)?.frame === 7);
    page.complaints.length = 0;
}));

test('loses nothing when it is loaded again', () => withPage([run], async (page) => {
    await page.fill('.frame-number', '5');
    await page.dispatchEvent('.frame-number', 'change');
    await page.click('[data-name="style"] [data-value="edges"]');
    await until(page, () => window.toile.stage.view(0).frame === 5);
    await page.keyboard.press('Numpad3');
    const camera = await page.evaluate(() => window.toile.viewport.panes[0].rig.state);
    await page.reload();
    await ready(page);
    await until(page, () => window.toile.stage.view(0).frame === 5);
    const { view } = await state(page);
    assert.equal(view.style, 'edges');
    assert.deepEqual(await page.evaluate(() => window.toile.viewport.panes[0].rig.state), camera);
}));

test('lists its shortcuts, and works in light and dark and at a high density', () => withPage([ball], async (page, studio) => {
    await page.keyboard.press('?');
    assert.ok(await page.isVisible('dialog.help'));
    assert.match(await page.textContent('dialog.help'), /centre on a point/);
    await page.keyboard.press('Escape');
    const dark = await fingerprint(page);
    await page.click('button[title^="Theme"]');
    assert.equal(await page.getAttribute('html', 'data-theme'), 'light');
    assert.notEqual(await fingerprint(page), dark);
    const dense = await openPage(studio.url, { density: 2 });
    const width = await dense.evaluate(() => [window.toile.viewport.renderer.domElement.width, window.toile.viewport.element.clientWidth]);
    assert.equal(width[0], 2 * width[1]);
    await dense.context().close();
}));
