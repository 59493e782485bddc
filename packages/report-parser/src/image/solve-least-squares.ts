/** A row of a least squares problem: coefficients, the wanted value and its weight. */
export interface Sample {
  readonly terms: readonly number[];
  readonly value: number;
  readonly weight: number;
}

/** Solves a small system of linear equations by elimination; a column without information becomes 0. */
function solve(matrix: number[][], right: number[]): number[] {
  const size = right.length;
  for (let column = 0; column < size; column++) {
    let pivot = column;
    for (let row = column + 1; row < size; row++)
      if (Math.abs(matrix[row]?.[column] ?? 0) > Math.abs(matrix[pivot]?.[column] ?? 0)) pivot = row;
    [matrix[column], matrix[pivot]] = [matrix[pivot]!, matrix[column]!];
    [right[column], right[pivot]] = [right[pivot]!, right[column]!];
    const lead = matrix[column]![column]!;
    if (Math.abs(lead) < 1e-12) continue;
    for (let row = 0; row < size; row++) {
      if (row === column) continue;
      const factor = matrix[row]![column]! / lead;
      for (let at = column; at < size; at++) matrix[row]![at]! -= factor * matrix[column]![at]!;
      right[row]! -= factor * right[column]!;
    }
  }
  return right.map((value, index) => (Math.abs(matrix[index]![index]!) < 1e-12 ? 0 : value / matrix[index]![index]!));
}

const rounds = 6;

/**
 * The coefficients that explain the samples best. Samples far from the others count little, and `ridge` for each coefficient keeps those small
 * that the samples hardly determine.
 */
export function solveLeastSquares(samples: readonly Sample[], ridge: readonly number[]): readonly number[] {
  let found: number[] = ridge.map(() => 0);
  const total = samples.reduce((sum, { weight }) => sum + weight, 0);
  if (total <= 0) return found;
  let scale = Number.POSITIVE_INFINITY;
  for (let round = 0; round < rounds; round++) {
    const matrix = ridge.map((own, row) => ridge.map((_, column) => (row === column ? own : 0)));
    const right = ridge.map(() => 0);
    const residuals: number[] = [];
    for (const { terms, value, weight } of samples) {
      const residual = Math.abs(value - terms.reduce((sum, term, index) => sum + term * (found[index] ?? 0), 0));
      residuals.push(residual);
      const trusted = (weight / total) * (residual <= scale ? 1 : scale / residual);
      for (const [row, term] of terms.entries()) {
        right[row]! += trusted * term * value;
        for (const [column, other] of terms.entries()) matrix[row]![column]! += trusted * term * other;
      }
    }
    found = solve(matrix, right);
    scale = Math.max(1e-9, (residuals.toSorted((a, b) => a - b)[residuals.length >> 1] ?? 0) * 1.5);
  }
  return found;
}
