// The module of a folder that ./package --web makes, in node.
import { existsSync, readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import { Module } from '../page/module.js';

const unpacked = (file) => new Uint8Array(gunzipSync(readFileSync(file)));

export async function opened(/** @type {string} */ site) {
  const archiveOf = (name) => `${site}/kernels/${name}.gz`;
  const module = new Module(async (name) => (existsSync(archiveOf(name)) ? unpacked(archiveOf(name)) : undefined));
  await module.start(await WebAssembly.compile(unpacked(`${site}/warplens.wasm.gz`)), unpacked(`${site}/data.gz`));
  return module;
}
