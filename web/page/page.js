// The page of a ladder: what is chosen stands in the address, everything that is said comes from the engine.
import { find, make, options, sizeOf, svgOf } from './dom.js';
import { connect } from './engine.js';
import { Lesson } from './lesson.js';
import { stateOf, linkOf } from './link.js';
import { drawStart } from './start.js';

const LONG = 1000;  // milliseconds after which a button to end it appears

const FRESH = { params: {}, size: {}, figure: 'opening', access: 0, line: 0, warp: 0, block: 0, lesson: '', stop: 0 };

const dark = matchMedia('(prefers-color-scheme: dark)');
const engine = await connect();
let catalog, state = {}, round = 0, playing = 0, shown = {}, width = 0, began = 0, note = '', arch = '';  // width: that the picture was asked for
const kernelOf = (id) => catalog.kernels.find((k) => k.id === id);
const stepsOf = (ladder) => catalog.kernels.filter((k) => k.ladder === ladder);
const lesson = new Lesson(engine, { choose, leave: () => choose({ lesson: '', stop: 0 }), state: () => state });

/** What is chosen now; the newest round wins. Changing a slider ten times draws ten links and one picture. instead: what is chosen where that cannot be
 *  shown, with the reason. */
function choose(change, instead) {
  state = { ...state, ...change };
  history.replaceState(null, '', linkOf(state));
  note = '';
  return draw(instead);
}

/** An error stands in the picture's place. */
function say(text, isError = false) {
  find('state').textContent = text;
  find('state').className = isError ? 'error' : '';
  document.body.classList.toggle('failed', isError);
}

async function draw(instead) {
  const mine = ++round, isOld = () => mine !== round;
  find('picture').classList.add('busy');
  began = Date.now();
  engine.giveWay();
  await new Promise((done) => setTimeout(done, 5));
  if (isOld()) return;
  show('main');
  setTimeout(() => { if (!isOld() && began) find('cancel').hidden = false; }, LONG);
  try { await drawAll(isOld, instead); } finally {
    if (!isOld()) { began = 0; find('cancel').hidden = true; find('picture').classList.remove('busy'); }
  }
}

const room = () => sizeOf(find('picture').clientWidth);

async function drawAll(isOld, instead) {
  drawSteps();
  if (!await lesson.show(isOld)) return;
  const choices = await engine.ask('choices', { ...state, first: !state.lesson });
  if (isOld()) return;
  if (choices.error !== undefined) return fail(choices, instead);
  state = { ...state, ...choices.state, figure: state.figure || choices.state.figure };
  if (!kernelOf(state.kernel)) { catalog.kernels.push(choices.kernel); drawSteps(); }
  history.replaceState(null, '', linkOf(state));
  arch = choices.arch;
  drawSliders(choices.sliders);
  drawSizes(choices.sizes);
  find('device').value = state.device;
  if (lesson.isCovered()) return drawCovered();
  const asked = { ...state, dark: dark.matches, ...room(), beside: true };
  ({ width } = asked);
  const answer = await drawFigure({ ...asked, early: choices.early }, isOld, instead);
  if (answer?.early) await drawFigure(asked, isOld, instead);
  if (isOld() || !answer) return;
  lesson.judge(isOld);
  const code = await engine.ask('code', state);
  if (!isOld() && code.error === undefined) drawCode(code.lines, shown.line);
}

/** Nothing where there is no picture, or nobody waits for it any more. */
async function drawFigure(asked, isOld, instead) {
  const answer = await engine.ask('figure', asked);
  if (isOld()) return;
  if (answer.error !== undefined) return fail(answer, instead);
  drawPicture(answer);
  return answer;
}

function fail(answer, instead) {
  document.body.classList.remove('counting');
  if (answer.cancelled) return;
  const reason = answer.next_step ? `${answer.message}. ${answer.next_step}` : answer.error;
  if (!instead) return say(reason, true);
  choose(instead);
  note = reason;
}

function drawSteps() {
  const kernel = kernelOf(state.kernel), steps = stepsOf(kernel?.ladder);
  const own = kernel && !catalog.ladders.some((l) => l.name === kernel.ladder) ? [[kernel.ladder, kernel.title]] : [];
  options(find('ladder'), [...catalog.ladders.map((l) => [l.name, l.title]), ...own], kernel?.ladder);
  options(find('device'), catalog.devices.map((d) => [d.id, d.name]), state.device);
  options(find('figure'), catalog.figures.map((f) => [f.id, f.title]), state.figure === 'opening' ? shown.figure : state.figure);
  find('idea').textContent = kernel?.idea ?? '';
  document.title = kernel ? `${kernel.title} - Warplens` : 'Warplens';
  const focused = document.activeElement?.closest('#steps li');
  find('steps').hidden = Boolean(state.lesson);
  find('steps').replaceChildren(...steps.map((step, i) => {
    const button = make('button', { onclick: () => choose({ kernel: step.id, params: {}, access: 0, line: 0 }) },
      make('span', { className: 'number', textContent: `${i + 1}` }), step.title);
    button.setAttribute('aria-current', String(step.id === state.kernel));
    return make('li', {}, button);
  }));
  if (focused) find('steps').querySelector('[aria-current=true]')?.focus();
}

/** The elements stay while the parameters are the same ones: one of them may be under the pointer. */
function drawSliders(sliders) {
  const key = sliders.map((s) => s.name).join(' ');
  if (find('sliders').dataset.key !== key) find('sliders').replaceChildren(...sliders.map(({ name, meaning }) => make('div', { className: 'slider' },
    make('label', { htmlFor: `p-${name}`, textContent: name, title: meaning }), make('output'),
    make('input', { type: 'range', id: `p-${name}`, min: '0', title: meaning }), make('span', { className: 'reason' }))));
  find('sliders').dataset.key = key;
  sliders.forEach(({ name, values }, i) => {
    const [, number, input, reason] = find('sliders').children[i].children;
    const show = (at) => {
      number.textContent = `${values[at].value}`;
      input.setAttribute('aria-valuetext', number.textContent);
      reason.textContent = values[at].valid ? '' : values[at].reason;
    };
    const at = Math.max(0, values.findIndex((v) => v.value === state.params[name]));
    Object.assign(input, { max: `${values.length - 1}`, value: `${at}` });
    show(at);
    input.oninput = () => {
      const wanted = values[Number(input.value)];
      show(Number(input.value));
      if (wanted.valid) choose({ params: { ...state.params, [name]: wanted.value }, access: 0, line: 0 }, { params: { [name]: wanted.value } });
    };
  });
}

function drawSizes(sizes) {
  options(find('size'), sizes.map(({ text }) => [text, text]), sizes.find((s) => s.chosen).text);
  find('size').onchange = () => choose({ size: sizes.find((s) => s.text === find('size').value).size, access: 0, block: 0 });
}

function drawPicture(answer) {
  if (answer.svg !== shown.svg) find('picture').innerHTML = svgOf(answer.svg);
  find('picture').classList.remove('busy');
  find('figure').value = answer.figure;
  shown = answer;
  drawTransport(answer);
  document.body.classList.toggle('counting', answer.early);
  say(note);
  if (!answer.early) drawWords(answer);
}

function drawWords({ words, speed }) {
  const said = words.what || words.headline;
  find('picture').setAttribute('aria-label', said);
  Object.assign(find('headline'), { textContent: said, className: words.costs ? '' : 'fine' });
  find('why').textContent = words.why;
  find('fix').textContent = words.fix;
  find('speed').replaceChildren(...(speed ? [make('span', { className: 'big', textContent: speed.value }), ` ${speed.unit} `, make('div', { textContent: speed.from })] : []));
}

/** Where the picture would give the answer away, the question stands in its place. */
function drawCovered() {
  shown = {};
  width = 0;
  drawTransport(shown);
  find('picture').replaceChildren();
  drawWords({ words: { what: find('question').textContent, why: '', fix: '' } });
  document.body.classList.remove('counting');
  say('');
}

function drawTransport({ accesses, access, warps }) {
  find('transport').hidden = !accesses;
  if (!accesses) return;
  Object.assign(find('access'), { max: accesses, value: access });
  find('at').textContent = `${access} / ${accesses}`;
  Object.assign(find('warp'), { max: warps - 1, value: state.warp ?? 0 });
}

function drawCode(lines, line) {
  const last = lines.findLastIndex((l) => l.executed), first = lines.findIndex((l) => l.executed);
  const from = Math.max(0, first - 1), to = Math.min(lines.length, last + 3);
  find('code').replaceChildren(...lines.slice(from, to).map((l) => make('tr', { className: l.number === line ? 'now' : '' },
    make('td', { textContent: l.number }), make('td', { textContent: l.sector_share > 0.005 ? `${Math.round(100 * l.sector_share)} %` : '' }),
    make('td', { textContent: l.text }))));
}

/** What belongs together has the same data-id: the pointer lights all of it, and leaves the picture as it was. */
function light(event) {
  for (const lit of find('picture').querySelectorAll('.lit')) { lit.classList.remove('lit'); if (!lit.classList.length) lit.removeAttribute('class'); }
  const under = event.target.closest?.('[data-id], [id]'), id = under?.dataset.id ?? under?.id;
  if (!id || event.type === 'pointerleave' || under === find('picture') || !find('picture').contains(under)) return;
  for (const e of find('picture').querySelectorAll('[data-id], [id]')) if ((e.dataset.id ?? e.id) === id) e.classList.add('lit');
}

function selectLine(area, line) {
  const lines = area.value.split('\n'), from = lines.slice(0, line - 1).join('\n').length + (line > 1 ? 1 : 0);
  area.focus();
  area.setSelectionRange(from, from + (lines[line - 1] ?? '').length);
}

function step(by) {
  const steps = stepsOf(kernelOf(state.kernel)?.ladder), at = steps.findIndex((s) => s.id === state.kernel) + by;
  if (steps[at]) choose({ kernel: steps[at].id, params: {}, access: 0, line: 0 });
}
const access = (by) => { if (shown.accesses) choose({ access: Math.min(shown.accesses, Math.max(1, shown.access + by)) }); };

/** From the access that is shown, or from the first one where that is the last. */
async function play() {
  const mine = playing ? (playing = 0) : (playing = Date.now());
  find('play').setAttribute('aria-pressed', String(Boolean(playing)));
  if (mine && shown.access === shown.accesses) await choose({ access: 1 });
  while (mine && playing === mine && shown.access < shown.accesses) {
    await choose({ access: shown.access + 1 });
    await new Promise((done) => setTimeout(done, 250));
  }
  if (playing === mine) { playing = 0; find('play').setAttribute('aria-pressed', 'false'); }
}

function show(what) {
  find('start').hidden = what !== 'start';
  document.querySelector('main').hidden = what !== 'main';
  for (const e of document.querySelectorAll('.of-ladder')) /** @type {any} */ (e).hidden = what !== 'main';
}

/** What the address says: the start page, a lesson's stop or a state. */
async function follow() {
  state = stateOf(location.hash);
  if (!state.kernel && !state.lesson) { round++; show('start'); document.title = 'Warplens'; return drawStart(catalog); }
  if (state.kernel && !state.figure) state.figure = 'opening';
  if (!state.kernel) return lesson.enter(state.lesson, state.stop || 1);
  return draw();
}

find('ladder').onchange = () => choose({ ...FRESH, kernel: stepsOf(find('ladder').value)[0].id });
find('device').onchange = () => choose({ device: find('device').value }, { params: {} });
find('figure').onchange = () => choose({ figure: find('figure').value });
find('access').oninput = () => choose({ access: Number(find('access').value) });
find('warp').onchange = () => choose({ warp: Number(find('warp').value), access: 0 });
find('play').onclick = play;
find('cancel').onclick = () => { round++; began = 0; engine.cancel(); find('cancel').hidden = true; find('picture').classList.remove('busy'); };
find('picture').onpointermove = find('picture').onpointerleave = light;
const offer = (blob, ending) => make('a', { href: URL.createObjectURL(blob), download: `${state.kernel.replace('/', '-')}${ending}` }).click();
find('save').onclick = async () => offer(new Blob([(await engine.ask('to_file', state)).toml]), '.toml');
find('one-file').onclick = async () => {
  const { oneFile } = await import('./one-file.js');
  offer(await oneFile(linkOf(state), state.kernel, arch, Object.keys(state.params).join(' '), document.title), '.html');
};
find('own').onclick = () => find('own-kernel').showModal();
find('own-run').onclick = async () => {
  find('own-says').textContent = '…';
  const taken = await engine.ask('take', { text: find('own-text').value, code: find('own-code').value.trim() });
  find('own-says').textContent = taken.error ?? '';
  if (taken.line) selectLine(find('own-text'), taken.line);
  if (taken.error !== undefined) return;
  find('own-kernel').close();
  choose({ ...FRESH, kernel: taken.kernel });
};
find('open').onclick = () => find('file').click();
find('file').onchange = async () => {
  const opened = await engine.ask('from_file', { toml: await find('file').files[0].text() });
  if (opened.error === undefined) return choose({ ...opened, lesson: '', stop: 0 });
  show('main');
  fail(opened);
};
document.onkeydown = (event) => {
  if (event.target.closest('input, select, button, a, summary') || find('start').hidden === false) return;
  const action = { ArrowDown: () => step(1), ArrowUp: () => step(-1), ArrowRight: () => access(1), ArrowLeft: () => access(-1), ' ': play }[event.key];
  if (action) { event.preventDefault(); action(); }
};
dark.onchange = () => { if (state.kernel) draw(); };
onhashchange = follow;
let resized = 0;
/** A picture of another width than the window's is busy from the first moment on, and is drawn once the window stays as it is. */
onresize = () => {
  const isOther = () => state.kernel && width && width !== room().width;
  find('picture').classList.toggle('busy', Boolean(began || isOther()));
  clearTimeout(resized);
  resized = setTimeout(() => { if (isOther()) draw(); }, 200);
};

catalog = await engine.ask('catalog');
document.body.classList.remove('loading');
document.body.classList.toggle('served', engine.isServed);
if (catalog.error !== undefined) find('loading').textContent = catalog.error;
else { find('loading').hidden = true; follow(); }
