// <warp-lens kernel="matmul/03_shared_tile" figure="banks" sliders="TILE"></warp-lens>: a figure that runs, in any page. All of them
// in a page share one engine. state: a whole link, as the page of Warplens has it after its #.
import { connect } from './engine.js';
import { make, sizeOf, svgOf } from './dom.js';
import { stateOf } from './link.js';

let shared;
const engineOf = () => (shared ??= connect());

class WarpLens extends HTMLElement {
  static observedAttributes = ['kernel', 'figure', 'sliders', 'device', 'size', 'theme', 'state'];
  #state = /** @type {any} */ ({});
  #round = 0;
  #isAsked = false;
  #root = this.attachShadow({ mode: 'open' });

  connectedCallback() { this.#begin(); }
  attributeChangedCallback() { if (this.isConnected) this.#begin(); }

  /** Once for all attributes that are set together. */
  #begin() {
    if (this.#isAsked) return;
    this.#isAsked = true;
    queueMicrotask(() => { this.#isAsked = false; this.#read(); });
  }

  #read() {
    const text = (name) => this.getAttribute(name) ?? '';
    this.#state = stateOf(text('state') || `#${text('kernel')}`);
    if (!this.#state.kernel) delete this.#state.kernel;
    if (text('figure')) this.#state.figure = text('figure');
    if (text('device')) this.#state.device = text('device');
    for (const [name, value] of new URLSearchParams(text('size'))) this.#state.size[name] = Number(value);
    this.#draw();
  }

  async #draw() {
    const mine = ++this.#round, engine = await engineOf();
    const theme = this.getAttribute('theme'), dark = theme ? theme === 'dark' : matchMedia('(prefers-color-scheme: dark)').matches;
    const choices = await engine.ask('choices', { ...this.#state, first: true });
    if (choices.error === undefined) this.#state.size = choices.state.size;
    const answer = choices.error !== undefined ? choices : await engine.ask('figure', { ...choices.state, figure: this.#state.figure, dark, ...sizeOf(this.clientWidth || 900) });
    if (mine !== this.#round) return;
    const style = make('style', { textContent: ':host{display:block;font:14px Inter,Arial,sans-serif}div{overflow:auto hidden}svg{min-width:100%;height:auto;display:block}label{display:inline-flex;gap:.5em;margin:.4em 1em .4em .6em;align-items:center}' });
    if (answer.error !== undefined) return this.#root.replaceChildren(style, make('p', { textContent: answer.error }));
    const picture = make('div', { innerHTML: svgOf(answer.svg) });
    picture.setAttribute('role', 'img');
    picture.setAttribute('aria-label', answer.words.what || answer.words.headline);
    this.#root.replaceChildren(style, ...this.#sliders(choices), picture);
    this.dispatchEvent(new CustomEvent('drawn', { detail: answer.words }));
  }

  #sliders({ state, sliders }) {
    const wanted = (this.getAttribute('sliders') ?? '').split(/[ ,]+/);
    return sliders.filter((s) => wanted.includes(s.name)).map(({ name, meaning, values }) => {
      const usable = values.filter((v) => v.valid), at = usable.findIndex((v) => v.value === state.params[name]);
      const number = make('output', { textContent: state.params[name] });
      const input = make('input', { type: 'range', min: 0, max: usable.length - 1, value: at });
      input.oninput = () => {
        number.textContent = usable[input.value].value;
        this.#state.params = { ...state.params, [name]: usable[input.value].value };
        this.#draw();
      };
      return make('label', { title: meaning }, name, input, number);
    });
  }
}
customElements.define('warp-lens', WarpLens);
