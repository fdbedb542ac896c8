// Where each number comes from. A graph holds named matrices; `explain` gives a number's name, meaning and
// arithmetic, whose operands are references to other numbers: "weights/0/4" is row 0, column 4 of weights.

import { phrase, show, token } from "./elements.js";

const operand = (ref) => ({ ref });

/** e^own / (e^first + e^second + …) */
function share(refs, own) {
  const power = (ref) => ["e", { ref, power: true }];
  return [[...power(refs[own]), "/"], ...refs.map((ref, k) => [k ? "+" : "(", ...power(ref)]), ")"];
}

// Each rule gives the arithmetic as texts, operands and groups of them that stay on one line.
const RULES = {
  given: () => [],

  // A row of a table, chosen by an id.
  look_up(graph, { ids, table }, i, j) {
    const row = graph.value(`${ids}/${i}/0`);
    return [[`${graph.matrix(table).code}[`, operand(`${ids}/${i}/0`), `, ${j}] =`, operand(`${table}/${row}/${j}`)]];
  },

  // A row of the table belongs to an id.
  row_of_id: (graph, { ids }, i) => [operand(`${ids}/${i}/0`)],

  one_hot(graph, { ids }, i, j) {
    return [[operand(`${ids}/${i}/0`), graph.value(`${ids}/${i}/0`) === j ? `= ${j}` : `≠ ${j}`]];
  },

  // A parameter comes from no token; what is shown is the number that it multiplies.
  parameter(graph, { input, row, transposed }, i, j, value) {
    return [[operand(`${input}/${row}/${transposed ? j : i}`), `× ${inBrackets(value)}`]];
  },

  product(graph, { left, right, transposed }, i, j) {
    const inner = graph.matrix(left).values[0].length;
    return Array.from({ length: inner }, (_, k) => [
      k > 0 && "+",
      operand(`${left}/${i}/${k}`),
      "×",
      operand(transposed ? `${right}/${j}/${k}` : `${right}/${k}/${j}`),
    ]);
  },

  divided: (graph, { source, by }, i, j) => [[operand(`${source}/${i}/${j}`), "/", by]],

  times: (graph, { source, by }, i, j) => [[operand(`${source}/${i}/${j}`), "×", by]],

  masked(graph, { source }, i, j, value) {
    return [[operand(`${source}/${i}/${j}`), value === -Infinity ? "+ (−∞)" : "+ 0"]];
  },

  softmax(graph, { source }, i, j) {
    return share(graph.matrix(source).values[i].map((_, k) => `${source}/${i}/${k}`), j);
  },

  softmax_of_column(graph, { source }, i, j) {
    return share(graph.matrix(source).values.map((_, k) => `${source}/${k}/${j}`), i);
  },

  side_by_side(graph, { heads, width }, i, j) {
    return [operand(`${heads}.${Math.floor(j / width)}/${i}/${j % width}`)];
  },

  // The matrix brings its own arithmetic.
  written: (graph, { terms }, i, j) => terms(i, j),
};

const inBrackets = (value) => (value < 0 ? `(${show(value)})` : show(value));

/** A number of a matrix as it is written: ids have no decimals, and a matrix may bring its own way. */
export const written = ({ write = show, digits }, value) => write(value, digits);

export class Graph {
  constructor(numberWords) {
    this.words = numberWords;
    this.matrices = new Map();
  }

  /**
   * Add {values, kind, quantity, code, rule, …what the rule needs, rows, columns: labels where they are tokens};
   * `full` is the value with the strongest color: Infinity for ids, whose size means nothing.
   * `also(i, j)` names the same number in other matrices, `note(i, j)` gives what is said before its meaning.
   */
  add(id, matrix) {
    this.matrices.set(id, { rule: "given", ...matrix });
  }

  matrix(id) {
    return this.matrices.get(id);
  }

  find(ref) {
    const [id, i, j] = ref.split("/");
    return { matrix: this.matrices.get(id), id, i: Number(i), j: Number(j) };
  }

  has(ref) {
    const { matrix, i, j } = this.find(ref);
    return matrix?.values[i]?.[j] !== undefined;
  }

  value(ref) {
    const { matrix, i, j } = this.find(ref);
    return matrix.values[i][j];
  }

  /** The number as it is written. */
  text(ref) {
    return written(this.find(ref).matrix, this.value(ref));
  }

  /** What the number is called, or, from the other list, what it means: texts, and tokens as `mark` makes them. */
  name(ref, words = this.words.name, mark = token) {
    const { matrix, i, j } = this.find(ref);
    return phrase(words[matrix.kindOf?.(i, j) ?? matrix.kind], {
      row: matrix.rows ? mark(matrix.rows[i]) : String(i + 1),
      column: matrix.columns ? mark(matrix.columns[j]) : String(j + 1),
      matrix: matrix.code,
      ...matrix.parts?.(i, j),
    });
  }

  explain(ref) {
    const { matrix, i, j } = this.find(ref);
    const value = matrix.values[i][j];
    const arithmetic = RULES[matrix.rule](this, matrix, i, j, value).map((part) => [part].flat().filter(Boolean));
    return {
      ref,
      value,
      quantity: matrix.quantity,
      text: this.text(ref),
      code: this.code(ref),
      name: this.name(ref),
      meaning: [...(matrix.note?.(i, j) ?? []), ...this.name(ref, this.words.meaning)],
      arithmetic,
      operands: arithmetic.flat().filter((part) => part.ref).map((part) => part.ref),
      also: matrix.also?.(i, j) ?? [],
    };
  }

  /** How the number is written in the chapter's code, counted from 0. */
  code(ref) {
    const { matrix, i, j } = this.find(ref);
    const places = matrix.vector === "column" ? [i] : matrix.vector === "row" ? [j] : [i, j];
    if (matrix.head !== undefined) places.unshift(matrix.head);
    return matrix.vector === "scalar" ? matrix.code : `${matrix.code}[${places.join(", ")}]`;
  }
}

/** The same graph again while only traits in `apart` have changed, from which no number of it is computed. */
export function remembered(apart, compute) {
  const known = new WeakMap();
  return (state, words) => {
    const last = known.get(words);
    if (last && Object.keys(state).every((name) => apart.includes(name) || state[name] === last.state[name])) return last.graph;
    const graph = compute(state, words);
    known.set(words, { state, graph });
    return graph;
  };
}
