// speed.mjs ADDRESS OUT [BROWSER]: how quick the emulator is in a browser, and how much memory the page has there. The memory alone is a
// test: how quick it is depends on what else the machine does.
import { readFileSync, readdirSync } from 'node:fs';
import { open } from './browser.mjs';

const [address, , name = 'chromium'] = process.argv.slice(2);
const MOST_BYTES = 400e6, TIMES = 8;
const browser = await open(name);
const size = (side) => ({ M: side, N: side, K: side });

/** Bytes of memory that the processes of the pages have for themselves, with their share of what several have. */
function memoryOfPages() {
  const parents = new Map(readdirSync('/proc').filter((n) => /^\d+$/.test(n)).flatMap((n) => {
    try { return [[Number(n), Number(readFileSync(`/proc/${n}/stat`, 'utf8').replace(/^.*\) /, '').split(' ')[1])]]; } catch { return []; }
  }));
  const isOurs = (id) => id !== undefined && (id === browser.driver.pid || isOurs(parents.get(id)));
  const isOfAPage = (id) => /--type=renderer|-isForBrowser|\btab$/.test(readFileSync(`/proc/${id}/cmdline`, 'utf8').replaceAll('\0', ' ').trim());
  const of = [...parents.keys()].filter((id) => { try { return isOurs(id) && isOfAPage(id); } catch { return false; } });
  return Math.max(...of.map((id) => 1024 * Number(readFileSync(`/proc/${id}/smaps_rollup`, 'utf8').match(/^Pss:\s+(\d+)/m)[1])));
}

let failed = false;
try {
  await browser.size(1280, 800);
  await browser.go(`${address}#matmul/01_naive?size.M=256&size.N=256&size.K=256`);
  await browser.until('return document.querySelector("#picture svg") && !document.querySelector("#picture.busy") && !document.body.classList.contains("counting")');
  for (const kernel of ['matmul/05_register_2d', 'matmul/09_warp_tile', 'reduction/03_sequential', 'transpose/02_tiled', 'matmul/01_naive']) {
    await browser.run('location.hash = arguments[0]', `#${kernel}`);
    await browser.until(`return location.hash.startsWith("#${kernel}?") && document.querySelector("#picture svg") && !document.querySelector("#picture.busy") && !document.body.classList.contains("counting")`);
  }
  const bytes = memoryOfPages();
  failed = !(bytes > 0 && bytes <= MOST_BYTES);  // nothing: no process was found
  console.log(`${failed ? 'WRONG' : 'ok   '} the page has ${Math.round(bytes / 1e6)} MB of memory after six kernels (goal ${MOST_BYTES / 1e6})`);
  await browser.run('return import("./engine.js").then(async (m) => { window.ownEngine = await m.connect(); })');
  for (const [kernel, side, goal] of [['matmul/01_naive', 128, 1.2e9], ['matmul/01_naive', 256, 1.2e9], ['matmul/05_register_2d', 128, 0.5e9], ['matmul/05_register_2d', 256, 0.5e9]]) {
    const speeds = [];
    for (let i = 0; i < TIMES; i++) {
      const said = await browser.run('return window.ownEngine.ask("run", arguments[0])', { kernel, size: size(side) });
      if (said.error) throw new Error(said.error);
      speeds.push(said.counts.thread_instructions / said.seconds);
    }
    speeds.sort((a, b) => b - a);
    console.log(`${kernel} ${side}: ${(speeds[0] / 1e9).toFixed(2)}e9 thread-instructions a second, median ${(speeds[TIMES / 2] / 1e9).toFixed(2)} (goal ${goal / 1e9})`);
  }
} finally {
  await browser.close();
}
process.exit(failed ? 1 : 0);
