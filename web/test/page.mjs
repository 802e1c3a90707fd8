// page.mjs ADDRESS OUT [BROWSER]: what one does on the page, by mouse and keys, and pictures of it in OUT to be looked at.
import { mkdirSync } from 'node:fs';
import { open } from './browser.mjs';

const [address, out, name = 'chromium'] = process.argv.slice(2);
mkdirSync(out, { recursive: true });
const DRAWN = 'return document.querySelector("#picture svg") && !document.querySelector("#picture.busy") && !document.querySelector("#state.error")';
const WHOLE = `${DRAWN.replace('return ', 'return !!(')}) && !document.body.classList.contains('counting')`;
const SMALL = '#matmul/01_naive?size.M=128&size.N=128&size.K=128';
/** What the first of these has nothing to draw of is of one of the others. */
const OF_ALL_FIGURES = [SMALL, '#tensor/05_swizzle?size.M=64&size.N=64&size.K=64', '#tensor/15_cluster_multicast', '#matmul/01_naive?size.M=128&size.N=128&size.K=128&device=h200'];
const LEAST_TYPE = 8;  // app/page/session.cpp
const svg = () => browser.run('return document.querySelector("#picture").innerHTML');
const hash = () => browser.run('return location.hash');
const fresh = async (link) => { await browser.go('about:blank'); await browser.go(address + link); };
const times = [];
let failed = 0;

const browser = await open(name);
async function task(name, does) {
  try {
    const said = await does();
    console.log(`ok    ${name}${said === undefined ? '' : `: ${said}`}`);
  } catch (error) {
    failed++;
    console.log(`WRONG ${name}: ${error.message}`);
  }
}
const must = (is, what) => { if (!is) throw new Error(what); };
/** From what is done to the frame that has another picture, as the page itself sees both. */
const WATCH = `if (window.watched) return; window.watched = { from: 0, to: 0 };
  for (const kind of ['input', 'change', 'keydown', 'mousedown']) addEventListener(kind, () => { window.watched.from ||= performance.now(); }, { capture: true });
  new MutationObserver(() => requestAnimationFrame(() => setTimeout(() => { window.watched.to ||= performance.now(); }))).observe(document.querySelector('#picture'), { childList: true });`;
const watch = async () => { await browser.run(WATCH); await browser.run('window.watched.from = window.watched.to = 0'); };
async function seen() {
  await browser.until('return window.watched.to', 30000);
  const took = await browser.run('return window.watched.to - window.watched.from');
  times.push(took);
  await browser.until(WHOLE);
  return took;
}
async function changes(act) {
  await watch();
  await act();
  return seen();
}
/** Whether the slider's next value is one, and legal. */
async function moves(id, key) {
  const before = await hash();
  await watch();
  await browser.run('document.getElementById(arguments[0]).focus()', id);
  await browser.key(key);
  await new Promise((done) => setTimeout(done, 60));
  if ((await hash()) === before) return false;
  await seen();
  return true;
}
/** No part of the page is wider than it, nor has to be moved sideways to be seen, but for code, and what is `moved`. */
async function fits(width, moved = 'pre') {
  const wide = await browser.run(`return [document.documentElement, ...document.querySelectorAll('body *')].filter((e) => e.scrollWidth > e.clientWidth + 1 && !e.closest('svg, #code, aside, dialog, option, pre, ${moved}')
    && (e === document.documentElement || ['auto', 'scroll'].includes(getComputedStyle(e).overflowX))).map((e) => e.id || e.localName)`);
  must((await browser.run('return document.documentElement.scrollWidth')) <= width && wide.length === 0, `wider: ${wide.join(', ')}`);
}
/** What one sees of the source's last line, at the page's end, is the source. */
async function ends() {
  await browser.until('return document.querySelector("#code tr")');
  await browser.run('scrollTo(0, document.documentElement.scrollHeight)');
  must(await browser.run(`const r = document.querySelector("#code tr:last-child td").getBoundingClientRect(), of = document.elementFromPoint(r.right - 2, r.y + r.height / 2);
    return r.y < innerHeight && Boolean(of?.closest("aside"))`), 'the source is covered');
  await browser.run('scrollTo(0, 0)');
}
/** The size of the picture's smallest text on the screen. */
const SMALLEST = 'return Math.min(...[...document.querySelectorAll("#picture svg text")].map((e) => parseFloat(getComputedStyle(e).fontSize) * e.getScreenCTM().a))';
const choose = (id, value) => browser.run('const e = document.getElementById(arguments[0]); e.value = arguments[1]; e.dispatchEvent(new Event("change", {bubbles: true}))', id, value);

try {
  await browser.size(1280, 800);
  await browser.theme('dark');
  const begin = Date.now();
  await browser.go(address + SMALL);
  await task('the first picture', async () => { await browser.until(DRAWN); return `${Date.now() - begin} ms`; });
  await task('a step by mouse', async () => { await changes(() => browser.click('#steps li:nth-child(3) button')); must((await browser.run('return location.hash')).includes('03_'), 'the link'); });
  await task('a slider by key', async () => {
    await browser.run('document.querySelector("#sliders input").focus()');
    await changes(() => browser.key('ArrowLeft'));
    must((await browser.run('return location.hash')).includes('TILE='), 'the link');
  });
  await task('every slider of a step, back and forth', async () => {
    await fresh('#matmul/05_register_2d?size.M=128&size.N=128&size.K=128');
    await browser.until(WHOLE);
    let moved = 0;
    for (const id of await browser.run('return [...document.querySelectorAll("#sliders input")].map((e) => e.id)'))
      for (const key of ['ArrowLeft', 'ArrowRight', 'ArrowRight', 'ArrowLeft']) moved += await moves(id, key);
    must(moved > 4, `${moved} moves`);
    return `${moved} moves`;
  });
  await task('a figure', () => changes(() => choose('figure', 'banks')));
  await task('a device', () => changes(() => browser.run('const e = document.getElementById("device"); e.value = "a100"; e.dispatchEvent(new Event("change"))')));
  await task('a size', () => changes(() => choose('size', '64 × 64 × 64')));
  await browser.run('document.activeElement.blur()');
  await task('the next step by key', () => changes(() => browser.key('ArrowDown')));
  await task('the step before by key', () => changes(() => browser.key('ArrowUp')));
  await task('an access by key', async () => { await choose('figure', 'access'); await browser.until(DRAWN); await changes(() => browser.key('ArrowRight')); });
  await task('accesses play until the button is pressed again, and anew from the last one', async () => {
    const at = async () => (await browser.run('return document.getElementById("at").textContent')).split(' / ').map(Number);
    const [from, all] = await at();
    await browser.click('#play');
    await browser.until(`return parseInt(document.getElementById("at").textContent) > ${from + 1}`);
    await browser.click('#play');
    await browser.until(`${WHOLE} && document.getElementById("play").getAttribute("aria-pressed") === "false"`);
    await changes(() => browser.run('const e = document.getElementById("access"); e.value = e.max; e.dispatchEvent(new Event("input", { bubbles: true }))'));
    must((await at())[0] === all, 'not the last one');
    await browser.click('#play');
    await browser.until(`return parseInt(document.getElementById("at").textContent) < ${all}`);
    await browser.click('#play');
    await browser.until(WHOLE);
  });
  await task('hover lights', async () => {
    const at = await browser.run(`for (const e of document.querySelectorAll('#picture svg *')) {
      const r = e.getBoundingClientRect(), at = [r.x + r.width / 2, r.y + r.height / 2];
      if (e.children.length === 0 && r.width > 3 && r.width < 300 && document.elementFromPoint(...at) === e && e.closest('#picture [id], #picture [data-id]')) return at;
    }`);
    must(at, 'nothing has an id');
    await browser.point(at);
    await browser.until('return document.querySelector("#picture .lit")', 3000);
    await browser.point([2, 2]);
    await browser.until('return !document.querySelector("#picture .lit")', 3000);
  });
  await task('a link opens as it was', async () => {
    await browser.until(WHOLE);
    const before = await svg(), link = await hash();
    await fresh(link);
    await browser.until(WHOLE);
    must((await svg()) === before, 'another picture');
    must((await hash()) === link, 'another link');
  });
  await task('a state file and back', async () => {
    const link = await hash(), toml = await browser.run(`let text; const make = URL.createObjectURL;
      return new Promise((done) => { URL.createObjectURL = (blob) => { blob.text().then(done); URL.createObjectURL = make; return make(blob); }; document.getElementById("save").click(); })`);
    must(toml.includes('kernel'), 'no file');
    await fresh(SMALL);
    await browser.until(DRAWN);
    await browser.run(`const files = new DataTransfer(); files.items.add(new File([arguments[0]], "a.toml")); const e = document.getElementById("file"); e.files = files.files; e.dispatchEvent(new Event("change"))`, toml);
    await browser.until(`return location.hash === ${JSON.stringify(link)} && !document.querySelector("#picture.busy")`);
  });
  await task('what cannot be is said with its reason', async () => {
    await fresh('#matmul/03_shared_tile?TILE=7&size.M=64&size.N=64&size.K=64');
    await browser.until('return document.querySelector("#state.error")?.textContent');
    must(await browser.run('const r = document.getElementById("state").getBoundingClientRect(); return r.y > 0 && r.bottom < innerHeight && document.getElementById("headline").offsetHeight === 0'), 'not in the picture\'s place');
    return browser.run('return document.querySelector("#state.error").textContent');
  });
  await task('a newer choice ends the older one', async () => {
    await fresh('#matmul/01_naive?size.M=512&size.N=512&size.K=512');
    await browser.until('return document.querySelector("#picture.busy")');
    await new Promise((done) => setTimeout(done, 700));
    const begin = Date.now();
    await choose('size', '64 × 64 × 64');
    await browser.until(DRAWN);
    return `${Date.now() - begin} ms`;
  });
  await task('the start page leads to a lesson', async () => {
    await fresh('');
    await browser.until('return document.querySelector("#lessons li a")');
    for (const theme of ['dark', 'light'])
      for (const [width, height] of [[390, 844], [1280, 800], [1920, 1080]]) {
        await browser.theme(theme);
        await browser.size(width, height);
        await browser.picture(`${out}/start-${width}-${theme}.png`);
      }
    await browser.theme('dark');
    await browser.size(1280, 800);
    await browser.click('#lessons li a');
    await browser.until('return document.querySelector("#heading")?.textContent && document.querySelector("#picture svg")');
  });
  await task('a lesson from its first to its last stop', async () => {
    const [, all] = (await browser.run('return document.getElementById("lesson-at").textContent')).split(' / ').map(Number);
    let asked = 0, right = 0;
    for (let stop = 1; stop <= all; stop++) {
      await browser.until(`return document.getElementById("lesson-at").textContent === "${stop} / ${all}" && !document.querySelector("#picture.busy")`);
      const choices = await browser.run('return document.getElementById("ask").hidden ? 0 : document.getElementById("choices").children.length');
      if (choices) {
        asked++;
        await browser.click('#choices button');
        await browser.until('return document.querySelector("#verdict strong")');
        right += await browser.run('return document.querySelector("#verdict .right") ? 1 : 0');
        must(await browser.run('return !document.getElementById("behind").hidden'), 'the answer is not told');
      }
      if (asked === 1 && choices) for (const theme of ['dark', 'light'])
        for (const [width, height] of [[390, 844], [1280, 800], [1920, 1080]]) {
          await browser.theme(theme);
          await browser.size(width, height);
          await browser.until(WHOLE);
          await browser.picture(`${out}/lesson-${width}-${theme}.png`);
        }
      if (asked === 1 && choices) { await browser.theme('dark'); await browser.size(1280, 800); await browser.until(WHOLE); }
      if (stop < all) await browser.click('#next');
    }
    const kept = await browser.run('return Object.values(JSON.parse(localStorage.getItem("warplens.progress")))[0]');
    must(kept.seen.length === all && kept.right.length === right && kept.answered.length === asked, `kept ${JSON.stringify(kept)}`);
    return `${all} stops, ${asked} questions, ${right} right by always the first choice`;
  });
  await task('each control has a name', async () => {
    const unnamed = await browser.run('return [...document.querySelectorAll("button, input, select")].filter(e => e.type !== "file" && !e.textContent.trim() && !e.labels?.length && !e.getAttribute("aria-label") && !e.getAttribute("aria-labelledby")).map(e => e.id)');
    must(unnamed.length === 0, unnamed.join(', '));
  });
  for (const theme of ['dark', 'light'])
    for (const [width, height] of [[390, 844], [1280, 800], [1920, 1080]]) {
      await browser.theme(theme);
      await browser.size(width, height);
      await fresh(SMALL);
      await browser.until(WHOLE);
      await task(`${width} wide, ${theme}: nothing beside the page`, async () => { await fits(width); await ends(); });
      await browser.picture(`${out}/page-${width}-${theme}.png`);
    }
  await task('each figure on a phone', async () => {
    await browser.size(390, 844);
    const said = [];
    let left = await browser.run('return [...document.getElementById("figure").options].map((o) => o.value)');
    for (const link of OF_ALL_FIGURES) {
      const more = [];
      await fresh(link);
      await browser.until(WHOLE);
      for (const id of left) {
        await choose('figure', id);
        await browser.until(`return location.hash.includes("figure=${id}") && !document.querySelector("#picture.busy") && !document.body.classList.contains("counting")`);
        if (await browser.run('return !!document.querySelector("#state.error")')) { more.push(id); continue; }
        await fits(390, '#picture');
        const smallest = await browser.run(SMALLEST), is_moved = await browser.run('const e = document.querySelector("#picture"); return e.scrollWidth > e.clientWidth');
        must(!is_moved || smallest < 1.1 * LEAST_TYPE, `${id} is wider than it has to be, with text of ${smallest} px`);
        said.push([id, smallest]);
        await browser.picture(`${out}/phone-${id}.png`);
      }
      left = more;
    }
    must(left.length === 0, `never drawn: ${left.join(', ')}`);
    const [id, smallest] = said.reduce((a, b) => (b[1] < a[1] ? b : a));
    must(smallest > 0.98 * LEAST_TYPE, `${id} has text of ${smallest} px`);
    return `${said.length} figures, the smallest text has ${smallest.toFixed(1)} px, in ${id}`;
  });
  await task('a window that becomes another one while its picture is drawn', async () => {
    await browser.size(1280, 800);
    await fresh('#matmul/01_naive?size.M=256&size.N=256&size.K=256&figure=time');
    await browser.until('return document.querySelector("#picture.busy")');
    await browser.size(390, 844);
    await browser.until(WHOLE);
    const [drawn, room] = await browser.run('const e = document.querySelector("#picture"); return [Number(e.querySelector("svg").getAttribute("width")), e.clientWidth]');
    must(drawn === room, `${drawn} of ${room} px`);
  });
  await task('an embedded figure', async () => {
    await browser.size(900, 600);
    await browser.go(address.replace(/[^/]*$/, '') + 'figure.html' + SMALL);
    await browser.until('return !!document.querySelector("warp-lens")?.shadowRoot.querySelector("svg")');
    await browser.picture(`${out}/figure.png`);
  });
  await task('an element and a frame in a page', async () => {
    await browser.go(address + 'example.html');
    await browser.until('return !!document.querySelector("warp-lens").shadowRoot.querySelector("svg") && !!document.querySelector("iframe").contentDocument?.querySelector("warp-lens")?.shadowRoot.querySelector("svg")');
    const inside = () => browser.run('return document.querySelector("warp-lens").shadowRoot.querySelector("svg").outerHTML');
    const before = await inside();
    await browser.run('const e = document.querySelector("warp-lens").shadowRoot.querySelector("input"); e.value = 1; e.dispatchEvent(new Event("input"))');
    const begin = Date.now();
    while ((await inside()) === before) { must(Date.now() - begin < 30000, 'the slider changes nothing'); await new Promise((done) => setTimeout(done, 50)); }
    await browser.picture(`${out}/example.png`);
  });
  await task('no error in the console', async () => {
    const errors = await browser.errors();
    must(errors.length === 0, errors.join('; '));
  });
  await task('what was transferred', async () => { const sent = await (await fetch(`${address}sent`)).text(); return sent.length < 20 ? `${sent} bytes in all` : 'not counted'; });
  times.sort((a, b) => a - b);
  const part = (share) => Math.round(times[Math.min(times.length - 1, Math.floor(share * times.length))]);
  console.log(`from a choice to its picture, ${times.length} times: median ${part(0.5)} ms, 95 % ${part(0.95)} ms, at most ${part(1)} ms`);
} finally {
  await browser.close();
}
process.exit(failed ? 1 : 0);
