// A state as a link: #matmul/01_naive?BLOCK_X=32&size.M=128&device=h100&figure=access&warp=0&access=3&lesson=03_tiles&stop=2. What is
// left out is as the engine has it; a lesson alone, #?lesson=03_tiles&stop=2, is as its stop shows it.
const NUMBERS = ['block', 'warp', 'access', 'line', 'stop'], TEXTS = ['device', 'figure', 'lesson'];

export function stateOf(/** @type {string} */ hash) {
  const [kernel, rest = ''] = decodeURIComponent(hash.replace(/^#/, '')).split('?');
  const state = /** @type {any} */ ({ kernel, params: {}, size: {} });
  for (const [name, value] of new URLSearchParams(rest)) {
    if (name.startsWith('size.')) state.size[name.slice(5)] = Number(value);
    else if (NUMBERS.includes(name)) state[name] = Number(value);
    else if (TEXTS.includes(name)) state[name] = value;
    else state.params[name] = Number(value);
  }
  return state;
}

export function linkOf(/** @type {any} */ state) {
  const all = new URLSearchParams();
  for (const [name, value] of Object.entries(state.params)) all.set(name, String(value));
  for (const [name, value] of Object.entries(state.size)) all.set(`size.${name}`, String(value));
  for (const name of [...NUMBERS, ...TEXTS]) if (state[name]) all.set(name, String(state[name]));
  return `#${state.kernel}?${all}`;
}
