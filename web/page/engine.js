// Whom the page asks: the engine in a worker, or the server that the page came from.

/** @typedef {(name: string, asked?: object) => Promise<any>} Ask */

async function isServed() {
  try { return (await fetch(new URL('served', import.meta.url))).headers.get('X-Warplens') === 'serve'; } catch { return false; }
}

function fromServer() {
  let busy = new AbortController();
  return { ask: async (name, asked = {}) => (await fetch(new URL(`call/${name}`, import.meta.url), { method: 'POST', body: JSON.stringify(asked), signal: busy.signal })).json(),
    cancel: () => { busy.abort(); busy = new AbortController(); } };
}

function fromWorker() {
  let worker, waiting = new Map(), last = 0;
  const start = () => {
    worker = new Worker(new URL('worker.js', import.meta.url), { type: 'module' });
    worker.onmessage = ({ data }) => { waiting.get(data.id)?.(data.answer); waiting.delete(data.id); };
    worker.onerror = (event) => { for (const done of waiting.values()) done({ error: event.message }); waiting.clear(); };
  };
  start();
  return {
    ask: (name, asked = {}) => new Promise((done) => { waiting.set(++last, done); worker.postMessage({ id: last, name, asked }); }),
    cancel: () => { worker.terminate(); waiting.clear(); start(); },
  };
}

export async function connect() { return (await isServed()) ? fromServer() : fromWorker(); }
