// How readings of trades go, one story each: where they begin, what they prove, and what they say where they can't.
import { describe, expect, test } from '@jest/globals';
import { decimal, ZERO } from '../../../src/domain/decimal.ts';
import type { Fill } from '../../../src/domain/fill.ts';
import { orderId } from '../../../src/domain/ids.ts';
import { DAY, HOUR, MINUTE } from '../../../src/domain/time.ts';
import type { FiatTransfer } from '../../../src/domain/transfer.ts';
import { next, observe, startHistory, takeRows } from '../../../src/history/history.ts';
import { fiatTransfers, spotTrades } from '../../../src/history/lists.ts';
import type { HistoryAnswer, HistoryPage } from '../../../src/history/page.ts';
import type { Fault } from '../../../src/venue/outcomes.ts';
import { stepsAtMost } from '../steps-at-most.ts';
import { drawing, pageAt } from './oracle-list.ts';
import { askedBy, fillOf, playTrades, SETTINGS, SYMBOL, type TradesVenue } from './play-trades.ts';
import { at, behind, crowd, idsOf, NEWEST, OLDEST, since, steady, venue, words } from './small-venue.ts';
import { NOW } from './true-rows.ts';

describe('of some times', () => {
  const rows = steady(90, 6 * HOUR);

  test.each(['older', 'all'] as const)('both are read where the window may not reach; the archive: %s', (archive) => {
    const { outcome, asked } = playTrades('spot', since(NOW - 60 * HOUR), venue(rows, { archive, windowMs: DAY }));
    expect(outcome).toMatchObject({ kind: 'complete', rows: 10 });
    expect(asked.map(words)).toEqual(['recent by start', 'archive by window']);
  });

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
    expect(outcome).toMatchObject({ kind: 'complete', requests: 1 });
  });

  test('only rows of those times are handed out, both ends included', () => {
    const [from, to] = [rows[60]?.time ?? 0, rows[70]?.time ?? 0];
    const { rows: got, outcome } = playTrades('spot', { by: 'between', from, to }, venue(rows));
    expect(idsOf(got)).toEqual(rows.slice(60, 71).map(({ id }) => String(id)));
    expect(outcome).toMatchObject({ kind: 'complete', from, to, settledUntil: to });
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
    });
    expect(got.at(-1)?.tradeId).toBe('500');
  });

  test('are walked from a trade long before, where none is near', () => {
    const far = at(NOW - 6 * DAY, 2n);
    const { outcome } = playTrades('spot', since(NOW - HOUR), venue([far, ...rows.slice(1)]));
    expect(outcome).toMatchObject({ kind: 'complete', rows: 121 });
  });

  test.each([
    // Read from the newest on, the millisecond before can be known only together with the moment.
    ['newest', NEWEST, [-1, 0, 8, 9], 10],
    ['oldest', { ...OLDEST, 'from-id': 'newest' }, [0, 0, 9, 9], 11],
  ] as const)('at two moments are given up, and what is between is read: %s', (_what, part, gaps, requests) => {
    const two = [before, ...crowd(60, NOW - HOUR, 10n), at(NOW - HOUR + 5, 100n), ...crowd(60, NOW - HOUR + 9, 110n)];
    const { outcome, rows: got } = playTrades('spot', since(before.time), venue(two, { part }));
    expect(outcome).toMatchObject({ kind: 'gap', gaps: [{ why: 'too-many-at-once' }, { why: 'too-many-at-once' }] });
    const said = outcome.kind === 'gap' ? outcome.gaps.flatMap(({ from, to }) => [from, to]) : [];
    expect(said.map((moment) => moment - NOW + HOUR)).toEqual(gaps);
    expect(idsOf(got)).toContain('100');
    expect(outcome.requests).toBe(requests);
  });

  test('are no gap where the archive can’t show what the recent list did', () => {
    const moment = NOW - 6 * DAY;
    const rows = [...crowd(30, moment, 10n), ...steady(60, HOUR, 100n)];
    const { outcome } = playTrades('spot', since(moment - DAY), venue(rows, { archive: 'all', part: NEWEST }));
    // What is just before it could be known only together with it.
    expect(outcome).toMatchObject({ kind: 'gap', rows: 90, gaps: [{ from: moment - 2, to: moment - 1 }] });
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

  test.each([
    [{ incompleteBecause: 'field "price" is "x".' }, 'field "price" is "x".'],
    [{}, 'The page may be cut.'],
  ])('because a row can’t be read is cornered until the millisecond is named: %p', (because, said) => {
    const odd = rows[40];
    const spoil = (page: HistoryPage<Fill>): HistoryPage<Fill> => {
      const kept = page.rows.filter((row) => row.tradeId !== String(odd?.id));
      if (kept.length === page.rows.length) return page;
      return { ...page, rows: kept, complete: false, ...because };
    };
    const { outcome, rows: got } = playTrades('spot', since(rows[0]?.time ?? 0), venue(rows, {}, spoil));
    expect(outcome).toMatchObject({
      kind: 'gap',
      gaps: [
        {
          from: (odd?.time ?? 0) - 1,
          to: odd?.time,
          why: 'unreadable-row',
          sentence: `A row can’t be read: ${said}`,
        },
      ],
    });
    expect(got).toHaveLength(59);
  });

  test('because a row could not be read once is asked once more', () => {
    const spoil = once((page) => ({ ...page, rows: [], complete: false, incompleteBecause: 'odd' }));
    const { outcome: usual } = playTrades('spot', behind(rows[0]), venue(rows));
    const { outcome } = playTrades('spot', behind(rows[0]), venue(rows, {}, spoil));
    expect(outcome).toMatchObject({ kind: 'complete', rows: 59, requests: usual.requests + 1 });
  });
});

describe('a page without a row that the list must still hold', () => {
  const rows = steady(130);
  const from = rows[0]?.time ?? 0;
  const emptyWhere = (isEmpty: (request: number) => boolean): TradesVenue => {
    let request = 0;
    return { ...venue(rows, { windowMs: 90 * DAY }), empties: () => isEmpty(++request) };
  };

  test.each([2, 3])('is asked again: answer %i was empty', (falsely) => {
    const played = playTrades(
      'spot',
      since(from),
      emptyWhere((request) => request === falsely),
    );
    expect(played.outcome).toMatchObject({ kind: 'complete', rows: 130 });
  });

  test('ends reading where it stays so', () => {
    const { outcome } = playTrades(
      'spot',
      since(from),
      emptyWhere((request) => request > 1),
    );
    const detail = `The answer lacks the row of ${rows[48]?.time}, which the list has shown and must still hold.`;
    expect(outcome).toMatchObject({ kind: 'failed', fault: { detail } });
  });

  test('nor is it believed of an archive', () => {
    const archived = { ...venue(rows, { windowMs: HOUR, archive: 'older' }), stepMs: 1 };
    let archiveRequests = 0;
    const spoil = (page: HistoryPage<Fill>, { endpoint }: { endpoint: string }): HistoryPage<Fill> =>
      endpoint === 'archive' && ++archiveRequests > 1 ? { ...page, rows: [] } : page;
    expect(playTrades('spot', since(from), { ...archived, spoil }).outcome.kind).toBe('failed');
  });
});

describe('an end before the end', () => {
  const fault: Fault = { sent: true, reason: 'status', status: 404, code: -1404, detail: 'Endpoint not found.' };

  /** One of the lists answers with `last`. */
  function playUntil(failing: 'recent' | 'archive', last: HistoryAnswer<Fill>) {
    const rows = steady(90, 6 * HOUR);
    let state = startHistory(spotTrades(SYMBOL), behind(rows[0]), SETTINGS);
    const got: Fill[] = [];
    const bound = stepsAtMost();
    for (;;) {
      bound();
      const step = next(state);
      got.push(...takeRows(state));
      if (step.kind === 'done') return { outcome: step.outcome, got };
      const asked = askedBy(step.question);
      const page = { rows: pageAt(venue(rows), asked, NOW).map(fillOf), complete: true, askedAt: NOW };
      state = observe(state, asked.endpoint === failing ? last : { kind: 'page', page });
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
    expect(outcome).toMatchObject({ kind: 'failed', fault });
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
    expect(played.outcome.settledUntil).toBe((rows[98]?.time ?? 0) - 1);
  });
});

test('an archive that is joined by time must be in order too', () => {
  const rows = steady(90, 6 * HOUR);
  const odd = rows.map((row, index) =>
    index === 20 ? { ...row, id: 1_022n } : index === 22 ? { ...row, id: 1_020n } : row,
  );
  const played = playTrades('spot', behind(rows[0]), venue(odd, { windowMs: DAY }));
  expect(played.outcome).toMatchObject({ kind: 'gap', gaps: [{ why: 'ids-out-of-order' }] });
});

describe('rows', () => {
  test('that the venue corrected are handed out again', () => {
    const rows = steady(60, MINUTE);
    let pages = 0;
    const spoil = (page: HistoryPage<Fill>): HistoryPage<Fill> => {
      pages += 1;
      const corrected = (row: Fill): Fill => (row.tradeId === '1048' ? { ...row, price: decimal(101) } : row);
      return pages < 3 ? page : { ...page, rows: page.rows.map(corrected) };
    };
    const target = since(rows[0]?.time ?? 0);
    const { rows: got } = playTrades('spot', target, venue(rows, {}, spoil));
    expect(got.filter((row) => row.tradeId === '1048').map((row) => row.price.toFixed())).toEqual(['100', '101']);
  });

  test.each([OLDEST, NEWEST])('of a trade with ourselves are two of one id, and both are handed out: %j', (part) => {
    const rows = steady(60, MINUTE);
    const both = (row: Fill): Fill[] =>
      row.tradeId === '1030' ? [row, { ...row, side: 'sell', orderId: orderId('1-9-1') }] : [row];
    const spoil = (page: HistoryPage<Fill>): HistoryPage<Fill> => ({ ...page, rows: page.rows.flatMap(both) });
    const { rows: got, outcome } = playTrades('spot', since(rows[0]?.time ?? 0), venue(rows, { part }, spoil));
    expect(outcome).toMatchObject({ kind: 'complete', rows: 61 });
    expect(got.filter((row) => row.tradeId === '1030').map((row) => row.side)).toEqual(['buy', 'sell']);
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
    const dearer = { ...fillOf(at(rows[2]?.time ?? 0, 1_002n)), price: decimal(101) };
    state = observe(state, page(dearer));
    expect([...first, ...takeRows(state)].map(({ tradeId: id, price }) => `${id} at ${price.toFixed()}`)).toEqual([
      '1001 at 100',
      '1002 at 101',
    ]);
    expect(next(state)).toMatchObject({ kind: 'done', outcome: { kind: 'complete', rows: 2 } });
  });

  test('that are repeated on a full page take the place of others, which are read then', () => {
    const rows = steady(140, MINUTE);
    let pages = 0;
    const spoil = (page: HistoryPage<Fill>): HistoryPage<Fill> => {
      pages += 1;
      const [, ...older] = page.rows;
      return pages === 2 ? { ...page, rows: [...older, ...older.slice(-1)] } : page;
    };
    const { outcome, rows: got } = playTrades('spot', behind(rows[0]), venue(rows, {}, spoil));
    expect([outcome.kind, idsOf(got)]).toEqual(['complete', rows.slice(1).map(({ id }) => String(id))]);
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

// What a reading says of transfers that were not final when they were handed out.

function transfer(venueTime: number, status: 'pending' | 'success'): FiatTransfer {
  const [amount, referenceId] = [decimal(1), `R${venueTime}`];
  return { direction: 'deposit', status, statusText: status, venueTime, fee: ZERO, amount, referenceId };
}

test('one that was handed out as pending is not settled, though a later page has shown it final', () => {
  const settings = { ...SETTINGS, smallestPageRows: 3 };
  let state = startHistory(fiatTransfers('deposit'), { by: 'between', from: 10, to: null }, settings);
  const pages = [
    [transfer(10, 'success'), transfer(20, 'pending'), transfer(30, 'success')],
    [transfer(10, 'success'), transfer(20, 'pending')],
    [transfer(20, 'success'), transfer(30, 'success')],
  ];
  const handedOut: string[] = [];
  for (const rows of pages) {
    state = observe(state, { kind: 'page', page: { rows, complete: true, askedAt: 1_000_000 } });
    handedOut.push(...takeRows(state).map(({ venueTime, status }) => `${venueTime} ${status}`));
  }
  expect(handedOut).toEqual(['10 success', '20 pending', '30 success']);
  expect(next(state)).toMatchObject({ kind: 'done', outcome: { settledUntil: 19, rows: 3 } });
});

// What a reading can't be asked for.

test.each([
  ['the end before the start', { by: 'between', from: 10, to: 9 }],
  ['half a millisecond', { by: 'between', from: 0.5, to: null }],
  ['a time before 1970', { by: 'between', from: -1, to: null }],
] as const)('%s is a bug', (_what, target) => {
  expect(() => startHistory(spotTrades(SYMBOL), target, SETTINGS)).toThrow('No times to read');
});
