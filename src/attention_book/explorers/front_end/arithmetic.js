// The arithmetic of one attention layer on lists of rows, in double precision.

export const dot = (x, y) => {
  let sum = 0;
  for (let k = 0; k < x.length; k++) sum += x[k] * y[k];
  return sum;
};

export const transpose = (matrix) => matrix[0].map((_, j) => matrix.map((row) => row[j]));

/** (rows, inner) · (inner, columns) → (rows, columns) */
export function product(left, right) {
  const columns = transpose(right);
  return left.map((row) => columns.map((column) => dot(row, column)));
}

export const scale = (matrix, factor) => matrix.map((row) => row.map((number) => number * factor));

/** Softmax of one row; a row of −∞ may attend to nothing and gets zeros. */
export function softmax(row) {
  const largest = Math.max(...row);
  if (largest === -Infinity) return row.map(() => 0);
  const powers = row.map((score) => Math.exp(score - largest));
  const sum = powers.reduce((total, power) => total + power, 0);
  return powers.map((power) => power / sum);
}

export const columnsOf = (matrix, from, to) => matrix.map((row) => row.slice(from, to));

export const isMatrix = (matrix) =>
  Array.isArray(matrix) && matrix.length > 0 && matrix.every((row) => isVector(row) && row.length === matrix[0].length);

export const isVector = (vector) => Array.isArray(vector) && vector.length > 0 && vector.every(Number.isFinite);
