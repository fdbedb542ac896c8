// The weights of one query as arcs and as a row of the heat map; a moved weight names the score that would give it.

import { isMatrix, softmax } from "./arithmetic.js";
import { slider } from "./controls.js";
import { lowered, make, phrase, show, token } from "./elements.js";
import { Graph } from "./graph.js";
import { Grid } from "./grid.js";
import { Problem } from "./shell.js";

const UNIT = 100;

/** log(e^first + e^second + …) without overflow. */
function logSumExp(row) {
  const largest = Math.max(...row);
  return largest + Math.log(row.reduce((sum, score) => sum + Math.exp(score - largest), 0));
}

export const explorer_attention_row = {
  traits: ["tokens", "scores", "query"],
  first: ({ scores, query }) => `weights/${query}/${scores[query].indexOf(Math.max(...scores[query]))}`,

  compute({ tokens, scores, query }, words) {
    if (!isMatrix(scores) || !scores.flat().every(Number.isFinite)) throw new Problem("bad_numbers");
    if (scores.length !== tokens.length || scores[0].length !== tokens.length || !scores[query]) throw new Problem("bad_numbers");
    const graph = new Graph(words.numbers);
    const common = { rows: tokens, columns: tokens };
    const row = scores[query];
    const constant = logSumExp(row);
    graph.add("scores", { ...common, values: scores, quantity: "scores", code: "scores", kind: "given_score" });
    graph.add("weights", {
      ...common, values: scores.map(softmax), full: 1, quantity: "weights", code: "weights", kind: "weight", rule: "softmax", source: "scores",
    });
    graph.add("logs", {
      rows: tokens, values: row.map((score) => [score - constant]), full: Infinity, vector: "column", quantity: "weights", code: `weights[${query}].log()`, kind: "log_weight",
      rule: "written", terms: (j) => [["log", { ref: `weights/${query}/${j}` }]],
    });
    graph.add("constant", {
      values: [[constant]], vector: "scalar", quantity: "scores", code: "c", kind: "score_constant",
      rule: "written", terms: () => ["log", ...row.map((_, k) => [k ? "+" : "(", "e", { ref: `scores/${query}/${k}`, power: true }]), ")"],
    });
    graph.add("needed", {
      rows: tokens, values: row.map((score) => [score]), vector: "column", quantity: "scores", code: `scores[${query}]`, kind: "needed_score",
      rule: "written", terms: (j) => [[{ ref: `logs/${j}/0` }], ["+", { ref: "constant/0/0" }]],
    });
    return graph;
  },

  view(shell) {
    const { own } = shell.words;
    const { tokens, scores: first } = shell.start;
    const size = tokens.length;
    const now = () => shell.state().query;
    const move = (key, weight) => {
      const { scores, query } = shell.state();
      const others = scores[query].filter((_, k) => k !== key);
      if (others.length === 0) return;
      // The weight of one key is w when its score is log(w / (1 − w)) above the log-sum-exp of the others.
      const score = Math.log(weight / (1 - weight)) + logSumExp(others);
      shell.path = [`needed/${key}/0`];
      shell.set({ scores: scores.with(query, scores[query].with(key, score)) });
    };
    const sliders = tokens.map((name, key) =>
      slider({
        label: phrase(own.weight_of, { token: name }).join(""), min: 0.01, max: 0.99, step: 0.01, hidden: true,
        text: (weight) => phrase(own.heard, { weight: show(weight), score: show(shell.graph.value(`needed/${key}/0`)) }).join(""),
        change: (weight) => move(key, weight),
      }));
    const columns = ["weights", "logs", "needed"];
    const back = new Grid(shell, {
      class: "bars", bars: true, caption: own.back, corner: own.key, rows: size, columns: columns.length,
      before: (i) => sliders[i].element, beforeLabel: own.move, rowLabel: (i) => tokens[i], columnLabel: (j) => own[columns[j]],
      ref: (i, j) => (j ? `${columns[j]}/${i}/0` : `weights/${now()}/${i}`),
    });
    const matrix = (id, caption) => new Grid(shell, {
      id, caption: make("span", {}, lowered(caption)), class: "square", rows: size, columns: size, corner: own.query, rowLabel: (i) => tokens[i], columnLabel: (j) => tokens[j],
      queryRow: () => shell.state().query,
    });
    const squares = [matrix("scores", own.scores), matrix("weights", own.heat_map)];
    const arcs = new Arcs(shell, tokens);
    const constant = make("span", { "data-ref": "constant/0/0" });
    const verdict = make("p", { class: "verdict" });
    return {
      body: make("div", {}, arcs.element, make("div", { class: "back-to-scores" }, back.element, verdict), make("div", { class: "pair" }, squares.map(({ element }) => element))),
      grids: () => [back, ...squares],
      refresh(graph, { scores, query }) {
        sliders.forEach((weight, key) => weight.show(graph.value(`weights/${query}/${key}`)));
        for (const grid of [back, ...squares]) grid.refresh(graph);
        arcs.show(graph, query);
        const value = graph.value("constant/0/0");
        constant.dataset.value = value;
        constant.textContent = show(value);
        const changed = tokens.map((_, key) => key).filter((key) => scores[query][key] !== first[query][key]);
        const change = (key) => phrase(own.change, { key: token(tokens[key]), before: show(first[query][key]), after: make("strong", {}, show(scores[query][key])) });
        verdict.replaceChildren(
          ...phrase(own.constant, { constant }), " ",
          ...(changed.length ? [...changed.flatMap((key) => [...change(key), " "]), changed.length < size ? own.unchanged : ""] : [own.at_start]),
        );
      },
    };
  },
};

/** The sentence as buttons that choose the query, and an arc from it to each key. */
class Arcs {
  constructor(shell, tokens) {
    const { own } = shell.words;
    const size = tokens.length;
    this.paths = tokens.map(() => make("path", { "vector-effect": "non-scaling-stroke" }));
    this.buttons = tokens.map((name, query) => make("button", { type: "button", onclick: () => shell.set({ query }) }, name));
    this.shares = tokens.map(() => make("span", { class: "share" }));
    this.own = own;
    this.drawing = make(
      "svg", { viewBox: `0 0 ${size * UNIT} ${UNIT}`, preserveAspectRatio: "none", role: "img" }, this.paths,
    );
    const words = make("div", { class: "words", role: "group", "aria-label": own.choose }, this.buttons);
    this.inner = make("div", { class: "arcs", style: `--size: ${size}` }, this.drawing, words, make("div", { class: "words" }, this.shares));
    this.element = make("figure", { class: "sentence" }, this.inner, make("figcaption", {}, own.choose));
  }

  show(graph, query) {
    const size = this.paths.length;
    const middle = (place) => (place + 0.5) * UNIT;
    this.drawing.setAttribute("aria-label", phrase(this.own.arcs, { token: this.buttons[query].textContent }).join(""));
    this.paths.forEach((path, key) => {
      const ref = `weights/${query}/${key}`;
      const weight = graph.value(ref);
      const top = 96 - 40 - (84 * Math.abs(key - query)) / Math.max(size - 1, 1);
      // The query's own arc is a loop.
      const [from, to, a, b] = key === query
        ? [middle(query) - 8, middle(query) + 8, middle(query) - 34, middle(query) + 34]
        : [middle(query), middle(key), middle(query), middle(key)];
      path.setAttribute("d", `M ${from} 100 C ${a} ${top.toFixed(1)} ${b} ${top.toFixed(1)} ${to} 100`);
      path.style.strokeWidth = `${(1 + 15 * weight).toFixed(2)}px`;
      for (const element of [path, this.shares[key]]) {
        element.dataset.ref = ref;
        element.dataset.quantity = "weights";
        element.dataset.value = weight;
      }
      this.shares[key].textContent = show(weight);
      this.buttons[key].setAttribute("aria-pressed", key === query);
    });
  }
}
