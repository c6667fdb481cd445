// Turns the memory file's counts into parts of a report.
import { BLOCKS } from '../../quoting/block.ts';
import type { TimeShare } from '../../trader/presence/presence.ts';
import type { CountSum } from '../memory/history.ts';

/** Money in quote; `horizon`: seconds after the fill; `bps`: gained of filled. */
export type MarkoutSum = ReturnType<typeof markoutsOf>[number];

/** Null: nothing was recorded, or there was none. */
export function symbolCounts(all: readonly CountSum[], symbol: string) {
  const own = all.filter((each) => each.symbol === symbol);
  const sum = (kind: string, ...[a, b, c]: readonly string[]): number =>
    own
      .filter(
        (each) =>
          each.kind === kind && [a ?? each.a, b ?? each.b, c ?? each.c].join() === [each.a, each.b, each.c].join(),
      )
      .reduce((total, { n }) => total + n, 0);
  const mean = (part: string, weight: string): number | null =>
    sum('spread', weight) > 0 ? sum('spread', part) / sum('spread', weight) : null;
  const share = (track: string): TimeShare => ({
    freshMs: sum('presence', track, 'fresh'),
    lost: BLOCKS.map((reason) => ({ reason, ms: sum('presence', track, reason) }))
      .filter(({ ms }) => ms > 0)
      .sort((a, b) => b.ms - a.ms),
  });
  return {
    watchedMs: sum('watched'),
    /** Averages over time: of the market, of own quotes while both were live, and of the market at the same time. */
    spread: {
      marketBps: mean('market', 'ms'),
      quotedBps: mean('own', 'ms-quoted'),
      marketWhileQuotedBps: mean('market-meanwhile', 'ms-quoted'),
      quotedMs: sum('spread', 'ms-quoted'),
    },
    presence: { both: share('both'), buy: share('buy'), sell: share('sell') },
    markouts: markoutsOf(own),
  };
}

function markoutsOf(own: readonly CountSum[]) {
  const groups = Map.groupBy(
    own.filter(({ kind }) => kind === 'markout'),
    ({ a, b }) => `${b} ${a}`,
  );
  return [...groups.values()]
    .map((parts) => {
      const of = (name: string): number => parts.find(({ c }) => c === name)?.n ?? 0;
      const [gained, filled] = [of('gained'), of('filled')];
      const [{ a: side, b } = { a: '', b: '' }] = parts;
      const bps = filled > 0 ? (10_000 * gained) / filled : null;
      return { side, horizon: Number(b), fills: of('fills'), gained, filled, bps };
    })
    .sort((a, b) => a.horizon - b.horizon || (a.side < b.side ? -1 : 1));
}

/** The most frequent first. Notices about a symbol count for the account, too. */
export function accountCounts(all: readonly CountSum[]) {
  const rows = (kind: string): readonly CountSum[] =>
    all.filter((each) => each.kind === kind).sort((a, b) => b.n - a.n);
  const notices = Map.groupBy(rows('notice'), ({ a, b }) => `${a} ${b}`);
  return {
    requests: rows('request').map(({ a: lane, b: endpoint, c: outcome, n: count }) => ({
      lane,
      endpoint,
      outcome,
      count,
    })),
    purposes: rows('purpose').map(({ a: lane, b: purpose, n: count }) => ({ lane, purpose, count })),
    /** Answers of 429, 503 and 504. */
    refused: rows('throttled').map(({ a: lane, b: status, n: count }) => ({ lane, status, count })),
    notices: [...notices.values()].flatMap((alike) => {
      const [first] = alike;
      const count = alike.reduce((sum, { n }) => sum + n, 0);
      return first === undefined ? [] : [{ level: first.a, op: first.b, count }];
    }),
  };
}
