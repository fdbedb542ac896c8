// A context vector as a mixture: move a weight, the others share what is left.

import { isMatrix, isVector, product } from "./arithmetic.js";
import { choice, slider } from "./controls.js";
import { make, phrase, show } from "./elements.js";
import { Graph } from "./graph.js";
import { Grid } from "./grid.js";
import { Problem } from "./shell.js";

const WIDTH = 300;
const HEIGHT = 256;
const MARGIN = { x: 26, y: 42 };

/** Weights with `weight` in one place; what is left is shared among the others in their old proportion. */
function withWeight(weights, place, weight) {
  const others = 1 - weights[place];
  const share = (old) => (others > 1e-12 ? old / others : 1 / (weights.length - 1));
  return weights.length === 1 ? [1] : weights.map((old, k) => (k === place ? weight : share(old) * (1 - weight)));
}

const oneHot = (length, place) => Array.from({ length }, (_, k) => Number(k === place));
const uniform = (length) => Array.from({ length }, () => 1 / length);
const near = (one, other) => one.length === other.length && one.every((number, k) => Math.abs(number - other[k]) < 1e-9);

export const explorer_context = {
  traits: ["tokens", "weights", "values"],
  first: () => "context/0/0",

  compute({ tokens, weights, values }, words) {
    if (!isVector(weights) || !isMatrix(values)) throw new Problem("bad_numbers");
    if (weights.length !== tokens.length || values.length !== tokens.length) throw new Problem("bad_numbers");
    if (Math.min(...weights) < 0 || Math.abs(weights.reduce((sum, weight) => sum + weight) - 1) > 2e-3) throw new Problem("not_one");
    const graph = new Graph(words.numbers);
    graph.add("weights", {
      values: [weights], full: 1, columns: tokens, vector: "row", quantity: "weights", code: "weights", kind: "chosen_weight",
    });
    graph.add("values", { values, rows: tokens, quantity: "value", code: "value", kind: "value" });
    graph.add("context", {
      values: product([weights], values), vector: "row", quantity: "context", code: "context", kind: "mixture", rule: "product", left: "weights", right: "values",
    });
    return graph;
  },

  view(shell) {
    const { own } = shell.words;
    const { tokens, values, weights: first } = shell.start;
    const [length, size] = [tokens.length, values[0].length];
    // A drag to 1 and back finds the old proportion of the others again.
    let held = {};
    const move = (place, weight) => {
      const now = shell.state().weights;
      if (held.place !== place || held.now !== now) held = { place, from: now };
      held.now = withWeight(held.from, place, weight);
      shell.set({ weights: held.now });
    };
    const sliders = tokens.map((name, place) =>
      slider({
        label: phrase(own.weight_of, { token: name }).join(""), min: 0, max: 1, step: 0.01, hidden: true, text: show,
        change: (weight) => move(place, weight),
      }));
    const weightGrid = new Grid(shell, {
      class: "bars wide", bars: true, caption: own.weights, corner: own.key, rows: length, columns: 1,
      before: (i) => sliders[i].element, beforeLabel: own.move,
      rowLabel: (i) => tokens[i], columnLabel: () => own.weight, ref: (i) => `weights/0/${i}`,
    });
    const valueGrid = new Grid(shell, {
      class: "mixture", caption: own.values, corner: own.number, rows: length + 1, columns: size,
      rowLabel: (i) => tokens[i] ?? own.context, columnLabel: (j) => j + 1, ref: (i, j) => (i < length ? `values/${i}/${j}` : `context/0/${j}`),
    });
    const rows = [["start", first], ["uniform", uniform(length)], ...tokens.map((_, place) => [place, oneHot(length, place)])];
    const presets = [
      choice({ label: own.presets, options: rows.slice(0, 2).map(([value]) => ({ value, label: own[value] })), change: (chosen) => take(chosen) }),
      choice({ label: own.all_on, options: tokens.map((label, value) => ({ value, label })), change: (chosen) => take(chosen) }),
    ];
    const take = (chosen) => shell.set({ weights: rows.find(([value]) => value === chosen)[1] });
    const picture = size > 1 && new Picture(own, tokens);
    let column = 0;
    return {
      controls: presets.map(({ element }) => element),
      body: make("div", {}, make("div", { class: "two" }, weightGrid.element, picture && picture.element), valueGrid.element),
      grids: () => [weightGrid, valueGrid],
      chosen(ref) {
        const [id, , place] = ref.split("/");
        if (id === "weights" || !picture) return;
        column = Math.min(Number(place), size - 2);
        picture.show(shell.graph, column);
      },
      refresh(graph, { weights }) {
        weights.forEach((weight, place) => sliders[place].show(weight));
        presets.forEach((preset) => preset.show(rows.find(([, row]) => near(row, weights))?.[0]));
        weightGrid.refresh(graph);
        valueGrid.refresh(graph);
        if (picture) picture.show(graph, column);
      },
    };
  },
};

/** Two places of the vectors as a plane: the context vector stays inside the hull of the values. */
class Picture {
  constructor(own, tokens) {
    this.own = own;
    this.hull = make("polygon", { class: "hull" });
    this.lines = tokens.map(() => make("line", { class: "pull" }));
    this.dots = tokens.map(() => make("circle", { class: "dot" }));
    this.names = tokens.map((name) => make("text", { class: "middle" }, name));
    this.context = make("circle", { class: "mixed", r: 7 });
    this.name = make("text", { class: "middle strong" }, own.context);
    this.axes = [make("text", { x: WIDTH, y: HEIGHT - 3, class: "end axis" }), make("text", { x: 0, y: 11, class: "axis" })];
    const svg = make(
      "svg", { viewBox: `0 0 ${WIDTH} ${HEIGHT}`, role: "img", "aria-label": own.picture },
      this.hull, this.lines, this.dots, this.axes, this.names, this.context, this.name,
    );
    this.element = make("figure", { class: "curve plane" }, svg, make("figcaption", {}, own.plane));
  }

  show(graph, column) {
    const point = (row) => [row[column], row[column + 1]];
    const points = graph.matrix("values").values.map(point);
    const [weights] = graph.matrix("weights").values;
    const range = (axis) => {
      const numbers = points.map((place) => place[axis]);
      const least = Math.min(...numbers);
      return [least, Math.max(...numbers) - least || 1];
    };
    const [[left, width], [bottom, height]] = [range(0), range(1)];
    const place = ([x, y]) => [
      MARGIN.x + ((x - left) / width) * (WIDTH - 2 * MARGIN.x),
      HEIGHT - MARGIN.y - ((y - bottom) / height) * (HEIGHT - 2 * MARGIN.y),
    ];
    const put = (element, attributes) => Object.entries(attributes).forEach(([name, value]) => element.setAttribute(name, value.toFixed?.(1) ?? value));
    const mixed = place(point(graph.matrix("context").values[0]));
    points.map(place).forEach(([x, y], k) => {
      const radius = 3 + 13 * Math.sqrt(weights[k]);
      put(this.dots[k], { cx: x, cy: y, r: radius });
      put(this.lines[k], { x1: x, y1: y, x2: mixed[0], y2: mixed[1], "stroke-width": 8 * weights[k] });
      put(this.names[k], { x: Math.min(Math.max(x, 24), WIDTH - 24), y: y < HEIGHT / 2 ? y - radius - 3 : y + radius + 11 });
    });
    put(this.hull, { points: hull(points.map(place)).map((corner) => corner.map((number) => number.toFixed(1)).join()).join(" ") });
    put(this.context, { cx: mixed[0], cy: mixed[1] });
    // The name goes where it is farthest from the dots.
    const free = ([x, y]) => Math.min(...points.map(place).map(([a, b]) => Math.hypot((x - a) / 2, y - b)));
    const [x, y] = [[0, -15], [0, 15], [-38, 0], [38, 0]].map(([right, down]) => [mixed[0] + right, mixed[1] + down]).sort((one, other) => free(other) - free(one))[0];
    put(this.name, { x, y: y + 4 });
    this.axes.forEach((name, axis) => (name.textContent = phrase(this.own[axis ? "upward" : "to_the_right"], { place: String(column + axis + 1) }).join("")));
  }
}

/** The corners of the convex hull, in order. */
function hull(points) {
  const sorted = [...points].sort(([a, b], [c, d]) => a - c || b - d);
  const side = (corners, next) => {
    const turns = ([a, b], [c, d]) => (c - a) * (next[1] - b) - (d - b) * (next[0] - a);
    while (corners.length > 1 && turns(corners.at(-2), corners.at(-1)) <= 0) corners.pop();
    return [...corners, next];
  };
  return [...sorted.reduce(side, []).slice(0, -1), ...sorted.reverse().reduce(side, []).slice(0, -1)];
}
