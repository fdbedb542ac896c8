// A training that was recorded: a slider over its steps, and a row of weights that moves.

import { isMatrix, isVector } from "./arithmetic.js";
import { slider } from "./controls.js";
import { make } from "./elements.js";
import { Graph } from "./graph.js";
import { Grid } from "./grid.js";
import { Problem } from "./shell.js";

const MEASURES = ["losses", "right", "accuracies"];
const shownRecord = ({ record, steps }) => Math.min(Math.max(record, 0), steps.length - 1);

export const explorer_training = {
  traits: ["tokens", "steps", "losses", "accuracies", "rows", "record"],

  first(state) {
    const record = shownRecord(state);
    return `weights/${record}/${state.rows[record].indexOf(Math.max(...state.rows[record]))}`;
  },

  compute({ tokens, steps, losses, accuracies, rows }, words) {
    const fits = [steps, losses, accuracies].every((list) => isVector(list) && list.length === rows?.length);
    if (!fits || !isMatrix(rows) || rows[0].length !== tokens.length) throw new Problem("bad_numbers");
    const graph = new Graph(words.numbers);
    const add = (id, kind, values, more) => graph.add(id, { values, kind, code: id, parts: (i) => ({ step: String(steps[i]) }), ...more });
    const column = (list) => list.map((value) => [value]);
    add("losses", "recorded_loss", column(losses), { vector: "column", full: Infinity });
    add("right", "right_probability", column(losses.map((loss) => Math.exp(-loss))), {
      vector: "column", full: Infinity, rule: "written", terms: (i) => [["1 / e", { ref: `losses/${i}/0`, power: true }]],
    });
    add("accuracies", "recorded_accuracy", column(accuracies), { vector: "column", full: Infinity });
    add("weights", "recorded_weight", rows, { columns: tokens, quantity: "weights", full: 1 });
    add("changes", "weight_change", rows.map((row) => row.map((weight, j) => weight - rows[0][j])), {
      columns: tokens, full: 1, rule: "written", terms: (i, j) => [[{ ref: `weights/${i}/${j}` }, "−"], [{ ref: `weights/0/${j}` }]],
    });
    return graph;
  },

  view(shell) {
    const { own } = shell.words;
    const { tokens } = shell.start;
    const record = () => shownRecord(shell.state());
    const steps = slider({
      label: own.step, min: 0, max: shell.start.steps.length - 1, step: 1, text: (place) => String(shell.state().steps[place]), change: (place) => shell.set({ record: place }),
    });
    const measures = new Grid(shell, {
      class: "measures", caption: own.measures, rows: MEASURES.length, columns: 1,
      rowLabel: (i) => own[MEASURES[i]], columnLabel: () => `${own.step} ${shell.state().steps[record()]}`, ref: (i) => `${MEASURES[i]}/${record()}/0`,
    });
    const row = new Grid(shell, {
      class: "softmax", bars: true, caption: own.row, corner: own.key, rows: tokens.length, columns: 2,
      rowLabel: (i) => tokens[i], columnLabel: (j) => [own.weight, own.change][j], ref: (i, j) => `${j ? "changes" : "weights"}/${record()}/${i}`,
    });
    const curve = new TrainingCurve(own);
    return {
      controls: [steps.element],
      body: make("div", { class: "two training" }, make("div", {}, row.element, measures.element), curve.element),
      tall: true,
      grids: () => [row, measures],
      refresh(graph, state) {
        const now = record();
        // The same number, at the step that is shown; a trail that is followed leads through several steps.
        const [id, , j] = shell.path.at(-1).split("/");
        if (!shell.following) shell.path = [`${id}/${now}/${j}`];
        steps.input.max = state.steps.length - 1;
        steps.show(now);
        for (const grid of [row, measures]) grid.refresh(graph);
        curve.show(state, now);
      },
      reveal(ref) {
        const { i } = shell.graph.find(ref);
        if (i !== record()) shell.set({ record: i });
      },
    };
  },
};

/** Loss and accuracy over the steps, with a mark at the one that is shown. */
class TrainingCurve {
  constructor(own) {
    this.lines = { losses: make("polyline"), accuracies: make("polyline", { class: "plain" }) };
    this.dots = { losses: make("circle", { r: 5 }), accuracies: make("circle", { r: 5 }) };
    this.here = make("line", { class: "here", y1: 8, y2: 118 });
    this.one = make("g", {}, make("line", { class: "rule", x1: 24, x2: 256 }), make("text", { x: 20, y: 4, class: "end" }, "1"));
    this.last = make("text", { x: 252, y: 132, class: "end" });
    this.element = make(
      "figure", { class: "curve" },
      make(
        "svg", { viewBox: "0 0 260 152", role: "img", "aria-label": own.curve },
        make("line", { class: "rule", x1: 24, x2: 256, y1: 118, y2: 118 }), make("text", { x: 20, y: 122, class: "end" }, "0"), make("text", { x: 140, y: 147, class: "middle" }, own.step),
        this.one, this.last, this.here, Object.values(this.lines), Object.values(this.dots),
      ),
      make("figcaption", {}, own.curve, " ", make("span", { class: "divided" }, own.losses), " ", make("span", { class: "plain" }, own.accuracies)),
    );
  }

  show(state, now) {
    const { steps } = state;
    const first = steps[0];
    const top = Math.max(1, ...state.losses);
    const x = (place) => 32 + (220 * (steps[place] - first)) / Math.max(steps.at(-1) - first, 1);
    const y = (value) => 118 - (110 * value) / top;
    // Written anew only where it changes: it would cost a layout.
    const recorded = this.drawn === String([steps, state.losses, state.accuracies]);
    this.drawn = String([steps, state.losses, state.accuracies]);
    for (const name of ["losses", "accuracies"]) {
      if (!recorded) this.lines[name].setAttribute("points", state[name].map((value, place) => `${x(place)},${y(value)}`).join(" "));
      this.dots[name].setAttribute("transform", `translate(${x(now)} ${y(state[name][now])})`);
    }
    this.here.setAttribute("transform", `translate(${x(now)})`);
    this.one.setAttribute("transform", `translate(0 ${y(1)})`);
    this.last.textContent = String(steps.at(-1));
  }
}
