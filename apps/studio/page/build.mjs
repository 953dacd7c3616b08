// SPDX-License-Identifier: Apache-2.0
// Bundles the page into three files: page.html, studio.js and studio.css. They go to
// $TOILE_PAGE_OUT, or to dist/ beside this file.

import { build } from 'esbuild';
import { copyFile, mkdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const here = dirname(fileURLToPath(import.meta.url));
const out = process.env.TOILE_PAGE_OUT || join(here, 'dist');

await mkdir(out, { recursive: true });
await build({
    absWorkingDir: here,
    entryPoints: { studio: 'src/main.ts' },
    outdir: out,
    bundle: true,
    minify: true,
    format: 'iife',
    target: 'es2022',
    charset: 'utf8',
    legalComments: 'inline',
    logLevel: 'warning',
});
await build({
    absWorkingDir: here,
    entryPoints: { studio: 'src/style/studio.css' },
    outdir: out,
    bundle: true,
    minify: true,
    charset: 'utf8',
    logLevel: 'warning',
});
await copyFile(join(here, 'src/page.html'), join(out, 'page.html'));
