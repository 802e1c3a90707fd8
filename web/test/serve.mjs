// serve.mjs PROGRAM HOME OUT [BROWSER]: what `warplens serve` has beside the page: a class that answers a lesson's question, and a kernel of one's own.
import { spawn } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { open } from './browser.mjs';

const [program, home, out, name = 'chromium'] = process.argv.slice(2);
mkdirSync(out, { recursive: true });
const server = spawn(program, ['--home', home, 'serve', '--port', '0'], { stdio: ['ignore', 'pipe', 'inherit'] });
const said = await new Promise((done) => {
  let text = '';
  server.stdout.on('data', (data) => { text += data; if (text.includes('code of the class')) done(text); });
});
const [address, , teacher] = said.match(/http:\S+/g), [code] = said.match(/\d{6}$/m);
const browser = await open(name);
let failed = 0;
async function task(what, does) {
  try { console.log(`ok    ${what}: ${await does()}`); } catch (error) { failed++; console.log(`WRONG ${what}: ${error.message}`); }
}
const must = (is, what) => { if (!is) throw new Error(what); };
const post = async (path, body) => (await fetch(address + path, { method: 'POST', body: JSON.stringify(body) })).json();
const PUPILS = 200;
const KERNEL = `extern "C" __global__ void twice(const float* in, float* out, int N) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < N) out[i] = 2 * in[i];
}`;

try {
  await browser.size(1280, 800);
  await browser.theme('dark');
  await task('a class answers the question of a stop', async () => {
    await browser.go(teacher);
    await browser.until('return !document.getElementById("ask").hidden');
    await browser.go(`${address}#?lesson=01_first_kernels&stop=1`);
    await browser.until('return !document.getElementById("class").hidden');
    await browser.click('#ask-class');
    await browser.until('return document.querySelector("#choices button[data-count]")');
    const now = await (await fetch(`${address}class/question?code=${code}`)).json();
    must(now.choices.length > 1, JSON.stringify(now));
    const answers = await Promise.all(Array.from({ length: PUPILS }, (_, i) => post('class/answer', { code, round: now.round, ticket: `t${i}`, choice: i % now.choices.length })));
    must(answers.every((a) => a.counted), 'an answer is lost');
    await browser.until(`return [...document.querySelectorAll("#choices button")].reduce((all, b) => all + Number(b.dataset.count), 0) === ${PUPILS}`);
    await browser.picture(`${out}/class-${name}.png`);
    must((await post('class/answer', { code: 'none', round: now.round, ticket: 'x', choice: 0 })).error, 'no code is asked for');
    must((await post('class/answer', { code, round: now.round, ticket: 't1', choice: 0 })).error, 'it counts twice');
    return `${PUPILS} answers`;
  });
  await task('a pupil types the code and answers', async () => {
    await browser.go('about:blank');
    await browser.go(`${address}class.html`);
    await browser.run('sessionStorage.clear()');
    await browser.run('document.getElementById("code").value = arguments[0]', code);
    await browser.click('#enter button');
    await browser.until('return document.querySelector("#choices button")');
    await browser.click('#choices button');
    await browser.until('return document.getElementById("state").textContent === "✓"');
    await browser.picture(`${out}/pupil-${name}.png`);
    return 'counted';
  });
  await task('a kernel of one\'s own', async () => {
    await browser.go(`${address}#matmul/01_naive`);
    await browser.until('return document.querySelector("#picture svg")');
    await browser.click('#own');
    const run = async (text) => {
      await browser.run('document.getElementById("own-text").value = arguments[0]; document.getElementById("own-code").value = arguments[1]', text, code);
      await browser.click('#own-run');
    };
    await run(KERNEL.replace('2 * in', 'two * in'));
    await browser.until('return document.getElementById("own-says").textContent.length > 5');
    const error = await browser.run('return document.getElementById("own-says").textContent');
    must(error.includes(':3'), error);
    await browser.picture(`${out}/own-error-${name}.png`);
    await run(KERNEL);
    await browser.until('return location.hash.includes("taken-") && document.querySelector("#picture svg") && !document.querySelector("#picture.busy") && !document.body.classList.contains("counting")');
    must((await browser.run('return document.querySelector("#state.error")?.textContent ?? ""')) === '', 'it does not run');
    await browser.picture(`${out}/own-${name}.png`);
    return error;
  });
  await task('no error in the console', async () => {
    const errors = (await browser.errors()).filter((e) => !e.includes('403') && !e.includes('409'));
    must(errors.length === 0, errors.join('; '));
    return 'none';
  });
} finally {
  await browser.close();
  server.kill();
}
process.exit(failed ? 1 : 0);
