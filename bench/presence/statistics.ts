// Means, errors and quantiles. Pure.

export interface Estimate {
  readonly mean: number;
  /** Standard error of the mean; 0 for a single value. */
  readonly error: number;
}

/** Null for nothing. */
export function estimateOf(values: readonly number[]): Estimate | null {
  const count = values.length;
  if (count === 0) return null;
  const mean = values.reduce((sum, value) => sum + value, 0) / count;
  if (count === 1) return { mean, error: 0 };
  const squares = values.reduce((sum, value) => sum + (value - mean) ** 2, 0);
  return { mean, error: Math.sqrt(squares / (count - 1) / count) };
}

/** The smallest value that is no smaller than this share of all; null of nothing. */
export function quantile(values: readonly number[], ratio: number): number | null {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.max(0, Math.ceil(ratio * sorted.length) - 1)] ?? null;
}
