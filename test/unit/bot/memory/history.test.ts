// Valid queries to the history, and the sentence for invalid ones.
import { describe, expect, test } from '@jest/globals';
import { columnsOf, historyQuery } from '../../../../src/bot/memory/history.ts';
import { HOUR } from '../../../../src/domain/time.ts';

const NOW = 1_800_000_000_000;
const read = (asked: Readonly<Record<string, unknown>>) =>
  historyQuery(asked, { symbols: ['BTC/INR', 'ETH/INR'], now: NOW });

describe('a query', () => {
  test('is of the last hour by default', () => {
    const expected = { symbol: 'BTC/INR', from: NOW - HOUR, to: NOW, points: 600, now: NOW };
    expect(read({ symbol: 'BTC/INR' })).toEqual({ ok: true, value: expected });
  });

  test('with only an end is of the hour before it', () => {
    const query = read({ symbol: 'ETH/INR', to: '1700000000000' });
    expect(query).toMatchObject({ ok: true, value: { from: 1_700_000_000_000 - HOUR, to: 1_700_000_000_000 } });
  });

  test.each([
    [{}, 'symbol is missing: one of BTC/INR, ETH/INR was expected.'],
    [{ symbol: 'XRP/INR' }, "symbol is 'XRP/INR': one of BTC/INR, ETH/INR was expected."],
    [{ symbol: ['BTC/INR', 'ETH/INR'] }, `symbol is '["BTC/INR","ETH/INR"]': one of BTC/INR, ETH/INR was expected.`],
    [{ symbol: 'BTC/INR', from: 'yesterday' }, "from is 'yesterday': milliseconds since 1970 was expected."],
    [{ symbol: 'BTC/INR', to: '-1' }, "to is '-1': milliseconds since 1970 was expected."],
    [{ symbol: 'BTC/INR', from: '2', to: '2' }, 'from is 2 and to is 2: from must be before to.'],
    [{ symbol: 'BTC/INR', points: '1' }, "points is '1': a number from 2 to 5000 was expected."],
    [{ symbol: 'BTC/INR', points: '1e3' }, "points is '1e3': a number from 2 to 5000 was expected."],
    [{ symbol: 'BTC/INR', form: '1' }, "There is no parameter 'form', only symbol, from, to and points."],
  ])('%j is refused', (asked, error) => {
    expect(read(asked)).toEqual({ ok: false, error });
  });
});

test('a time in which nothing was watched is one point without values', () => {
  const all = { marketBid: 1, marketAsk: 1, ownBid: 1, ownAsk: 1, reference: 1, inventory: 1, equity: 1, profit: 1 };
  const { times, reference } = columnsOf(
    [1_000, 2_000, 60_000].map((at) => ({ ...all, at })),
    15_000,
  );
  expect([times, reference]).toEqual([
    [1_000, 2_000, 2_001, 60_000],
    [1, 1, null, 1],
  ]);
});
