// Elements, text and numbers. Every text is set as text, never as HTML.

const DRAWN = new Set(["svg", "g", "path", "line", "circle", "text", "polyline", "polygon"]);

/** Make an element; attributes that begin with "on" are listeners, `true` is an attribute without a value. */
export function make(tag, attributes = {}, ...children) {
  const element = DRAWN.has(tag)
    ? document.createElementNS("http://www.w3.org/2000/svg", tag)
    : document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else if (value !== false && value != null) element.setAttribute(name, value === true ? "" : value);
  }
  element.append(...children.flat().filter((child) => child != null && child !== ""));
  return element;
}

/** The d_k and W_Q of a text with their letters set lower; the underscore stays for the ear. */
export function lowered(text) {
  const set = (name) => [name[0], make("sub", {}, make("span", {}, "_"), name.slice(2))];
  return text.split(/\b([dW]_\w+)/).flatMap((piece, place) => (place % 2 ? set(piece) : piece));
}

const pieces = new Map();

/** Fill the {places} of a template; gives a list of texts and elements. */
export function phrase(template, parts = {}) {
  if (!pieces.has(template)) pieces.set(template, template.split(/\{(\w+)\}/));
  return pieces.get(template).flatMap((piece, place) => (place % 2 ? parts[piece] : lowered(piece)));
}

export function textOf(texts) {
  return [texts].flat().map((piece) => piece?.textContent ?? String(piece)).join("");
}

export const shapeOf = (...sizes) => `[${sizes.join(", ")}]`;

/** The caption of a matrix: its name in the code, what it is if that is said, its shape; in the color of its quantity. */
export function captionOf(quantity, name, title, sizes) {
  const said = title ? [": ", ...lowered(title), " "] : " ";
  return make("span", { "data-quantity": quantity }, make("code", {}, name), said, make("code", { class: "shape" }, shapeOf(...sizes)));
}

/** A token as the reader sees it inside a sentence. */
export function token(text) {
  return make("em", {}, text);
}

/** A number with a decimal point and a real minus sign; a dash where there is none. */
export function show(value, digits = 2) {
  if (Number.isNaN(value)) return "—";
  if (value === -Infinity) return "−∞";
  const size = Math.abs(value).toFixed(digits);
  return value < 0 && Number(size) !== 0 ? `−${size}` : size;
}

/** As many digits as a small number needs to be told apart from 0. */
export function showSmall(value) {
  return value !== 0 && Math.abs(value) < 0.005 ? value.toExponential(0).replace("-", "−") : show(value);
}
