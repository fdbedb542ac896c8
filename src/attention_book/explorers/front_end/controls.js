// The controls that explorers share: sliders, choices, switches. Each follows the state when `show` is called.

import { lowered, make } from "./elements.js";

/** A labelled range; `text(value)` is what is shown beside it and read out. */
export function slider({ label, min, max, step, text, change, hidden }) {
  const output = make("output");
  const input = make("input", { type: "range", min, max, step, "aria-label": label, oninput: () => change(Number(input.value)) });
  const element = hidden ? input : make("label", { class: "slider" }, make("span", {}, lowered(label)), input, output);
  return {
    element,
    input,
    show(value) {
      input.value = value;
      output.textContent = text(value);
      input.setAttribute("aria-valuetext", text(value));
    },
  };
}

/** One of several, as buttons side by side: [{value, label, lang?}, …]. */
export function choice({ label, options, change }) {
  const buttons = options.map(({ value, label: words, quantity }) =>
    make("button", { type: "button", "data-quantity": quantity, onclick: () => change(value) }, words));
  const element = make("div", { class: "choice", role: "group", "aria-label": label }, make("span", { class: "label" }, label), make("span", { class: "buttons" }, buttons));
  return {
    element,
    show(chosen) {
      buttons.forEach((button, place) => button.setAttribute("aria-pressed", options[place].value === chosen));
    },
  };
}

/** On or off. */
export function toggle({ label, change }) {
  const input = make("input", { type: "checkbox", role: "switch", onchange: () => change(input.checked) });
  return { element: make("label", { class: "switch" }, input, make("span", {}, lowered(label))), show: (on) => (input.checked = on) };
}
