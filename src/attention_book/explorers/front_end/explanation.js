// The line that explains a number: its name, meaning and arithmetic, and the trail of operands that led to it.

import { make, phrase, textOf } from "./elements.js";

// A sum of more terms begins with a few; the reader may open the others. (A matrix of as many rows has a window.)
const MOST_TERMS = 16;
const FIRST_TERMS = 10;

export class Explanation {
  constructor(shell, controls) {
    this.shell = shell;
    this.controls = controls;
    this.trail = make("ol");
    this.back = make("button", { type: "button", class: "back", onclick: () => shell.back() }, "← ", controls.back);
    this.way = make("nav", { class: "trail", "aria-label": controls.trail }, this.back, this.trail);
    this.name = make("p", { class: "name" });
    this.meaning = make("p", { class: "meaning" });
    const operandOf = ({ target }) => target.closest(".operand");
    this.arithmetic = make("div", {
      class: "arithmetic", role: "group", "aria-label": controls.operands,
      onclick: (event) => this.follow(operandOf(event)),
      // Its name is shown to the mouse when it comes: a hundred titles beforehand would be a hundred more attributes to write.
      onpointerover: (event) => operandOf(event)?.setAttribute("title", operandOf(event).getAttribute("aria-label")),
      onpointerout: (event) => operandOf(event)?.removeAttribute("title"),
    });
    this.terms = [];
    this.open = false;
    this.more = make("button", { type: "button", class: "more", onclick: () => this.unfold() });
    // What a screen reader is told; the arithmetic is left to be explored, it may have hundreds of terms.
    this.spoken = make("p", { role: "status", class: "for-ears" });
    this.element = make(
      "div",
      { class: "explanation", tabindex: "-1", role: "group", "aria-label": controls.explanation, onkeydown: (event) => this.key(event) },
      this.way, this.name, this.meaning, this.arithmetic, this.more,
    );
  }

  /** Show an explanation; `path` is the trail of references, the last one being explained. */
  render(explanation, graph, path, spoken) {
    const chosen = explanation.ref === path.at(-1);
    const hadFocus = this.element.contains(document.activeElement);
    const { dataset } = this.element;
    if (dataset.quantity !== explanation.quantity) dataset.quantity = explanation.quantity;
    dataset.ref = explanation.ref;
    this.showTrail(graph, path);
    this.name.replaceChildren(
      make("code", {}, explanation.code), " ", ...explanation.name.filter(Boolean), " ",
      make("strong", { "data-value": explanation.value }, `= ${explanation.text}`),
    );
    this.meaning.replaceChildren(...explanation.meaning.filter(Boolean));
    this.showArithmetic(explanation.arithmetic, graph, chosen);
    if (hadFocus) this.focus();
    if (spoken) this.spoken.textContent = `${textOf(explanation.name)} = ${explanation.text}. ${textOf(explanation.meaning)}`;
  }

  showTrail(graph, path) {
    this.way.hidden = path.length < 2;
    this.trail.replaceChildren(
      ...(path.length < 2 ? [] : path).map((ref, place) => {
        const last = place === path.length - 1;
        const go = () => this.shell.back(path.length - 1 - place);
        const label = make("code", {}, graph.code(ref));
        return make("li", {}, last ? make("span", { "aria-current": "true" }, label) : make("button", { type: "button", onclick: go }, label));
      }),
    );
  }

  /** The terms of `arithmetic` that are shown, and a button for the others where there are many. */
  folded(arithmetic) {
    const terms = arithmetic.findLastIndex((parts) => parts.some(({ ref }) => ref)) + 1;
    this.more.hidden = terms <= MOST_TERMS;
    if (this.more.hidden) return arithmetic;
    const { more_terms, first_terms } = this.controls;
    this.more.replaceChildren(...(this.open ? phrase(first_terms, { count: FIRST_TERMS }) : phrase(more_terms, { count: terms - FIRST_TERMS })));
    return this.open ? arithmetic : [...arithmetic.slice(0, FIRST_TERMS), ["+ …"], ...arithmetic.slice(terms)];
  }

  unfold() {
    this.open = !this.open;
    this.showArithmetic(this.shell.shown.arithmetic, this.shell.graph, true);
  }

  // A sum may have a hundred operands: where the next one has the same form, its terms are written over.
  showArithmetic(whole, graph, chosen) {
    const arithmetic = this.folded(whole);
    const quantityOf = ({ ref }) => graph.find(ref).matrix.quantity;
    arithmetic.forEach((parts, place) => {
      const form = parts.map((part) => (part.ref ? `${part.power} ${quantityOf(part)}` : part)).join("\n");
      if (this.terms[place]?.form !== form) {
        const buttons = [];
        const element = make("span", { class: "term" }, parts.map((part, at) => {
          if (!part.ref) return `${at ? " " : ""}${part}${parts[at + 1]?.power ? "" : " "}`;
          // In the line, as text is: a hundred elements of button would each be laid out as a box of its own.
          buttons.push(make("span", { role: "button", class: "operand", tabindex: "-1", "data-quantity": quantityOf(part) }, " "));
          return part.power ? make("sup", {}, buttons.at(-1)) : buttons.at(-1);
        }));
        if (this.terms[place]) this.terms[place].element.replaceWith(element);
        else this.arithmetic.append(element, " ");
        this.terms[place] = { form, element, buttons };
      }
      const { buttons } = this.terms[place];
      parts.filter(({ ref }) => ref).forEach(({ ref }, at) => {
        const text = graph.text(ref);
        if (buttons[at].firstChild.data !== text) buttons[at].firstChild.data = text;
        buttons[at].setAttribute("data-operand", ref);
      });
    });
    for (const { element } of this.terms.splice(arithmetic.length)) {
      element.nextSibling.remove();
      element.remove();
    }
    this.arithmetic.hidden = arithmetic.length === 0;
    const operands = this.operands();
    this.stop(operands[0]);
    this.nameOperands(operands, graph, chosen);
  }

  // A number that is only glanced at needs no names: its operands can not be reached before it is chosen. The first
  // operand has its name when the focus comes; the others, perhaps a hundred, get theirs when the numbers can be seen.
  nameOperands(operands, graph, chosen) {
    const name = (operand) => {
      const { operand: ref } = operand.dataset;
      operand.setAttribute("aria-label", `${textOf(graph.name(ref, undefined, String))}: ${graph.text(ref)}`);
    };
    this.named = operands;
    if (!chosen) {
      for (const operand of operands) operand.removeAttribute("aria-label");
      return;
    }
    operands.slice(0, 1).forEach(name);
    requestAnimationFrame(() => setTimeout(() => this.named === operands && operands.slice(1).forEach(name)));
  }

  // The one operand that the Tab key stops at.
  stop(operand) {
    this.stopped?.setAttribute("tabindex", "-1");
    operand?.setAttribute("tabindex", "0");
    this.stopped = operand;
  }

  follow(operand) {
    if (operand) this.shell.follow(operand.dataset.operand);
  }

  operands() {
    return this.terms.flatMap(({ buttons }) => buttons);
  }

  /** Before what has the focus is replaced: to lose it would lay the page out once more. */
  holdFocus() {
    if (this.arithmetic.contains(document.activeElement)) this.element.focus({ preventScroll: true });
  }

  focus() {
    const place = this.operands()[0] ?? this.element;
    if (place !== document.activeElement) place.focus({ preventScroll: true });
  }

  key(event) {
    const operands = this.operands();
    const here = operands.indexOf(document.activeElement);
    const steps = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1, Home: -here, End: operands.length - 1 - here };
    if (event.key === "Backspace" || event.key === "Escape") this.shell.back();
    else if (here >= 0 && (event.key === "Enter" || event.key === " ")) this.follow(operands[here]);
    else if (here >= 0 && event.key in steps) {
      const next = operands[Math.min(Math.max(here + steps[event.key], 0), operands.length - 1)];
      this.stop(next);
      next.focus();
    } else return;
    event.preventDefault();
    event.stopPropagation();
  }
}
