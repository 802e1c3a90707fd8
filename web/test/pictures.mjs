// pictures.mjs PROGRAM HOME SITE: whether the module draws what `warplens export` draws, in ten states; measured text may differ in
// its last digit. Images are compared by their pixels: the module has another PNG encoder.
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdtempSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { inflateSync } from 'node:zlib';
import { opened } from './site.mjs';

const [program, home, site] = process.argv.slice(2);
const STATES = [
  ['access', 'matmul/01_naive', 64], ['banks', 'matmul/03_shared_tile', 64], ['access', 'matmul/05_register_2d', 128], ['access', 'transpose/02_tiled', 128],
  ['access', 'reduction/03_sequential', 4096], ['flow', 'matmul/02_coalesced', 64], ['access', 'memory/03_strided', 4096], ['occupancy', 'matmul/04_register_1d', 128],
  ['time', 'matmul/01_naive', 64], ['access', 'first/02_increment', 600],
];
/** Of rows with a filter each (PNG, third edition, 9.2), from left to right and from top to bottom. */
function unfiltered(raw, width, height, channels) {
  const stride = width * channels, out = new Uint8Array(stride * height);
  const at = (x, y) => (x < 0 || y < 0 ? 0 : out[y * stride + x]);
  const nearest = (a, b, c) => [a, b, c].reduce((best, v) => (Math.abs(a + b - c - v) < Math.abs(a + b - c - best) ? v : best));
  for (let y = 0; y < height; y++)
    for (let x = 0; x < stride; x++) {
      const a = at(x - channels, y), b = at(x, y - 1), c = x < channels ? 0 : at(x - channels, y - 1);
      out[y * stride + x] = raw[y * (stride + 1) + 1 + x] + [0, a, b, (a + b) >> 1, nearest(a, b, c)][raw[y * (stride + 1)]];
    }
  return out;
}

/** Width, height and pixels of a PNG with 8 bits a channel, as one word. */
function pixelsOf(base64) {
  const png = Buffer.from(base64, 'base64'), [width, height] = [png.readUInt32BE(16), png.readUInt32BE(20)], channels = { 2: 3, 6: 4 }[png[25]];
  if (png[24] !== 8 || !channels) throw new Error(`a PNG of ${png[24]} bits, kind ${png[25]}`);
  const data = [];
  for (let at = 8; at < png.length; at += 12 + png.readUInt32BE(at)) if (png.toString('latin1', at + 4, at + 8) === 'IDAT') data.push(png.subarray(at + 8, at + 8 + png.readUInt32BE(at)));
  const rows = unfiltered(inflateSync(Buffer.concat(data)), width, height, channels), rgba = Buffer.alloc(4 * width * height, 255);
  for (let i = 0; i < width * height; i++) rgba.set(rows.subarray(i * channels, (i + 1) * channels), 4 * i);
  return `${width}x${height}:${createHash('sha256').update(rgba).digest('hex')}`;
}
const withPixels = (svg) => svg.replace(/data:image\/png;base64,([^"]*)/g, (_, base64) => pixelsOf(base64));

const folder = mkdtempSync(join(tmpdir(), 'warplens-pictures-'));
const module = await opened(site);
const kernels = new Map(module.call('catalog', {}).kernels.map((k) => [k.id, k]));
let bad = 0;
for (const [figure, kernel, side] of STATES) {
  if (!kernels.has(kernel)) { bad++; console.log(`WRONG there is no ${kernel}`); continue; }
  const { state } = module.call('choices', { kernel }), size = Object.fromEntries(Object.keys(state.size).map((n) => [n, side]));
  const file = join(folder, 'a.svg'), [width, height] = [1000, 560];
  execFileSync(program, ['export', figure, kernel, '--size', String(side), '--theme', 'dark', '--width', String(width), '--height', String(height), '-o', file, '--home', home], { stdio: ['ignore', 'ignore', 'inherit'] });
  const native = readFileSync(file, 'utf8'), answer = await module.answer('figure', { kernel, size, figure, dark: true, width, height });
  const parts = (svg) => svg.split(/(-?\d+\.\d+)/);
  const [a, b] = [native, answer.svg ?? answer.error].map((svg) => parts(withPixels(svg)));
  const other = a.findIndex((part, i) => part !== b[i] && !(i % 2 && Math.abs(Number(part) - Number(b[i])) < 0.02));
  if (other >= 0 || a.length !== b.length) { bad++; console.log(`WRONG ${figure} of ${kernel}: ${a.slice(Math.max(0, other - 2), other + 3).join('').slice(-200)} | ${b.slice(Math.max(0, other - 2), other + 3).join('').slice(-200)}`); } else console.log(`ok    ${figure} of ${kernel}: ${native.length} bytes${native === answer.svg ? ', the same' : ''}`);
}
process.exit(bad ? 1 : 0);
