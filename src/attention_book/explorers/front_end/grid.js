// A matrix as a table. Arrow keys move between its numbers; a long one is shown through a window.

import { make } from "./elements.js";
import { written } from "./graph.js";

const MOST = 16;
const WINDOW = 6;

/** How many of so many rows or columns are seen at once; with more than `most` it is a window. */
export const seen = (size, most = MOST) => (size > most ? WINDOW : size);

// As many as `.tint-…` in the style sheet.
const LEVELS = 10;

const CELL = make("td", { class: "number", tabindex: "-1" }, " ");

const write = (element, text) => {
  if (element.textContent !== text) element.textContent = text;
};

/** The largest size of a number in a matrix; what is not finite does not count. */
export const largestIn = (values) => Math.max(1e-9, ...values.map((row) => Math.max(...row.map((x) => (Number.isFinite(x) ? Math.abs(x) : 0)))));

export class Grid {
  /**
   * spec: {id, transposed, caption, rows, columns: how many, rowLabel(i), columnLabel(j), corner}; instead of `id`,
   * `ref(i, j)` may name the numbers; `before(i)` gives an element that stands before the numbers of row i, with `beforeLabel` above;
   * with more than `most` rows or columns they are seen through a window; `mark(grid)` may give cells classes of its own.
   * `axes`: names of rows and columns; matrices that share one are moved along it together; `bars`: the style sheet draws the numbers as bars.
   */
  constructor(shell, spec) {
    this.shell = shell;
    this.lines = [];
    this.heads = [];
    this.title = make("span");
    this.window = make("span", { class: "window" });
    this.caption = make("caption", {}, this.title, this.window);
    const first = spec.corner ? make("th", { scope: "col", class: "corner" }, spec.corner) : make("td", { class: "corner" });
    this.labels = make("tr", {}, first, spec.before && make("th", { scope: "col" }, spec.beforeLabel));
    this.rows = make("tbody");
    this.table = make("table", { role: "grid", onkeydown: (event) => this.key(event) }, this.caption, make("thead", {}, this.labels), this.rows);
    this.element = make("div", { class: "grid" }, this.table);
    this.use(spec);
  }

  /** Show another matrix in the same table; to write over a number costs less than a new one. */
  use(spec) {
    this.spec = spec;
    [this.top, this.left] = [0, 0];
    this.height = seen(spec.rows, spec.most);
    this.width = seen(spec.columns, spec.most);
    this.table.className = spec.class ?? "";
    this.title.replaceChildren(spec.caption);
    const fit = (list, size, add) => {
      while (list.length < size) list.push(add(list.length));
      for (const extra of list.splice(size)) (extra.element ?? extra).remove();
    };
    fit(this.heads, this.width, () => this.labels.appendChild(make("th", { scope: "col" })));
    fit(this.lines, this.height, (i) => this.line(i));
    for (const line of this.lines) fit(line.cells, this.width, (j) => this.cell(line, j));
    this.enter(this.lines[0].cells[0]);
  }

  line(i) {
    const head = make("th", { scope: "row" });
    const element = make("tr", {}, head, this.spec.before && make("td", { class: "before" }, this.spec.before(i)));
    this.rows.append(element);
    return { i, head, cells: [], element };
  }

  cell({ i, element }, j) {
    const cell = element.appendChild(CELL.cloneNode(true));
    cell.dataset.place = `${i},${j}`;
    return cell;
  }

  ref(i, j) {
    const { id, transposed, ref } = this.spec;
    return ref ? ref(i, j) : transposed ? `${id}/${j}/${i}` : `${id}/${i}/${j}`;
  }

  refresh(graph) {
    this.graph = graph;
    this.heads.forEach((head, j) => write(head, String(this.spec.columnLabel(this.left + j))));
    this.lines.forEach(({ head, cells, element }, i) => {
      write(head, this.spec.rowLabel(this.top + i));
      element.classList.toggle("of-query", this.spec.queryRow?.() === this.top + i);
      cells.forEach((cell, j) => this.write(cell, graph, this.ref(this.top + i, this.left + j)));
    });
    this.spec.mark?.(this);
    this.showWindow();
  }

  // What is written already stays: to write it again would cost a layout.
  write(cell, graph, ref) {
    const { matrix, i, j } = graph.find(ref);
    const value = matrix.values[i][j];
    matrix.largest ??= matrix.full ?? largestIn(matrix.values);
    const { quantity, largest } = matrix;
    const old = cell.written ?? {};
    if (old.ref === ref && Object.is(old.value, value) && old.largest === largest && old.quantity === quantity) return;
    const share = Number.isFinite(value) ? Math.min(Math.abs(value) / largest, 1) : 0;
    const text = written(matrix, value);
    // Numbers of about the same size share their style, and keep it from one head to the next; only a bar needs its own.
    const [tint, negative] = [Math.round(share * LEVELS), value < 0];
    cell.written = { ref, value, largest, quantity, text, tint, negative };
    if (old.ref !== ref) cell.setAttribute("data-ref", ref);
    if (old.text !== text) cell.firstChild.data = text;
    if (old.tint === undefined) cell.classList.add(`tint-${tint}`);
    else if (old.tint !== tint) cell.classList.replace(`tint-${old.tint}`, `tint-${tint}`);
    if (Boolean(old.negative) !== negative) cell.classList.toggle("negative", negative);
    if (old.quantity !== quantity) {
      if (quantity) cell.setAttribute("data-quantity", quantity);
      else cell.removeAttribute("data-quantity");
    }
    if (this.spec.bars) cell.style.setProperty("--tint", share.toFixed(3));
  }

  // Buttons to move the window, where there is more to see than it shows.
  showWindow() {
    const { rows, columns } = this.spec;
    const [tall, wide] = [rows > this.height, columns > this.width];
    this.window.hidden = !tall && !wide;
    if (this.window.hidden) return;
    const { controls } = this.shell.words;
    if (!this.place) {
      const button = (label, sign, down, right) =>
        make("button", { type: "button", "aria-label": label, onclick: () => this.go(down * this.height, right * this.width) }, sign);
      this.place = make("span");
      this.sideways = [button(controls.window_left, "←", 0, -1), button(controls.window_right, "→", 0, 1)];
      this.upright = [button(controls.window_up, "↑", -1, 0), button(controls.window_down, "↓", 1, 0)];
      this.window.append(this.sideways[0], this.upright[0], this.place, this.upright[1], this.sideways[1]);
    }
    for (const button of this.sideways) button.hidden = !wide;
    for (const button of this.upright) button.hidden = !tall;
    write(this.place, `[${this.top}:${this.top + this.height}, ${this.left}:${this.left + this.width}]`);
  }

  move(down, right) {
    this.show(this.top + down, this.left + right);
    for (const other of this.shell.view.grids()) if (other !== this) other.follow(this);
  }

  show(top, left) {
    this.top = Math.min(Math.max(top, 0), this.spec.rows - this.height);
    this.left = Math.min(Math.max(left, 0), this.spec.columns - this.width);
    this.refresh(this.graph);
  }

  // The columns of the left matrix of a product are the rows of the right one: only together do they show its terms.
  follow({ spec: { axes = [] }, top, left }) {
    const shared = (axis) => [top, left][axes.indexOf(axis)];
    const [down, right] = (this.spec.axes ?? []).map(shared);
    if (down !== undefined || right !== undefined) this.show(down ?? this.top, right ?? this.left);
  }

  // By its buttons; the number that is explained stays, and what it came from lights up where it can be seen now.
  go(down, right) {
    this.move(down, right);
    this.shell.light();
  }

  /** Row and column of a number; nothing if it is not in this matrix. */
  placeOf(ref) {
    const { id, transposed, rows, columns } = this.spec;
    if (!this.spec.ref) {
      const [own, ...places] = ref.split("/");
      return own === id ? (transposed ? places.reverse() : places).map(Number) : undefined;
    }
    for (let i = 0; i < rows; i++) for (let j = 0; j < columns; j++) if (this.spec.ref(i, j) === ref) return [i, j];
    return undefined;
  }

  /** The cell in which a number is seen, if it is. */
  cellOf(ref) {
    for (const { cells } of this.spec.ref ? this.lines : []) for (const cell of cells) if (cell.written?.ref === ref) return cell;
    const [i, j] = (!this.spec.ref && this.placeOf(ref)) || [];
    return this.lines[i - this.top]?.cells[j - this.left];
  }

  /** How far the window has to move, [down, right], until it holds a place. */
  wayTo([i, j]) {
    const outside = (place, start, size) => (place < start ? place - start : Math.max(place - start - size + 1, 0));
    return [outside(i, this.top, this.height), outside(j, this.left, this.width)];
  }

  /** Bring a number into the window; gives its cell, or nothing if it is not in this matrix. */
  reveal(ref) {
    const place = this.placeOf(ref);
    if (!place) return undefined;
    const [down, right] = this.wayTo(place);
    if (down || right) this.move(down, right);
    return this.lines[place[0] - this.top].cells[place[1] - this.left];
  }

  /** Bring the nearest of some numbers into the window, so that what lights up is seen in this matrix too. */
  revealNearest(refs) {
    if (this.spec.rows === this.height && this.spec.columns === this.width) return;
    const far = ([down, right]) => Math.abs(down) + Math.abs(right);
    const ways = refs.map((ref) => this.placeOf(ref)).filter(Boolean).map((place) => this.wayTo(place));
    const nearest = ways.sort((one, other) => far(one) - far(other))[0];
    if (nearest && far(nearest)) this.move(...nearest);
  }

  /** The one cell that the Tab key stops at. */
  enter(cell) {
    if (this.stop) this.stop.tabIndex = -1;
    this.stop = cell;
    cell.tabIndex = 0;
  }

  key(event) {
    const cell = event.target.closest(".number");
    if (!cell) return;
    const [i, j] = cell.dataset.place.split(",").map(Number);
    const step = { ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1], Home: [0, -Infinity], End: [0, Infinity] }[event.key];
    if (step) {
      const outside = (place, size) => (place < 0 ? place : Math.max(place - size + 1, 0));
      const [row, column] = [i + step[0], j + step[1]];
      if (Number.isFinite(step[1]) && (outside(row, this.height) || outside(column, this.width))) this.move(outside(row, this.height), outside(column, this.width));
      const inside = (place, size) => Math.min(Math.max(place, 0), size - 1);
      const next = this.lines[inside(row, this.height)].cells[inside(column, this.width)];
      if (next === cell) this.shell.pin(cell.dataset.ref);
      else {
        next.focus({ preventScroll: true });
        // In the frame, when the numbers have been written: before that it would cost a layout of its own.
        requestAnimationFrame(() => next.scrollIntoView({ block: "nearest", inline: "nearest" }));
      }
    } else if (event.key === "Enter" || event.key === " ") this.shell.enter(cell.dataset.ref);
    else if (event.key === "Backspace" || event.key === "Escape") this.shell.back();
    else return;
    event.preventDefault();
  }
}
