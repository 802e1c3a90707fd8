// The module of a folder that ./package --web makes, in node, with all that was compiled beforehand.
import { readFileSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { Module } from '../page/module.js';

const unpacked = (file) => new Uint8Array(gunzipSync(readFileSync(file)));
const archivesBelow = (folder) => readdirSync(folder).map((name) => join(folder, name)).flatMap((path) => (statSync(path).isDirectory() ? archivesBelow(path) : [path]));

export async function opened(/** @type {string} */ site) {
  const module = new Module();
  await module.start(await WebAssembly.compile(unpacked(`${site}/warplens.wasm.gz`)), unpacked(`${site}/data.gz`));
  for (const archive of archivesBelow(`${site}/kernels`)) module.add(unpacked(archive));
  return module;
}
