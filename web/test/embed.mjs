// embed.mjs SITE REVEAL PACKAGE OUT [BROWSER]: figures in other pages. SITE: the folder that ./package --web makes; REVEAL: that of
// reveal.js; PACKAGE: a lesson as web/scorm.py makes it. One file without network, a slide deck with a frame, and a course.
import { execFileSync, spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { open } from './browser.mjs';

const [site, reveal, scorm, out, name = 'chromium'] = process.argv.slice(2).map((a, i) => (i < 4 ? resolve(a) : a));
mkdirSync(out, { recursive: true });
const folder = mkdtempSync(join(tmpdir(), 'warplens-deck-'));
symlinkSync(site, join(folder, 'site'));
symlinkSync(reveal, join(folder, 'reveal'));
mkdirSync(join(folder, 'course'));
execFileSync('python3', ['-m', 'zipfile', '-e', scorm, join(folder, 'course')]);
writeFileSync(join(folder, 'deck.html'), `<!doctype html><html><head><meta charset="utf-8"><link rel="icon" href="data:,">
<link rel="stylesheet" href="reveal/dist/reveal.css"><link rel="stylesheet" href="reveal/dist/theme/white.css"></head><body>
<div class="reveal"><div class="slides"><section><h2>Before</h2></section><section><h3>A tile</h3>
<iframe data-src="site/figure.html#matmul/03_shared_tile?TILE=16&size.M=64&size.N=64&size.K=64&figure=banks" width="900" height="520" style="border:0"></iframe></section></div></div>
<script src="reveal/dist/reveal.js"></script><script>Reveal.initialize({ controls: true });</script></body></html>`);
writeFileSync(join(folder, 'lms.html'), `<!doctype html><html><head><meta charset="utf-8"><link rel="icon" href="data:,"><script>
const kept = window.kept = { calls: [] };
const API = window.API = { LMSInitialize: () => 'true', LMSFinish: () => 'true', LMSCommit: () => 'true', LMSGetLastError: () => '0',
  LMSGetValue: (n) => kept[n] ?? '', LMSSetValue: (n, v) => { kept[n] = v; kept.calls.push(n); return 'true'; } };
</script></head><body><iframe src="course/lesson.html" width="1200" height="780"></iframe></body></html>`);

const server = spawn('node', [join(dirname(fileURLToPath(import.meta.url)), 'files.mjs'), folder], { stdio: ['ignore', 'pipe', 'inherit'] });
const address = await new Promise((done) => server.stdout.once('data', (data) => done(String(data).trim())));
const browser = await open(name);
let failed = 0;
async function task(what, does) {
  try { console.log(`ok    ${what}: ${await does()}`); } catch (error) { failed++; console.log(`WRONG ${what}: ${error.message}`); }
}
const inner = (script, of = 'document') => `const d = ${of}; return d && (() => { ${script} })()`;

try {
  await browser.size(1280, 800);
  await task('one file, without network', async () => {
    await browser.go(`${address}site/index.html`);
    await browser.until('return document.querySelector("#lessons li a")');
    const html = await browser.run(`return import('./one-file.js').then((m) => m.oneFile(arguments[0], 'matmul/03_shared_tile', '90', 'TILE', 'A tile')).then((b) => b.text())`, '#matmul/03_shared_tile?size.M=64&size.N=64&size.K=64&figure=access');
    const file = join(out, 'one-file.html');
    writeFileSync(file, html);
    server.kill();
    await browser.go(`file://${file}`);
    const svg = inner('return d.querySelector("warp-lens").shadowRoot.querySelector("svg")?.outerHTML.length');
    const begin = Date.now();
    await browser.until(svg);
    const took = Date.now() - begin, before = await browser.run(svg);
    await browser.run(inner('const e = d.querySelector("warp-lens").shadowRoot.querySelector("input"); e.value = 0; e.dispatchEvent(new Event("input"))'));
    await browser.until(`${svg.replace('return d.', 'const n = d.').replace('.length', '.length; return n !== arguments[0]')}`.replace('arguments[0]', before));
    await browser.picture(join(out, `one-file-${name}.png`));
    return `${html.length} bytes, ${took} ms`;
  });
} finally {
  server.kill();
}
const again = spawn('node', [join(dirname(fileURLToPath(import.meta.url)), 'files.mjs'), folder], { stdio: ['ignore', 'pipe', 'inherit'] });
const second = await new Promise((done) => again.stdout.once('data', (data) => done(String(data).trim())));
try {
  await task('a frame in a slide of reveal.js', async () => {
    await browser.go(`${second}deck.html`);
    await browser.until('return window.Reveal?.isReady()');
    await browser.key('ArrowRight');
    await browser.until('return !!document.querySelector("iframe").contentDocument?.querySelector("warp-lens")?.shadowRoot.querySelector("svg")');
    await browser.picture(join(out, `deck-${name}.png`));
    return 'drawn';
  });
  await task('a lesson in a course', async () => {
    await browser.go(`${second}lms.html`);
    const page = 'document.querySelector("iframe").contentDocument?.querySelector("iframe")?.contentDocument';
    await browser.until(inner('return d.querySelector("#choices button") && !d.querySelector("#ask").hidden && !d.querySelector("#picture.busy")', page));
    await browser.run(inner('d.querySelector("#choices button").click()', page));
    await browser.until('return kept["cmi.core.score.raw"] !== undefined && kept["cmi.core.score.raw"] !== ""');
    await browser.run(inner('d.querySelector("#next").click()', page));
    await browser.until('return kept["cmi.core.lesson_location"] === "2"');
    const said = await browser.run('return JSON.stringify({ ...kept, calls: kept.calls.length })');
    await browser.picture(join(out, `course-${name}.png`));
    return said;
  });
  await task('no error in the console', async () => {
    const errors = await browser.errors();
    if (errors.length) throw new Error(errors.join('; '));
    return 'none';
  });
} finally {
  again.kill();
  await browser.close();
}
process.exit(failed ? 1 : 0);
