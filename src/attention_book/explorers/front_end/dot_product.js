// Two vectors in the plane: their tips are dragged or moved with the arrow keys.

import { dot, isVector } from "./arithmetic.js";
import { choice } from "./controls.js";
import { make, show } from "./elements.js";
import { Graph } from "./graph.js";
import { Grid } from "./grid.js";
import { Problem } from "./shell.js";

const HALF = 160;
const STEP = 0.1;
const TURNS = { 0: "same_direction", 90: "right_angle", 180: "opposite" };

const degrees = (radians) => (radians * 180) / Math.PI;
const length = (vector) => Math.hypot(...vector);
const direction = ([x, y]) => (x || y ? degrees(Math.atan2(y, x)) : NaN);

export const explorer_dot_product = {
  traits: ["query", "key"],
  first: () => "product/0/0",

  compute({ query, key }, words) {
    if (![query, key].every((vector) => isVector(vector) && vector.length === 2)) throw new Problem("bad_numbers");
    const graph = new Graph(words.numbers);
    const defined = length(query) > 0 && length(key) > 0;
    const product = dot(query, key);
    // A number that a zero vector leaves without meaning is shown as a dash, and says so.
    const add = (id, value, quantity, code, kind, terms, parts) => graph.add(id, {
      values: [[value]], full: 3 * Math.abs(value) || 1, vector: "scalar", quantity, code, parts: () => parts, kind: Number.isNaN(value) ? "no_direction" : kind,
      rule: Number.isNaN(value) ? "given" : "written", terms,
    });
    const of = (id, place = 0) => ({ ref: `${id}/0/${place}` });
    for (const [name, vector, quantity] of [["q", query, "query"], ["k", key, "key"]]) {
      const parts = { vector: name };
      graph.add(name, { values: [vector], full: 3 * length(vector) || 1, vector: "row", quantity, code: name, kind: `${quantity}_place` });
      add(`length_${name}`, length(vector), quantity, `|${name}|`, "length", () => [["√(", of(name), "²"], ["+", of(name, 1), "²"], ")"], parts);
      add(`direction_${name}`, direction(vector), quantity, `θ_${name}`, "direction", () => [["atan2 (", of(name, 1), ",", of(name), ")"]], parts);
    }
    graph.add("products", {
      values: [query.map((number, place) => number * key[place])], full: 3 * length(query) * length(key) || 1, vector: "row", quantity: "scores", code: "(q * k)", kind: "place_product",
      rule: "written", terms: (i, place) => [[of("q", place), "×", of("k", place)]],
    });
    add("product", product, "scores", "q @ k", "sum_of_products", () => [[of("products")], ["+", of("products", 1)]]);
    // atan2 keeps the digits that arccos loses for vectors that are nearly parallel.
    const angle = defined ? degrees(Math.atan2(Math.abs(query[0] * key[1] - query[1] * key[0]), product)) : NaN;
    const apart = ["|", of("direction_k"), "−", of("direction_q"), "|"];
    const around = Math.abs(direction(key) - direction(query)) > 180;
    add("angle", angle, "angle", "θ", "angle", () => (around ? [["360 −"], apart] : [apart]));
    const cosine = defined ? product / (length(query) * length(key)) : NaN;
    add("cosine", cosine, "angle", "cos θ", "cosine", () => [["cos (", of("angle"), "°)"]]);
    add("shadow", length(key) * cosine, "key", "|k| cos θ", "shadow", () => [[of("length_k"), "×", of("cosine")]]);
    add("by_angle", length(query) * length(key) * cosine, "scores", "|q| |k| cos θ", "product_by_angle", () => [[of("length_q"), "×", of("length_k"), "×", of("cosine")]]);
    return graph;
  },

  view(shell) {
    const { own } = shell.words;
    const rows = ["q", "k"];
    const columns = [(name) => `${name}/0/0`, (name) => `${name}/0/1`, (name) => `length_${name}/0/0`, (name) => `direction_${name}/0/0`];
    const heads = [1, 2, own.length, own.direction];
    const vectors = new Grid(shell, {
      caption: own.table, corner: own.vector, rows: 2, columns: 4, rowLabel: (i) => rows[i], columnLabel: (j) => heads[j], ref: (i, j) => columns[j](rows[i]),
    });
    const list = (caption, lines) => new Grid(shell, {
      class: "list", caption, rows: lines.length, columns: 1, corner: own.result, columnLabel: () => own.number, rowLabel: (i) => lines[i][0], ref: (i) => lines[i][1],
    });
    const places = list(own.by_places, [["q₁ k₁", "products/0/0"], ["q₂ k₂", "products/0/1"], ["q · k", "product/0/0"]]);
    const angles = list(own.by_angle, [["θ (°)", "angle/0/0"], ["cos θ", "cosine/0/0"], ["|k| cos θ", "shadow/0/0"], ["|q| |k| cos θ", "by_angle/0/0"]]);
    const grids = [vectors, places, angles];
    const turn = choice({
      label: own.turn, options: Object.entries(TURNS).map(([value, name]) => ({ value, label: own[name] })),
      change(angle) {
        const { query, key } = shell.state();
        const [x, y] = query.map((number) => (number * length(key)) / (length(query) || 1));
        shell.set({ key: { 0: [x, y], 90: [-y || 0, x], 180: [-x || 0, -y || 0] }[angle] });
      },
    });
    const plane = new Plane(shell);
    const verdict = make("p", { class: "verdict" });
    return {
      controls: [turn.element],
      body: make("div", { class: "two drawn" }, plane.element, make("div", { class: "numbers" }, grids.map(({ element }) => element), verdict)),
      grids: () => grids,
      refresh(graph, state) {
        const angle = graph.value("angle/0/0");
        turn.show(Object.keys(TURNS).find((turned) => Math.abs(turned - angle) < 1e-6));
        grids.forEach((grid) => grid.refresh(graph));
        plane.show(state, graph);
        verdict.textContent = own[Number.isNaN(angle) ? "zero" : Math.abs(angle - 90) < 1e-6 ? "at_right_angle" : angle < 90 ? "below" : "above"];
      },
    };
  },
};

class Plane {
  constructor(shell) {
    this.shell = shell;
    const { own } = shell.words;
    const line = (name) => make("line", { class: name });
    this.rules = Array.from({ length: 18 }, () => line("rule"));
    this.ticks = [-1, -0.5, 0.5, 1].flatMap((part) => [0, 1].map((axis) => ({ part, axis, text: make("text", { class: axis ? "end" : "middle" }) })));
    this.along = line("along");
    this.drop = line("drop");
    this.shadow = line("shadow");
    this.arc = make("path", { class: "angle" });
    this.theta = make("text", { class: "middle theta" }, "θ");
    this.arrows = Object.fromEntries([["query", "q"], ["key", "k"]].map(([trait, name]) => [trait, this.arrow(trait, name, own[`move_${trait}`])]));
    this.svg = make(
      "svg", { viewBox: `0 0 ${2 * HALF} ${2 * HALF}`, role: "group", "aria-label": own.plane },
      this.rules, this.ticks.map(({ text }) => text), this.along, this.shadow, this.drop, this.arc, this.theta,
      Object.values(this.arrows).flatMap(({ shaft, handle }) => [shaft, handle]),
    );
    this.element = make("figure", { class: "curve vectors" }, this.svg, make("figcaption", {}, own.drawing));
  }

  arrow(trait, name, label) {
    const shaft = make("line", { class: "shaft", "data-quantity": trait });
    const head = make("polygon", { class: "head", points: "0,0 -13,-6 -13,6" });
    const text = make("text", { class: "middle letter" }, name);
    const handle = make(
      "g",
      { class: "handle", tabindex: "0", role: "slider", "aria-label": label, "data-quantity": trait,
        onpointerdown: (event) => this.grab(event, handle), onpointermove: (event) => this.drag(event, handle, trait), onkeydown: (event) => this.key(event, trait),
        // A finger on the tip must not scroll the page.
        ontouchstart: (event) => event.preventDefault() },
      make("circle", { class: "reach", r: 24 }), make("circle", { class: "ring", r: 11 }), head, text,
    );
    return { shaft, head, handle, text };
  }

  grab(event, handle) {
    handle.setPointerCapture(event.pointerId);
    handle.focus({ preventScroll: true });
    event.preventDefault();
  }

  drag(event, handle, trait) {
    if (!handle.hasPointerCapture(event.pointerId)) return;
    const box = this.svg.getBoundingClientRect();
    const at = (pixels, size) => ((2 * pixels) / size - 1) * this.span;
    this.move(trait, [at(event.clientX - box.left, box.width), -at(event.clientY - box.top, box.height)]);
  }

  key(event, trait) {
    const step = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowDown: [0, -1], ArrowUp: [0, 1] }[event.key];
    if (!step) return;
    const far = event.shiftKey ? 10 : 1;
    this.move(trait, this.shell.state()[trait].map((number, axis) => number + step[axis] * STEP * far));
    event.preventDefault();
  }

  /** To the nearest tenth inside the picture. */
  move(trait, vector) {
    const inside = (number) => Math.min(Math.max(number, -this.reach), this.reach);
    this.shell.set({ [trait]: vector.map((number) => Math.round(inside(number) / STEP) / Math.round(1 / STEP)) });
  }

  show({ query, key }, graph) {
    const largest = Math.max(...[...query, ...key].map(Math.abs));
    this.reach = largest <= 4 ? 4 : 2 ** Math.ceil(Math.log2(largest));
    this.span = this.reach * 1.12;
    const place = ([x, y]) => [HALF + (x / this.span) * HALF, HALF - (y / this.span) * HALF];
    const draw = (line, from, to) => {
      const [[x1, y1], [x2, y2]] = [place(from), place(to)];
      for (const [name, value] of Object.entries({ x1, y1, x2, y2 })) line.setAttribute(name, value.toFixed(1));
    };
    this.rules.forEach((rule, k) => {
      const at = ((Math.floor(k / 2) - 4) / 4) * this.reach;
      rule.classList.toggle("axis", at === 0);
      draw(rule, ...(k % 2 ? [[-this.reach, at], [this.reach, at]] : [[at, -this.reach], [at, this.reach]]));
    });
    for (const { part, axis, text } of this.ticks) {
      const [x, y] = place(axis ? [0, part * this.reach] : [part * this.reach, 0]);
      text.setAttribute("x", x - (axis ? 5 : 0));
      text.setAttribute("y", y + (axis ? 4 : 14));
      text.textContent = show(part * this.reach, 0);
    }
    const size = length(query);
    const foot = size ? query.map((number) => (number * dot(query, key)) / size ** 2) : [0, 0];
    const far = size ? query.map((number) => (number / Math.max(...query.map(Math.abs))) * this.reach) : [0, 0];
    draw(this.along, far.map((number) => -number), far);
    draw(this.shadow, [0, 0], foot);
    draw(this.drop, key, foot);
    this.showAngle(query, key, graph.value("angle/0/0"));
    for (const [trait, vector] of [["query", query], ["key", key]]) this.showArrow(this.arrows[trait], vector, graph.value("product/0/0"), draw, place);
  }

  showArrow({ shaft, head, handle, text }, vector, product, draw, place) {
    const turned = Math.atan2(-vector[1], vector[0]);
    draw(shaft, [0, 0], vector);
    handle.setAttribute("transform", `translate(${place(vector).map((number) => number.toFixed(1))})`);
    head.setAttribute("transform", `rotate(${degrees(turned).toFixed(2)})`);
    head.style.display = length(vector) ? "" : "none";
    text.setAttribute("x", (20 * Math.cos(turned)).toFixed(1));
    text.setAttribute("y", (20 * Math.sin(turned) + 5).toFixed(1));
    handle.setAttribute("aria-valuenow", vector[0]);
    handle.setAttribute("aria-valuemin", -this.reach);
    handle.setAttribute("aria-valuemax", this.reach);
    handle.setAttribute("aria-valuetext", `(${vector.map((number) => show(number)).join(", ")}), q · k = ${show(product)}`);
  }

  showAngle(query, key, angle) {
    const drawn = angle > 0.5;
    this.arc.style.display = this.theta.style.display = drawn ? "" : "none";
    if (!drawn) return;
    const unit = (vector, radius) => vector.map((number, axis) => HALF + (axis ? -1 : 1) * (number / length(vector)) * radius);
    const left = query[0] * key[1] - query[1] * key[0] >= 0;
    this.arc.setAttribute("d", `M ${unit(query, 30)} A 30 30 0 0 ${left ? 0 : 1} ${unit(key, 30)}`);
    const half = Math.atan2(query[1], query[0]) + ((left ? 1 : -1) * angle * Math.PI) / 360;
    const [x, y] = unit([Math.cos(half), Math.sin(half)], 43);
    this.theta.setAttribute("x", x.toFixed(1));
    this.theta.setAttribute("y", (y + 4).toFixed(1));
  }
}
