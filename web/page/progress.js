// How far somebody has come in each lesson, in this browser alone.
const KEY = 'warplens.progress';

const all = () => { try { return JSON.parse(localStorage.getItem(KEY) ?? '{}'); } catch { return {}; } };

export const progressOf = (/** @type {string} */ lesson) => ({ at: 1, seen: [], right: [], wrong: [], answered: [], done: [], ...all()[lesson] });

/** what: seen, right, wrong, answered or done. */
export function note(/** @type {string} */ lesson, /** @type {string} */ what, /** @type {number} */ stop) {
  const now = /** @type {any} */ (progressOf(lesson));
  if (!now[what].includes(stop)) now[what].push(stop);
  if (what === 'seen') now.at = stop;
  try { localStorage.setItem(KEY, JSON.stringify({ ...all(), [lesson]: now })); } catch { /* a browser that keeps nothing */ }
}
