// Which places of a source ran, as V8 counts them.

/**
 * What of a source ran, or not: `[from, to, ran]`, sorted, only where it differs from what is around it. The innermost
 * one counts.
 */
export type Stretch = readonly [from: number, to: number, ran: 0 | 1];

export interface Range {
  readonly startOffset: number;
  readonly endOffset: number;
  readonly count: number;
}

/** `outside`: whether what no range holds ran. */
export function stretchesOf(ranges: readonly Range[], outside: boolean): Stretch[] {
  const sorted = ranges.toSorted((a, b) => a.startOffset - b.startOffset || b.endOffset - a.endOffset);
  const around: Range[] = [];
  return sorted.flatMap((range): Stretch[] => {
    while ((around.at(-1)?.endOffset ?? Number.POSITIVE_INFINITY) <= range.startOffset) around.pop();
    const last = around.at(-1);
    const hasRunAround = last === undefined ? outside : last.count > 0;
    around.push(range);
    const runs = range.count > 0;
    return runs === hasRunAround ? [] : [[range.startOffset, range.endOffset, runs ? 1 : 0]];
  });
}

/** `outside` as for `stretchesOf`. */
export function hasRun(stretches: readonly Stretch[], place: number, outside: boolean): boolean {
  // Sorted by their beginnings: the last one around the place is the innermost.
  const innermost = stretches.findLast(([from, to]) => from <= place && place < to);
  return innermost === undefined ? outside : innermost[2] === 1;
}
