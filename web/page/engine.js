// Whom the page asks: the engine in a worker, or the server that the page came from.

/** @typedef {(name: string, asked?: object) => Promise<any>} Ask */
const CANCELLED = { error: '', cancelled: true };

async function isServed() {
  try { return (await fetch(new URL('served', import.meta.url))).headers.get('X-Warplens') === 'serve'; } catch { return false; }
}

function fromServer() {
  let busy = new AbortController();
  const ask = async (name, asked = {}) => {
    try {
      return await (await fetch(new URL(`call/${name}`, import.meta.url), { method: 'POST', body: JSON.stringify(asked), signal: busy.signal })).json();
    } catch (error) {
      return error.name === 'AbortError' ? CANCELLED : { error: String(error.message) };
    }
  };
  return { ask, cancel: () => { busy.abort(); busy = new AbortController(); } };
}

async function unpacked(url) {
  const answer = await fetch(url);
  if (!answer.ok) throw new Error(`${url}: ${answer.status}`);
  return answer.body.pipeThrough(new DecompressionStream('gzip'));
}

/** What every worker begins with: fetched and compiled once, so that a worker that is ended is soon replaced. */
async function parts() {
  const compiled = unpacked(new URL('warplens.wasm.gz', import.meta.url)).then((stream) =>
    WebAssembly.compileStreaming(new Response(stream, { headers: { 'Content-Type': 'application/wasm' } })));
  const data = unpacked(new URL('data.gz', import.meta.url)).then((stream) => new Response(stream).arrayBuffer());
  return { compiled: await compiled, data: await data };
}

function fromWorker() {
  let worker, waiting = new Map(), last = 0;
  const begun = parts();
  const end = (answer) => { for (const done of waiting.values()) done(answer); waiting.clear(); };
  const start = () => {
    const mine = worker = new Worker(new URL('worker.js', import.meta.url), { type: 'module' });
    worker.onmessage = ({ data }) => { waiting.get(data.id)?.(data.answer); waiting.delete(data.id); };
    worker.onerror = (event) => end({ error: event.message });
    begun.then((all) => mine.postMessage(all), (error) => end({ error: String(error.message ?? error) }));
  };
  start();
  return {
    ask: (name, asked = {}) => new Promise((done) => { waiting.set(++last, done); worker.postMessage({ id: last, name, asked }); }),
    cancel: () => { worker.terminate(); end(CANCELLED); start(); },
  };
}

export async function connect() { return (await isServed()) ? fromServer() : fromWorker(); }
