// command.mjs PROGRAM.wasm [WORDS...]: a program of WebAssembly in node, with the files of this tree to read; its exit code is this one's.
import { existsSync, readFileSync, statSync } from 'node:fs';
import { Files, makeWasi } from '../page/wasi.js';

const [program, ...words] = process.argv.slice(2);
class Disk extends Files {
  #isFile(path) { return existsSync(`/${path}`) && statSync(`/${path}`).isFile(); }
  get(path) { return super.get(path) ?? (this.#isFile(path) ? new Uint8Array(readFileSync(`/${path}`)) : undefined); }
  has(path) { return super.has(path) || this.#isFile(path); }
  isFolder(path) { return existsSync(`/${path}`) && statSync(`/${path}`).isDirectory(); }
}

const wasi = makeWasi(new Disk(), { words: ['test', ...words], write: (text) => process.stdout.write(text) });
const { instance } = await WebAssembly.instantiate(readFileSync(program), wasi.imports);
wasi.use(/** @type {any} */ (instance.exports).memory);
try {
  /** @type {any} */ (instance.exports)._start();
} catch (error) {
  if (error.code === undefined) throw error;
  process.exit(error.code);
}
