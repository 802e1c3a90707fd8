// The part of WASI that the module asks for: files in memory that are read, a clock, and texts that go to the console.
const NO_ENTRY = 44, BAD_FILE = 8, INVALID = 28, NOT_SUPPORTED = 52, NOT_DIRECTORY = 54;
const FOLDER = 3, FILE = 4;

/** Files by their paths, without a slash before them, and the folders that they are in. */
export class Files {
  #data = new Map();
  #folders = new Map([['', new Map()]]);  // path -> name -> FOLDER or FILE

  /** Told of what is asked for and is not there. */
  missed = (/** @type {string} */ _path) => {};

  get(/** @type {string} */ path) {
    const data = this.#data.get(path);
    if (!data) this.missed(path);
    return data;
  }
  has(/** @type {string} */ path) { return this.#data.has(path); }
  isFolder(/** @type {string} */ path) { return this.#folders.has(path); }
  /** @returns {[string, number][]} names and what they are */
  within(/** @type {string} */ folder) { return [...this.#folders.get(folder) ?? []]; }

  add(/** @type {string} */ path, /** @type {Uint8Array} */ data) {
    this.#data.set(path, data);
    let what = FILE;
    for (let at = path; at !== ''; what = FOLDER) {
      const slash = at.lastIndexOf('/'), folder = at.slice(0, Math.max(0, slash)), known = this.#folders.has(folder);
      if (!known) this.#folders.set(folder, new Map());
      this.#folders.get(folder).set(at.slice(slash + 1), what);
      if (known) return;
      at = folder;
    }
  }
}

/** @param {Files} files may get more later @param {{words?: string[], write?: (text: string) => void}} [of] the program's words, and who gets its texts */
export function makeWasi(files, { words = [], write = (text) => { if (text.trim()) console.warn(text.trim()); } } = {}) {
  /** @type {WebAssembly.Memory} */
  let memory;
  const encoder = new TextEncoder(), decoder = new TextDecoder();
  /** @type {Map<number, {path: string, data?: Uint8Array, at: number, list?: [string, number][]}>} */
  const open = new Map([[3, { path: '', at: 0 }]]);
  let next = 4;
  const view = () => new DataView(memory.buffer), bytes = () => new Uint8Array(memory.buffer);
  const path = (at, size) => decoder.decode(bytes().slice(at, at + size)).split('/').filter((p) => p && p !== '.').join('/');
  const number = (name) => [...name].reduce((h, c) => (h * 31 + c.charCodeAt(0)) >>> 0, 7);
  const stat = (name, at) => {
    const data = files.get(name);
    if (!data && !files.isFolder(name)) return NO_ENTRY;
    bytes().fill(0, at, at + 64);
    view().setBigUint64(at + 8, BigInt(number(name)), true);
    view().setUint8(at + 16, data ? FILE : FOLDER);
    view().setBigUint64(at + 24, 1n, true);
    view().setBigUint64(at + 32, BigInt(data ? data.length : 0), true);
    return 0;
  };
  const parts = (list, count) => Array.from({ length: count }, (_, i) =>
    [view().getUint32(list + 8 * i, true), view().getUint32(list + 8 * i + 4, true)]);
  const api = {
    environ_get: () => 0, fd_fdstat_set_flags: () => 0, sched_yield: () => 0,
    args_sizes_get: (count, size) => {
      view().setUint32(count, words.length, true); view().setUint32(size, encoder.encode(words.join(' ')).length + words.length, true);
      return 0;
    },
    args_get: (list, at) => {
      for (const word of words) {
        const text = encoder.encode(`${word}\0`);
        view().setUint32(list, at, true);
        bytes().set(text, at);
        list += 4; at += text.length;
      }
      return 0;
    },
    environ_sizes_get: (count, size) => { view().setUint32(count, 0, true); view().setUint32(size, 0, true); return 0; },
    clock_time_get: (id, _, at) => {
      view().setBigUint64(at, BigInt(Math.round((id === 0 ? Date.now() : performance.now()) * 1e6)), true);
      return 0;
    },
    clock_res_get: (_, at) => { view().setBigUint64(at, 1000n, true); return 0; },
    random_get: (at, size) => { crypto.getRandomValues(bytes().subarray(at, at + size)); return 0; },
    proc_exit: (code) => { throw Object.assign(new Error(`the engine ended with ${code}`), { code }); },
    fd_prestat_get: (fd, at) => {
      if (fd !== 3) return BAD_FILE;
      view().setUint32(at, 0, true); view().setUint32(at + 4, 1, true);
      return 0;
    },
    fd_prestat_dir_name: (_, at) => { bytes()[at] = 47; return 0; },
    fd_fdstat_get: (fd, at) => {
      const file = open.get(fd);
      if (!file && fd > 2) return BAD_FILE;
      bytes().fill(0, at, at + 24);
      view().setUint8(at, fd < 3 ? 2 : file.data ? FILE : FOLDER);
      bytes().fill(255, at + 8, at + 24);
      return 0;
    },
    fd_filestat_get: (fd, at) => open.has(fd) ? stat(open.get(fd).path, at) : BAD_FILE,
    // Whoever asks where a path really leads is told that nothing is a link.
    path_readlink: (_, name, size) => (files.has(path(name, size)) || files.isFolder(path(name, size)) ? INVALID : NO_ENTRY),
    path_filestat_get: (_, __, name, size, at) => stat(path(name, size), at),
    path_open: (_, __, name, size, ___, ____, _____, ______, at) => {
      const wanted = path(name, size), data = files.get(wanted);
      if (!data && !files.isFolder(wanted)) return NO_ENTRY;
      open.set(next, { path: wanted, data, at: 0, list: data ? [] : files.within(wanted) });
      view().setUint32(at, next++, true);
      return 0;
    },
    fd_close: (fd) => open.delete(fd) ? 0 : BAD_FILE,
    fd_read: (fd, list, count, at) => {
      const file = open.get(fd);
      if (!file?.data) return BAD_FILE;
      let got = 0;
      for (const [to, size] of parts(list, count)) {
        const part = file.data.subarray(file.at, file.at + size);
        bytes().set(part, to);
        file.at += part.length; got += part.length;
      }
      view().setUint32(at, got, true);
      return 0;
    },
    fd_seek: (fd, offset, from, at) => {
      const file = open.get(fd);
      if (!file?.data) return BAD_FILE;
      file.at = Number(offset) + [0, file.at, file.data.length][from];
      view().setBigUint64(at, BigInt(file.at), true);
      return 0;
    },
    fd_readdir: (fd, to, room, cookie, at) => {
      const folder = open.get(fd);
      if (!folder || folder.data) return NOT_DIRECTORY;
      let used = 0;
      const list = folder.list ?? files.within(folder.path);
      for (let i = Number(cookie); i < list.length && used < room; ++i) {
        const name = encoder.encode(list[i][0]), entry = new Uint8Array(24 + name.length), v = new DataView(entry.buffer);
        v.setBigUint64(0, BigInt(i + 1), true);
        v.setBigUint64(8, BigInt(number(list[i][0])), true);
        v.setUint32(16, name.length, true);
        v.setUint8(20, list[i][1]);
        entry.set(name, 24);
        const part = entry.subarray(0, room - used);
        bytes().set(part, to + used);
        used += part.length;
      }
      view().setUint32(at, used, true);
      return 0;
    },
    fd_write: (fd, list, count, at) => {
      let written = 0, text = '';
      for (const [from, size] of parts(list, count)) { text += decoder.decode(bytes().slice(from, from + size)); written += size; }
      write(text);
      view().setUint32(at, written, true);
      return 0;
    },
  };
  const imports = new Proxy(api, { get: (known, name) => known[name] ?? (() => NOT_SUPPORTED) });
  return { imports: { wasi_snapshot_preview1: imports }, use: (/** @type {WebAssembly.Memory} */ m) => { memory = m; } };
}
