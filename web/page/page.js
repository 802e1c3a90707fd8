// The page of a ladder: what is chosen stands in the address, everything that is said comes from the engine.
import { connect } from './engine.js';
import { stateOf, linkOf } from './link.js';

const find = (id) => /** @type {any} */ (document.getElementById(id));
const dark = matchMedia('(prefers-color-scheme: dark)');
const engine = await connect();
const catalog = await engine.ask('catalog');
let state = {}, round = 0, playing = 0, shown = {};

const make = (tag, fields = {}, ...children) => { const e = Object.assign(document.createElement(tag), fields); e.append(...children); return e; };
const options = (select, list, chosen) => { select.replaceChildren(...list.map(([value, text]) => make('option', { value, textContent: text, selected: value === chosen }))); };
const kernelOf = (id) => catalog.kernels.find((k) => k.id === id);
const stepsOf = (ladder) => catalog.kernels.filter((k) => k.ladder === ladder);

/** What is chosen now; the newest round wins. Changing a slider ten times draws ten links and one picture. */
function choose(change) {
  state = { ...state, ...change };
  history.replaceState(null, '', linkOf(state));
  return draw();
}

function say(text, isError = false) { find('state').textContent = text; find('state').className = isError ? 'error' : ''; }

async function draw() {
  const mine = ++round, isOld = () => mine !== round;
  await new Promise((done) => setTimeout(done, 30));
  if (isOld()) return;
  find('picture').classList.add('busy');
  drawSteps();
  const choices = await engine.ask('choices', state);
  if (isOld()) return;
  if (choices.error) return fail(choices);
  state = { ...choices.state, figure: state.figure ?? choices.state.figure };
  drawSliders(choices.sliders);
  drawSizes();
  const room = find('picture').clientWidth, width = Math.max(700, Math.min(1400, room)), height = Math.round(width * 0.56);
  const answer = await engine.ask('figure', { ...state, dark: dark.matches, width, height });
  if (isOld()) return;
  if (answer.error) return fail(answer);
  shown = answer;
  drawPicture(answer);
  const code = await engine.ask('code', state);
  if (!isOld() && !code.error) drawCode(code.lines, answer.line);
}

function fail(answer) {
  find('picture').classList.remove('busy');
  say(answer.next_step ? `${answer.message}. ${answer.next_step}` : answer.error, true);
}

function drawSteps() {
  const kernel = kernelOf(state.kernel), steps = stepsOf(kernel?.ladder);
  options(find('ladder'), catalog.ladders.map((l) => [l.name, l.title]), kernel?.ladder);
  options(find('device'), catalog.devices.map((d) => [d.id, d.name]), state.device);
  options(find('figure'), catalog.figures.map((f) => [f.id, f.title]), state.figure === 'opening' ? shown.figure : state.figure);
  find('idea').textContent = kernel?.idea ?? '';
  document.title = kernel ? `${kernel.title} - Warplens` : 'Warplens';
  find('steps').replaceChildren(...steps.map((step, i) => {
    const button = make('button', { onclick: () => choose({ kernel: step.id, params: {}, access: 0, line: 0 }) },
      make('span', { className: 'number', textContent: `${i + 1}` }), step.title);
    button.setAttribute('aria-current', String(step.id === state.kernel));
    return make('li', {}, button);
  }));
}

function drawSliders(sliders) {
  const focused = document.activeElement?.id;
  find('sliders').replaceChildren(...sliders.map(({ name, meaning, values }) => {
    const at = values.findIndex((v) => v.value === state.params[name]);
    const number = make('output', { textContent: `${state.params[name]}` }), reason = make('span', { className: 'reason' });
    const input = make('input', { type: 'range', id: `p-${name}`, min: '0', max: `${values.length - 1}`, value: `${at}`, title: meaning });
    input.oninput = () => {
      const wanted = values[Number(input.value)];
      number.textContent = `${wanted.value}`;
      reason.textContent = wanted.valid ? '' : wanted.reason;
      if (wanted.valid) choose({ params: { ...state.params, [name]: wanted.value }, access: 0, line: 0 });
    };
    input.setAttribute('aria-valuetext', number.textContent);
    return make('div', { className: 'slider' }, make('label', { htmlFor: `p-${name}`, textContent: name, title: meaning }), number, input, reason);
  }));
  if (focused?.startsWith('p-')) find(focused)?.focus();
}

function drawSizes() {
  const names = Object.keys(state.size), now = names.map((n) => state.size[n]).join(' × ');
  const sides = names.length && names.every((n) => state.size[n] === state.size[names[0]]) ? [64, 128, 256, 512] : [];
  const list = sides.map((s) => [names.map(() => s).join(' × '), names.map(() => s).join(' × ')]);
  if (!list.some(([text]) => text === now)) list.push([now, now]);
  options(find('size'), list, now);
}

function drawPicture({ svg, words, speed, accesses, access, warps, figure }) {
  find('picture').innerHTML = svg.replace(/^<\?xml[^>]*>/, '');
  find('picture').classList.remove('busy');
  find('picture').setAttribute('aria-label', words.what || words.headline);
  find('headline').textContent = words.what || words.headline;
  find('headline').className = words.fix ? '' : 'fine';
  find('why').textContent = words.why;
  find('fix').textContent = words.fix;
  find('figure').value = figure;
  find('speed').replaceChildren(...(speed ? [make('span', { className: 'big', textContent: speed.value }), ` ${speed.unit} `, make('div', { textContent: speed.from })] : []));
  find('transport').hidden = !accesses;
  if (accesses) {
    Object.assign(find('access'), { max: accesses, value: access });
    find('at').textContent = `${access} / ${accesses}`;
    Object.assign(find('warp'), { max: warps - 1, value: state.warp ?? 0 });
  }
  say('');
}

function drawCode(lines, line) {
  const last = lines.findLastIndex((l) => l.executed), first = lines.findIndex((l) => l.executed);
  const from = Math.max(0, first - 4), to = Math.min(lines.length, last + 3);
  find('code').replaceChildren(...lines.slice(from, to).map((l) => make('tr', { className: l.number === line ? 'now' : '' },
    make('td', { textContent: l.number }), make('td', { textContent: l.text }),
    make('td', { textContent: l.sector_share > 0.005 ? `${Math.round(100 * l.sector_share)} %` : '' }))));
}

/** What belongs together has the same id up to its last part: the pointer lights all of it. */
function light(event) {
  for (const lit of find('picture').querySelectorAll('.lit')) lit.classList.remove('lit');
  const id = event.target.closest?.('[data-id], [id]')?.dataset.id ?? event.target.id;
  if (!id || !find('picture').contains(event.target)) return;
  for (const e of find('picture').querySelectorAll('[data-id], [id]')) if ((e.dataset.id ?? e.id) === id) e.classList.add('lit');
}

function step(by) {
  const steps = stepsOf(kernelOf(state.kernel)?.ladder), at = steps.findIndex((s) => s.id === state.kernel) + by;
  if (steps[at]) choose({ kernel: steps[at].id, params: {}, access: 0, line: 0 });
}
const access = (by) => { if (shown.accesses) choose({ access: Math.min(shown.accesses, Math.max(1, shown.access + by)) }); };

async function play() {
  const mine = playing ? (playing = 0) : (playing = Date.now());
  find('play').setAttribute('aria-pressed', String(Boolean(playing)));
  while (mine && playing === mine && shown.access < shown.accesses) {
    await choose({ access: shown.access + 1 });
    await new Promise((done) => setTimeout(done, 250));
  }
  if (playing === mine) { playing = 0; find('play').setAttribute('aria-pressed', 'false'); }
}

find('ladder').onchange = () => choose({ kernel: stepsOf(find('ladder').value)[0].id, params: {}, size: {}, figure: 'opening', access: 0, line: 0, warp: 0, block: 0 });
find('device').onchange = () => choose({ device: find('device').value });
find('figure').onchange = () => choose({ figure: find('figure').value });
find('size').onchange = () => {
  const values = find('size').value.split(' × ').map(Number);
  choose({ size: Object.fromEntries(Object.keys(state.size).map((n, i) => [n, values[i]])), access: 0, block: 0 });
};
find('access').oninput = () => choose({ access: Number(find('access').value) });
find('warp').onchange = () => choose({ warp: Number(find('warp').value), access: 0 });
find('play').onclick = play;
find('picture').onpointermove = light;
find('save').onclick = async () => {
  const { toml } = await engine.ask('to_file', state);
  make('a', { href: URL.createObjectURL(new Blob([toml])), download: `${state.kernel.replace('/', '-')}.toml` }).click();
};
find('open').onclick = () => find('file').click();
find('file').onchange = async () => {
  const opened = await engine.ask('from_file', { toml: await find('file').files[0].text() });
  if (opened.error) say(opened.error, true); else choose(opened);
};
document.onkeydown = (event) => {
  if (event.target.closest('input, select, button') && event.key !== 'Escape') return;
  const action = { ArrowDown: () => step(1), ArrowUp: () => step(-1), ArrowRight: () => access(1), ArrowLeft: () => access(-1), ' ': play }[event.key];
  if (action) { event.preventDefault(); action(); }
};
dark.onchange = draw;
onhashchange = () => { state = stateOf(location.hash, catalog); draw(); };
state = stateOf(location.hash, catalog);
draw();
