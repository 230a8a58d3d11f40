/**
 * Solves `matrix * x = values` for a symmetric positive definite matrix, row by row in its lower triangle, which is
 * replaced by its Cholesky factor.
 */
export function solve(matrix: Float64Array, values: Float64Array): Float64Array {
  const size = values.length;
  factorize(matrix, size);
  const x = Float64Array.from(values);
  for (let row = 0; row < size; row += 1) {
    for (let at = 0; at < row; at += 1) x[row]! -= matrix[row * size + at]! * x[at]!;
    x[row]! /= matrix[row * size + row]!;
  }
  for (let row = size - 1; row >= 0; row -= 1) {
    for (let at = row + 1; at < size; at += 1) x[row]! -= matrix[at * size + row]! * x[at]!;
    x[row]! /= matrix[row * size + row]!;
  }
  return x;
}

function factorize(matrix: Float64Array, size: number): void {
  for (let row = 0; row < size; row += 1)
    for (let column = 0; column <= row; column += 1) {
      let sum = matrix[row * size + column]!;
      for (let at = 0; at < column; at += 1) sum -= matrix[row * size + at]! * matrix[column * size + at]!;
      matrix[row * size + column] =
        row === column ? Math.sqrt(Math.max(sum, 1e-12)) : sum / matrix[column * size + column]!;
    }
}

/**
 * Makes the columns of a matrix of rows with `width` columns orthonormal. Rows that begin
 * with 0 have only zeros. One pass leaves small errors, a second removes them.
 */
export function orthonormalize(matrix: Float64Array, width: number, passes: 1 | 2): void {
  const starts: number[] = [];
  for (let start = 0; start < matrix.length; start += width) if (matrix[start] !== 0) starts.push(start);
  for (let pass = 0; pass < passes; pass += 1) {
    const products = new Float64Array(width * width);
    for (const start of starts)
      for (let row = 0; row < width; row += 1) {
        const value = matrix[start + row]!;
        for (let column = 0; column <= row; column += 1)
          products[row * width + column]! += value * matrix[start + column]!;
      }
    factorize(products, width);
    for (const start of starts)
      for (let row = 0; row < width; row += 1) {
        let sum = matrix[start + row]!;
        for (let at = 0; at < row; at += 1) sum -= products[row * width + at]! * matrix[start + at]!;
        matrix[start + row] = sum / products[row * width + row]!;
      }
  }
}
