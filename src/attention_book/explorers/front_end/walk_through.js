// The whole machine, one step at a time: from the tokens of a sentence to the output of all heads.

import { columnsOf, product, scale, softmax, transpose } from "./arithmetic.js";
import { choice } from "./controls.js";
import { captionOf, lowered, make } from "./elements.js";
import { addEmbeddings, addTable, checkTable } from "./embedding_table.js";
import { Graph, remembered } from "./graph.js";
import { Grid, seen } from "./grid.js";
import { WEIGHT_OF, headOf } from "./sentence.js";
import { Problem } from "./shell.js";

// What stands in each step: matrices with the signs between them, the result last. A name ending in .h is one per head;
// a ᵀ shows the matrix transposed.
const STEPS = {
  token_ids: ["token_ids", "", "vocabulary"],
  embeddings: ["token_ids", "→", "embedding_matrix", "=", "embeddings"],
  query: ["embeddings", "×", "W_Q.h", "=", "query.h"],
  key: ["embeddings", "×", "W_K.h", "=", "key.h"],
  value: ["embeddings", "×", "W_V.h", "=", "value.h"],
  products: ["query.h", "×", "key.hᵀ", "=", "products.h"],
  scores: ["products.h", "/ √d_k =", "scores.h"],
  masked: ["scores.h", "→", "masked.h"],
  weights: ["*.h", "→", "weights.h"],
  context: ["weights.h", "×", "value.h", "=", "context.h"],
  heads: ["heads"],
  output: ["heads", "×", "W_O", "=", "output"],
};
// The rows and columns of the matrices of a step, one letter for what several of them share.
const AXES = { token_ids: ["i ", "v "], embeddings: ["i ", "vj", "ij"], scores: ["ij", "ij"], masked: ["ij", "ij"], weights: ["ij", "ij"], heads: ["ij"] };
const PRODUCT = ["ik", "kj", "ij"];
const ORDER = Object.keys(STEPS);
const QUANTITY = {
  embedding_matrix: "embeddings", embeddings: "embeddings", query: "query", key: "key", value: "value", products: "scores",
  scores: "scores", masked: "scores", weights: "weights", context: "context", heads: "context", output: "context",
};

const shown = ({ last, mask }) =>
  ORDER.slice(0, ORDER.indexOf(last) + 1).filter((step) => step !== "masked" || mask === "causal");
const stepOf = (state) => (shown(state).includes(state.step) ? state.step : "scores");
// The matrices of a long sentence would fill more than a screen, and take longer to write than a reader notices.
const mostOf = ({ tokens }) => (tokens.length > 10 ? 8 : 16);
const resultOf = (step) => (step === "token_ids" ? "token_ids" : STEPS[step].at(-1));
const named = (name, head) => name.replace(".h", `.${head}`).replace("ᵀ", "");

// Another query, head or step computes no number again.
const machine = remembered(["query", "head", "step", "last"], (state, words) => {
  if (state.tokens.length === 0) throw new Problem("empty");
  checkTable(state, [...Object.values(WEIGHT_OF), "W_O"]);
  const { tokens, embedding_matrix, num_heads } = state;
  const d_k = embedding_matrix[0].length / num_heads;
  const graph = new Graph(words.numbers);
  const add = (id, values, rest) => {
    const [name, head] = id.split(".");
    const own = { kind: name, code: name, quantity: QUANTITY[name], rows: tokens, head: num_heads > 1 && head ? Number(head) : undefined };
    graph.add(id, { values, ...own, ...rest });
    return values;
  };
  // A learned number is explained by what it multiplies for the query token, in `row`.
  const parameter = (id, values, input) => {
    const parts = () => ({ token: make("em", {}, tokens[graph.matrix(id).row]) });
    return add(id, values, { kind: "parameter", rows: undefined, quantity: undefined, rule: "parameter", input, parts });
  };
  addTable(graph, state);
  const X = addEmbeddings(graph, state);
  const heads = Array.from({ length: num_heads }, (_, h) => {
    const parts = {};
    for (const [name, W] of Object.entries(WEIGHT_OF)) {
      const own = parameter(`${W}.${h}`, columnsOf(state[W], h * d_k, (h + 1) * d_k), "embeddings");
      parts[name] = add(`${name}.${h}`, product(X, own), { rule: "product", left: "embeddings", right: `${W}.${h}` });
    }
    const pairs = { columns: tokens };
    const products = product(parts.query, transpose(parts.key));
    add(`products.${h}`, products, { ...pairs, kind: "product", rule: "product", left: `query.${h}`, right: `key.${h}`, transposed: true });
    let source = "scores";
    let inputs = add(`scores.${h}`, scale(products, 1 / Math.sqrt(d_k)), { ...pairs, kind: "score", rule: "divided", source: `products.${h}`, by: `√${d_k}` });
    if (state.mask === "causal") {
      source = "masked";
      inputs = inputs.map((row, i) => row.map((score, j) => (j > i ? -Infinity : score)));
      add(`masked.${h}`, inputs, { ...pairs, kindOf: (i, j) => (j > i ? "hidden" : "seen"), rule: "masked", source: `scores.${h}` });
    }
    const weights = add(`weights.${h}`, inputs.map(softmax), { ...pairs, kind: "weight", full: 1, rule: "softmax", source: `${source}.${h}` });
    return add(`context.${h}`, product(weights, parts.value), { rule: "product", left: `weights.${h}`, right: `value.${h}` });
  });
  const joined = tokens.map((_, i) => heads.flatMap((context) => context[i]));
  add("heads", joined, { kind: "concatenated", rule: "side_by_side", heads: "context", width: d_k, parts: (i, j) => ({ head: String(Math.floor(j / d_k)) }) });
  parameter("W_O", state.W_O, "heads");
  add("output", product(joined, state.W_O), { rule: "product", left: "heads", right: "W_O" });
  return graph;
});

export const explorer_walk_through = {
  traits: [
    "tokens", "token_ids", "vocabulary", "embedding_matrix", "W_Q", "W_K", "W_V", "W_O",
    "num_heads", "head", "query", "mask", "step", "last",
  ],

  first(state, graph) {
    const result = named(resultOf(stepOf(state)), headOf(state));
    const { values } = graph.matrix(result);
    const row = values[state.query].slice(0, seen(values[0].length, mostOf(state)));
    return `${result}/${state.query}/${row.indexOf(Math.max(...row))}`;
  },

  compute(state, words) {
    const graph = machine(state, words);
    for (const matrix of graph.matrices.values()) if (matrix.rule === "parameter") matrix.row = state.query;
    return graph;
  },

  view(shell) {
    const { own } = shell.words;
    const place = make("div", { class: "matrices" });
    const about = make("p", { class: "about" });
    const start = shell.start;
    const steps = make("div", { class: "steps", role: "group", "aria-label": own.step });
    const d_model = start.embedding_matrix[0].length;
    const sizes = [...new Set([1, 4, start.num_heads])].filter((size) => d_model % size === 0).sort((a, b) => a - b);
    const many = choice({ label: own.num_heads, options: sizes.map((value) => ({ value, label: String(value) })), change: (num_heads) => shell.afresh({ num_heads, head: 0 }) });
    const mask = choice({
      label: own.mask, options: [{ value: "none", label: own.no_mask }, { value: "causal", label: own.causal }], change: (value) => shell.afresh({ mask: value }),
    });
    const which = make("div", { class: "controls which" });
    const arrows = [-1, 1].map((by) =>
      make("button", { type: "button", "aria-label": by < 0 ? own.previous : own.next, onclick: () => move(by) }, by < 0 ? "←" : "→"));
    let numbered = new Map();
    let tokens;
    let heads;
    const [tables, boxes, signs] = [[], [], []];
    let grids = [];
    const built = {};

    /** Whether what `part` of the view is made from is no longer the same. */
    function changed(part, ...from) {
      const key = JSON.stringify(from);
      if (built[part] === key) return false;
      built[part] = key;
      return true;
    }

    // The matrices of a step, in the tables of the step before: these stay where they are, to move one is to lay it out anew.
    function build(graph, state, step) {
      const source = state.mask === "causal" ? "masked" : "scores";
      grids = [];
      const parts = STEPS[step].map((name, at) => {
        if (at % 2) {
          signs[at] ??= make("span", { class: "sign", "aria-hidden": "true" });
          signs[at].replaceChildren(...lowered(name));
          return name && signs[at];
        }
        const id = named(name.replace("*", source), headOf(state));
        const matrix = graph.matrix(id);
        const transposed = name.endsWith("ᵀ");
        const [rows, columns] = transposed ? [matrix.columns, matrix.rows] : [matrix.rows, matrix.columns];
        const [height, width] = [matrix.values.length, matrix.values[0].length];
        const [down, across] = transposed ? [width, height] : [height, width];
        const isKey = name.startsWith("key") || name.startsWith("value") || name === "vocabulary" || name === "embedding_matrix" || name.startsWith("W_");
        const base = id.split(".")[0];
        const most = mostOf(state);
        const spec = {
          id, transposed, most, axes: [...(AXES[step] ?? PRODUCT)[grids.length]], rows: down, columns: across, class: seen(across, most) > 8 ? "dense" : "", queryRow: isKey ? undefined : () => shell.state().query,
          caption: captionOf(matrix.quantity, base + (transposed ? ".T" : ""), matrix.vector ? "" : own.captions[base], matrix.vector ? [down] : [down, across]),
          rowLabel: (i) => (rows ? rows[i] : String(i)), columnLabel: (j) => (columns ? columns[j] : across === 1 ? own.id : String(j)),
        };
        const table = (tables[grids.length] ??= new Grid(shell, spec));
        if (table.spec !== spec) table.use(spec);
        grids.push(table);
        return (boxes[at] ??= make("div", { class: "matrix" }, table.element));
      }).filter(Boolean);
      for (const old of [...place.children]) if (!parts.includes(old)) old.remove();
      parts.forEach((part, at) => part === place.children[at] || place.insertBefore(part, place.children[at] ?? null));
    }

    function move(by) {
      const all = shown(shell.state());
      shell.afresh({ step: all[all.indexOf(stepOf(shell.state())) + by] });
    }

    function showSteps(all, step) {
      if (changed("steps", all)) {
        numbered = new Map(all.map((name) =>
          [name, make("button", { type: "button", class: "step", "data-quantity": QUANTITY[name], onclick: () => shell.afresh({ step: name }) }, own.steps[name])]));
        steps.replaceChildren(arrows[0], ...numbered.values(), arrows[1]);
      }
      for (const [name, button] of numbered) {
        if (name === step) button.setAttribute("aria-current", "step");
        else button.removeAttribute("aria-current");
      }
      arrows.forEach((arrow, at) => {
        const end = step === all.at(at ? -1 : 0);
        // The focus does not stay on an arrow that leads nowhere.
        if (end && arrow === document.activeElement) numbered.get(step).focus();
        arrow.disabled = end;
      });
    }

    function showChoices(state) {
      if (changed("choices", state.tokens, state.num_heads)) {
        tokens = choice({
          label: own.query, options: state.tokens.map((label, value) => ({ label, value })), change: (query) => shell.afresh({ query }),
        });
        heads = choice({
          label: own.head, options: Array.from({ length: state.num_heads }, (_, value) => ({ value, label: String(value) })), change: (head) => shell.afresh({ head }),
        });
        which.replaceChildren(tokens.element, ...(state.num_heads > 1 ? [heads.element] : []));
      }
      tokens.show(state.query);
      heads.show(headOf(state));
      many.show(state.num_heads);
      mask.show(state.mask);
    }

    return {
      controls: [
        which,
        shown(start).includes("heads") ? many.element : null,
        shown(start).includes("weights") ? mask.element : null,
      ].filter(Boolean),
      body: make("div", {}, steps, about, place),
      tall: true,
      grids: () => grids,

      refresh(graph, state) {
        const step = stepOf(state);
        showChoices(state);
        showSteps(shown(state), step);
        const { tokens: names, vocabulary, embedding_matrix, num_heads } = state;
        if (changed("matrices", step, state.mask, num_heads, names, vocabulary, embedding_matrix[0].length)) {
          about.replaceChildren(...lowered(own.about[step]));
          build(graph, state, step);
        }
        // The same places show another head.
        for (const grid of grids) grid.spec.id = grid.spec.id.replace(/\.\d+$/, `.${headOf(state)}`);
        for (const grid of grids) grid.refresh(graph);
        if (shell.following) return; // and what is followed is shown next
        const first = explorer_walk_through.first(state, graph);
        for (const grid of grids) {
          const cell = grid.reveal(first);
          if (cell) grid.enter(cell);
        }
      },

      // Go to the step in which a number is the result; a parameter stands where it is used.
      reveal(ref) {
        const [base, head] = ref.split("/")[0].split(".");
        const state = shell.state();
        const step = base === "vocabulary" ? "token_ids"
          : base === "embedding_matrix" ? "embeddings"
          : ORDER.find((name) => resultOf(name).split(".")[0] === base) ?? ORDER.find((name) => STEPS[name].some((part) => part.split(".")[0] === base));
        const changes = { step, head: head === undefined ? state.head : Number(head) };
        if (changes.step !== stepOf(state) || changes.head !== state.head) shell.set(changes);
      },
    };
  },
};
