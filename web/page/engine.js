// Whom the page asks: the engine in a worker, or the server that the page came from.

/** @typedef {(name: string, asked?: object) => Promise<any>} Ask */
const CANCELLED = { error: '', cancelled: true };
/** What no run of a whole launch is needed for. */
const isQuick = (name, asked) => asked.early || !['figure', 'code', 'answer', 'reached', 'run'].includes(name);

/** Of a page that has all in itself (one-file.js): the worker's text, the module, archives by their names. */
const given = /** @type {any} */ (globalThis).warplens;

async function isServed() {
  if (given) return false;
  try { return (await fetch(new URL('served', import.meta.url))).headers.get('X-Warplens') === 'serve'; } catch { return false; }
}

function fromServer() {
  let busy = new AbortController();
  const ask = async (name, asked = {}) => {
    try {
      return await (await fetch(new URL(`call/${name}${isQuick(name, asked) ? '?quick=1' : ''}`, import.meta.url), { method: 'POST', body: JSON.stringify(asked), signal: busy.signal })).json();
    } catch (error) {
      return error.name === 'AbortError' ? CANCELLED : { error: String(error.message) };
    }
  };
  const cancel = () => { busy.abort(); busy = new AbortController(); };
  return { ask, cancel, giveWay: cancel, isServed: true };
}

async function unpacked(url) {
  const answer = await fetch(url);
  if (!answer.ok) throw new Error(`${url}: ${answer.status}`);
  return answer.body.pipeThrough(new DecompressionStream('gzip'));
}

/** What every worker begins with: fetched and compiled once, so that a worker that is ended is soon replaced. */
async function parts() {
  if (given) return { compiled: await WebAssembly.compile(await given.module), data: await given.data, archives: await given.archives };
  const compiled = unpacked(new URL('warplens.wasm.gz', import.meta.url)).then((stream) =>
    WebAssembly.compileStreaming(new Response(stream, { headers: { 'Content-Type': 'application/wasm' } })));
  const data = unpacked(new URL('data.gz', import.meta.url)).then((stream) => new Response(stream).arrayBuffer());
  return { compiled: await compiled, data: await data };
}

/** Bytes of an engine that another kernel leaves behind: what was counted is kept, and a module's memory never shrinks. */
const MOST_BYTES = 300e6;

/** One worker, which answers one request after another; `cancel` ends it with all that wait for it. */
function lane(begun) {
  const taken = [];  // kernels of somebody's own, which a new worker has to know too
  let worker, waiting = new Map(), last = 0, since = 0, bytes = 0, kernel;
  const end = (answer) => { for (const done of waiting.values()) done(answer); waiting.clear(); };
  const start = () => {
    const mine = worker = new Worker(given?.worker ?? new URL('worker.js', import.meta.url), { type: 'module' });
    mine.onmessage = ({ data }) => { since = Date.now(); bytes = data.bytes ?? bytes; waiting.get(data.id)?.(data.answer); waiting.delete(data.id); };
    mine.onerror = (event) => end({ error: event.message || 'the engine does not start' });
    begun.then((all) => mine.postMessage(all), (error) => end({ error: String(error.message ?? error) }));
    for (const asked of taken) worker.postMessage({ id: 0, name: 'take', asked });
  };
  const stop = () => { worker.terminate(); worker = undefined; bytes = 0; };
  return {
    ask: (name, asked) => new Promise((done) => {
      if (asked.kernel && asked.kernel !== kernel && bytes > MOST_BYTES && !waiting.size) stop();
      kernel = asked.kernel ?? kernel;
      if (!worker) start();
      if (name === 'take') taken.push(asked);
      if (!waiting.size) since = Date.now();
      waiting.set(++last, done);
      worker.postMessage({ id: last, name, asked });
    }),
    /** patience: milliseconds that what is being answered may have taken */
    cancel: (patience = 0) => {
      if (!waiting.size || Date.now() - since < patience) return;
      stop();
      end(CANCELLED);
    },
  };
}

const PATIENCE = { quick: 400, whole: 1500 };  // an engine that is ended has to begin anew, and knows nothing more

/** Two engines: what a newer choice shows at once does not wait for what all of the older one counts. */
function fromWorkers() {
  const begun = parts(), quick = lane(begun), whole = lane(begun);
  return {
    ask: async (name, asked = {}) => {
      if (name === 'take') await whole.ask(name, asked);
      return (isQuick(name, asked) ? quick : whole).ask(name, asked);
    },
    cancel: () => { quick.cancel(); whole.cancel(); },
    isServed: false,
    giveWay: () => { quick.cancel(PATIENCE.quick); whole.cancel(PATIENCE.whole); },
  };
}

export async function connect() { return (await isServed()) ? fromServer() : fromWorkers(); }
