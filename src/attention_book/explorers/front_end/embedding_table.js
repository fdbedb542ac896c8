// Tokens, their ids and the rows of the embedding matrix: checked, and as the first matrices of a graph.

import { isMatrix, isVector } from "./arithmetic.js";
import { Problem } from "./shell.js";

/** Refuse what does not go together; `square` names matrices of shape (d_model, d_model) that the heads divide. */
export function checkTable(state, square = []) {
  const { tokens, token_ids, vocabulary, embedding_matrix, num_heads = 1 } = state;
  const d_model = embedding_matrix?.[0]?.length;
  const fits = (matrix) => isMatrix(matrix) && matrix.length === d_model && matrix[0].length === d_model;
  if (
    !isMatrix(embedding_matrix) || !square.every((name) => fits(state[name])) || d_model % num_heads !== 0 ||
    !isVector(token_ids) || token_ids.length !== tokens.length || token_ids.some((id) => !embedding_matrix[id]) ||
    vocabulary.length !== embedding_matrix.length
  ) throw new Problem("bad_numbers");
}

/** The matrices that everything else is made from. */
export function addTable(graph, { tokens, token_ids, vocabulary, embedding_matrix }) {
  const ids = { vector: "column", digits: 0, full: Infinity };
  graph.add("token_ids", { values: token_ids.map((id) => [id]), kind: "token_id", code: "token_ids", rows: tokens, ...ids });
  graph.add("vocabulary", { values: vocabulary.map((_, id) => [id]), kind: "vocabulary_id", code: "vocabulary", rows: vocabulary, ...ids });
  graph.add("embedding_matrix", {
    values: embedding_matrix, kind: "embedding_matrix", code: "embedding_matrix", quantity: "embeddings", rows: vocabulary, rule: "row_of_id", ids: "vocabulary",
  });
}

/** The rows of the tokens, looked up in the table. */
export function addEmbeddings(graph, { tokens, token_ids, embedding_matrix }) {
  const values = token_ids.map((id) => embedding_matrix[id]);
  graph.add("embeddings", {
    values, kind: "embedding", code: "embeddings", quantity: "embeddings", rows: tokens, rule: "look_up", ids: "token_ids", table: "embedding_matrix",
  });
  return values;
}
