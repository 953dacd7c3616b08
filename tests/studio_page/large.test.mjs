// SPDX-License-Identifier: Apache-2.0
// Large meshes: that they open and are scrubbed without new buffers. How long it takes is measured
// by tools/studio_scrub.mjs, not here.
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { after, test } from 'node:test';

import {
    closeBrowser, drawnObjects, fingerprint, openPage, ready, scratchFolder, seenVertex, placeOf,
    startStudio, state, toile, until, writeCache,
} from './harness.mjs';

const folder = scratchFolder();
after(closeBrowser);

async function withPage(paths, run) {
    const studio = await startStudio(...paths);
    const page = await openPage(studio.url);
    try {
        await run(page);
        assert.deepEqual(page.complaints, []);
    } finally {
        await page.context().close();
        await studio.stop();
    }
}

test('a mesh of 200,000 vertices opens, turns and is picked', () => {
    const mesh = join(folder, 'large.obj');
    toile('make', 'rectangle', '-o', mesh, '--divisions', '447x447');
    return withPage([mesh], async (page) => {
        const { items } = await state(page);
        assert.ok(items[0].bodies[0].vertices > 200000);
        assert.ok((await drawnObjects(page)).includes('surface'));
        const before = await fingerprint(page);
        await page.keyboard.press('Numpad7');
        assert.notEqual(await fingerprint(page), before);
        const vertex = await seenVertex(page, 0, 0, 100000);
        const at = await placeOf(page, 0, 0, vertex);
        assert.ok(at.x > 0 && at.y > 0);
    });
});

test('a sequence of 50,000 vertices is scrubbed in the buffers that are there', () => {
    const mesh = join(folder, 'fine.obj'), cache = join(folder, 'fine.pc2');
    toile('make', 'rectangle', '-o', mesh, '--divisions', '223x223');
    writeCache(cache, mesh, 6);
    return withPage([cache], async (page) => {
        assert.ok((await state(page)).items[0].bodies[0].vertices > 50000);
        const buffers = () => page.evaluate(() => {
            const body = window.toile.stage.view(0).bodies.get(0);
            const { geometry } = body.surface;
            window.kept ??= [body.positions, geometry, geometry.getAttribute('position'), geometry.getIndex()];
            const now = [body.positions, geometry, geometry.getAttribute('position'), geometry.getIndex()];
            return now.every((one, i) => one === window.kept[i]);
        });
        assert.ok(await buffers());
        for (const frame of [3, 1, 5]) {
            await page.evaluate((f) => window.toile.app.setView({ frame: f }), frame);
            await until(page, (f) => window.toile.stage.view(0).frame === f, frame);
            await ready(page);
            assert.ok(await buffers(), `frame ${frame} made new buffers`);
            const height = await page.evaluate(() => window.toile.stage.view(0).bodies.get(0).positions[1]);
            assert.ok(Math.abs(height - 0.1 * frame) < 1e-5);
        }
    });
});
