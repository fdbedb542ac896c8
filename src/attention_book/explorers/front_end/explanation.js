// The line that explains a number: its name, meaning and arithmetic, and the trail of operands that led to it.

import { make, textOf } from "./elements.js";

export class Explanation {
  constructor(shell, controls) {
    this.shell = shell;
    this.controls = controls;
    this.trail = make("ol");
    this.back = make("button", { type: "button", class: "back", onclick: () => shell.back() }, "← ", controls.back);
    this.way = make("nav", { class: "trail", "aria-label": controls.trail }, this.back, this.trail);
    this.name = make("p", { class: "name" });
    this.meaning = make("p", { class: "meaning" });
    this.arithmetic = make("div", { class: "arithmetic", role: "group", "aria-label": controls.operands, onclick: ({ target }) => {
      const { operand } = target.closest(".operand")?.dataset ?? {};
      if (operand) shell.follow(operand);
    } });
    // What a screen reader is told; the arithmetic is left to be explored, it may have hundreds of terms.
    this.spoken = make("p", { role: "status", class: "for-ears" });
    this.element = make(
      "div",
      { class: "explanation", tabindex: "-1", role: "group", "aria-label": controls.explanation, onkeydown: (event) => this.key(event) },
      this.way, this.name, this.meaning, this.arithmetic,
    );
  }

  /** Show an explanation; `path` is the trail of references, the last one being explained. */
  render(explanation, graph, path, spoken) {
    const chosen = explanation.ref === path.at(-1);
    const hadFocus = this.element.contains(document.activeElement);
    this.element.dataset.quantity = explanation.quantity;
    this.element.dataset.ref = explanation.ref;
    this.way.hidden = path.length < 2;
    this.trail.replaceChildren(
      ...path.map((ref, place) => {
        const last = place === path.length - 1;
        const go = () => this.shell.back(path.length - 1 - place);
        const label = make("code", {}, graph.code(ref));
        return make("li", {}, last ? make("span", { "aria-current": "true" }, label) : make("button", { type: "button", onclick: go }, label));
      }),
    );
    this.name.replaceChildren(
      make("code", {}, explanation.code), " ", ...explanation.name.filter(Boolean), " ",
      make("strong", { "data-value": explanation.value }, `= ${explanation.text}`),
    );
    this.meaning.replaceChildren(...explanation.meaning.filter(Boolean));
    this.arithmetic.replaceChildren(...explanation.arithmetic.map((term) => [make("span", { class: "term" }, term.map((part) => this.part(part, graph, chosen))), " "]).flat());
    this.arithmetic.hidden = explanation.arithmetic.length === 0;
    this.operands()[0]?.setAttribute("tabindex", "0");
    if (hadFocus) this.focus();
    if (spoken) this.spoken.textContent = `${textOf(explanation.name)} = ${explanation.text}. ${textOf(explanation.meaning)}`;
  }

  // A number that is only glanced at needs no names: its operands can not be reached before it is chosen.
  part(part, graph, chosen) {
    if (!part.ref) return make("span", {}, part);
    const { quantity } = graph.find(part.ref).matrix;
    const name = chosen && `${textOf(graph.name(part.ref))}: ${graph.text(part.ref)}`;
    const button = make(
      "button",
      { type: "button", class: "operand", tabindex: "-1", "data-operand": part.ref, "data-quantity": quantity, "aria-label": name, title: name },
      graph.text(part.ref),
    );
    return part.power ? make("sup", {}, button) : button;
  }

  operands() {
    return [...this.arithmetic.querySelectorAll(".operand")];
  }

  focus() {
    (this.operands()[0] ?? this.element).focus({ preventScroll: true });
  }

  key(event) {
    const operands = this.operands();
    const here = operands.indexOf(document.activeElement);
    const steps = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1, Home: -here, End: operands.length - 1 - here };
    if (event.key === "Backspace" || event.key === "Escape") this.shell.back();
    else if (here >= 0 && event.key in steps) {
      const next = operands[Math.min(Math.max(here + steps[event.key], 0), operands.length - 1)];
      operands[here].tabIndex = -1;
      next.tabIndex = 0;
      next.focus();
    } else return;
    event.preventDefault();
    event.stopPropagation();
  }
}
