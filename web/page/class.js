// A class: who has the teacher's key after the # asks and sees the tally, all others answer once.
const find = (id) => /** @type {any} */ (document.getElementById(id));
const key = location.hash.slice(1);
const ticket = localStorage.ticket ??= crypto.randomUUID?.() ?? [...crypto.getRandomValues(new Uint8Array(16))].join('-');
let round = -1;

const post = async (path, body) => (await fetch(path, { method: 'POST', body: JSON.stringify(body) })).json();

async function answer(choice) {
  const { error } = await post('class/answer', { round, ticket, choice });
  find('state').textContent = error ?? '✓';
  for (const button of find('choices').children) button.disabled = true;
}

async function look() {
  const now = await (await fetch('class/question')).json();
  if (now.round !== round && now.round > 0) {
    round = now.round;
    find('question').textContent = now.question;
    find('state').textContent = '';
    find('choices').replaceChildren(...now.choices.map((text, i) => {
      const button = Object.assign(document.createElement('button'), { textContent: text, onclick: () => answer(i), disabled: Boolean(key) });
      button.dataset.text = text;
      return button;
    }));
  }
  if (key && round > 0) {
    const { counts, answers } = await (await fetch(`class/tally?key=${key}`)).json();
    counts.forEach((n, i) => { find('choices').children[i].textContent = `${find('choices').children[i].dataset.text}: ${n}`; });
    find('state').textContent = `${answers}`;
  }
}

find('ask').hidden = !key;
find('ask').onsubmit = async (event) => {
  event.preventDefault();
  const { error } = await post(`class/ask?key=${key}`, { question: find('text').value, choices: find('lines').value.split('\n').filter(Boolean) });
  find('state').textContent = error ?? '';
};
look();
setInterval(look, 1500);
