// A matrix as a table. Arrow keys move between its numbers; a long one is shown through a window of 16 × 16.

import { make, show } from "./elements.js";

const MOST = 16;

const CELL = make("td", { class: "number", tabindex: "-1" });

const write = (element, text) => {
  if (element.textContent !== text) element.textContent = text;
};

const largestIn = (values) => Math.max(1e-9, ...values.map((row) => Math.max(...row.map((x) => (Number.isFinite(x) ? Math.abs(x) : 0)))));

export class Grid {
  /**
   * spec: {id, transposed, caption, rows, columns: how many, rowLabel(i), columnLabel(j), corner}; instead of `id`,
   * `ref(i, j)` may name the numbers; `before(i)` gives an element that stands before the numbers of row i, with `beforeLabel` above;
   * `mark(grid)` may give cells classes of its own.
   */
  constructor(shell, spec) {
    this.shell = shell;
    this.spec = spec;
    this.top = 0;
    this.left = 0;
    this.row = 0;
    this.column = 0;
    this.height = Math.min(spec.rows, MOST);
    this.width = Math.min(spec.columns, MOST);
    this.heads = Array.from({ length: this.width }, () => make("th", { scope: "col" }));
    this.lines = Array.from({ length: this.height }, (_, i) => this.line(i));
    const first = spec.corner ? make("th", { scope: "col", class: "corner" }, spec.corner) : make("td", { class: "corner" });
    this.window = make("span", { class: "window" });
    this.caption = make("caption", {}, spec.caption, this.window);
    const table = make(
      "table", { role: "grid", class: spec.class },
      this.caption,
      make("thead", {}, make("tr", {}, first, spec.before && make("th", { scope: "col" }, spec.beforeLabel), this.heads)),
      make("tbody", {}, this.lines.map(({ element }) => element)),
    );
    table.addEventListener("keydown", (event) => this.key(event));
    this.element = make("div", { class: "grid" }, table);
  }

  line(i) {
    const head = make("th", { scope: "row" });
    const cells = Array.from({ length: this.width }, (_, j) => {
      const cell = CELL.cloneNode();
      cell.dataset.place = `${i},${j}`;
      if (i + j === 0) cell.tabIndex = 0;
      return cell;
    });
    return { head, cells, element: make("tr", {}, head, this.spec.before && make("td", { class: "before" }, this.spec.before(i)), cells) };
  }

  ref(i, j) {
    const { id, transposed, ref } = this.spec;
    return ref ? ref(i, j) : transposed ? `${id}/${j}/${i}` : `${id}/${i}/${j}`;
  }

  refresh(graph) {
    this.graph = graph;
    this.heads.forEach((head, j) => write(head, this.spec.columnLabel(this.left + j)));
    this.lines.forEach(({ head, cells, element }, i) => {
      write(head, this.spec.rowLabel(this.top + i));
      element.classList.toggle("of-query", this.spec.queryRow?.() === this.top + i);
      cells.forEach((cell, j) => {
        const ref = this.ref(this.top + i, this.left + j);
        const { matrix } = graph.find(ref);
        const value = graph.value(ref);
        if (cell.dataset.ref !== ref) cell.dataset.ref = ref;
        // To write the same again would cost a layout.
        matrix.largest ??= matrix.full ?? largestIn(matrix.values);
        const tint = Number.isFinite(value) ? Math.min(Math.abs(value) / matrix.largest, 1).toFixed(3) : "0";
        const now = `${value} ${tint} ${matrix.quantity}`;
        if (cells.now?.[j] === now) return;
        (cells.now ??= [])[j] = now;
        cell.textContent = (matrix.write ?? show)(value, matrix.digits);
        cell.dataset.value = value;
        if (matrix.quantity) cell.dataset.quantity = matrix.quantity;
        cell.classList.toggle("negative", value < 0);
        cell.style.setProperty("--tint", tint);
      });
    });
    this.spec.mark?.(this);
    this.showWindow();
  }

  // Buttons to move the window, where there is more to see than it shows.
  showWindow() {
    const { rows, columns } = this.spec;
    if (rows <= MOST && columns <= MOST) return;
    const { controls } = this.shell.words;
    if (!this.window.firstChild) {
      const button = (label, sign, down, right) =>
        make("button", { type: "button", "aria-label": label, onclick: () => this.move(down * MOST, right * MOST) }, sign);
      this.place = make("span");
      this.window.append(
        columns > MOST ? button(controls.window_left, "←", 0, -1) : "", rows > MOST ? button(controls.window_up, "↑", -1, 0) : "", this.place,
        rows > MOST ? button(controls.window_down, "↓", 1, 0) : "", columns > MOST ? button(controls.window_right, "→", 0, 1) : "",
      );
    }
    this.place.textContent = `[${this.top}:${this.top + this.height}, ${this.left}:${this.left + this.width}]`;
  }

  move(down, right) {
    this.top = Math.min(Math.max(this.top + down, 0), this.spec.rows - this.height);
    this.left = Math.min(Math.max(this.left + right, 0), this.spec.columns - this.width);
    this.refresh(this.graph);
    if (!this.shell.refreshing) this.shell.gatherNumbers();
  }

  /** Bring a number into the window; gives its cell, or nothing if it is not in this matrix. */
  reveal(ref) {
    const [id, ...places] = ref.split("/");
    if (this.spec.ref) return this.lines.flatMap(({ cells }) => cells).find((cell) => cell.dataset.ref === ref);
    if (id !== this.spec.id) return undefined;
    const [i, j] = (this.spec.transposed ? places.reverse() : places).map(Number);
    const outside = (place, start, size) => (place < start ? place - start : Math.max(place - start - size + 1, 0));
    const [down, right] = [outside(i, this.top, this.height), outside(j, this.left, this.width)];
    if (down || right) this.move(down, right);
    return this.lines[i - this.top].cells[j - this.left];
  }

  /** The one cell that the Tab key stops at. */
  enter(cell) {
    this.lines[this.row].cells[this.column].tabIndex = -1;
    [this.row, this.column] = cell.dataset.place.split(",").map(Number);
    cell.tabIndex = 0;
  }

  key(event) {
    const cell = event.target.closest(".number");
    if (!cell) return;
    const [i, j] = cell.dataset.place.split(",").map(Number);
    const step = { ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1], Home: [0, -MOST], End: [0, MOST] }[event.key];
    if (step) {
      const outside = (place, size) => (place < 0 ? place : Math.max(place - size + 1, 0));
      const [row, column] = [i + step[0], j + step[1]];
      if (Math.abs(step[1]) < MOST && (outside(row, this.height) || outside(column, this.width))) this.move(outside(row, this.height), outside(column, this.width));
      const inside = (place, size) => Math.min(Math.max(place, 0), size - 1);
      const next = this.lines[inside(row, this.height)].cells[inside(column, this.width)];
      if (next === cell) this.shell.pin(cell.dataset.ref);
      else next.focus();
    } else if (event.key === "Enter" || event.key === " ") this.shell.enter(cell.dataset.ref);
    else if (event.key === "Backspace" || event.key === "Escape") this.shell.back();
    else return;
    event.preventDefault();
  }
}
