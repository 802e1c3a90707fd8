// pictures.mjs PROGRAM HOME SITE: whether the module draws what `warplens export` draws, in ten states; measured text may differ in
// its last digit.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { opened } from './site.mjs';

const [program, home, site] = process.argv.slice(2);
const STATES = [
  ['access', 'matmul/01_naive', 64], ['banks', 'matmul/03_shared_tile', 64], ['access', 'matmul/05_register_2d', 128], ['access', 'transpose/02_tiled', 128],
  ['access', 'reduction/03_sequential', 4096], ['flow', 'matmul/02_coalesced', 64], ['access', 'memory/03_strided', 4096], ['occupancy', 'matmul/04_register_1d', 128],
  ['time', 'matmul/01_naive', 64], ['access', 'first/02_increment', 600],
];
const folder = mkdtempSync(join(tmpdir(), 'warplens-pictures-'));
const module = await opened(site);
const kernels = new Map(module.call('catalog', {}).kernels.map((k) => [k.id, k]));
let bad = 0;
for (const [figure, kernel, side] of STATES) {
  if (!kernels.has(kernel)) { bad++; console.log(`WRONG there is no ${kernel}`); continue; }
  const { state } = module.call('choices', { kernel }), size = Object.fromEntries(Object.keys(state.size).map((n) => [n, side]));
  const file = join(folder, 'a.svg'), [width, height] = [1000, 560];
  execFileSync(program, ['export', figure, kernel, '--size', String(side), '--theme', 'dark', '--width', String(width), '--height', String(height), '-o', file, '--home', home], { stdio: ['ignore', 'ignore', 'inherit'] });
  const native = readFileSync(file, 'utf8'), answer = module.call('figure', { kernel, size, figure, dark: true, width, height });
  const parts = (svg) => svg.split(/(-?\d+\.\d+)/);
  const [a, b] = [parts(native), parts(answer.svg ?? answer.error)];
  const other = a.findIndex((part, i) => part !== b[i] && !(i % 2 && Math.abs(Number(part) - Number(b[i])) < 0.02));
  if (other >= 0 || a.length !== b.length) { bad++; console.log(`WRONG ${figure} of ${kernel}: ${a.slice(Math.max(0, other - 2), other + 3).join('').slice(-200)} | ${b.slice(Math.max(0, other - 2), other + 3).join('').slice(-200)}`); } else console.log(`ok    ${figure} of ${kernel}: ${native.length} bytes${native === answer.svg ? ', the same' : ''}`);
}
process.exit(bad ? 1 : 0);
