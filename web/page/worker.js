// The engine on a thread of its own, so that the page never waits. The first message brings the module and its files; the kernels of a
// ladder are fetched when one of them is asked for.
import { Module } from './module.js';

const module = new Module(), fetched = new Set();
let archives, started, start = new Promise((done) => { started = done; });

/** name: a ladder's, or of one step or device of it; where there is none, nothing was compiled for it. */
async function fetchOnce(name) {
  if (fetched.has(name) || !module.files.has(`bundles/${name}`)) return;
  fetched.add(name);
  if (archives) { if (archives[name]) module.add(archives[name]); return; }
  const answer = await fetch(new URL(`kernels/${name}.gz`, import.meta.url));
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
  for (const file of [`${asked.kernel}+`, `${ladderOf(asked.kernel)}@${asked.device}`, ladderOf(asked.kernel)]) await fetchOnce(file);
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
