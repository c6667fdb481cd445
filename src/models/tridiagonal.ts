// The exponential of a tridiagonal matrix times a vector, as the models need it: only ratios of its entries are used.

/** Row i is `lower[i]`, `diagonal[i]`, `upper[i]`; the first of `lower` and the last of `upper` are not read. */
export interface Tridiagonal {
  readonly lower: readonly number[];
  readonly diagonal: readonly number[];
  readonly upper: readonly number[];
}

/** A step this long needs some twenty terms of the series for all digits of a double. */
const STEP_NORM = 1;
const MOST_TERMS = 60;

/**
 * exp(matrix·time)·vector, up to a common factor: the largest entry is 1. Taylor steps of small norm; after each the
 * vector is scaled, so that long times neither vanish nor overflow.
 */
export function expTimesVector(matrix: Tridiagonal, time: number, vector: readonly number[]): readonly number[] {
  const steps = Math.max(1, Math.ceil((norm(matrix) * time) / STEP_NORM));
  let result = scaled(vector);
  for (let step = 0; step < steps; step += 1) result = scaled(taylorStep(matrix, time / steps, result));
  return result;
}

function taylorStep(matrix: Tridiagonal, time: number, vector: readonly number[]): readonly number[] {
  const sum = [...vector];
  let term = vector;
  for (let n = 1; n <= MOST_TERMS; n += 1) {
    term = times(matrix, term).map((value) => (value * time) / n);
    let largest = 0;
    for (const [index, value] of term.entries()) {
      sum[index] = (sum[index] ?? 0) + value;
      largest = Math.max(largest, Math.abs(value));
    }
    if (largest < Number.EPSILON / 16) break;
  }
  return sum;
}

const at = (values: readonly number[], index: number): number => values[index] ?? 0;

function times({ lower, diagonal, upper }: Tridiagonal, vector: readonly number[]): number[] {
  return vector.map(
    (value, i) =>
      at(diagonal, i) * value +
      (i === 0 ? 0 : at(lower, i) * at(vector, i - 1)) +
      (i === vector.length - 1 ? 0 : at(upper, i) * at(vector, i + 1)),
  );
}

function scaled(vector: readonly number[]): readonly number[] {
  const largest = vector.reduce((most, value) => Math.max(most, Math.abs(value)), 0);
  return largest === 0 ? vector : vector.map((value) => value / largest);
}

/** The largest sum of absolute values of a row. */
const norm = ({ lower, diagonal, upper }: Tridiagonal): number =>
  diagonal.reduce(
    (most, value, i) => Math.max(most, Math.abs(value) + Math.abs(at(lower, i)) + Math.abs(at(upper, i))),
    0,
  );
