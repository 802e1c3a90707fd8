// The engine on a thread of its own, so that the page never waits. The first message brings the module and its files; the kernels of a
// ladder are fetched when one of them is asked for.
import { Module } from './module.js';

let archives, started, start = new Promise((done) => { started = done; });
const module = new Module(async (name) => {
  if (archives) return archives[name];
  const answer = await fetch(new URL(`kernels/${name}.gz`, import.meta.url));
  return answer.ok ? new Uint8Array(await new Response(answer.body.pipeThrough(new DecompressionStream('gzip'))).arrayBuffer()) : undefined;
});

onmessage = async ({ data }) => {
  if (data.compiled) {
    archives = data.archives;
    return started(module.start(data.compiled, new Uint8Array(data.data)));
  }
  const { id, name, asked } = data;
  try {
    await start;
    postMessage({ id, answer: await module.answer(name, asked), bytes: module.bytes });
  } catch (error) {
    postMessage({ id, answer: { error: String(error.message ?? error) } });
  }
};
