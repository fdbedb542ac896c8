// One fused projection matrix, whose blocks belong to the heads, and below it the matrix of one head alone.

import { columnsOf, product, transpose } from "./arithmetic.js";
import { toggle } from "./controls.js";
import { make, phrase, showSmall } from "./elements.js";
import { remembered } from "./graph.js";
import { Origin, SENTENCE_TRAITS, WEIGHT_OF, boxOf, code, gridOf, headOf, learned, markHeads, sentenceControls, sentenceGraph, showHead, sizeOf } from "./sentence.js";

/** What the matrices are called in the code; a linear layer keeps its own as (out, in). */
const namesOf = ({ matrix, linear }) =>
  (linear
    ? { fused: `${matrix}_linear.weight`, own: (h) => `${matrix}_linears[${h}].weight`, by: `${matrix}_linear(embeddings)`, byOwn: (h) => `${matrix}_linears[${h}](embeddings)` }
    : { fused: WEIGHT_OF[matrix], own: (h) => `w_${matrix}[${h}]`, by: `embeddings @ ${WEIGHT_OF[matrix]}`, byOwn: (h) => `embeddings @ w_${matrix}[${h}]` });

export const explorer_fused_projection = {
  traits: [...SENTENCE_TRAITS, "linear"],
  first: (state) => `projected/0/${headOf(state) * sizeOf(state)}`,

  compute: remembered(["head"], (state, words) => {
    const { graph, X } = sentenceGraph(state, words);
    const { tokens, num_heads, matrix, linear } = state;
    const { notes } = words.own;
    const size = sizeOf(state);
    const names = namesOf(state);
    const fused = state[WEIGHT_OF[matrix]];
    const turned = (values) => (linear ? transpose(values) : values);
    // The place in the output is the row of a linear layer's matrix and the column of the other.
    const split = (i, j) => (linear ? [i, j] : [j, i]);
    const placed = (out, inner) => (linear ? [out, inner] : [inner, out]);
    const headAt = (out) => [Math.floor(out / size), out % size];
    const note = (kind, other, out) => {
      const [h, e] = headAt(out);
      return [...phrase(notes[kind], { other: code(other), out: String(out), head: String(h), size: String(size), e: String(e) }), " "];
    };
    const result = { rule: "product", left: "embeddings", transposed: linear, quantity: matrix, rows: tokens };
    graph.add("fused", learned(turned(fused), names.fused, state, {
      transposed: linear,
      also(i, j) {
        const [out, inner] = split(i, j);
        const [h, e] = headAt(out);
        return [`own.${h}/${placed(e, inner).join("/")}`];
      },
      note(i, j) {
        const [out, inner] = split(i, j);
        const [h, e] = headAt(out);
        return note(linear ? "row" : "column", linear ? `${names.own(h)}[${e}, ${inner}]` : `w_${matrix}[${h}, ${inner}, ${e}]`, out);
      },
    }));
    graph.add("projected", {
      ...result, values: product(X, fused), kind: matrix, code: matrix, right: "fused",
      also(i, j) {
        const [h, e] = headAt(j);
        return [`separate.${h}/${i}/${e}`];
      },
      note(i, j) {
        const [h, e] = headAt(j);
        return note("column", `separate[${h}, ${i}, ${e}]`, j);
      },
    });
    const projected = graph.matrix("projected").values;
    graph.headAt = { fused: (i, j) => headAt(split(i, j)[0])[0], projected: (i, j) => headAt(j)[0] };
    graph.largest = 0;
    for (let h = 0; h < num_heads; h++) {
      const first = h * size;
      const own = columnsOf(fused, first, first + size);
      const place = (i, j) => {
        const [e, inner] = split(i, j);
        return placed(first + e, inner);
      };
      graph.add(`own.${h}`, learned(turned(own), linear ? names.own(h) : `w_${matrix}`, state, {
        transposed: linear, head: linear ? undefined : h,
        also: (i, j) => [`fused/${place(i, j).join("/")}`],
        note: (i, j) => note("same", `${names.fused}[${place(i, j).join(", ")}]`, first),
      }));
      const separate = product(X, own);
      graph.add(`separate.${h}`, {
        ...result, values: separate, kind: "separate", code: "separate", head: h, right: `own.${h}`,
        also: (i, e) => [`projected/${i}/${first + e}`],
        note: (i, e) => note("same", `${matrix}[${i}, ${first + e}]`, first),
      });
      const difference = separate.map((row, i) => row.map((number, e) => projected[i][first + e] - number));
      graph.largest = Math.max(graph.largest, ...difference.flat().map(Math.abs));
      graph.add(`difference.${h}`, {
        values: difference, full: 1, digits: difference.flat().some(Boolean) ? 2 : 0, kind: "difference", code: "difference", head: h, rows: tokens, rule: "written",
        terms: (i, e) => [[{ ref: `projected/${i}/${first + e}` }, "−", { ref: `separate.${h}/${i}/${e}` }]],
      });
    }
    return graph;
  }),

  view(shell) {
    const { own } = shell.words;
    const controls = sentenceControls(shell);
    const linear = toggle({ label: own.linear, change: (on) => shell.afresh({ linear: on }) });
    const verdict = make("p", { class: "verdict", role: "status" });
    const place = make("div");
    const [together, apart] = [0, 1].map(() => make("p", { class: "way" }));
    const origin = new Origin(shell);
    let grids;
    let built = "";

    function build(state) {
      const mark = (axis) => (grid) => markHeads(grid, shell.graph.headAt[grid.spec.id], headOf(shell.state()), axis);
      const narrow = { class: "dense" };
      grids = {
        embeddings: gridOf(shell, "embeddings"),
        fused: gridOf(shell, "fused", { mark: mark(state.linear ? "row" : "column") }),
        own: gridOf(shell, "own.0", narrow),
        projected: gridOf(shell, "projected", { mark: mark("column") }),
        separate: gridOf(shell, "separate.0", narrow),
        difference: gridOf(shell, "difference.0", narrow),
      };
      const { embeddings, fused, own: alone, projected, separate, difference } = grids;
      const line = (...found) => make("div", { class: "matrices" }, found.map(boxOf));
      place.replaceChildren(line(embeddings), line(fused), together, line(projected), apart, line(alone, separate, difference));
      origin.show();
    }

    const all = () => [...Object.values(grids), ...origin.grids];

    return {
      controls: [...controls.elements, linear.element],
      body: make("div", { class: "fused" }, verdict, place, origin.element),
      tall: true,
      grids: all,

      refresh(graph, state) {
        const head = headOf(state);
        const size = sizeOf(state);
        const names = namesOf(state);
        const key = [state.matrix, state.num_heads, state.linear, state.W_Q.length, ...state.tokens].join("\n");
        if (key !== built) build(state);
        built = key;
        controls.show(state);
        linear.show(state.linear);
        for (const name of ["own", "separate", "difference"]) grids[name].spec.id = `${name}.${head}`;
        grids.own.label.textContent = names.own(head);
        for (const name of ["separate", "difference"]) grids[name].label.textContent = `${name}[${head}]`;
        const [first, last] = [head * size, (head + 1) * size];
        together.replaceChildren(code(`${state.matrix} = ${names.by}`));
        apart.replaceChildren(code(`separate[${head}] = ${names.byOwn(head)}`), ", ", code(`difference[${head}] = ${state.matrix}[:, ${first}:${last}] - separate[${head}]`));
        for (const grid of all()) grid.refresh(graph);
        verdict.replaceChildren(...phrase(own.verdict[state.linear ? "rows" : "columns"], {
          head: String(head), first: String(first), last: String(last - 1), name: code(names.fused),
          terms: String(state.W_Q.length), difference: make("strong", {}, graph.largest ? showSmall(graph.largest) : "0"),
        }));
      },

      chosen: (ref) => showHead(shell, ref),
      reveal: (ref) => origin.reveal(ref),
    };
  },
};
