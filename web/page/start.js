// What there is: lessons, with how far one has come, and ladders.
import { find, make } from './dom.js';
import { progressOf } from './progress.js';

const card = (href, title, text, at) => make('li', {}, make('a', { href }, make('strong', { textContent: title }), make('span', { textContent: text }), make('small', { textContent: at })));

export function drawStart(catalog) {
  find('lessons').replaceChildren(...catalog.lessons.map((l) => {
    const now = progressOf(l.name);
    return card(`#?lesson=${l.name}&stop=${now.at}`, l.title, l.summary, `${l.minutes} min · ${now.seen.length} / ${l.stops}${now.right.length ? ` · ✓ ${now.right.length}` : ''}`);
  }));
  find('ladders').replaceChildren(...catalog.ladders.map((ladder) => {
    const steps = catalog.kernels.filter((k) => k.ladder === ladder.name);
    return card(`#${steps[0].id}`, ladder.title, steps[0].idea, `${steps.length}`);
  }));
}
