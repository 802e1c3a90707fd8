// A class behind `warplens serve`: who has the teacher's key asks and sees the tally as it comes, all others answer once.
const KEY = 'warplens.teacher';
const at = (path) => new URL(`class/${path}`, import.meta.url);
const post = async (path, body) => (await fetch(at(path), { method: 'POST', body: JSON.stringify(body) })).json();

export const keepKey = (/** @type {string} */ key) => sessionStorage.setItem(KEY, key);
export const teacherKey = () => { try { return sessionStorage.getItem(KEY) ?? ''; } catch { return ''; } };

export const ask = (/** @type {string} */ question, /** @type {string[]} */ choices) => post(`ask?key=${teacherKey()}`, { question, choices });
export const tally = async () => (await fetch(at(`tally?key=${teacherKey()}`))).json();
export const question = async (/** @type {string} */ code) => (await fetch(at(`question?code=${encodeURIComponent(code)}`))).json();

/** One answer a machine: the ticket says nothing but that it is another one. */
export function answer(/** @type {string} */ code, /** @type {number} */ round, /** @type {number} */ choice) {
  const ticket = localStorage.ticket ??= crypto.randomUUID?.() ?? [...crypto.getRandomValues(new Uint8Array(16))].join('-');
  return post('answer', { code, round, ticket, choice });
}

/** On the buttons of the choices, until they are others; `said` gets the code and the number of answers. */
export async function showTally(/** @type {HTMLElement} */ buttons, /** @type {HTMLElement} */ said, /** @type {number} */ round) {
  const mine = [...buttons.children].map((b) => /** @type {any} */ (b));
  while (mine.length && buttons.contains(mine[0])) {
    const now = await tally();
    if (now.round !== round) return;
    mine.forEach((button, i) => {
      button.dataset.count = now.counts[i];
      button.style.setProperty('--share', `${now.answers ? (100 * now.counts[i]) / now.answers : 0}%`);
      button.setAttribute('aria-description', `${now.counts[i]}`);
    });
    said.textContent = `${new URL('class.html', import.meta.url).href} · ${now.code} · ${now.answers}`;
    await new Promise((done) => setTimeout(done, 500));
  }
}
