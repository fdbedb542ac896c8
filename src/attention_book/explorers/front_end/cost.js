// What attention costs: multiply-adds, memory and the key–value cache, from the sizes of a model.

import { choice } from "./controls.js";
import { lowered, make, show } from "./elements.js";
import { Graph } from "./graph.js";
import { Grid } from "./grid.js";
import { Problem } from "./shell.js";

const LARGEST = 2 ** 24;
const SIZES_OF_MODEL = ["num_layers", "d_model", "num_heads", "num_kv_heads", "head_dim", "num_tokens"];
const ALL_SIZES = [...SIZES_OF_MODEL, "bytes_per_number"];

/** Powers of two and, between them, three times powers of two. */
const doubling = (largest) => Array.from({ length: 2 * Math.log2(largest) + 1 }, (_, k) => (k % 2 ? 1.5 : 1) * 2 ** (k >> 1)).filter(Number.isInteger);
const divisors = (number) => Array.from({ length: number }, (_, k) => k + 1).filter((part) => number % part === 0);
const isPlain = ({ d_model, num_heads, head_dim }) => num_heads * head_dim === d_model;

/** Where the slider of a size can stop. */
const STOPS = {
  num_tokens: () => doubling(2 ** 20),
  d_model: () => doubling(2 ** 15),
  num_heads: (state) => (isPlain(state) ? divisors(state.d_model) : doubling(256)),
  num_kv_heads: ({ num_heads }) => divisors(num_heads),
  head_dim: () => doubling(1024),
  num_layers: () => Array.from({ length: 128 }, (_, k) => k + 1),
  bytes_per_number: () => [1, 2, 4, 8],
};

const whole = (value) => value.toFixed(0);

// What each result is made of, calculated from left to right; what is in brackets is a sum.
const COSTS = {
  projections: "2 × num_tokens × d_model × head_dim × ( num_heads + num_kv_heads )",
  attention: "2 × num_tokens × num_tokens × num_heads × head_dim",
  all_layers: "num_layers × ( projections + attention )",
  new_token: "all_layers / num_tokens",
  ratio: "attention / projections",
  crossing: "d_model × ( num_heads + num_kv_heads ) / num_heads",
  weights_memory: "num_heads × num_tokens × num_tokens × bytes_per_number",
  cache_per_token: "2 × num_layers × num_kv_heads × head_dim × bytes_per_number",
  cache_size: "num_tokens × cache_per_token",
};
const COST_NAMES = Object.keys(COSTS);
const COST_QUANTITY = { attention: "weights", ratio: "weights", crossing: "weights", weights_memory: "weights", projections: "query", cache_per_token: "key", cache_size: "key" };
const UNITS = ["B", "kB", "MB", "GB", "TB", "PB"];

/** A number of bytes or of multiply-adds with three digits. */
function readable(name, value) {
  if (name === "ratio" || name === "crossing") return [];
  if (name.startsWith("cache") || name === "weights_memory") {
    const power = Math.min(Math.floor(Math.log10(value) / 3), UNITS.length - 1);
    return [`${Number((value / 1000 ** power).toPrecision(3))} ${UNITS[power]}`];
  }
  const [digits, power] = value.toExponential(2).split("e+");
  return [`${digits} · 10`, make("sup", {}, power)];
}

export const explorer_cost = {
  traits: [...ALL_SIZES, "models"],
  first: () => "projections/0/0",

  compute(state, words) {
    if (ALL_SIZES.some((name) => !(Number.isInteger(state[name]) && state[name] >= 1 && state[name] <= LARGEST))) throw new Problem("bad_size");
    if (state.num_heads % state.num_kv_heads) throw new Problem("bad_heads");
    const { why } = words.own;
    const said = !isPlain(state) ? why.other_size : state.num_kv_heads < state.num_heads ? why.shared : why.plain;
    const graph = new Graph(words.numbers);
    const add = (name, value, more) => graph.add(name, {
      values: [[value]], kind: name, code: name, vector: "scalar", quantity: COST_QUANTITY[name], write: Number.isInteger(value) ? whole : show, full: Infinity, ...more,
    });
    for (const name of ALL_SIZES) add(name, state[name]);
    for (const name of COST_NAMES) {
      const terms = [[]];
      let [value, sum, sign] = [1, 0, "×"];
      const apply = (factor) => (value = sign === "/" ? value / factor : value * factor);
      for (const part of COSTS[name].split(" ")) {
        const known = graph.matrix(part);
        terms.at(-1).push(known ? { ref: `${part}/0/0` } : part);
        if (known) terms.push([]);
        if (part === ")") apply(sum, (sign = "×"));
        else if (!known && part !== "2") sign = part;
        else if ("(+".includes(sign)) sum += known.values[0][0];
        else apply(known ? known.values[0][0] : 2);
      }
      add(name, value, { rule: "written", terms: () => terms, parts: () => ({ why: make("span", {}, lowered(said)) }) });
    }
    return graph;
  },

  view(shell) {
    const { own } = shell.words;
    const { models } = shell.start;
    const fields = ALL_SIZES.map((name) => new SizeField(own.sizes[name], name, (value) => shell.set(fitted(shell.state(), name, value))));
    const about = COST_NAMES.map(() => make("span", { class: "readable" }));
    const grid = new Grid(shell, {
      class: "costs", caption: own.results_of, corner: own.quantity, rows: COST_NAMES.length, columns: 1, before: (i) => about[i], beforeLabel: own.about,
      rowLabel: (i) => own.results[COST_NAMES[i]], columnLabel: () => own.number, ref: (i) => `${COST_NAMES[i]}/0/0`,
    });
    const curve = new CostCurve(own);
    const sizesOf = (key) => ALL_SIZES.filter((name) => models[key][name]).map((name) => [name, models[key][name]]);
    const presets = choice({
      label: own.model, options: Object.entries(models).map(([value, { name }]) => ({ value, label: name })), change: (key) => shell.set(Object.fromEntries(sizesOf(key))),
    });
    const source = make("p", { class: "verdict" });
    return {
      controls: [presets.element, source],
      body: make("div", {}, make("div", { class: "two" }, make("div", { class: "sizes" }, fields.flatMap(({ parts }) => parts)), curve.element), grid.element),
      tall: true,
      grids: () => [grid],
      refresh(graph, state) {
        for (const field of fields) field.show(state);
        grid.refresh(graph);
        COST_NAMES.forEach((name, i) => about[i].replaceChildren(...readable(name, graph.value(`${name}/0/0`))));
        curve.show(state, graph);
        const key = Object.keys(models).find((model) => sizesOf(model).every(([name, value]) => state[name] === value));
        presets.show(key);
        const text = own.sources[key] ?? own.own_sizes;
        const paper = text.match(/arXiv:([\d.]+\d)/);
        source.replaceChildren(`${own.source}: `, paper ? make("a", { href: `https://arxiv.org/abs/${paper[1]}` }, text) : text);
      },
    };
  },
};

/** A size is changed; those that depend on it follow where they can. */
function fitted(state, name, value) {
  const next = { ...state, [name]: value };
  const changes = { [name]: value };
  if (isPlain(state) && /d_model|num_heads/.test(name) && next.d_model % next.num_heads === 0) changes.head_dim = next.d_model / next.num_heads;
  if (name === "num_heads" && (state.num_kv_heads === state.num_heads || value % state.num_kv_heads)) changes.num_kv_heads = value;
  return changes;
}

/** A size as a slider and as a number that can be typed and is explained like any other. */
class SizeField {
  constructor(label, name, change) {
    this.name = name;
    this.range = make("input", { type: "range", min: 0, step: 1, "aria-label": label, oninput: () => change(this.stops[this.range.value]) });
    this.number = make("input", { type: "number", min: 1, max: LARGEST, "aria-label": label, "data-ref": `${name}/0/0`, onchange: () => change(this.number.valueAsNumber) });
    this.parts = [make("span", {}, lowered(label)), this.range, this.number];
  }

  show(state) {
    const value = state[this.name];
    this.stops = STOPS[this.name](state);
    this.range.max = this.stops.length - 1;
    this.range.value = Math.max(this.stops.findLastIndex((stop) => stop <= value), 0);
    this.range.setAttribute("aria-valuetext", value);
    this.number.value = this.number.dataset.value = value;
  }
}

/** Multiply-adds of one layer against the number of tokens, both axes logarithmic. */
class CostCurve {
  constructor(own) {
    this.here = make("line", { class: "here", y1: 8, y2: 116 });
    this.parts = ["projections", "attention"].map((name) => ({ name, line: make("polyline", { class: name }), dot: make("circle", { r: 4, class: name }) }));
    this.x = (n) => 14 + Math.log2(n) * 11.5;
    this.element = make(
      "figure", { class: "curve" },
      make(
        "svg", { viewBox: "0 0 260 152", role: "img", "aria-label": own.curve }, make("line", { class: "rule", x1: 14, x2: 256, y1: 116, y2: 116 }),
        [0, 5, 10, 15].map((power) => make("text", { x: this.x(2 ** power), y: 130, class: "middle" }, whole(2 ** power))),
        make("text", { x: 130, y: 147, class: "middle" }, own.sizes.num_tokens), this.here, this.parts.flatMap(({ line, dot }) => [line, dot]),
      ),
      make("figcaption", {}, own.curve, " ", this.parts.map(({ name }) => make("span", { class: name }, own.results[name]))),
    );
  }

  show({ num_tokens }, graph) {
    const at = (name) => graph.value(`${name}/0/0`);
    const cost = (name, n) => Math.log2(at(name)) + (name === "attention" ? 2 : 1) * Math.log2(n / num_tokens);
    const ends = [1, 2 ** 20];
    const all = this.parts.flatMap(({ name }) => ends.map((n) => cost(name, n)));
    const [low, high] = [Math.min(...all), Math.max(...all)];
    const point = (name, n) => [this.x(n), 112 - ((cost(name, n) - low) / (high - low)) * 104];
    for (const { name, line, dot } of this.parts) {
      line.setAttribute("points", ends.map((n) => point(name, n)).join(" "));
      const [x, y] = point(name, num_tokens);
      dot.setAttribute("transform", `translate(${x} ${y})`);
    }
    this.here.setAttribute("transform", `translate(${this.x(at("crossing"))})`);
  }
}
