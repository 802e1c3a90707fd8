// compare.mjs PROGRAM HOME SITE [KERNEL...]: whether the module says of every kernel what the native program says, but for the
// time that it took. Counts, words and all whole numbers have to be the same; numbers with a fraction may differ behind the eighth
// digit, since sines and logarithms of another C library are in them. SITE: the folder that ./package --web makes.
import { execFileSync } from 'node:child_process';
import { opened } from './site.mjs';

const [program, home, site, ...wanted] = process.argv.slice(2);
// How long it took, where from, and on how many threads.
const OF_THE_RUN = new Set(['seconds', 'compile_seconds', 'emulation_seconds', 'gflops', 'from_cache', 'threads', 'host', 'path', 'file']);

const module = await opened(site);

const NEAR = 1e-8;
let rounded = 0, farthest = 0;

function isNear(a, b) {
  if (typeof a !== 'number' || typeof b !== 'number' || (Number.isInteger(a) && Number.isInteger(b))) return false;
  const away = Math.abs(a - b) / Math.max(Math.abs(a), Math.abs(b));
  rounded++;
  farthest = Math.max(farthest, away);
  return away <= NEAR;
}

function differences(a, b, at = '') {
  if (OF_THE_RUN.has(at.split('.').at(-1)) || (a !== b && isNear(a, b))) return [];
  if (typeof a !== 'object' || typeof b !== 'object' || !a || !b) return a === b ? [] : [`${at}: ${JSON.stringify(a)} here, ${JSON.stringify(b)} native`];
  return [...new Set([...Object.keys(a), ...Object.keys(b)])].flatMap((k) => differences(a[k], b[k], at ? `${at}.${k}` : k));
}

let bad = 0, equal = 0;
const kernels = wanted.length ? wanted : module.call('catalog', {}).kernels.map((k) => k.id);
for (const kernel of kernels) {
  const native = JSON.parse(execFileSync(program, ['run', kernel, '--json', '--home', home], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'], maxBuffer: 1 << 28 }));
  const here = await module.answer('run', { kernel });
  const found = here.error ? [here.error] : differences(here, native);
  if (found.length) { bad++; console.log(`${kernel}\n  ${found.slice(0, 5).join('\n  ')}`); } else equal++;
}
console.log(`${equal} kernels equal, ${bad} not; ${rounded} numbers with a fraction differ, by ${farthest.toExponential(1)} of themselves at most`);
process.exit(bad ? 1 : 0);
