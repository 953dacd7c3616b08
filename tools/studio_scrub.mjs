// SPDX-License-Identifier: Apache-2.0
// Script time of a scrubbed frame in the studio's page: `node tools/studio_scrub.mjs [FRAMES]`, after a
// build. It opens a PC2 sequence of 50,176 vertices in Chromium, coloured by displacement, and prints the
// median and the extremes of what the page's script takes from the arrival of a frame to the end of drawing.

import { mkdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const project = join(dirname(fileURLToPath(import.meta.url)), '..');
process.env.TOILE_PROGRAM ||= join(project, 'build/release/bin/toile');
process.env.TOILE_PAGE_BUILD ||= join(project, 'build/release/apps/studio/page');
const { closeBrowser, openPage, ready, scratchFolder, startStudio, toile, until, writeCache } =
    await import('../tests/studio_page/harness.mjs');

const kFrames = Number(process.argv[2] ?? 60);
const folder = scratchFolder();
mkdirSync(folder, { recursive: true });
const mesh = join(folder, 'sheet.obj'), cache = join(folder, 'sheet.pc2');
toile('make', 'rectangle', '-o', mesh, '--divisions', '223x223');
writeCache(cache, mesh, kFrames);

async function measure(page, name) {
    const times = [];
    for (let frame = 1; frame < kFrames; ++frame) {
        times.push(await page.evaluate((f) => new Promise((resolve) => {
            const { app, viewport, stage } = window.toile;
            const before = viewport.stats.frames;
            app.setView({ frame: f });
            const look = () => {
                if (stage.view(0).frame === f && viewport.stats.frames > before) resolve(viewport.stats.scriptMilliseconds);
                else requestAnimationFrame(look);
            };
            requestAnimationFrame(look);
        }), frame));
    }
    times.sort((a, b) => a - b);
    const at = (share) => times[Math.floor(share * (times.length - 1))].toFixed(2);
    console.log(`${name}: median ${at(0.5)} ms, least ${at(0)} ms, nine of ten below ${at(0.9)} ms, ${times.length} frames`);
}

const studio = await startStudio(cache);
try {
    const page = await openPage(studio.url);
    await page.evaluate(() => window.toile.app.setView({ colourBy: 'displacement' }));
    await until(page, () => window.toile.app.state.legend !== null);
    await ready(page);
    await measure(page, 'coloured, smooth shading');
    await page.evaluate(() => window.toile.app.setView({ smooth: false, frame: 0 }));
    await ready(page);
    await measure(page, 'coloured, flat shading');
    await page.evaluate(() => window.toile.app.setView({ smooth: true, colourBy: 'body', frame: 0 }));
    await ready(page);
    await measure(page, 'plain, smooth shading');
} finally {
    await closeBrowser();
    await studio.stop();
}
