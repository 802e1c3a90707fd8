// A lesson in a course of SCORM 1.2: what this browser keeps of it is told to the course, and where it was left is where it begins.
import { progressOf, note } from './progress.js';

const lesson = document.body.dataset.lesson ?? '', stops = Number(document.body.dataset.stops);

/** The course's interface stands in a frame around this one, or in the window that opened it. */
function find(/** @type {any} */ from) {
  for (let at = from; at; at = at.parent === at ? null : at.parent) try { if (at.API) return at.API; } catch { return null; }
  return from.opener ? find(from.opener) : null;
}
const api = find(window);

function tell() {
  const now = progressOf(lesson), asked = now.right.length + now.wrong.length;
  if (asked) api.LMSSetValue('cmi.core.score.raw', String(Math.round((100 * now.right.length) / asked)));
  api.LMSSetValue('cmi.core.lesson_location', String(now.at));
  api.LMSSetValue('cmi.core.lesson_status', now.seen.length >= stops ? 'completed' : 'incomplete');
  api.LMSCommit('');
}

let at = 1;
if (api) {
  api.LMSInitialize('');
  api.LMSSetValue('cmi.core.score.min', '0');
  api.LMSSetValue('cmi.core.score.max', '100');
  at = Number(api.LMSGetValue('cmi.core.lesson_location')) || 1;
  addEventListener('storage', tell);
  addEventListener('pagehide', () => { tell(); api.LMSFinish(''); });
  tell();
}
if (at > 1) note(lesson, 'seen', at);
/** @type {any} */ (document.querySelector('iframe')).src = `index.html#?lesson=${lesson}&stop=${at}`;
