// The order of the rows of a list, by a number that each carries: newest first, oldest first, or none.

export type RowOrder = 'newest first' | 'oldest first' | 'unordered';

/** `null` where fewer than two different values are there: their order tells nothing. */
export function rowOrder<T>(values: readonly T[], compare: (a: T, b: T) => number): RowOrder | null {
  const steps = values.slice(1).map((value, index) => compare(value, values[index] as T));
  const rising = steps.filter((step) => step > 0).length;
  const falling = steps.filter((step) => step < 0).length;
  if (rising === 0 && falling === 0) return null;
  if (rising === 0) return 'newest first';
  return falling === 0 ? 'oldest first' : 'unordered';
}
