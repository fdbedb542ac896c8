// Looking up a row of the embedding matrix is multiplying a one-hot vector with it.

import { product } from "./arithmetic.js";
import { choice } from "./controls.js";
import { captionOf, make } from "./elements.js";
import { addTable, checkTable } from "./embedding_table.js";
import { Graph } from "./graph.js";
import { Grid, seen } from "./grid.js";

export const explorer_look_up = {
  traits: ["tokens", "token_ids", "vocabulary", "embedding_matrix", "query"],
  first: ({ query, token_ids }) => `one_hot/${query}/${token_ids[query]}`,

  compute(state, words) {
    checkTable(state);
    const { tokens, token_ids, vocabulary, embedding_matrix } = state;
    const graph = new Graph(words.numbers);
    addTable(graph, state);
    const one_hot = token_ids.map((id) => vocabulary.map((_, row) => (row === id ? 1 : 0)));
    graph.add("one_hot", {
      values: one_hot, kind: "one_hot", code: "one_hot", quantity: "weights", rows: tokens, parts: (i, j) => ({ column: String(j) }), digits: 0, full: 1, rule: "one_hot", ids: "token_ids",
      // The 1 picks a row.
      also: (i, j) => (one_hot[i][j] ? embedding_matrix[j].flatMap((_, k) => [`embedding_matrix/${j}/${k}`, `embeddings/${i}/${k}`]) : []),
    });
    graph.add("embeddings", {
      values: product(one_hot, embedding_matrix), kind: "looked_up", code: "embeddings", quantity: "embeddings", rows: tokens, rule: "product", left: "one_hot", right: "embedding_matrix",
    });
    return graph;
  },

  view(shell) {
    const { own } = shell.words;
    const { token_ids, vocabulary, embedding_matrix, tokens } = shell.start;
    const [count, d_model] = [token_ids.length, embedding_matrix[0].length];
    const which = choice({ label: own.query, options: tokens.map((label, value) => ({ label, value })), change: (query) => shell.afresh({ query }) });
    const grid = (id, axes, rows, columns, rowLabel, columnLabel, ofQuery) => {
      const quantity = { one_hot: "weights", embedding_matrix: "embeddings", embeddings: "embeddings" }[id];
      const queryRow = () => {
        const { query, token_ids } = shell.state();
        return ofQuery ? query : token_ids[query];
      };
      const title = own.captions[id];
      const caption = captionOf(quantity, id, title, title ? [rows, columns] : [rows]);
      return new Grid(shell, { id, caption, axes: [...axes], rows, columns, rowLabel, columnLabel, class: seen(columns) > 8 ? "dense" : "", queryRow });
    };
    const [number, word] = [String, (i) => tokens[i]];
    const grids = [
      grid("token_ids", "i ", count, 1, word, () => own.id, true),
      grid("one_hot", "iv", count, vocabulary.length, word, number, true),
      grid("embedding_matrix", "vj", vocabulary.length, d_model, (i) => `${i} ${vocabulary[i]}`, number, false),
      grid("embeddings", "ij", count, d_model, word, number, true),
    ];
    const signs = ["→", "×", "="].map((text) => make("span", { class: "sign", "aria-hidden": "true" }, text));
    const parts = grids.map(({ element }) => make("div", { class: "matrix" }, element));
    return {
      controls: [which.element],
      body: make("div", { class: "matrices" }, parts.flatMap((part, at) => [part, signs[at]])),
      tall: true,
      grids: () => grids,
      refresh(graph, state) {
        which.show(state.query);
        for (const grid of grids) grid.refresh(graph);
      },
    };
  },
};
