// Scores with a mask over them, whose cells are buttons, and the weights that come out.

import { isMatrix, softmax } from "./arithmetic.js";
import { choice } from "./controls.js";
import { make, phrase, show, showSmall, token } from "./elements.js";
import { Graph } from "./graph.js";
import { Grid } from "./grid.js";
import { Problem } from "./shell.js";

const LARGE_NEGATIVE = -1e9;

// May query i attend to key j, of `size` keys, when `padding` of them are padded?
const PRESETS = {
  none: () => true,
  causal: (i, j) => j <= i,
  padding: (i, j, padding, size) => j < size - padding,
  causal_padding: (i, j, padding, size) => j <= i && j < size - padding,
  left_padding: (i, j, padding) => j >= padding,
  causal_left_padding: (i, j, padding) => j <= i && j >= padding,
  hides_itself: (i, j) => j < i,
  sees_one_ahead: (i, j) => j <= i + 1,
};

const maskOf = (preset, { tokens, padding }) => tokens.map((_, i) => tokens.map((_, j) => PRESETS[preset](i, j, padding, tokens.length)));

/** The preset that makes this mask; several may, and the one in use keeps its name. */
const nameOf = (state) =>
  [state.preset, ...Object.keys(PRESETS)].find((name) => PRESETS[name] && String(maskOf(name, state)) === String(state.mask)) ?? "custom";

const strongest = (weights) => weights.indexOf(Math.max(...weights));
const isEmpty = (row) => !row.some(Boolean);
const sumOf = (row) => row.reduce((sum, weight) => sum + weight, 0);

/** What is exactly 0 has no decimals: a small weight is not taken for a hidden one. */
const writeMasked = (value) => (Number.isNaN(value) ? "NaN" : value === LARGE_NEGATIVE ? "−10⁹" : value === 0 ? "0" : show(value));

export const explorer_mask = {
  traits: ["tokens", "scores", "mask", "preset", "padding", "masking", "empty_row"],
  first: (state, graph) => `weights/0/${Math.max(strongest(graph.matrix("weights").values[0]), 0)}`,

  compute({ tokens, scores, mask, masking, empty_row }, words) {
    const size = tokens.length;
    if (!isMatrix(scores) || scores.length !== size || scores[0].length !== size) throw new Problem("bad_numbers");
    if (mask?.length !== size || mask.some((row) => row?.length !== size)) throw new Problem("bad_mask");
    const { why } = words.own;
    const graph = new Graph(words.numbers);
    const before = masking === "before";
    const common = { rows: tokens, columns: tokens, write: writeMasked };
    const share = { ...common, quantity: "weights", full: 1, rule: "written" };
    const sum = { rows: tokens, write: writeMasked, vector: "column", full: Infinity, quantity: "weights", rule: "written" };
    const added = (refs, power, open) => refs.map((ref, k) => [k > 0 ? "+" : open, power && "e", { ref, power }]);
    const rowOf = (id, i) => tokens.map((_, k) => `${id}/${i}/${k}`);
    graph.add("scores", { ...common, values: scores, quantity: "scores", code: "scores", kind: "given_score" });

    const unmasked = scores.map(softmax);
    const kept = unmasked.map((row, i) => row.map((weight, j) => (mask[i][j] ? weight : 0)));
    const left = kept.map(sumOf);
    const keptKind = {
      kind: "kept_weight", parts: (i, j) => ({ why: mask[i][j] ? why.kept : why.removed }),
      terms: (i, j) => [[{ ref: `unmasked/${i}/${j}` }, `× ${Number(mask[i][j])}`]],
    };
    graph.add("unmasked", { ...common, values: unmasked, quantity: "weights", full: 1, code: "unmasked", kind: "unmasked_weight", rule: "softmax", source: "scores" });
    graph.add("kept", { ...share, ...keptKind, values: kept, code: "kept" });
    graph.add("left", { ...sum, values: left.map((number) => [number]), code: "kept.sum(-1)", kind: "kept_sum", terms: (i) => added(rowOf("kept", i)) });

    if (before) {
      const fill = empty_row === "uniform" ? LARGE_NEGATIVE : -Infinity;
      const masked = scores.map((row, i) => row.map((score, j) => (mask[i][j] ? score : fill)));
      graph.add("masked", {
        ...common, values: masked, quantity: "scores", code: "masked", kindOf: (i, j) => (mask[i][j] ? "seen" : "blocked"), parts: () => ({ fill: writeMasked(fill) }),
        rule: "written", terms: (i, j) => [[{ ref: `scores/${i}/${j}` }, !mask[i][j] && `→ ${writeMasked(fill)}`]],
      });
      const values = masked.map((row, i) => (empty_row === "nan" && isEmpty(mask[i]) ? row.map(() => NaN) : softmax(row)));
      graph.add("weights", {
        ...share, values, code: "weights", kind: "masked_weight",
        parts: (i, j) => ({ why: why[isEmpty(mask[i]) ? empty_row : mask[i][j] ? "allowed" : "hidden"] }),
        terms(i, j) {
          const all = rowOf("masked", i);
          const refs = isEmpty(mask[i]) ? all : all.filter((_, k) => mask[i][k]);
          return empty_row === "zeros" && isEmpty(mask[i]) ? [] : [["e", { ref: all[j], power: true }, "/"], ...added(refs, true, "("), ")"];
        },
      });
    } else if (masking === "after") graph.add("weights", { ...share, ...keptKind, values: kept, code: "weights" });
    else {
      graph.add("weights", {
        ...share, values: kept.map((row, i) => row.map((weight) => weight / left[i])), code: "weights", kind: "masked_weight",
        parts: (i) => ({ why: left[i] ? why.renormalized : why.nothing_left }),
        terms: (i, j) => [[{ ref: `kept/${i}/${j}` }, "/", { ref: `left/${i}/0` }]],
      });
    }
    // Rounded, so that 1 is 1.
    const sums = graph.matrix("weights").values.map((row) => [Number(sumOf(row).toFixed(12))]);
    graph.add("sums", { ...sum, values: sums, code: "weights.sum(-1)", kind: "row_sum", terms: (i) => added(rowOf("weights", i)) });
    return graph;
  },

  view(shell) {
    const { own } = shell.words;
    const { tokens } = shell.start;
    const size = tokens.length;
    const at = () => shell.graph.find(shell.path[0]);
    const row = () => at().i;
    let said;
    const verdict = make("p", { class: "verdict" });
    const left = make("strong");
    const options = (words) => Object.entries(words).map(([value, label]) => ({ value, label }));

    const presets = choice({
      label: own.mask, options: options(own.presets),
      change(preset) {
        const mask = maskOf(preset, shell.state());
        shell.path = [`weights/${Math.max(mask.findIndex(isEmpty), 0)}/0`];
        shell.set({ preset, mask });
      },
    });
    const masking = choice({ label: own.when, options: options(own.masking), change: (masking) => stay({ masking }) });
    const empty = choice({ label: own.empty_row, options: options(own.empty_rows), change: (empty_row) => stay({ empty_row }) });

    // The same row, another way.
    function stay(changes) {
      shell.path = [`weights/${row()}/${at().j}`];
      shell.set(changes);
    }

    function press(i, j) {
      const state = shell.state();
      state.mask = state.mask.with(i, state.mask[i].with(j, !state.mask[i][j]));
      shell.set({ mask: state.mask, preset: nameOf(state) });
    }

    const word = (place) => tokens[place];
    const common = { rows: size, corner: own.query, rowLabel: word, queryRow: row, axes: ["query", "key"] };
    const grids = [
      new Toggles(shell, {
        ...common, class: "mask", caption: make("span", { "data-quantity": "scores" }, own.scores), columns: size, columnLabel: word, press,
        ref: (i, j) => `${shell.state().masking === "before" ? "masked" : "scores"}/${i}/${j}`,
        label: (i, j, score) => phrase(own.cell, { query: word(i), key: word(j), score }).join(""),
      }),
      new Grid(shell, {
        ...common, class: "masked", caption: make("span", { "data-quantity": "weights" }, own.weights), columns: size + 1, columnLabel: (j) => (j < size ? word(j) : own.sum),
        ref: (i, j) => (j < size ? `weights/${i}/${j}` : `sums/${i}/0`),
        mark: ({ lines }) => lines.forEach(({ cells }) => cells.forEach(({ written, classList }, j) =>
          classList.toggle("broken", Number.isNaN(written.value) || (j === size && written.value !== 1)))),
      }),
    ];

    function say(graph, { tokens, mask, masking, empty_row, ...state }) {
      const padded = Math.min(state.padding, size);
      const preset = nameOf({ tokens, mask, ...state });
      const tail = preset.includes("left") ? tokens.slice(0, padded) : tokens.slice(size - padded);
      said = row();
      const allowed = mask[said];
      const sentence = isEmpty(allowed) ? (masking === "before" ? empty_row : `${masking}_empty`) : allowed.every(Boolean) ? "whole" : masking;
      const ref = `left/${said}/0`;
      const value = graph.value(ref);
      Object.assign(left.dataset, { ref, quantity: "weights", value });
      left.textContent = showSmall(value);
      verdict.replaceChildren(
        ...phrase(own.about[preset], { tokens: make("em", {}, tail.join(", ")) }), " ",
        ...phrase(own.row[sentence], { query: token(tokens[said]), left }),
      );
    }

    return {
      controls: [presets.element, masking.element, empty.element],
      body: make("div", {}, make("div", { class: "pair" }, grids.map(({ element }) => element)), verdict),
      grids: () => grids,

      refresh(graph, state) {
        presets.show(nameOf(state));
        masking.show(state.masking);
        empty.show(state.empty_row);
        empty.element.hidden = state.masking !== "before";
        grids[0].mask = state.mask;
        for (const grid of grids) grid.refresh(graph);
        say(graph, state);
      },

      // The row of the chosen number is the one that is spoken of.
      chosen() {
        if (row() !== said) shell.refresh(shell.graph);
      },
    };
  },
};

/** Numbers that are buttons: pressed where the query may attend to the key. */
class Toggles extends Grid {
  cell({ i, element }, j) {
    const button = make("button", {
      type: "button", class: "number", tabindex: "-1", "data-place": `${i},${j}`, onclick: () => this.spec.press(this.top + i, this.left + j),
    }, " ");
    element.append(make("td", {}, button));
    return button;
  }

  refresh(graph) {
    super.refresh(graph);
    this.lines.forEach(({ cells }, i) => cells.forEach((cell, j) => {
      const [query, key] = [this.top + i, this.left + j];
      const pressed = String(Boolean(this.mask[query][key]));
      const label = this.spec.label(query, key, cell.textContent);
      // To set the same again would cost a style.
      if (cell.getAttribute("aria-pressed") !== pressed) cell.setAttribute("aria-pressed", pressed);
      if (cell.getAttribute("aria-label") !== label) cell.setAttribute("aria-label", label);
    }));
  }

  // The space bar presses the button.
  key(event) {
    if (event.key !== " ") super.key(event);
  }
}
