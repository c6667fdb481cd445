// The exponential of a tridiagonal matrix times a vector, as the models need it: only ratios of its entries are used.

/** Row i is `lower[i]`, `diagonal[i]`, `upper[i]`; the first of `lower` and the last of `upper` are not read. */
export interface Tridiagonal {
  /** Not below 0, as are those of `upper`. */
  readonly lower: readonly number[];
  readonly diagonal: readonly number[];
  readonly upper: readonly number[];
}

type Dense = Float64Array[];

const MOST_TERMS = 40;

/**
 * exp(matrix·time)·vector, up to a common factor: the largest entry is 1. The diagonal is shifted until no entry is
 * below 0, which changes the factor alone, so that nothing cancels; a short time by Taylor's series, and then squared
 * as often as it takes, so that a year costs some thirty multiplications. Scaled on the way: long times neither vanish
 * nor overflow.
 */
export function expTimesVector(matrix: Tridiagonal, time: number, vector: readonly number[]): readonly number[] {
  const lowest = Math.min(...matrix.diagonal);
  const shifted: Tridiagonal = { ...matrix, diagonal: matrix.diagonal.map((value) => value - lowest) };
  const squarings = Math.max(0, Math.ceil(Math.log2(Math.max(norm(shifted) * time, 1))));
  let power = exponential(shifted, time / 2 ** squarings);
  for (let n = 0; n < squarings; n += 1) power = squared(power);
  const product = power.map((row) => row.reduce((sum, value, j) => sum + value * at(vector, j), 0));
  const largest = Math.max(...product);
  return product.map((value) => value / largest);
}

/** By its series, for a norm of 1 at the most. */
function exponential(matrix: Tridiagonal, time: number): Dense {
  const size = matrix.diagonal.length;
  const sum = identity(size);
  let term = identity(size);
  for (let n = 1; n <= MOST_TERMS; n += 1) {
    term = times(matrix, term, time / n);
    let largest = 0;
    for (const [i, row] of term.entries())
      for (const [j, value] of row.entries()) {
        (sum[i] as Float64Array)[j] = at(sum[i], j) + value;
        largest = Math.max(largest, value);
      }
    if (largest < Number.EPSILON / 16) break;
  }
  return sum;
}

const identity = (size: number): Dense =>
  Array.from({ length: size }, (_, i) => {
    const row = new Float64Array(size);
    row[i] = 1;
    return row;
  });

const at = (values: ArrayLike<number> | undefined, index: number): number => values?.[index] ?? 0;

function times({ lower, diagonal, upper }: Tridiagonal, right: Dense, factor: number): Dense {
  return right.map((own, i) =>
    own.map(
      (value, j) =>
        factor *
        (at(diagonal, i) * value +
          (i === 0 ? 0 : at(lower, i) * at(right[i - 1], j)) +
          (i === right.length - 1 ? 0 : at(upper, i) * at(right[i + 1], j))),
    ),
  );
}

/** Scaled to a largest entry of 1. */
function squared(matrix: Dense): Dense {
  const size = matrix.length;
  let largest = 0;
  const product = matrix.map((row) => {
    const result = new Float64Array(size);
    for (let k = 0; k < size; k += 1) {
      const factor = at(row, k);
      if (factor === 0) continue;
      const other = matrix[k] as Float64Array;
      for (let j = 0; j < size; j += 1) result[j] = at(result, j) + factor * at(other, j);
    }
    for (const value of result) largest = Math.max(largest, value);
    return result;
  });
  return product.map((row) => row.map((value) => value / largest));
}

/** The largest sum of a row. */
const norm = ({ lower, diagonal, upper }: Tridiagonal): number =>
  Math.max(...diagonal.map((value, i) => value + at(lower, i) + at(upper, i)));
