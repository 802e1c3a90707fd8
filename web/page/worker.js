// The engine on a thread of its own, so that the page never waits. The first message brings the module and its files; the kernels of a
// ladder are fetched when one of them is asked for.
import { Module } from './module.js';

const module = new Module(), fetched = new Set();
let started, start = new Promise((done) => { started = done; });

async function fetchOnce(name) {
  if (fetched.has(name)) return;
  fetched.add(name);
  const answer = await fetch(new URL(`kernels/${name}.gz`, import.meta.url));
  if (answer.ok) module.add(new Uint8Array(await new Response(answer.body.pipeThrough(new DecompressionStream('gzip'))).arrayBuffer()));
}

/** A ladder's kernels before it is asked about; those with other values where the answer is none without them. */
async function answered(name, asked) {
  const named = asked.lesson ? module.call('kernels', asked).kernels ?? [] : [], kernels = asked.kernel ? [asked.kernel, ...named] : named;
  for (const kernel of kernels) await fetchOnce(kernel.split('/')[0]);
  const answer = module.call(name, asked);
  if (answer.error === undefined || !asked.kernel) return answer;
  const more = [asked.kernel, `${asked.kernel.split('/')[0]}@${asked.device}`].filter((f) => module.files.has(`moved/${f}`) && !fetched.has(f));
  for (const file of more) await fetchOnce(file);
  return more.length ? module.call(name, asked) : answer;
}

onmessage = async ({ data }) => {
  if (data.compiled) return started(module.start(data.compiled, new Uint8Array(data.data)));
  const { id, name, asked } = data;
  try {
    await start;
    postMessage({ id, answer: await answered(name, asked) });
  } catch (error) {
    postMessage({ id, answer: { error: String(error.message ?? error) } });
  }
};
