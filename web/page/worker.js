// The engine on a thread of its own, so that the page never waits. The first message brings the module and its files; the kernels of a
// ladder are fetched when one of them is asked for.
import { Module, decoder } from './module.js';

const module = new Module(), fetched = new Map();
let archives, started, start = new Promise((done) => { started = done; });

/** name: a ladder's, or of one step or device of it; where there is none, nothing was compiled for it. Whoever asks while it is on its way waits
 *  for it as well. An archive may stand for several names: the file of its name says which one it is. */
function fetchOnce(name) {
  const known = module.files.get(`bundles/${name}`), file = known?.length ? decoder.decode(known) : name;
  if (known && !fetched.has(file)) fetched.set(file, add(file));
  return fetched.get(file);
}

async function add(file) {
  if (archives) { if (archives[file]) module.add(archives[file]); return; }
  const answer = await fetch(new URL(`kernels/${file}.gz`, import.meta.url));
  if (answer.ok) module.add(new Uint8Array(await new Response(answer.body.pipeThrough(new DecompressionStream('gzip'))).arrayBuffer()));
}

/** An early picture needs its own kernel, others those that it is compared with; kernels with other values are fetched where the answer is none
 *  without them. */
async function answered(name, asked) {
  const named = asked.lesson ? module.call('kernels', asked).kernels ?? [] : [], kernels = asked.kernel ? [asked.kernel, ...named] : named;
  const ladderOf = (kernel) => kernel.split('/')[0];
  if (name !== 'choices') for (const kernel of kernels) await fetchOnce(asked.early ? kernel : ladderOf(kernel));
  const answer = module.call(name, asked);
  if (answer.error === undefined || !asked.kernel) return answer;
  const before = fetched.size;
  const ladder = ladderOf(asked.kernel), at = `@${asked.device}`;
  for (const file of [`${asked.kernel}+`, ladder + at, `${asked.kernel}${at}+`, ladder]) await fetchOnce(file);
  return fetched.size > before ? module.call(name, asked) : answer;
}

onmessage = async ({ data }) => {
  if (data.compiled) {
    archives = data.archives;
    return started(module.start(data.compiled, new Uint8Array(data.data)));
  }
  const { id, name, asked } = data;
  try {
    await start;
    postMessage({ id, answer: await answered(name, asked) });
  } catch (error) {
    postMessage({ id, answer: { error: String(error.message ?? error) } });
  }
};
