// What the page's parts share: elements by their ids, new elements, lists to choose from.
export const find = (/** @type {string} */ id) => /** @type {any} */ (document.getElementById(id));

export const make = (tag, fields = {}, ...children) => {
  const e = Object.assign(document.createElement(tag), fields);
  e.append(...children);
  return e;
};

export const options = (select, list, chosen) => {
  select.replaceChildren(...list.map(([value, text]) => make('option', { value, textContent: text, selected: value === chosen })));
};

/** The engine's SVG; the declaration of a file is none of a page. */
export const svgOf = (/** @type {string} */ text) => text.replace(/^<\?xml[^>]*>/, '');

const WIDEST = 1400, PHONE = 600;
/** Of a picture in so much width: on a phone it stands upright, since what it has no room for is drawn smaller. */
export function sizeOf(/** @type {number} */ room) {
  const width = Math.min(WIDEST, room);
  return { width, height: Math.round(width * (width < PHONE ? 1.25 : 0.56)) };
}
