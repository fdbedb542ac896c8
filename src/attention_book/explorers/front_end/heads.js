// The columns of a matrix dealt to heads, [tokens, d_model] → [heads, tokens, head_dim], and put side by side again.

import { product, scale, softmax, transpose } from "./arithmetic.js";
import { toggle } from "./controls.js";
import { make, phrase, shapeOf, token } from "./elements.js";
import { remembered } from "./graph.js";
import { largestIn } from "./grid.js";
import { fly } from "./motion.js";
import { Origin, SENTENCE_TRAITS, WEIGHT_OF, boxOf, code, gridOf, headOf, learned, markHeads, sentenceControls, sentenceGraph, showHead, sizeOf } from "./sentence.js";

const placeOf = (name, places) => code(name + shapeOf(...places));

/**
 * Where the number [i, j] of the whole matrix stands in the heads, [h, row, e], and back: with the transpose,
 * or counted on from row to row as `view` alone does.
 */
function dealing(length, size, num_heads, transposed) {
  const width = size * num_heads;
  return {
    toHead: (i, j) => (transposed ? [Math.floor(j / size), i, j % size]
      : [Math.floor((i * width + j) / (length * size)), Math.floor((i * width + j) / size) % length, j % size]),
    toWhole(h, row, e) {
      const place = (h * length + row) * size + e;
      return transposed ? [row, h * size + e] : [Math.floor(place / width), place % width];
    },
    // What is said of a number in both places.
    said(tokens, names, [i, j], [h, row, e]) {
      return {
        from: placeOf(names[0], names[2] ? [h, row, e] : [i, j]), to: placeOf(names[1], names[2] ? [i, j] : [h, row, e]),
        whole: token(tokens[i]), inside: token(tokens[row]), head: String(h), e: String(e), j: String(j), size: String(size), flat: String(i * width + j),
      };
    },
    // By good luck `view` alone puts some numbers in the right place.
    right: ([i, j], [h, row, e]) => row === i && j === h * size + e,
  };
}

export const explorer_heads = {
  traits: [...SENTENCE_TRAITS, "transpose_split", "transpose_join"],
  first: (state) => (state.matrix === "context" ? `context.${headOf(state)}/0/0` : `${state.matrix}/0/${headOf(state) * sizeOf(state)}`),

  compute: remembered(["head"], (state, words) => {
    const { graph, X } = sentenceGraph(state, words);
    const { tokens, num_heads, matrix } = state;
    const { notes } = words.own;
    const [length, size] = [tokens.length, sizeOf(state)];
    const inContext = matrix === "context";
    const there = dealing(length, size, num_heads, state.transpose_split);
    const back = dealing(length, size, num_heads, state.transpose_join);
    const heads = Array.from({ length: num_heads }, (_, h) => h);
    const inside = (find) => heads.map((h) => tokens.map((_, row) => Array.from({ length: size }, (_, e) => find(h, row, e))));
    const note = (kind, parts) => [...phrase(notes[kind], parts), " "];
    // The heads' numbers are called `split`, and `joined` is made from them; those of the context have a name already.
    const source = inContext ? "context" : `${matrix}_split`;
    const joinedRef = (place) => `joined/${back.toWhole(...place).join("/")}`;
    const rejoined = (whole, place) => back.said(tokens, [inContext ? "context" : "split", "joined", true], whole, place);

    const split = {};
    for (const [name, W] of Object.entries(WEIGHT_OF)) {
      const shown = name === matrix;
      const values = product(X, state[W]);
      const full = largestIn(values);
      const dealt = (whole, place) => there.said(tokens, [name, "split"], whole, place);
      graph.add(W, learned(state[W], W, state));
      graph.add(name, {
        values, full, kind: name, code: name, quantity: name, rows: tokens, rule: "product", left: "embeddings", right: W,
        also(i, j) {
          const place = there.toHead(i, j);
          return [`${name}_split.${place.join("/")}`, ...(shown ? [joinedRef(place)] : [])];
        },
        note(i, j) {
          const place = there.toHead(i, j);
          return note(there.right([i, j], place) ? "dealt" : "by_view", dealt([i, j], place));
        },
      });
      split[name] = inside((...place) => {
        const [i, j] = there.toWhole(...place);
        return values[i][j];
      });
      for (const h of heads) {
        const whole = (row, e) => there.toWhole(h, row, e);
        graph.add(`${name}_split.${h}`, {
          values: split[name][h], full, code: shown ? "split" : name, head: h, quantity: name, rows: tokens, rule: "written",
          kindOf: (row, e) => (there.right(whole(row, e), [h, row, e]) ? "split" : "split_by_view"),
          parts: (row, e) => dealt(whole(row, e), [h, row, e]),
          terms: (row, e) => [[{ ref: `${name}/${whole(row, e).join("/")}` }]],
          also: (row, e) => (shown ? [joinedRef([h, row, e])] : []),
        });
      }
    }
    split.context = heads.map((h) => {
      const add = (id, values, rest) => {
        graph.add(`${id}.${h}`, { values, code: id, head: h, quantity: id, rows: tokens, ...rest });
        return values;
      };
      const pairs = { columns: tokens, quantity: "scores" };
      const products = add("products", product(split.query[h], transpose(split.key[h])), { ...pairs, kind: "product", rule: "product", left: `query_split.${h}`, right: `key_split.${h}`, transposed: true });
      const scores = add("scores", scale(products, 1 / Math.sqrt(size)), { ...pairs, kind: "score", rule: "divided", source: `products.${h}`, by: `√${size}` });
      const weights = add("weights", scores.map(softmax), { ...pairs, quantity: "weights", full: 1, kind: "weight", rule: "softmax", source: `scores.${h}` });
      return add("context", product(weights, split.value[h]), {
        kind: "context", rule: "product", left: `weights.${h}`, right: `value_split.${h}`,
        also: (row, e) => (inContext ? [joinedRef([h, row, e])] : []),
        note(row, e) {
          const [whole, place] = [back.toWhole(h, row, e), [h, row, e]];
          const moved = inContext ? note(back.right(whole, place) ? "rejoined" : "rejoined_by_view", rejoined(whole, place)) : [];
          return [...moved, ...(state.transpose_split ? [] : [notes.mixed, " "])];
        },
      });
    });
    const full = inContext ? largestIn(split.context.flat()) : graph.matrix(matrix).full;
    if (inContext) heads.forEach((h) => (graph.matrix(`context.${h}`).full = full));
    graph.add("joined", {
      values: tokens.map((_, i) => state.W_Q.map((_, j) => {
        const [h, row, e] = back.toHead(i, j);
        return split[matrix][h][row][e];
      })),
      full, code: "joined", quantity: matrix, rows: tokens, rule: "written",
      kindOf: (i, j) => (back.right([i, j], back.toHead(i, j)) ? "joined" : "joined_by_view"),
      parts: (i, j) => rejoined([i, j], back.toHead(i, j)),
      terms: (i, j) => [[{ ref: `${source}.${back.toHead(i, j).join("/")}` }]],
      also: (i, j) => (inContext ? [] : [`${matrix}/${there.toWhole(...back.toHead(i, j)).join("/")}`]),
    });

    // Which numbers stand in the row of another token, and how many.
    const owner = ([h, row, e]) => (inContext ? row : there.toWhole(h, row, e)[0]);
    const count = (wrong) => inside((...place) => wrong(...place)).flat(2).filter(Boolean).length;
    graph.astray = { split: (h, row, e) => owner([h, row, e]) !== row, joined: (i, j) => owner(back.toHead(i, j)) !== i };
    graph.headAt = { [matrix]: (i, j) => there.toHead(i, j)[0], joined: (i, j) => back.toHead(i, j)[0] };
    graph.counts = {
      split: count((h, row, e) => there.toWhole(h, row, e)[0] !== row),
      joined: count((h, row, e) => back.toWhole(h, row, e)[0] !== owner([h, row, e])),
    };
    return graph;
  }),

  view(shell) {
    const { own } = shell.words;
    const controls = sentenceControls(shell);
    const ways = ["transpose_split", "transpose_join"].map((name) => ({ name, ...toggle({ label: own[name], change: (on) => shell.set({ [name]: on }) }) }));
    const verdict = make("p", { class: "verdict", role: "status" });
    const [before, blocks, after] = ["", "blocks", ""].map((name) => make("div", { class: `matrices ${name}` }));
    const [there, back] = [0, 1].map(() => make("p", { class: "way" }));
    const sky = make("div", { class: "sky", "aria-hidden": "true" });
    const origin = new Origin(shell);
    // The grids of each form: before the split, in the heads, joined.
    let grids;
    let built = "";
    let dealt = "";

    // Dotted where a number stands in the row of another token.
    const markAstray = (grid, astray) =>
      grid.lines.forEach(({ cells }, i) => cells.forEach((cell, j) => cell.classList.toggle("astray", astray(grid.top + i, grid.left + j))));

    function build(state) {
      const { matrix, num_heads } = state;
      const band = (id, way) => (grid) => markHeads(grid, shell.graph.headAt[id], headOf(shell.state()), shell.state()[way] && "column");
      const source = matrix === "context" ? matrix : `${matrix}_split`;
      const cut = (id, astray) => gridOf(shell, id, { class: "dense", mark: (grid) => markAstray(grid, astray) });
      grids = {
        before: matrix === "context" ? ["weights.0", "value_split.0"].map((id) => gridOf(shell, id)) : [gridOf(shell, matrix, { mark: band(matrix, "transpose_split") })],
        heads: Array.from({ length: num_heads }, (_, h) => cut(`${source}.${h}`, (row, e) => shell.graph.astray.split(h, row, e))),
        after: [gridOf(shell, "joined", { mark(grid) {
          band("joined", "transpose_join")(grid);
          markAstray(grid, shell.graph.astray.joined);
        } })],
      };
      const [first, second] = grids.before.map(boxOf);
      before.replaceChildren(first, ...(second ? [make("span", { class: "sign", "aria-hidden": "true" }, "×"), second] : []));
      blocks.replaceChildren(...grids.heads.map(boxOf));
      blocks.classList.toggle("narrow", sizeOf(state) < 4);
      after.replaceChildren(...grids.after.map(boxOf));
      origin.show();
    }

    const all = () => [...Object.values(grids).flat(), ...origin.grids];

    function say({ counts }, { matrix, num_heads, tokens: { length }, transpose_split, transpose_join }) {
      const d_model = shell.graph.matrix("joined").values[0].length;
      const size = d_model / num_heads;
      const [whole, inHeads, between] = [[length, d_model], [num_heads, length, size], [length, num_heads, size]];
      const inContext = matrix === "context";
      const step = (call, sizes) => [" ", code(call), make("code", { class: "shape" }, ` ${shapeOf(...sizes)}`)];
      const [view, reshape] = [inHeads, between].map((sizes) => `split = ${matrix}.view(${sizes.join(", ")})`);
      there.replaceChildren("↓", ...(inContext ? step("context = weights @ value", inHeads)
        : transpose_split ? [...step(reshape, between), ...step(".transpose(0, 1)", inHeads)] : step(view, inHeads)));
      const join = `.reshape(${whole.join(", ")})`;
      const name = `joined = ${inContext ? matrix : "split"}`;
      back.replaceChildren("↓", ...(transpose_join ? [...step(`${name}.transpose(0, 1)`, between), ...step(join, whole)] : step(name + join, whole)));
      const names = { split: code(inContext ? "query, key, value" : "split"), joined: code("joined") };
      const parts = { ...names, all: String(length * d_model) };
      const wrong = Object.keys(names).filter((form) => counts[form]);
      const said = wrong.flatMap((form) => [" ", ...phrase(own.verdict.astray, { ...parts, form: names[form], count: String(counts[form]) })]);
      verdict.replaceChildren(
        make("strong", {}, code((inContext ? [inHeads, whole] : [whole, inHeads, whole]).map((sizes) => shapeOf(...sizes)).join(" → "))), " ",
        ...(wrong.length ? [...said, " ", own.verdict.silent] : phrase(own.verdict.in_place, parts)),
        ...(counts.split && !counts.joined && !inContext ? [" ", ...phrase(own.verdict.undone, parts)] : []),
      );
    }

    const alsoOf = (ref) => {
      const { matrix, i, j } = shell.graph.find(ref);
      return matrix.also?.(i, j) ?? [];
    };

    /** The cells of `from` with those of the same numbers in `to`. */
    function flights(from, to) {
      const cells = (found) => found.flatMap(({ lines }) => lines.flatMap((line) => line.cells));
      const landing = new Map(cells(to).map((cell) => [cell.dataset.ref, cell]));
      return cells(from).map((cell) => [cell, landing.get(alsoOf(cell.dataset.ref).find((ref) => landing.has(ref)))]);
    }

    return {
      controls: [...controls.elements, ...ways.map(({ element }) => element)],
      body: make("div", { class: "dealing" }, verdict, before, there, blocks, back, after, origin.element, sky),
      tall: true,
      grids: all,

      refresh(graph, state) {
        const head = headOf(state);
        const key = [state.matrix, state.num_heads, graph.matrix("joined").values[0].length, ...state.tokens].join("\n");
        if (key !== built) build(state);
        controls.show(state);
        for (const { name, show } of ways) show(state[name]);
        for (const grid of grids.before) grid.spec.id = grid.spec.id.replace(/\d+$/, head);
        if (state.matrix === "context") grids.before.forEach(({ label }, k) => (label.textContent = `${["weights", "value"][k]}[${head}]`));
        for (const grid of all()) grid.refresh(graph);
        grids.heads.forEach(({ element }, h) => element.classList.toggle("of-head", h === head));
        const way = [key, state.transpose_split, state.transpose_join].join("\n");
        if (way !== dealt) say(graph, state);
        if (way !== dealt && built) {
          const first = state.matrix === "context" ? [] : flights(grids.before, grids.heads);
          fly(sky, [first, flights(grids.heads, grids.after)].filter(({ length }) => length));
        }
        [built, dealt] = [key, way];
      },

      chosen(ref) {
        showHead(shell, ref);
        const [cell] = shell.cellsOf(ref);
        if (cell) fly(sky, [alsoOf(ref).flatMap((other) => shell.cellsOf(other).map((end) => [cell, end]))]);
      },

      reveal: (ref) => origin.reveal(ref),
    };
  },
};
