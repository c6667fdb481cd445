// How readings of trades go, one story each: where they begin, what they prove, and what they say where they can't.
import { describe, expect, test } from '@jest/globals';
import type { Fill } from '../../../src/domain/fill.ts';
import { tradeId } from '../../../src/domain/ids.ts';
import { DAY, HOUR, MINUTE, SECOND } from '../../../src/domain/time.ts';
import type { HistoryAnswer } from '../../../src/history/answer.ts';
import { next, observe, startHistory, takeRows } from '../../../src/history/history.ts';
import { spotTrades } from '../../../src/history/lists.ts';
import type { HistoryPage } from '../../../src/history/page.ts';
import type { TradesTarget } from '../../../src/history/state.ts';
import type { Fault } from '../../../src/venue/outcomes.ts';
import { type Asked, drawing, type Law, pageAt, type TrueRow } from './oracle-list.ts';
import { askedBy, fillOf, playTrades, SETTINGS, SYMBOL, type TradesVenue } from './play-trades.ts';
import { NOW } from './true-rows.ts';

const OLDEST = { start: 'oldest', end: 'oldest', window: 'oldest', 'from-id': 'oldest' } as const;
const NEWEST = { start: 'newest', end: 'newest', window: 'newest', 'from-id': 'newest' } as const;
const LAW: Law = {
  order: 'newest-first',
  cap: 50,
  part: OLDEST,
  ties: 'by-id',
  windowMs: 7 * DAY,
  archive: 'older',
  repeats: 0,
  finer: false,
};

/** One trade each `everyMs`, the last one a minute ago. */
function steady(count: number, everyMs = HOUR, firstId = 1_000n): TrueRow[] {
  return Array.from({ length: count }, (_, index) =>
    at(NOW - MINUTE - (count - 1 - index) * everyMs, firstId + BigInt(index)),
  );
}

const at = (time: number, id: bigint): TrueRow => ({ time, id, shownAt: time });
const crowd = (count: number, time: number, firstId: bigint): TrueRow[] =>
  Array.from({ length: count }, (_, index) => at(time, firstId + BigInt(index)));

const behind = (row: TrueRow | undefined): TradesTarget => ({
  by: 'after',
  cursor: { tradeId: tradeId(String(row?.id)), venueTime: row?.time ?? 0 },
});
const since = (from: number): TradesTarget => ({ by: 'between', from, to: null });

function venue(rows: readonly TrueRow[], law: Partial<Law> = {}, spoil?: TradesVenue['spoil']): TradesVenue {
  const base = { rows, law: { ...LAW, ...law }, draw: drawing(1), stepMs: 1 };
  return spoil === undefined ? base : { ...base, spoil };
}

const words = ({ route, query }: Asked): string => `${route} by ${query.by}`;
const idsOf = (rows: readonly Fill[]): string[] => rows.map((row) => row.tradeId);

describe('behind a known trade', () => {
  test('one page that holds it is enough, and the trade itself is not handed out again', () => {
    const rows = steady(10);
    const played = playTrades('spot', behind(rows[4]), venue(rows));
    expect(played.asked.map(words)).toEqual(['recent by from-id']);
    expect(idsOf(played.rows)).toEqual(['1005', '1006', '1007', '1008', '1009']);
    expect(played.outcome).toMatchObject({
      kind: 'complete',
      afterId: '1004',
      rows: 5,
      requests: 1,
      archive: 'unused',
    });
  });

  test('pages overlap by the trade that each ends with', () => {
    const rows = steady(120, MINUTE);
    const played = playTrades('spot', behind(rows[0]), venue(rows));
    const from = played.asked.map(({ query }) => (query.by === 'from-id' ? query.id : query.by));
    expect(from).toEqual(['1000', '1049', '1098']);
    expect(played.batches.map(({ length }) => length)).toEqual([48, 49, 22]);
    expect(played.outcome).toMatchObject({ kind: 'complete', rows: 119 });
  });

  test('a page of the newest does not hold it: times lead back to it', () => {
    const rows = steady(120, MINUTE);
    const played = playTrades('spot', behind(rows[0]), venue(rows, { part: NEWEST }));
    expect(new Set(played.asked.slice(1).map(({ query }) => query.by))).toEqual(new Set(['window', 'start']));
    expect(played.outcome).toMatchObject({ kind: 'complete', rows: 119 });
  });

  test.each([
    ['holds only what is older', 'older', 'adjoins'],
    ['holds everything', 'all', 'overlaps'],
  ] as const)('it has left the window: the archive is walked, which %s', (_what, archive, expected) => {
    const rows = steady(90, 6 * HOUR);
    const played = playTrades('spot', behind(rows[0]), venue(rows, { archive }));
    expect(played.asked.map(words)).toContain('archive by from-id');
    expect(played.outcome).toMatchObject({ kind: 'complete', rows: 89, archive: expected });
  });

  test('no window is taken for granted: what the recent list does not show is looked for in the archive', () => {
    const rows = steady(30, HOUR);
    const windowMs = 2 * HOUR;
    expect(windowMs).toBeLessThan(SETTINGS.shortestWindowMs);
    const { outcome } = playTrades('spot', behind(rows[20]), venue(rows, { windowMs }));
    expect(outcome).toMatchObject({ kind: 'complete', rows: 9 });
  });

  test('it is on no list: the venue took it back, or lists are missing something; nothing is called complete', () => {
    const rows = steady(10);
    const others = rows.filter((row) => row !== rows[3]);
    for (const archive of ['older', 'all'] as const) {
      const { outcome } = playTrades('spot', behind(rows[3]), venue(others, { archive }));
      expect(outcome).toMatchObject({
        kind: 'gap',
        gaps: [{ from: rows[3]?.time, to: rows[4]?.time, why: 'cursor-missing' }],
        continueFrom: { tradeId: '1003' },
      });
    }
  });

  test('a neighbor that is the same number as a double is not it', () => {
    const rows = steady(30, HOUR, 2n ** 53n);
    const [known, neighbor] = rows;
    expect(Number(known?.id)).toBe(Number(neighbor?.id));
    const { outcome } = playTrades('spot', behind(known), venue(rows.slice(1)));
    expect(outcome).toMatchObject({ kind: 'gap', gaps: [{ why: 'cursor-missing' }] });
  });

  test('a smaller id beside a later time is said where times stood in for ids', () => {
    const rows = steady(120, MINUTE).map((row, index) => (index === 60 ? { ...row, id: 1_500n } : row));
    expect(playTrades('spot', behind(rows[0]), venue(rows, { part: NEWEST })).outcome).toMatchObject({
      kind: 'gap',
      gaps: [{ why: 'ids-out-of-order' }],
    });
    expect(playTrades('spot', behind(rows[0]), venue(rows.slice(55, 70))).outcome.kind).toBe('gap');
    expect(playTrades('spot', behind(rows[55]), venue(rows.slice(55, 70))).outcome.kind).toBe('complete');
  });

  test('reading goes on from the newest trade that none can come before any more', () => {
    const rows = [at(NOW - 10 * MINUTE, 1n), at(NOW - 3 * MINUTE, 2n), at(NOW - 30 * SECOND, 4n)];
    const late = { ...at(NOW - 40 * SECOND, 3n), shownAt: NOW + HOUR };
    const { outcome } = playTrades('spot', behind(rows[0]), venue([...rows, late]));
    expect(outcome).toMatchObject({ kind: 'complete', rows: 2, continueFrom: { tradeId: '2' } });
    expect(outcome.settledUntil).toBe(NOW - SETTINGS.lagBoundMs);
  });
});

describe('of some times', () => {
  const rows = steady(90, 6 * HOUR);

  test.each([
    ['older', 'adjoins'],
    ['all', 'overlaps'],
  ] as const)(
    'both lists are read where the window may not reach; the archive holds %s: it %s',
    (archive, expected) => {
      const { outcome, asked } = playTrades('spot', since(NOW - 60 * HOUR), venue(rows, { archive, windowMs: DAY }));
      expect(outcome).toMatchObject({ kind: 'complete', rows: 10, archive: expected });
      expect(asked.map(words)).toEqual(['recent by start', 'archive by window']);
    },
  );

  test('what leaves the recent list between two pages is found in the archive', () => {
    const young = steady(140, 10 * MINUTE);
    const target = since(young[0]?.time ?? 0);
    for (let seed = 1; seed <= 20; seed += 1) {
      const slow = { ...venue(young, { windowMs: DAY }), draw: drawing(seed), stepMs: 20 * HOUR };
      const played = playTrades('spot', target, slow);
      expect(played.outcome).toMatchObject({ kind: 'complete', rows: 140 });
    }
  });

  test('one page is enough within the shortest window', () => {
    const { outcome } = playTrades('spot', since(NOW - 15 * MINUTE), venue(rows));
    expect(outcome).toMatchObject({ kind: 'complete', requests: 1, archive: 'unused' });
  });

  test('only rows of those times are handed out, both ends included', () => {
    const [from, to] = [rows[60]?.time ?? 0, rows[70]?.time ?? 0];
    const { rows: got, outcome } = playTrades('spot', { by: 'between', from, to }, venue(rows));
    expect(idsOf(got)).toEqual(rows.slice(60, 71).map(({ id }) => String(id)));
    expect(outcome).toMatchObject({ kind: 'complete', from, to, settledUntil: to, continueFrom: { tradeId: '1070' } });
  });
});

describe('simple buys and sells', () => {
  test('are complete behind a trade that the list still shows', () => {
    const rows = steady(20);
    expect(playTrades('sbs', behind(rows[0]), venue(rows)).outcome).toMatchObject({ kind: 'complete', rows: 19 });
  });

  test('have no archive: what is older than the list shows is a gap', () => {
    const rows = steady(90, 6 * HOUR);
    const { outcome } = playTrades('sbs', behind(rows[0]), venue(rows));
    const shown = rows.find((row) => row.time >= NOW - 7 * DAY);
    expect(outcome).toMatchObject({
      kind: 'gap',
      gaps: [{ from: rows[0]?.time, to: (shown?.time ?? 0) - 1, why: 'beyond-the-window' }],
    });
  });

  test('an empty list proves the shortest window, not more', () => {
    const { outcome } = playTrades('sbs', since(NOW - 3 * DAY), venue([]));
    const to = NOW - SETTINGS.shortestWindowMs - 1;
    expect(outcome).toMatchObject({ kind: 'gap', gaps: [{ from: NOW - 3 * DAY, to, why: 'beyond-the-window' }] });
    expect(playTrades('sbs', since(NOW - DAY / 2), venue([])).outcome.kind).toBe('complete');
  });
});

describe('many in one millisecond', () => {
  const before = at(NOW - 2 * HOUR, 1n);
  const rows = [before, ...crowd(120, NOW - HOUR, 10n), at(NOW - MINUTE, 500n)];

  test('are told apart by ids where a page holds the oldest', () => {
    for (const target of [behind(before), since(before.time)]) {
      const { outcome } = playTrades('spot', target, venue(rows));
      expect(outcome.kind).toBe('complete');
    }
  });

  test('are a gap of that millisecond where it holds the newest', () => {
    const { outcome, rows: got } = playTrades('spot', behind(before), venue(rows, { part: NEWEST }));
    expect(outcome).toMatchObject({
      kind: 'gap',
      gaps: [{ from: NOW - HOUR - 1, to: NOW - HOUR, why: 'too-many-at-once' }],
      continueFrom: { tradeId: '1' },
    });
    expect(got.at(-1)?.tradeId).toBe('500');
  });

  test('are walked from a trade long before, where none is near', () => {
    const far = at(NOW - 6 * DAY, 2n);
    const { outcome } = playTrades('spot', since(NOW - HOUR), venue([far, ...rows.slice(1)]));
    expect(outcome).toMatchObject({ kind: 'complete', rows: 121 });
  });

  test('that are as many as the longest page are not taken for whole', () => {
    const { outcome } = playTrades('spot', since(NOW - HOUR), venue(crowd(26, NOW - HOUR, 10n), { part: NEWEST }));
    expect(outcome).toMatchObject({ kind: 'gap', gaps: [{ why: 'too-many-at-once' }] });
  });
});

describe('a page that proves nothing', () => {
  const rows = steady(60, MINUTE);
  const otherSymbol = (page: HistoryPage<Fill>): HistoryPage<Fill> => ({
    ...page,
    rows: page.rows.map((row, index) => (index === 3 ? { ...row, symbol: 'ETH/INR' } : row)),
  });
  const early = (page: HistoryPage<Fill>): HistoryPage<Fill> => ({
    ...page,
    rows: [...page.rows, fillOf(at(NOW - 30 * DAY, 5n))],
  });
  const once = (spoil: (page: HistoryPage<Fill>) => HistoryPage<Fill>): TradesVenue['spoil'] => {
    let spoilt = false;
    return (page) => {
      if (spoilt) return page;
      spoilt = true;
      return spoil(page);
    };
  };

  test.each([
    ['a row of another symbol', otherSymbol],
    ['a row that was not asked for', early],
  ])('because of %s is asked again, twice, and then reading is given up', (_what, spoil) => {
    for (const target of [behind(rows[0]), since(NOW - 30 * MINUTE)]) {
      const played = playTrades('spot', target, venue(rows, {}, spoil));
      expect(played.outcome).toMatchObject({ kind: 'failed', requests: 3, rows: 0, fault: { reason: 'bad-shape' } });
      expect(playTrades('spot', target, venue(rows, {}, once(spoil))).outcome.kind).toBe('complete');
    }
  });

  test('because a row can’t be read is cornered until the millisecond is named', () => {
    const odd = rows[40];
    const spoil = (page: HistoryPage<Fill>): HistoryPage<Fill> => {
      const kept = page.rows.filter((row) => row.tradeId !== String(odd?.id));
      if (kept.length === page.rows.length) return page;
      return { ...page, rows: kept, complete: false, incompleteBecause: 'field "price" is "x".' };
    };
    const { outcome, rows: got } = playTrades('spot', since(rows[0]?.time ?? 0), venue(rows, {}, spoil));
    expect(outcome).toMatchObject({
      kind: 'gap',
      gaps: [
        {
          from: (odd?.time ?? 0) - 1,
          to: odd?.time,
          why: 'unreadable-row',
          sentence: 'A row can’t be read: field "price" is "x".',
        },
      ],
    });
    expect(got).toHaveLength(59);
  });

  test('because a row could not be read once is only asked again', () => {
    const spoil = once((page) => ({ ...page, rows: [], complete: false, incompleteBecause: 'odd' }));
    expect(playTrades('spot', behind(rows[0]), venue(rows, {}, spoil)).outcome).toMatchObject({
      kind: 'complete',
      rows: 59,
    });
  });
});

describe('an end before the end', () => {
  const fault: Fault = { sent: true, reason: 'status', status: 404, code: -1404, detail: 'Endpoint not found.' };

  /** One of the lists answers with `last`. */
  function playUntil(failing: 'recent' | 'archive', last: HistoryAnswer<Fill>) {
    const rows = steady(90, 6 * HOUR);
    let state = startHistory(spotTrades(SYMBOL), behind(rows[0]), SETTINGS);
    const got: Fill[] = [];
    for (;;) {
      const step = next(state);
      got.push(...takeRows(state));
      if (step.kind === 'done') return { outcome: step.outcome, got };
      const asked = askedBy(step.question);
      const page = { rows: pageAt(venue(rows), asked, NOW).map(fillOf), complete: true, askedAt: NOW };
      state = observe(state, asked.route === failing ? last : { kind: 'page', page });
    }
  }

  test('an archive that is refused is a gap', () => {
    const { outcome, got } = playUntil('archive', { kind: 'refused', fault });
    expect(outcome).toMatchObject({ kind: 'gap', gaps: [{ why: 'archive-refused' }], rows: got.length });
    expect(outcome.kind === 'gap' && outcome.gaps[0].sentence).toContain('Endpoint not found.');
    expect(got).toHaveLength(28);
  });

  test('a recent list that is refused, and any list that fails, ends in failure with what was read', () => {
    expect(playUntil('recent', { kind: 'refused', fault }).outcome).toMatchObject({ kind: 'failed', fault, rows: 0 });
    const { outcome, got } = playUntil('archive', { kind: 'failed', fault });
    expect(outcome).toMatchObject({ kind: 'failed', fault, continueFrom: { tradeId: '1000' } });
    expect(got).toHaveLength(28);
  });

  test('as many requests as allowed leave a gap', () => {
    const rows = steady(120, MINUTE);
    const played = playTrades('spot', behind(rows[0]), venue(rows), { mostRequests: 2 });
    expect(played.outcome).toMatchObject({
      kind: 'gap',
      requests: 2,
      gaps: [{ from: rows[98]?.time, why: 'request-limit' }],
    });
    expect(played.outcome.continueFrom).toEqual({ tradeId: '1097', venueTime: rows[97]?.time });
  });
});

test('an archive that is joined by time must be in order too', () => {
  const rows = steady(90, 6 * HOUR);
  const odd = rows.map((row, index) =>
    index === 20 ? { ...row, id: 1_022n } : index === 22 ? { ...row, id: 1_020n } : row,
  );
  const played = playTrades('spot', behind(rows[0]), venue(odd));
  expect(played.outcome).toMatchObject({ kind: 'gap', gaps: [{ why: 'ids-out-of-order' }] });
});

describe('rows', () => {
  test('that the venue corrected are handed out again', () => {
    const rows = steady(60, MINUTE);
    let pages = 0;
    const spoil = (page: HistoryPage<Fill>): HistoryPage<Fill> => {
      pages += 1;
      const corrected = (row: Fill): Fill => (row.tradeId === '1048' ? { ...row, side: 'sell' } : row);
      return pages < 3 ? page : { ...page, rows: page.rows.map(corrected) };
    };
    const target = since(rows[0]?.time ?? 0);
    const { rows: got } = playTrades('spot', target, venue(rows, {}, spoil));
    expect(got.filter((row) => row.tradeId === '1048').map((row) => row.side)).toEqual(['buy', 'sell']);
  });

  test('that were corrected before they were handed out come once, as they are now', () => {
    const rows = steady(3);
    let state = startHistory(spotTrades(SYMBOL), behind(rows[0]), { ...SETTINGS, smallestPageRows: 3 });
    const page = (...fills: readonly Fill[]): HistoryAnswer<Fill> => ({
      kind: 'page',
      page: { rows: fills, complete: true, askedAt: NOW },
    });
    const fills = rows.map(fillOf);
    state = observe(state, page(...fills));
    const first = takeRows(state);
    const sold = { ...fillOf(at(rows[2]?.time ?? 0, 1_002n)), side: 'sell' } as const;
    state = observe(state, page(sold));
    expect([...first, ...takeRows(state)].map(({ tradeId: id, side }) => `${id} ${side}`)).toEqual([
      '1001 buy',
      '1002 sell',
    ]);
    expect(next(state)).toMatchObject({ kind: 'done', outcome: { kind: 'complete', rows: 2 } });
  });

  test('ahead of our clock are read to the last of them', () => {
    const ahead = 5.5 * HOUR;
    const rows = steady(120, MINUTE).map((row) => ({ ...row, time: row.time + ahead, shownAt: row.time }));
    for (const part of [OLDEST, NEWEST]) {
      const { outcome } = playTrades('spot', behind(rows[0]), venue(rows, { part }));
      expect(outcome).toMatchObject({ kind: 'complete', rows: 119 });
      if (part === NEWEST) expect(outcome).toMatchObject({ to: rows.at(-1)?.time });
    }
  });
});
