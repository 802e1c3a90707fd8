// The engine on a thread of its own, so that the page never waits: the kernels of a ladder are fetched when one of them is asked for.
import { Module } from './module.js';

const module = new Module(), fetched = new Map();

async function unpacked(url) {
  const answer = await fetch(url);
  if (!answer.ok) throw new Error(`${url}: ${answer.status}`);
  return new Uint8Array(await new Response(answer.body.pipeThrough(new DecompressionStream('gzip'))).arrayBuffer());
}

const started = (async () => {
  const compiled = fetch('warplens.wasm.gz').then((answer) => WebAssembly.compileStreaming(
    new Response(answer.body.pipeThrough(new DecompressionStream('gzip')), { headers: { 'Content-Type': 'application/wasm' } })));
  await module.start(await compiled, await unpacked('data.gz'));
})();

async function withKernels(kernel) {
  const ladder = kernel.split('/')[0];
  if (!fetched.has(ladder)) fetched.set(ladder, unpacked(`kernels/${ladder}.gz`).then((a) => module.add(a), () => {}));
  await fetched.get(ladder);
}

onmessage = async ({ data: { id, name, asked } }) => {
  try {
    await started;
    if (asked.kernel) await withKernels(asked.kernel);
    postMessage({ id, answer: module.call(name, asked) });
  } catch (error) {
    postMessage({ id, answer: { error: String(error.message ?? error) } });
  }
};
