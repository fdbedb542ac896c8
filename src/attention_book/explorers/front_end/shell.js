// What all explorers share: state, the number that is being explained, the trail back, problems.

import { make } from "./elements.js";
import { Explanation } from "./explanation.js";

/** A state that can not be shown; `key` names the sentence for the reader. */
export class Problem extends Error {
  constructor(key) {
    super(key);
    this.key = key;
  }
}

export class Shell {
  /**
   * `explorer` has: traits (names), first(state, graph) (the number explained at the start), compute(state, words) → Graph,
   * view(shell) → {controls, body, grids(), refresh(graph, state), reveal?(ref)}; a view may be made for
   * the tokens and sizes of `shell.start`: when Python gives others, it is made anew.
   */
  constructor(explorer, model, place) {
    this.explorer = explorer;
    this.model = model;
    this.words = model.get("words");
    this.controls = this.words.controls;
    this.start = this.state();
    this.path = [];
    this.elsewhere = [];
    this.marks = new Map();
    this.shown = { operands: [], also: [] };
    this.explanation = new Explanation(this, this.controls);
    this.problem = make("p", { class: "problem", role: "alert", hidden: true });
    this.body = make("div", { class: "body" });
    this.tools = make("div", { class: "controls" });
    const reset = make("button", { type: "button", class: "reset", onclick: () => this.afresh(this.start) }, this.controls.reset);
    const { title, lead } = this.words.own;
    this.root = make(
      "section",
      // JupyterLab would take the arrow keys for itself; it looks for this mark on the focused element first.
      { class: "explorer", "aria-label": title, onfocusin: ({ target }) => target.setAttribute("data-lm-suppress-shortcuts", "true") },
      make("header", {}, make("p", { class: "title" }, title), reset, make("p", { class: "task" }, lead)),
      this.tools, this.problem, this.body, this.explanation.element, this.explanation.spoken,
    );
    this.build();
    this.listen();
    place.replaceChildren(this.root);
    this.refresh();
  }

  build() {
    this.view = this.explorer.view(this);
    this.root.classList.toggle("tall", Boolean(this.view.tall));
    this.tools.replaceChildren(...(this.view.controls ?? []));
    this.body.replaceChildren(this.view.body);
  }

  /** The words and sizes of a state, as text; numbers may change without them. */
  sizesOf(state) {
    const size = (value) => (!Array.isArray(value) ? 0 : typeof value[0] === "string" ? value : [value.length, value[0]?.length]);
    return JSON.stringify([state.num_heads, ...Object.values(state).map(size)]);
  }

  state() {
    return Object.fromEntries(this.explorer.traits.map((name) => [name, this.model.get(name)]));
  }

  /** Change traits, in the page at once and in Python as soon as the kernel answers. */
  set(changes) {
    const graph = this.graphOf({ ...this.state(), ...changes });
    if (!graph) return;
    this.writing = true;
    for (const [name, value] of Object.entries(changes)) this.model.set(name, value);
    this.model.save_changes();
    this.writing = false;
    this.refresh(graph);
  }

  /** Change traits and forget the number that was chosen. */
  afresh(changes) {
    this.path = [];
    this.set(changes);
  }

  listen() {
    const changed = () => {
      if (this.writing || this.waiting) return;
      this.waiting = true;
      queueMicrotask(() => {
        this.waiting = false;
        this.refresh();
      });
    };
    for (const name of this.explorer.traits) this.model.on(`change:${name}`, changed);
    this.end = () => this.explorer.traits.forEach((name) => this.model.off(`change:${name}`, changed));

    // While the reader is inside, the explanation of a tall explorer stays in view; not yet while a button is pressed, which it would cover.
    const stay = () => this.root.classList.add("inside");
    this.root.addEventListener("focusin", () => this.root.matches(":active") || stay());
    this.root.addEventListener("click", stay);
    this.root.addEventListener("focusout", ({ relatedTarget }) => this.root.contains(relatedTarget) || this.root.classList.remove("inside"));

    const numberOf = (event) => event.target.closest?.("[data-ref]");
    // Only when the mouse really moves: numbers that move under it by themselves were not pointed at.
    this.body.addEventListener("pointermove", (event) => {
      const ref = numberOf(event)?.dataset.ref ?? this.path.at(-1);
      const moved = event.movementX || event.movementY;
      if (event.pointerType !== "touch" && moved && !event.buttons && ref !== this.shown.ref) this.explain(ref, false);
    });
    this.body.addEventListener("pointerleave", () => this.shown.ref !== this.path.at(-1) && this.explain(this.path.at(-1), false));
    this.body.addEventListener("focusin", (event) => {
      const cell = numberOf(event);
      if (!cell || this.following) return;
      this.gridOf(cell)?.enter(cell);
      this.pin(cell.dataset.ref);
    });
    this.body.addEventListener("click", (event) => {
      const ref = numberOf(event)?.dataset.ref;
      // What takes the focus has been chosen by that already.
      if (ref && !(ref === this.shown.ref && ref === this.path.at(-1))) this.pin(ref);
    });
  }

  gridOf(cell) {
    return this.view.grids().find((grid) => grid.element.contains(cell));
  }

  /** Show the state; `given` is its graph where the reader has changed it, and the view stays, with the focus in it. */
  refresh(given) {
    const state = this.state();
    const graph = given ?? this.graphOf(state);
    if (!graph) return;
    this.graph = graph;
    const sizes = this.sizesOf(state);
    if (!given && this.sizes && sizes !== this.sizes) {
      this.start = state;
      this.build();
    }
    this.sizes = sizes;
    this.path = this.path.filter((ref) => graph.has(ref));
    if (this.path.length === 0) this.path = [this.explorer.first(state, graph)];
    this.view.refresh(graph, state);
    this.elsewhere = [...this.body.querySelectorAll("[data-ref]:not(.number)")];
    if (!this.following) this.explain(this.path.at(-1), false);
  }

  /** The graph of a state; where there is none the reader is told why, and the last picture stays. */
  graphOf(state) {
    this.problem.hidden = true;
    try {
      return this.explorer.compute(state, this.words);
    } catch (error) {
      if (!(error instanceof Problem)) throw error;
      this.problem.textContent = this.words.own[error.key] ?? this.controls[error.key];
      this.problem.hidden = false;
      return undefined;
    }
  }

  /** Where a number stands on the page: in matrices and elsewhere. */
  cellsOf(ref) {
    return [...this.view.grids().map((grid) => grid.cellOf(ref)).filter(Boolean), ...this.elsewhere.filter(({ dataset }) => dataset.ref === ref)];
  }

  /** Light up a number and what it came from, and say how. */
  explain(ref, spoken) {
    const explanation = this.graph.explain(ref);
    this.shown = explanation;
    // A glance moves nothing: the reader may be on the way to the buttons that do.
    if (spoken) for (const grid of this.view.grids()) grid.revealNearest([...explanation.operands, ...explanation.also]);
    this.light();
    this.explanation.render(explanation, this.graph, this.path, spoken);
  }

  light() {
    const marks = new Map();
    for (const operand of [...this.shown.operands, ...this.shown.also]) for (const cell of this.cellsOf(operand)) marks.set(cell, "lit");
    for (const cell of this.cellsOf(this.shown.ref)) marks.set(cell, "chosen");
    for (const [cell, mark] of this.marks) if (marks.get(cell) !== mark) cell.classList.remove(mark);
    for (const [cell, mark] of marks) cell.classList.add(mark);
    this.marks = marks;
  }

  /** The number that stays explained until another one is chosen. */
  pin(ref) {
    if (this.path.at(-1) !== ref) this.path = [ref];
    this.view.chosen?.(ref);
    this.explain(ref, true);
  }

  follow(ref) {
    this.path.push(ref);
    this.go(ref);
  }

  back(steps = 1) {
    const from = this.explanation.element.contains(document.activeElement);
    if (this.path.length > steps) this.path.splice(this.path.length - steps);
    else if (from && this.cellsOf(this.path[0]).length) {
      this.cellsOf(this.path[0])[0].focus();
      return;
    }
    this.go(this.path.at(-1));
  }

  // Show the place of a number and explain it, once, when all that this moves has been written.
  go(ref) {
    this.explanation.holdFocus();
    this.following = true;
    this.view.reveal?.(ref);
    for (const grid of this.view.grids()) {
      const cell = grid.reveal(ref);
      if (cell) grid.enter(cell);
    }
    this.following = false;
    this.view.chosen?.(ref);
    this.explain(ref, true);
  }

  /** From a number to its operands. */
  enter(ref) {
    if (this.path.at(-1) !== ref) this.path = [ref];
    this.go(ref);
    this.explanation.focus();
  }
}
