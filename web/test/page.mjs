// page.mjs ADDRESS OUT: ten tasks on the page by mouse and keys, and pictures of it in OUT to be looked at.
import { mkdirSync } from 'node:fs';
import { Browser } from './browser.mjs';

const [address, out] = process.argv.slice(2);
mkdirSync(out, { recursive: true });
const DRAWN = 'return document.querySelector("#picture svg") && !document.querySelector("#picture.busy") && !document.querySelector("#state.error")';
const SMALL = '#matmul/01_naive?size.M=128&size.N=128&size.K=128';
const svg = () => browser.run('return document.querySelector("#picture").innerHTML');
const times = [];
let failed = 0;

const browser = await Browser.open();
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
async function changes(act) {
  const before = await svg();
  await act();
  const begin = Date.now();
  while ((await svg()) === before || !(await browser.run(DRAWN))) {
    must(Date.now() - begin < 30000, 'the picture stays');
    await new Promise((done) => setTimeout(done, 20));
  }
  times.push(Date.now() - begin);
}
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
  await task('a figure', () => changes(() => choose('figure', 'banks')));
  await task('a device', () => changes(() => browser.run('const e = document.getElementById("device"); e.selectedIndex = 3; e.dispatchEvent(new Event("change"))')));
  await task('a size', () => changes(() => choose('size', '64 × 64 × 64')));
  await browser.run('document.activeElement.blur()');
  await task('the next step by key', () => changes(() => browser.key('ArrowDown')));
  await task('the step before by key', () => changes(() => browser.key('ArrowUp')));
  await task('an access by key', async () => { await choose('figure', 'access'); await browser.until(DRAWN); await changes(() => browser.key('ArrowRight')); });
  await task('hover lights', async () => {
    const at = await browser.run('const e = [...document.querySelectorAll("#picture svg [id]")].find(e => { const r = e.getBoundingClientRect(); return e.children.length === 0 && r.width > 3 && r.width < 300 && r.height > 3 && r.y > 0 && r.y < 700 }); const r = e.getBoundingClientRect(); return [r.x + r.width / 2, r.y + r.height / 2]');
    await browser.point(at);
    await browser.until('return document.querySelector("#picture .lit")', 3000);
  });
  await task('a link opens as it was', async () => {
    const before = await svg(), link = await browser.run('return location.href');
    await browser.go('about:blank');
    await browser.go(link);
    await browser.until(DRAWN);
    must((await svg()) === before, 'another picture');
  });
  await task('each control has a name', async () => {
    const unnamed = await browser.run('return [...document.querySelectorAll("button, input, select")].filter(e => e.type !== "file" && !e.textContent.trim() && !e.labels?.length && !e.getAttribute("aria-label")).map(e => e.id)');
    must(unnamed.length === 0, unnamed.join(', '));
  });
  for (const theme of ['dark', 'light'])
    for (const [width, height] of [[390, 844], [1280, 800], [1920, 1080]]) {
      await browser.theme(theme);
      await browser.size(width, height);
      await browser.go('about:blank');
      await browser.go(address + SMALL);
      await browser.until(DRAWN);
      await task(`${width} wide, ${theme}: nothing beside the page`, async () => must((await browser.run('return document.documentElement.scrollWidth')) <= width, 'it is wider'));
      await browser.picture(`${out}/page-${width}-${theme}.png`);
    }
  await task('an embedded figure', async () => {
    await browser.size(900, 600);
    await browser.go(address.replace(/[^/]*$/, '') + 'figure.html' + SMALL);
    await browser.until('return document.querySelector("warp-lens")?.shadowRoot.querySelector("svg")');
    await browser.picture(`${out}/figure.png`);
  });
  await task('no error in the console', async () => {
    const errors = (await browser.logs()).filter((l) => l.level === 'SEVERE' && !l.message.includes('/served'));
    must(errors.length === 0, errors.map((e) => e.message).join('; '));
  });
  times.sort((a, b) => a - b);
  console.log(`from a choice to its picture: median ${times[times.length >> 1]} ms, at most ${times.at(-1)} ms`);
} finally {
  await browser.close();
}
process.exit(failed ? 1 : 0);
