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

export class Module {
  files = new Files();

  /** @param {WebAssembly.Module} compiled @param {Uint8Array} data */
  async start(compiled, data) {
    this.add(data);
    const wasi = makeWasi(this.files);
    const instance = await WebAssembly.instantiate(compiled, wasi.imports);
    this.calls = /** @type {any} */ (instance.exports);
    wasi.use(this.calls.memory);
    this.calls._initialize();
    if (!this.calls.warplens_open()) throw new Error(JSON.parse(this.#answer()).error);
  }

  add(/** @type {Uint8Array} */ archive) { for (const [path, data] of filesOf(archive)) this.files.add(path, data); }

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
