// A class: who has the teacher's key after the # asks, all others type the code and answer once.
import { find, make } from './dom.js';
import { answer, ask, keepKey, question, showTally } from './classroom.js';

const key = location.hash.slice(1);
let code = new URLSearchParams(location.search).get('code') ?? '', round = 0;

async function give(choice) {
  const { error } = await answer(code, round, choice);
  find('state').textContent = error ?? '✓';
  for (const button of find('choices').children) button.disabled = true;
}

function draw(now) {
  round = now.round;
  find('question').textContent = now.question;
  find('state').textContent = '';
  find('choices').replaceChildren(...now.choices.map((text, i) => make('button', { textContent: text, onclick: () => give(i), disabled: Boolean(key) })));
}

async function look() {
  if (!code) return;
  const now = await question(code);
  find('enter').hidden = now.error === undefined;
  if (now.error !== undefined) { find('state').textContent = now.error; code = ''; return; }
  if (now.round > 0 && now.round !== round) draw(now);
}

if (key) keepKey(key);
find('ask').hidden = !key;
find('enter').hidden = Boolean(key || code);
find('enter').onsubmit = (event) => { event.preventDefault(); code = find('code').value.trim(); look(); };
find('ask').onsubmit = async (event) => {
  event.preventDefault();
  const text = find('text').value, choices = find('lines').value.split('\n').filter(Boolean), said = await ask(text, choices);
  if (said.error !== undefined) { find('state').textContent = said.error; return; }
  draw({ round: said.round, question: text, choices });
  showTally(find('choices'), find('state'), round);
};
look();
setInterval(look, 1500);
