// Stretches in which rows came and showed no market: crossed, one-sided or empty books. A market maker sees none there.
import type { TableRow } from './table-file.ts';
import type { EpochUs, TapeGap } from './types.ts';

const US_PER_MS = 1_000;

/** What has been seen so far; `noteBroken` and `endBroken` write into it. */
export interface BrokenLine {
  /** The last row that showed a market; before the first one, the first row. */
  wholeAt: EpochUs | null;
  last: Seen | null;
  isBroken: boolean;
  count: number;
  longest: TapeGap | null;
}

export interface Seen {
  readonly at: EpochUs;
  readonly row: TableRow;
}

interface Watched {
  readonly broken: BrokenLine;
  readonly source: { readonly maxSilenceMs: number };
}

export function noteBroken(watched: Watched, { isWhole, ...seen }: Seen & { readonly isWhole: boolean }): void {
  const { broken } = watched;
  broken.wholeAt ??= seen.at;
  if (isWhole && broken.isBroken) endBroken(watched, seen);
  if (isWhole) broken.wholeAt = seen.at;
  broken.isBroken = !isWhole;
  broken.last = seen;
}

export function endBroken({ broken, source }: Watched, { at, row }: Seen): void {
  const fromAt = broken.wholeAt ?? at;
  broken.isBroken = false;
  if (at - fromAt <= source.maxSilenceMs * US_PER_MS) return;
  broken.count += 1;
  const { longest } = broken;
  if (longest !== null && longest.toAt - longest.fromAt >= at - fromAt) return;
  broken.longest = { fromAt, toAt: at, file: row.header.file, line: row.line };
}
