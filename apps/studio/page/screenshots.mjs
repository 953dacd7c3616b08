// SPDX-License-Identifier: Apache-2.0
// Makes the pictures of docs/studio.md anew: `npm run screenshots`, after a build of the program.
// They are taken of the real program, with scenes and an animal of the project's own.

import { execFileSync } from 'node:child_process';
import { mkdirSync, renameSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const project = join(dirname(fileURLToPath(import.meta.url)), '../../..');
process.env.TOILE_PROGRAM ||= join(project, 'build/release/bin/toile');
process.env.TOILE_PAGE_BUILD ||= join(project, 'apps/studio/page');
const {
    closeBrowser, goTo, jobDone, openPage, ready, scratchFolder, seenVertex, placeOf, startStudio, toile, until,
} = await import('../../../tests/studio_page/harness.mjs');

const images = join(project, 'docs/images');
const folder = scratchFolder();
const kSize = { width: 1280, height: 720 };
mkdirSync(images, { recursive: true });

async function picture(page, name) {
    await ready(page);
    await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));
    await page.screenshot({ path: join(images, `studio-${name}.png`) });
}

async function withPage(paths, scheme, run) {
    const studio = await startStudio(...paths);
    const page = await openPage(studio.url, { ...kSize, scheme, smooth: true });
    try {
        await run(page);
    } finally {
        await page.context().close();
        await studio.stop();
    }
}

const set = (page, view) => page.evaluate((v) => window.toile.app.setView(v), view);

async function chooseFrame(page, frame) {
    await set(page, { frame });
    await until(page, (f) => [...window.toile.viewport.panes[0].items].every((i) => {
        const item = window.toile.app.state.items.find((one) => one.item === i);
        return window.toile.stage.view(i)?.frame === Math.min(f, item.frames - 1);
    }), frame);
}

async function look() {
    const run = join(folder, 'turning');
    toile('simulate', join(project, 'examples/rotatingsphere/scene.toml'), '-o', run, '--frames', 45, '--trace', 30);
    await withPage([run], 'dark', async (page) => {
        await set(page, { colourBy: 'strain', map: 'heat' });
        await chooseFrame(page, 40);
        await page.evaluate(() => window.toile.viewport.panes[0].rig.zoom(-520));
        await picture(page, 'look');
        await set(page, { colourBy: 'body', style: 'edges' });
        await page.evaluate(() => {
            window.toile.app.setDisplays({
                contacts: { first: true, second: true, from: 0, to: 100000 }, velocity: true, lengthFactor: 0.12, widthFactor: 1.2,
            });
            document.querySelector('[data-section="displays"]').open = true;
        });
        await chooseFrame(page, 30);
        await until(page, () => window.toile.app.state.trace !== null);
        await page.evaluate(() => window.toile.viewport.panes[0].rig.zoom(-300));
        await picture(page, 'displays');
    });
}

async function simulate() {
    await withPage([join(project, 'examples/rotatingsphere/scene.toml')], 'light', async (page) => {
        await until(page, () => window.toile.app.state.schema.length > 0);
        await page.click('[data-do="play"]');
        await until(page, () => window.toile.app.state.sim.frame >= 24);
        await page.click('[data-do="play"]');
        await until(page, () => window.toile.app.state.sim.state === 'paused');
        await page.evaluate(() => { [...document.querySelectorAll('.group')].find((g) => /cloth/i.test(g.textContent)).open = true; });
        await page.evaluate(() => window.toile.viewport.panes[0].rig.zoom(-450));
        await until(page, () => window.toile.stage.view(0).frame === window.toile.app.state.sim.frame);
        await picture(page, 'simulate');
    });
}

async function matchAndTransfer(animals) {
    await withPage([join(animals, 'rest.obj'), join(animals, 'another.obj'), join(animals, 'swim')], 'dark', async (page) => {
        const item = (name) => page.evaluate((n) => window.toile.app.state.items.find((i) => i.name.startsWith(n)).item, name);
        const [rest, another, swim] = [await item('rest'), await item('another'), await item('swim')];
        await goTo(page, 'match');
        await page.evaluate(([source, target]) => window.toile.app.ask('match', 'match.open', { source, target }), [rest, another]);
        await until(page, () => window.toile.viewport.nPanes === 2);
        await ready(page);
        const { roots } = await page.evaluate(() => ({ roots: window.toile.app.state.roots }));
        for (let root = 0; root < roots.length; ++root) {
            await page.evaluate((r) => window.toile.app.ask('match', 'match.load', { root: r, path: 'markers.cons' }), root);
            if (await page.evaluate(() => window.toile.app.state.match.pairs.length)) break;
        }
        await until(page, () => window.toile.app.state.match.pairs.length > 0);
        await page.evaluate(() => window.toile.app.ask('match', 'match.fit', { options: {} }));
        await until(page, () => window.toile.app.state.match.report !== null);
        await jobDone(page);
        await until(page, (s) => window.toile.stage.view(s).bodies.get(0).hasTriangleColours, another);
        await picture(page, 'match');
        await goTo(page, 'transfer');
        await page.selectOption('select[name="transfer-source"]', String(swim));
        await page.selectOption('select[name="transfer-rest"]', String(rest));
        await page.selectOption('select[name="transfer-target"]', String(another));
        await page.click('[data-panel="transfer"] button.primary');
        await until(page, () => window.toile.app.state.transfer.result !== null);
        await ready(page);
        await chooseFrame(page, 6);
        await picture(page, 'transfer');
    });
}

async function edit(animals) {
    await withPage([join(animals, 'swim')], 'light', async (page) => {
        await goTo(page, 'edit');
        await page.selectOption('select[name="edit-item"]', '0');
        await until(page, () => window.toile.app.state.edit.item === 0);
        await ready(page);
        await chooseFrame(page, 6);
        const at = await placeOf(page, 0, 0, await seenVertex(page, 0, 0, 900));
        await set(page, { tool: 'brush', brush: 34 });
        await page.mouse.click(at.x, at.y);
        await set(page, { tool: 'translate' });
        await until(page, () => !!window.toile.editing.gizmo.object);
        await picture(page, 'edit');
    });
}

const animals = join(folder, 'animals');
execFileSync('python3', [join(project, 'examples/motion/animal.py'), animals]);
mkdirSync(join(animals, 'swim'));
for (const name of execFileSync('ls', [animals], { encoding: 'utf8' }).split('\n').filter((n) => /^animal_\d+\.obj$/.test(n))) {
    renameSync(join(animals, name), join(animals, 'swim', name));
}
const wanted = process.argv.slice(2);
const pictures = { look, simulate, match: () => matchAndTransfer(animals), edit: () => edit(animals) };
try {
    for (const [name, make] of Object.entries(pictures)) {
        if (!wanted.length || wanted.includes(name)) await make();
    }
} finally {
    await closeBrowser();
}
