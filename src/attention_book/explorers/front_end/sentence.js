// The sentence that chapters 09 to 11 project: its ids, its embeddings and what they are multiplied with.

import { choice } from "./controls.js";
import { make, shapeOf } from "./elements.js";
import { addEmbeddings, addTable, checkTable } from "./embedding_table.js";
import { Graph } from "./graph.js";
import { Grid } from "./grid.js";

export const WEIGHT_OF = { query: "W_Q", key: "W_K", value: "W_V" };
export const SENTENCE_TRAITS = ["tokens", "token_ids", "vocabulary", "embedding_matrix", ...Object.values(WEIGHT_OF), "num_heads", "head", "matrix"];

/** The head that is shown: the last one, where there are fewer than the one chosen. */
export const headOf = ({ head, num_heads }) => Math.min(head, num_heads - 1);

export const sizeOf = ({ embedding_matrix, num_heads }) => embedding_matrix[0].length / num_heads;

/** A graph from the token ids to the embeddings, which are given too. */
export function sentenceGraph(state, words) {
  checkTable(state, Object.values(WEIGHT_OF));
  const graph = new Graph(words.numbers);
  addTable(graph, state);
  return { graph, X: addEmbeddings(graph, state) };
}

/** A learned matrix; it is explained by what it multiplies in the first token. */
export const learned = (values, code, { tokens }, rest) =>
  ({ values, code, kind: "parameter", rule: "parameter", input: "embeddings", row: 0, parts: () => ({ token: make("em", {}, tokens[0]) }), ...rest });

/** Choose the head that a number belongs to; `graph.headAt` knows it in the matrices that all heads share. */
export function showHead(shell, ref) {
  const { id, i, j } = shell.graph.find(ref);
  const head = Number(id.split(".")[1] ?? shell.graph.headAt[id]?.(i, j));
  if (head >= 0 && head !== headOf(shell.state())) shell.set({ head });
}

/** Number of heads, head and matrix. */
export function sentenceControls(shell) {
  const { own } = shell.words;
  // On a narrow screen the numbers of the head may be out of sight.
  const chooseHead = (head) => {
    shell.afresh({ head });
    for (const { element } of shell.view.grids()) {
      const first = element.querySelector("td.of-head");
      if (first) element.scrollLeft = first.offsetLeft - element.querySelector("th[scope=row]").offsetWidth;
    }
  };
  const numbers = (from, to) => Array.from({ length: to - from + 1 }, (_, k) => ({ value: from + k, label: String(from + k) }));
  const d_model = shell.start.W_Q.length;
  const sizes = numbers(1, d_model).filter(({ value }) => d_model % value === 0);
  const many = choice({ label: own.num_heads, options: sizes, change: (num_heads) => shell.afresh({ num_heads, head: Math.min(headOf(shell.state()), num_heads - 1) }) });
  const options = Object.entries(own.matrices).map(([value, label]) => ({ value, label, quantity: value }));
  const which = choice({ label: own.matrix, options, change: (matrix) => shell.afresh({ matrix }) });
  const place = make("div");
  let head;
  let count;
  return {
    elements: [which.element, many.element, place],
    show(state) {
      if (state.num_heads !== count) {
        count = state.num_heads;
        head = choice({ label: own.head, options: numbers(0, count - 1), change: chooseHead });
        place.replaceChildren(head.element);
      }
      which.show(state.matrix);
      many.show(count);
      head.show(headOf(state));
    },
  };
}

export const code = (text) => make("code", {}, text);

/** The grid of a matrix of the graph; its caption is its name in the code and its shape. */
export function gridOf(shell, id, spec) {
  const { values, rows, columns, quantity, code: own, head } = shell.graph.matrix(id);
  const [height, width] = [values.length, values[0].length];
  const label = code(head === undefined ? own : `${own}[${head}]`);
  const grid = new Grid(shell, {
    id, rows: height, columns: width, class: width > 8 ? "dense" : "",
    caption: make("span", { "data-quantity": quantity }, label, width < 4 ? "" : make("code", { class: "shape" }, ` ${shapeOf(height, width)}`)),
    rowLabel: (i) => (rows ? rows[i] : String(i)), columnLabel: (j) => (columns ? columns[j] : String(j)), ...spec,
  });
  grid.label = label;
  return grid;
}

export const boxOf = ({ element }) => make("div", { class: "matrix" }, element);

/** The place for the matrix of a number that is followed and stands nowhere else in the explorer. */
export class Origin {
  constructor(shell) {
    this.shell = shell;
    this.grids = [];
    this.element = make("div", { class: "matrices origin" });
  }

  show(...ids) {
    this.grids = ids.map((id) => gridOf(this.shell, id));
    this.element.replaceChildren(...this.grids.map(boxOf));
  }

  reveal(ref) {
    showHead(this.shell, ref);
    const { id } = this.shell.graph.find(ref);
    if (this.shell.view.grids().some(({ spec }) => spec.id === id)) return;
    this.show(id);
    this.grids[0].refresh(this.shell.graph);
  }
}

/** Show which numbers are the chosen head's, by `headAt(i, j)`; whole columns, or rows, of a head are set apart from the next. */
export function markHeads(grid, headAt, chosen, axis) {
  const mark = (cell, own, first) => {
    cell.classList.toggle("of-head", own);
    cell.classList.toggle("gap", first && axis === "column");
    cell.classList.toggle("gap-above", first && axis === "row");
  };
  const one = (place) => (axis === "column" ? headAt(0, place) : headAt(place, 0));
  const first = (place) => place > 0 && one(place) !== one(place - 1);
  grid.heads.forEach((head, j) => mark(head, axis === "column" && one(grid.left + j) === chosen, axis === "column" && first(grid.left + j)));
  grid.lines.forEach(({ head, cells }, y) => {
    const i = grid.top + y;
    if (axis === "row") mark(head, one(i) === chosen, first(i));
    cells.forEach((cell, x) => mark(cell, headAt(i, grid.left + x) === chosen, first(axis === "row" ? i : grid.left + x)));
  });
}
