// What a thousand trades cost in requests, beside a reader that halves windows of 72 hours until none is full.
import { expect, test } from '@jest/globals';
import { tradeId } from '../../../src/domain/ids.ts';
import { DAY } from '../../../src/domain/time.ts';
import { drawing, type Law, pageAt, type TrueRow } from './oracle-list.ts';
import { playTrades } from './play-trades.ts';
import { NOW, trueRows } from './true-rows.ts';

const SEEDS = [1, 2, 3, 4, 5];

function lawOf([start, end, window, fromId]: readonly ('oldest' | 'newest')[]): Law {
  const part = {
    start: start ?? 'oldest',
    end: end ?? 'oldest',
    window: window ?? 'oldest',
    'from-id': fromId ?? 'oldest',
  };
  return {
    order: 'unordered',
    cap: 50,
    part,
    ties: 'any',
    windowMs: 30 * DAY,
    archive: 'all',
    repeats: 0,
    finer: false,
  };
}

const OLDEST = lawOf(['oldest', 'oldest', 'oldest', 'oldest']);
const NEWEST = lawOf(['newest', 'newest', 'newest', 'newest']);
/** As it should not be: asking from a start gives the newest, up to an end the oldest. */
const AWAY = lawOf(['newest', 'oldest', 'newest', 'newest']);

const thousand = (days: number, seed: number): TrueRow[] =>
  trueRows({ rows: 1_000, spanMs: days * DAY, crowds: null, arrivals: 0, laggards: false }, drawing(seed));

/** Requests for the whole of it. It needs to be told where the window ends, and trusts every page that is not full. */
function naiveRequests(rows: readonly TrueRow[], law: Law, days: number): number {
  const venue = { rows, law, draw: drawing(1) };
  const halve = (from: number, to: number): number => {
    const endpoint = from >= NOW - law.windowMs ? 'recent' : 'archive';
    const page = pageAt(venue, { endpoint, query: { by: 'window', from, to }, limit: 50 }, NOW);
    if (page.length < 50 || from === to) return 1;
    const middle = Math.floor((from + to) / 2);
    return 1 + halve(from, middle) + halve(middle + 1, to);
  };
  let requests = 0;
  for (let from = NOW - days * DAY; from <= NOW; from += 3 * DAY)
    requests += halve(from, Math.min(NOW, from + 3 * DAY - 1));
  return requests;
}

function requests(way: 'after' | 'since', law: Law, days: number): number {
  const counts = SEEDS.map((seed) => {
    const rows = thousand(days, seed);
    const [first] = rows;
    const cursor = { tradeId: tradeId(String(first?.id)), venueTime: first?.time ?? 0 };
    const target =
      way === 'after'
        ? ({ by: 'after', cursor } as const)
        : ({ by: 'between', from: NOW - days * DAY, to: null } as const);
    const { outcome } = playTrades('spot', target, { rows, law, draw: drawing(seed), stepMs: 2_500 });
    expect(outcome.kind).toBe('complete');
    return outcome.requests;
  });
  return Math.max(...counts);
}

test.each([
  // days, naive, behind a trade: oldest part, newest part; since a time: oldest, newest, part away from what was asked
  [1, 67, [21, 22], [23, 23, 23]],
  [40, 76, [23, 25], [24, 24, 41]],
  [200, 133, [23, 25], [24, 24, 78]],
] as const)('over %i days: naive %i, behind a trade %j, since a time %j', (days, naive, behind, since) => {
  const halving = Math.max(...SEEDS.map((seed) => naiveRequests(thousand(days, seed), OLDEST, days)));
  expect({
    naive: halving,
    behind: [OLDEST, NEWEST].map((law) => requests('after', law, days)),
    since: [OLDEST, NEWEST, AWAY].map((law) => requests('since', law, days)),
  }).toEqual({ naive, behind: [...behind], since: [...since] });
});
