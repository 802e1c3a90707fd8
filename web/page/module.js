// The engine's module with its files: a request's name and JSON go in, an answer's JSON comes out.
import { Files, makeWasi } from './wasi.js';

const encoder = new TextEncoder();
export const decoder = new TextDecoder();

/** Of an archive: a line of JSON, path to length, then the files one after another. */
export function filesOf(/** @type {Uint8Array} */ archive) {
  const end = archive.indexOf(10), sizes = JSON.parse(decoder.decode(archive.subarray(0, end)));
  let at = end + 1;
  return Object.entries(sizes).map(([path, size]) => /** @type {[string, Uint8Array]} */ ([path, archive.subarray(at, at += size)]));
}

const LETTERS = 16;
/** A step's kernels that are fetched one by one, a line each: the first letters of its file's name, the architecture, the values where they are not the
 *  step's own. */
export const setsOf = (/** @type {string} */ path, /** @type {Uint8Array} */ data) => decoder.decode(data).split('\n').filter(Boolean).map((line) => {
  const [, ladder, step] = path.split('/'), [file, arch, ...values] = line.split(' ');
  return { step: `${ladder}/${step}`, file, arch, values, archive: `${ladder}/sets/${file}` };
});

export class Module {
  files = new Files();
  #fetched = new Map();  // by the names of archives
  #sets = new Map();     // archives of one kernel, by the first letters of its file's name
  #wanted = new Set();   // archives of what the engine looked for in vain

  /** @param {(name: string) => Promise<Uint8Array | undefined>} archive of kernels, by its name; nothing where there is none */
  constructor(archive) { this.archive = archive; }

  /** @param {WebAssembly.Module} compiled @param {Uint8Array} data */
  async start(compiled, data) {
    this.add(data);
    const wasi = makeWasi(this.files);
    const instance = await WebAssembly.instantiate(compiled, wasi.imports);
    this.calls = /** @type {any} */ (instance.exports);
    wasi.use(this.calls.memory);
    this.calls._initialize();
    this.files.missed = (path) => this.#want(path);
    if (!this.calls.warplens_open()) throw new Error(JSON.parse(this.#answer()).error);
  }

  get bytes() { return this.calls.memory.buffer.byteLength; }

  add(/** @type {Uint8Array} */ archive) {
    for (const [path, data] of filesOf(archive)) {
      this.files.add(path, data);
      if (path.startsWith('sets/')) for (const { file, archive } of setsOf(path, data)) this.#sets.set(file, archive);
    }
  }

  /** Whoever asks while it is on its way waits for it as well. */
  fetchOnce(/** @type {string} */ name) {
    if (!this.#fetched.has(name)) this.#fetched.set(name, this.archive(name).then((archive) => { if (archive) this.add(archive); }));
    return this.#fetched.get(name);
  }

  /** What was compiled and is not here yet is fetched before there is an answer. */
  #want(/** @type {string} */ path) {
    const archive = this.#sets.get(path.replace('cache/', '').slice(0, LETTERS));
    if (!archive || this.#fetched.has(archive)) return;
    this.#wanted.add(archive);
    this.calls.warplens_cancel();
  }

  /** An early picture needs its own kernel, others those of the ladder that it is compared with. */
  async answer(/** @type {string} */ name, /** @type {any} */ asked) {
    const named = asked.lesson ? this.call('kernels', asked).kernels ?? [] : [], kernels = asked.kernel ? [asked.kernel, ...named] : named;
    for (const kernel of name === 'choices' ? [] : kernels)
      if (this.files.has(`home/kernels/${kernel}.cu`)) await this.fetchOnce(asked.early ? kernel : kernel.split('/')[0]);
    for (;;) {
      const answer = this.call(name, asked), wanted = [...this.#wanted];
      this.#wanted.clear();
      if (!wanted.length) return answer;
      await Promise.all(wanted.map((archive) => this.fetchOnce(archive)));
    }
  }

  call(/** @type {string} */ name, /** @type {object} */ asked) { return JSON.parse(this.text(name, asked)); }

  text(name, asked) {
    const texts = [name, JSON.stringify(asked)].map((t) => encoder.encode(t));
    const rooms = texts.map((t) => this.calls.warplens_room(t.length));
    texts.forEach((t, i) => new Uint8Array(this.calls.memory.buffer).set(t, rooms[i]));
    this.calls.warplens_call(rooms[0], texts[0].length, rooms[1], texts[1].length);
    rooms.forEach((r) => this.calls.warplens_free(r));
    return this.#answer();
  }

  #answer() {
    const at = this.calls.warplens_answer();
    return decoder.decode(new Uint8Array(this.calls.memory.buffer).slice(at, at + this.calls.warplens_answer_size()));
  }
}
