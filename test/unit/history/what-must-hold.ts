// What must hold of every reading of trades, whatever the venue does: compared with the truth.
import type { HistoryOutcome } from '../../../src/history/outcome.ts';
import type { TradesTarget } from '../../../src/history/state.ts';
import type { TrueRow } from './oracle-list.ts';
import type { Played } from './play-trades.ts';
import { LAG_BOUND, NOW } from './true-rows.ts';

interface Named {
  readonly tradeId: string;
}

/** Sentences about what is wrong; none where all is well. */
export function complaintsAbout(
  { outcome, rows }: Pick<Played<Named>, 'outcome' | 'rows'>,
  target: TradesTarget,
  truth: readonly TrueRow[],
): string[] {
  const got = new Set(rows.map((row) => row.tradeId));
  const wanted = truth.filter((row) => isWanted(row, target));
  const known = new Set(wanted.map(({ id }) => String(id)));
  return [
    ...(got.size === rows.length ? [] : [`${rows.length - got.size} rows came twice.`]),
    ...[...got].filter((id) => !known.has(id)).map((id) => `Row ${id} is not one that was asked for.`),
    ...(outcome.rows === rows.length ? [] : [`${outcome.rows} rows are told, ${rows.length} came.`]),
    ...wanted
      .filter((row) => !got.has(String(row.id)) && isPromised(row, outcome))
      .map((row) => `Row ${row.id} of ${row.time - NOW} is missing.`),
    ...wanted
      .filter(({ id, time }) => time <= outcome.settledUntil && !got.has(String(id)))
      .map(({ id }) => `Row ${id} is missing, and its time is said to be settled.`),
  ];
}

function isWanted(row: TrueRow, target: TradesTarget): boolean {
  if (target.by === 'after') return row.id > BigInt(target.cursor.tradeId);
  return row.time >= target.from && row.time <= (target.to ?? Number.POSITIVE_INFINITY);
}

/** Shown when reading began, or so old that it can't come later; and in no gap. */
function isPromised(row: TrueRow, outcome: HistoryOutcome): boolean {
  if (outcome.kind === 'failed') return false;
  const isThere = row.shownAt <= NOW || row.time <= NOW - LAG_BOUND;
  const isInGap = outcome.kind === 'gap' && outcome.gaps.some(({ from, to }) => row.time >= from && row.time <= to);
  return isThere && !isInGap && row.time <= outcome.to;
}
