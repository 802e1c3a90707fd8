// A figure that runs, as one HTML file for a slide deck without network: the page's own modules, the engine and the kernels of its
// ladder stand in it as text.
import { stateOf } from './link.js';
import { filesOf, setsOf } from './module.js';

const here = (name) => new URL(name, import.meta.url);
const text = async (name) => (await fetch(here(name))).text();
const packed = async (name) => new Uint8Array(await (await fetch(here(name))).arrayBuffer());
const through = async (bytes, stream) => new Uint8Array(await new Response(new Blob([bytes]).stream().pipeThrough(stream)).arrayBuffer());
const base64 = (bytes) => new Promise((done) => {
  const reader = new FileReader();
  reader.onload = () => done(String(reader.result).split(',')[1] ?? '');
  reader.readAsDataURL(new Blob([bytes]));
});

/** Modules one after another as one: what they take from each other stands before. */
const joined = async (names) => (await Promise.all(names.map(text))).join('\n').replace(/^import .*$/gm, '').replace(/^export /gm, '').replaceAll('</script', '<\\/script');

const within = async (files) => {
  const head = JSON.stringify(Object.fromEntries(files.map(([path, data]) => [path, data.length])));
  return through(await new Blob([head, '\n', ...files.map(([, data]) => data)]).arrayBuffer(), new CompressionStream('gzip'));
};
/** The data without lessons and other ladders. */
const isNeeded = (path, ladder) => !path.startsWith('home/lessons/') && (!path.startsWith('home/kernels/') || path.split('/').length < 4 || path.startsWith(`home/kernels/${ladder}/`));

/** state: a link, with its #. arch: what the kernels of its device are compiled for. @returns {Promise<Blob>} */
export async function oneFile(state, kernel, arch, sliders, title) {
  const ladder = kernel.split('/')[0], params = stateOf(state).params, archives = {};
  const archive = (name) => packed(`kernels/${name}.gz`), unpacked = async (bytes) => filesOf(await through(bytes, new DecompressionStream('gzip')));
  const files = await unpacked(await packed('data.gz'));
  const away = ({ values }) => values.filter((value) => value !== `${value.split('=')[0]}=${params[value.split('=')[0]]}`).length;
  const sets = (await unpacked(await archive(ladder))).filter(([path]) => path.startsWith(`sets/${ladder}/`)).flatMap(([path, data]) => setsOf(path, data));
  // Those of other steps with their own values are compared with; they have none in the list.
  const near = sets.filter((set) => set.arch === arch && (set.step === kernel || !set.values.length) && away(set) <= 1);
  for (const name of [ladder, kernel, ...near.map((set) => set.archive)]) archives[name] = await base64(await archive(name));
  const given = { module: await base64(await packed('warplens.wasm.gz')), data: await base64(await within(files.filter(([path]) => isNeeded(path, ladder)))), archives, worker: await joined(['wasi.js', 'module.js', 'worker.js']) };
  const quoted = (value) => value.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;');
  return new Blob([`<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><meta name="color-scheme" content="dark light"><title>${quoted(title)}</title><link rel="icon" href="data:,">
<style>body { margin: 0; }</style></head><body><warp-lens state="${quoted(state)}" sliders="${quoted(sliders)}"></warp-lens>
<script type="application/json" id="given">${JSON.stringify(given).replaceAll('<', '\\u003c')}</script>
<script type="module">
const given = JSON.parse(document.getElementById('given').textContent);
const bytes = async (base64) => new Response((await fetch('data:application/octet-stream;base64,' + base64)).body.pipeThrough(new DecompressionStream('gzip'))).arrayBuffer();
globalThis.warplens = { worker: URL.createObjectURL(new Blob([given.worker], { type: 'text/javascript' })), module: bytes(given.module), data: bytes(given.data),
  archives: Promise.all(Object.entries(given.archives).map(async ([name, text]) => [name, new Uint8Array(await bytes(text))])).then(Object.fromEntries) };
</script>
<script type="module">
${await joined(['dom.js', 'link.js', 'engine.js', 'warp-lens.js'])}
</script></body></html>
`], { type: 'text/html' });
}
