// A lesson beside the picture: its stop's text, the question, the exercise. What was answered is kept in this browser.
import { find, make } from './dom.js';
import { progressOf, note } from './progress.js';
import * as classroom from './classroom.js';

export class Lesson {
  #stop = /** @type {any} */ (null);
  #answered = false;

  /** page: how the page's state is read and chosen. */
  constructor(engine, page) {
    Object.assign(this, { engine, page });
    find('next').onclick = () => this.#go(1);
    find('back').onclick = () => this.#go(-1);
    find('shown').onclick = () => this.enter(this.page.state().lesson, this.#stop.stop);
    find('ask').onsubmit = (event) => { event.preventDefault(); this.#answer({ number: Number(find('number').value) }); };
    find('ask-class').onclick = () => this.#askClass();
    // A word of the glossary says its sentence where nothing can rest on it, as on a phone.
    find('lesson').addEventListener('click', (event) => {
      const word = event.target.closest('a.word');
      if (!word) return;
      event.preventDefault();
      find('verdict').textContent = word.title;
      find('ask').hidden = false;
    });
  }

  async enter(name, number) {
    const stop = await this.engine.ask('stop', { lesson: name, stop: number });
    if (stop.error !== undefined) { find('loading').hidden = false; find('loading').textContent = stop.error; return; }
    this.#take(name, stop);
    const { dark: _, ...state } = stop.state;
    return this.page.choose({ ...state, lesson: name, stop: number });
  }

  /** Fetches the text where another stop stands in the address. False: the address changed meanwhile. */
  async show(isOld) {
    const { lesson: name, stop: number } = this.page.state();
    document.body.classList.toggle('in-lesson', Boolean(name));
    find('lesson').hidden = !name;
    if (!name) { this.#stop = null; return true; }
    if (this.#stop?.name === name && this.#stop.stop === number) return true;
    const stop = await this.engine.ask('stop', { lesson: name, stop: number || 1 });
    if (isOld()) return false;
    if (stop.error === undefined) this.#take(name, stop);
    return true;
  }

  isCovered() { return Boolean(this.#stop?.covered) && !this.#answered; }

  #go(by) {
    const to = this.#stop.stop + by;
    if (to >= 1 && to <= this.#stop.stops) { history.pushState(null, '', location.href); this.enter(this.#stop.name, to); } else location.hash = '';
  }

  #take(name, stop) {
    this.#stop = { ...stop, name };
    note(name, 'seen', stop.stop, stop.stops);
    find('lesson-title').textContent = stop.title;
    find('lesson-at').textContent = `${stop.stop} / ${stop.stops}`;
    find('heading').textContent = stop.heading;
    find('text').innerHTML = stop.text;
    find('behind').innerHTML = stop.behind;
    find('verdict').replaceChildren();
    find('ask').hidden = !stop.ask;
    find('question').innerHTML = stop.ask?.question ?? '';
    find('typed').hidden = !stop.ask || stop.ask.choices.length > 0;
    find('choices').replaceChildren(...(stop.ask?.choices ?? []).map((text, choice) =>
      make('button', { type: 'button', textContent: text, onclick: () => this.#answer({ choice }) })));
    find('class').hidden = !classroom.teacherKey() || !stop.ask?.choices.length;
    find('tally').textContent = '';
    find('try').hidden = !stop.try;
    find('task').innerHTML = stop.try?.task ?? '';
    find('hint').innerHTML = stop.try?.hint ?? '';
    find('hint').parentElement.hidden = !stop.try?.hint;
    find('goal').textContent = '';
    find('back').disabled = stop.stop === 1;
    this.#uncover(!stop.ask || progressOf(name).answered.includes(stop.stop));
    find('heading').scrollIntoView?.({ block: 'nearest' });
  }

  #uncover(is) {
    this.#answered = is;
    find('behind').hidden = !is;
  }

  async #askClass() {
    const said = await classroom.ask(find('question').textContent, this.#stop.ask.choices);
    if (said.error !== undefined) find('tally').textContent = said.error;
    else classroom.showTally(find('choices'), find('tally'), said.round);
  }

  async #answer(given) {
    const { name, stop, covered } = this.#stop;
    const said = await this.engine.ask('answer', { lesson: name, stop, ...given });
    if (this.#stop?.stop !== stop || said.cancelled) return;
    if (said.error !== undefined) { find('verdict').textContent = said.error; return; }
    find('verdict').replaceChildren(make('strong', { className: said.right ? 'right' : 'wrong', textContent: `${said.right ? '✓' : '✗'} ${said.answer}` }), make('span', { innerHTML: said.reason ? ` ${said.reason}` : '' }));
    [...find('choices').children].forEach((b, i) => b.classList.toggle('right', i === said.choice));
    if (!this.#answered) note(name, said.right ? 'right' : 'wrong', stop);
    note(name, 'answered', stop);
    this.#uncover(true);
    if (covered) this.page.choose({});
  }

  /** Whether the exercise's goal is reached by what is on screen. */
  async judge(isOld) {
    if (!this.#stop?.try) return;
    const { name, stop } = this.#stop, said = await this.engine.ask('reached', { ...this.page.state(), lesson: name, stop });
    if (isOld() || said.error !== undefined) return;
    find('goal').textContent = said.reached ? '✓' : '';
    if (said.reached) note(name, 'done', stop);
  }
}
