// SPDX-License-Identifier: Apache-2.0
// Starts `toile studio` as a person would, and drives its page in Chromium. Tests wait for
// conditions, never for a time; what is drawn is read from the canvas and from the scene's objects.

import { execFileSync, spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

function required(name) {
    const value = process.env[name];
    if (!value) throw new Error(`${name} is not set; these tests are started by ctest`);
    return value;
}

/** The program that is tested. */
export const kToile = required('TOILE_PROGRAM');
const { chromium } = createRequire(join(required('TOILE_PAGE_BUILD'), 'package.json'))('playwright-core');

const kChromium = process.env.TOILE_CHROMIUM || '/usr/bin/chromium';
const kFlags = [
    '--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run',
    '--disable-background-networking', '--disable-component-update', '--disable-sync',
];
/** A limit for what never comes; nothing that works takes near as long. */
const kPatience = Number(process.env.TOILE_PATIENCE || 120000);
/** A bundle to be tested in place of the program's own, while the page is worked on. */
const kOtherBundle = process.env.TOILE_PAGE_DIST;

export function toile(...words) {
    return execFileSync(kToile, words.map(String), { encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] });
}

/** A folder that is removed when the test file ends. */
export function scratchFolder() {
    const folder = mkdtempSync(join(tmpdir(), 'toile-studio-'));
    scratch.push(folder);
    return folder;
}

const scratch = [];
process.on('exit', () => scratch.forEach((folder) => rmSync(folder, { recursive: true, force: true })));

/** A small cloth over a ball: a scene that touches soon and is quick to step. */
export function writeScene(path, { divisions = 12, duration = 0.8, name = 'cloth', colour = '' } = {}) {
    writeFileSync(path, `
[scene]
frame_rate = 25
duration = ${duration}

[[cloth]]
name = "${name}"
${colour ? `colour = ${colour}` : ''}
shape = { type = "rectangle", width = 1, length = 1, divisions = [${divisions}, ${divisions}] }
translation = [0, 0.26, 0]
fabric = "cotton"

[[obstacle]]
name = "ball"
shape = { type = "sphere", radius = 0.25, subdivisions = 2 }
`);
    return path;
}

/** The server on a free port; `url` is what it prints. */
export async function startStudio(...paths) {
    const child = spawn(kToile, ['studio', '--port', '0', '--no-open', ...paths], { stdio: ['ignore', 'pipe', 'pipe'] });
    let said = '';
    const url = await new Promise((resolve, reject) => {
        const listen = (data) => {
            said += data;
            const found = /http:\/\/\S+token=[0-9a-f]+/.exec(said);
            if (found) resolve(found[0]);
        };
        child.stdout.on('data', listen);
        child.stderr.on('data', listen);
        child.on('exit', (code) => reject(new Error(`toile studio ended with ${code}:\n${said}`)));
    });
    const ended = new Promise((resolve) => child.on('exit', resolve));
    return {
        url,
        async stop() {
            child.kill('SIGINT');
            await ended;
        },
    };
}

let browser = null;

/** A page of its own profile; complaints of the browser are kept in `page.complaints`. */
export async function openPage(url, { width = 900, height = 600, scheme = 'dark', density = 1, smooth = false } = {}) {
    browser ??= await chromium.launch({ executablePath: kChromium, args: kFlags });
    const context = await browser.newContext({
        viewport: { width, height }, colorScheme: scheme, deviceScaleFactor: density, acceptDownloads: true,
    });
    const page = await context.newPage();
    page.setDefaultTimeout(kPatience);
    page.complaints = [];
    page.foreign = [];
    page.on('console', (message) => {
        const quiet = /GPU stall|software WebGL|swiftshader/i.test(message.text());
        if (message.type() === 'error' && !quiet) page.complaints.push(message.text());
    });
    page.on('pageerror', (error) => page.complaints.push(error.stack));
    page.on('request', (request) => {
        const own = request.url().startsWith(new URL(url).origin);
        if (!own && !/^(data|blob):/.test(request.url())) page.foreign.push(request.url());
    });
    if (kOtherBundle) {
        await page.route(/\/studio\.(js|css)$/, (route) => route.fulfill({ path: join(kOtherBundle, new URL(route.request().url()).pathname) }));
    }
    await page.goto(smooth ? url : `${url}&antialias=0`);
    await ready(page);
    return page;
}

export async function closeBrowser() {
    await browser?.close();
    browser = null;
}

/** The server has said what there is, and all that is shown has come. */
export async function ready(page) {
    await page.waitForFunction(() => window.toile?.app.state.connection === 'open' && !window.toile.stage.busy
        && window.toile.viewport.panes.slice(0, window.toile.viewport.nPanes).every((pane) =>
            [...pane.items].every((item) => window.toile.viewport.items.has(item))));
}

export function state(page) {
    return page.evaluate(() => {
        const { state: s } = window.toile.app;
        return JSON.parse(JSON.stringify({ ...s, selection: [...s.selection] }));
    });
}

/** Waits until a function of the argument is true in the page. */
export function until(page, test, argument) {
    return page.waitForFunction(test, argument);
}

/** Goes to a workspace by its tab. */
export function goTo(page, workspace) {
    return page.click(`.tabs [data-workspace="${workspace}"]`);
}

/** Where a vertex is on the screen, for the mouse. */
export function placeOf(page, item, body, vertex) {
    return page.evaluate(([i, b, v]) => {
        const { viewport } = window.toile;
        const pane = viewport.panes.slice(0, viewport.nPanes).find((p) => p.items.has(i));
        const at = viewport.project(pane, viewport.items.get(i).bodies.get(b).vertex(v));
        const box = pane.element.getBoundingClientRect();
        return { x: box.left + at.x, y: box.top + at.y };
    }, [item, body, vertex]);
}

/** A vertex that is seen from where the camera is: a click on it picks it. */
export function seenVertex(page, item, body, wanted) {
    return page.evaluate(([i, b, first]) => {
        const { viewport } = window.toile;
        const pane = viewport.panes.slice(0, viewport.nPanes).find((p) => p.items.has(i));
        const view = viewport.items.get(i).bodies.get(b);
        for (let k = 0; k < view.nVertices; ++k) {
            const v = (first + k) % view.nVertices;
            const at = viewport.project(pane, view.vertex(v));
            const { width, height } = viewport.paneSize();
            if (at.x < 30 || at.y < 30 || at.x > width - 150 || at.y > height - 100) continue;
            const hit = viewport.pick(pane, at.x, at.y);
            const inside = [[-3, 0], [3, 0], [0, -3], [0, 3]].every(([x, y]) => {
                const beside = viewport.pick(pane, at.x + x, at.y + y);
                return beside?.item.item === i && beside.body.index === b;
            });
            if (inside && hit && hit.item.item === i && hit.body.index === b && hit.vertex === v) return v;
        }
        throw new Error('no vertex is seen');
    }, [item, body, wanted]);
}

/** Draws, and counts the pixels of the canvas by what they are near to (`#rrggbb`, within 40). */
export function countPixels(page, colour) {
    return page.evaluate((hex) => {
        const { viewport } = window.toile;
        viewport.draw();
        const gl = viewport.renderer.getContext();
        const { drawingBufferWidth: w, drawingBufferHeight: h } = gl;
        const bytes = new Uint8Array(4 * w * h);
        gl.readPixels(0, 0, w, h, gl.RGBA, gl.UNSIGNED_BYTE, bytes);
        const wanted = [1, 3, 5].map((i) => parseInt(hex.slice(i, i + 2), 16));
        let count = 0;
        for (let i = 0; i < bytes.length; i += 4) {
            const far = Math.abs(bytes[i] - wanted[0]) + Math.abs(bytes[i + 1] - wanted[1]) + Math.abs(bytes[i + 2] - wanted[2]);
            if (far < 40) ++count;
        }
        return count;
    }, colour);
}

/** A number that two different pictures hardly share. */
export function fingerprint(page) {
    return page.evaluate(() => {
        const { viewport } = window.toile;
        viewport.draw();
        const gl = viewport.renderer.getContext();
        const { drawingBufferWidth: w, drawingBufferHeight: h } = gl;
        const bytes = new Uint8Array(4 * w * h);
        gl.readPixels(0, 0, w, h, gl.RGBA, gl.UNSIGNED_BYTE, bytes);
        let hash = 17;
        for (const byte of bytes) hash = (Math.imul(hash, 31) + byte) | 0;
        return hash;
    });
}

/** Names of the scene's objects that are drawn and hold something, of all panes. */
export function drawnObjects(page) {
    return page.evaluate(() => {
        const { viewport } = window.toile;
        viewport.draw();
        const names = [];
        for (const pane of viewport.panes.slice(0, viewport.nPanes)) {
            for (const other of viewport.panes) other.overlay.visible = other === pane;
            for (const view of viewport.items.values()) view.group.visible = pane.items.has(view.item);
            viewport.scene.traverseVisible((object) => {
                const filled = !object.geometry || object.geometry.attributes.position?.count > 0
                    || object.geometry.attributes.instanceStart?.count > 0;
                if (object.name && filled && (object.isMesh || object.isLine || object.isPoints)) names.push(object.name);
            });
        }
        return names;
    });
}

export function positionsOf(page, item, body = 0) {
    return page.evaluate(([i, b]) => [...window.toile.viewport.items.get(i).bodies.get(b).positions], [item, body]);
}

/** The largest distance between corresponding vertices. */
export function farthest(a, b) {
    let most = 0;
    for (let i = 0; i < a.length; i += 3) {
        most = Math.max(most, Math.hypot(a[i] - b[i], a[i + 1] - b[i + 1], a[i + 2] - b[i + 2]));
    }
    return most;
}

/** Sets a checkbox of the page by its name. */
export async function tick(page, name, on = true) {
    await page.evaluate(() => document.querySelectorAll('details').forEach((d) => { d.open = true; }));
    await page.setChecked(`input[type="checkbox"][name="${name}"]`, on);
}

export async function fill(page, name, value) {
    await page.evaluate(() => document.querySelectorAll('details').forEach((d) => { d.open = true; }));
    await page.fill(`input[name="${name}"]`, String(value));
    await page.dispatchEvent(`input[name="${name}"]`, 'change');
}

/** Writes numbered meshes: an OBJ file's, with its vertices moved by a function of point and frame. */
export function writeFrames(folder, mesh, count, move) {
    mkdirSync(folder, { recursive: true });
    const lines = readFileSync(mesh, 'utf8').split('\n');
    for (let frame = 0; frame < count; ++frame) {
        const moved = lines.map((line) => {
            if (!line.startsWith('v ')) return line;
            return `v ${move(line.split(/\s+/).slice(1, 4).map(Number), frame).join(' ')}`;
        });
        writeFileSync(join(folder, `frame_${String(frame).padStart(4, '0')}.obj`), moved.join('\n'));
    }
    return folder;
}

/** A PC2 point cache of a mesh, whose frames each lie a tenth of a metre higher than the last. */
export function writeCache(path, mesh, frames) {
    const points = readFileSync(mesh, 'utf8').split('\n').filter((line) => line.startsWith('v '))
        .map((line) => line.split(/\s+/).slice(1, 4).map(Number));
    const head = Buffer.alloc(32);
    head.write('POINTCACHE2\0', 'latin1');
    head.writeInt32LE(1, 12);
    head.writeInt32LE(points.length, 16);
    head.writeFloatLE(0, 20);
    head.writeFloatLE(1, 24);
    head.writeInt32LE(frames, 28);
    const all = Array.from({ length: frames }, (_, frame) =>
        Buffer.from(new Float32Array(points.flatMap(([x, y, z]) => [x, y + 0.1 * frame, z])).buffer));
    writeFileSync(path, Buffer.concat([head, ...all]));
}

/** Waits for the end of the job of that name; a failure's sentence fails the test. */
export async function jobDone(page) {
    await until(page, () => window.toile.app.state.job && window.toile.app.state.job.state !== 'running');
    const { job } = await state(page);
    if (job.state !== 'done') throw new Error(`${job.name} is ${job.state}: ${JSON.stringify(job.error)}`);
}
