// From scores to weights: temperature, and what happens without the division by √d_k.

import { isVector, scale, softmax } from "./arithmetic.js";
import { slider, toggle } from "./controls.js";
import { lowered, make, phrase, show, showSmall } from "./elements.js";
import { Graph } from "./graph.js";
import { Grid } from "./grid.js";
import { Problem } from "./shell.js";

const REACH = 5;
const SIZES = Array.from({ length: 9 }, (_, k) => 2 ** (k + 2)); // d_k from 4 to 1024

/** How much the scores are multiplied in all, compared with scores divided by √d_k at temperature 1. */
const factor = ({ scale: scaled, temperature }, d_k) => (scaled ? 1 : Math.sqrt(d_k)) / temperature;

/** Frobenius norm of the Jacobian diag(w) − w wᵀ: how much the weights still answer to a change of the scores. */
function jacobianNorm(weights) {
  let sum = 0;
  weights.forEach((a, i) => weights.forEach((b, j) => (sum += ((i === j ? a : 0) - a * b) ** 2)));
  return Math.sqrt(sum);
}

export const explorer_softmax = {
  traits: ["tokens", "scores", "temperature", "d_k", "scale"],
  first: ({ scores }) => `weights/${scores.indexOf(Math.max(...scores))}/0`,

  compute(state, words) {
    const { tokens, scores, temperature, d_k } = state;
    if (!isVector(scores) || scores.length !== tokens.length) throw new Problem("bad_numbers");
    if (!(temperature > 0 && d_k >= 1)) throw new Problem("bad_numbers");
    const graph = new Graph(words.numbers);
    const column = (values) => values.map((value) => [value]);
    const common = { rows: tokens, vector: "column", quantity: "scores" };
    const products = scale([scores], Math.sqrt(d_k))[0];
    const inputs = scale([scores], factor(state, d_k))[0];
    const divisor = (state.scale ? Math.sqrt(d_k) : 1) * temperature;
    graph.add("chosen", { ...common, values: column(scores), kind: "chosen_score", code: "s" });
    graph.add("products", {
      ...common, values: column(products), kind: "dot_product", code: "q_k", rule: "times", source: "chosen", by: `√${d_k}`,
    });
    graph.add("inputs", {
      ...common, values: column(inputs), kind: state.scale ? "scaled_score" : "unscaled_score", code: "scores", rule: "divided", source: "products", by: show(divisor),
    });
    const weights = softmax(inputs);
    graph.add("weights", { ...common, quantity: "weights", values: column(weights), full: 1, kind: "key_weight", code: "weights", rule: "softmax_of_column", source: "inputs" });
    return graph;
  },

  view(shell) {
    const { own } = shell.words;
    const { tokens } = shell.start;
    const sliders = tokens.map((name, place) =>
      slider({
        label: phrase(own.score_of, { token: name }).join(""), min: -REACH, max: REACH, step: 0.01, hidden: true, text: show,
        change: (value) => shell.set({ scores: shell.state().scores.with(place, value) }),
      }));
    const columns = ["products", "inputs", "weights"];
    const grid = new Grid(shell, {
      class: "softmax", bars: true, caption: own.table, corner: own.key, rows: tokens.length, columns: columns.length,
      before: (i) => sliders[i].element, beforeLabel: own.score,
      rowLabel: (i) => tokens[i], columnLabel: (j) => own[columns[j]], ref: (i, j) => `${columns[j]}/${i}/0`,
    });
    const temperature = slider({
      label: own.temperature, min: -1, max: 1, step: 0.01, text: () => show(shell.state().temperature),
      change: (value) => shell.set({ temperature: Number((10 ** value).toPrecision(3)) }),
    });
    const size = slider({
      label: "d_k", min: 2, max: 10, step: 1, text: () => String(shell.state().d_k), change: (value) => shell.set({ d_k: 2 ** value }),
    });
    const division = toggle({ label: own.divide, change: (on) => shell.set({ scale: on }) });
    const curve = new Curve(own);
    const verdict = make("p", { class: "verdict" });
    return {
      controls: [temperature.element, size.element, division.element],
      body: make("div", { class: "two" }, make("div", {}, grid.element, verdict), curve.element),
      grids: () => [grid],
      refresh(graph, state) {
        state.scores.forEach((score, place) => sliders[place].show(score));
        temperature.show(Math.log10(state.temperature));
        size.show(Math.log2(state.d_k));
        division.show(state.scale);
        grid.refresh(graph);
        const weights = graph.matrix("weights").values.flat();
        const [largest, norm] = [Math.max(...weights), jacobianNorm(weights)];
        curve.show(state, largest);
        const strong = (value, text) => make("strong", { "data-value": value }, text);
        verdict.replaceChildren(...phrase(own.verdict, {
          largest: strong(largest, show(largest, 4)), norm: strong(norm, showSmall(norm)), saturated: largest > 0.99 ? own.saturated : "",
        }));
      },
    };
  },
};

/** The largest weight against d_k, divided by √d_k and not. */
class Curve {
  constructor(own) {
    this.lines = { divided: make("polyline", { class: "divided" }), plain: make("polyline", { class: "plain" }) };
    this.dot = make("circle", { r: 5 });
    const x = (place) => 34 + place * 26;
    this.point = (place, weight) => [x(place), 10 + (1 - weight) * 100];
    this.element = make(
      "figure", { class: "curve small" },
      make(
        "svg", { viewBox: "0 0 260 152", role: "img", "aria-label": own.curve },
        [0, 0.5, 1].map((weight) => {
          const [left, y] = this.point(0, weight);
          return [make("line", { x1: left - 4, x2: x(8) + 6, y1: y, y2: y, class: "rule" }), make("text", { x: left - 8, y: y + 4, class: "end" }, show(weight, 1))];
        }).flat(),
        SIZES.map((d_k, place) => (place % 2 ? "" : make("text", { x: x(place), y: 127, class: "middle" }, String(d_k)))),
        make("text", { x: x(4), y: 145, class: "middle" }, "d_k"),
        this.lines.plain, this.lines.divided, this.dot,
      ),
      make("figcaption", {}, lowered(own.curve), " ", make("span", { class: "divided" }, lowered(own.divided)), " ", make("span", { class: "plain" }, lowered(own.plain))),
    );
  }

  show(state, largest) {
    for (const [name, line] of Object.entries(this.lines)) {
      const top = (d_k) => Math.max(...softmax(scale([state.scores], factor({ ...state, scale: name === "divided" }, d_k))[0]));
      line.setAttribute("points", SIZES.map((d_k, place) => this.point(place, top(d_k)).map((n) => n.toFixed(1)).join(",")).join(" "));
    }
    const [cx, cy] = this.point(Math.log2(state.d_k) - 2, largest);
    this.dot.setAttribute("cx", cx);
    this.dot.setAttribute("cy", cy);
  }
}
