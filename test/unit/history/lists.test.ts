// How each list is asked: the very requests, and that each is one the venue takes.
import { expect, test } from '@jest/globals';
import { tradeId } from '../../../src/domain/ids.ts';
import { HOUR } from '../../../src/domain/time.ts';
import { cryptoTransfers, fiatTransfers, sbsTrades, spotTrades } from '../../../src/history/lists.ts';
import type { Query } from '../../../src/history/query.ts';

const queries: Query[] = [
  { by: 'start', from: 1 },
  { by: 'end', to: 2 },
  { by: 'window', from: 1, to: 2 },
  { by: 'from-id', id: tradeId('7') },
];
const range = { startTime: 1, endTime: 2 };

test('spot trades: recent and archived, by the combinations that are allowed', () => {
  const { question } = spotTrades('BTC/INR');
  expect(queries.map((query) => question('recent', query, 50))).toEqual(
    [
      { by: 'start', startTime: 1 },
      { by: 'end', endTime: 2 },
      { by: 'window', window: range },
      { by: 'from-id', fromId: '7' },
    ].map((filter) => ({ kind: 'spot-trades', symbol: 'BTC/INR', filter, limit: 50 })),
  );
  expect(question('archive', { by: 'end', to: 2 }, 20)).toEqual({
    kind: 'spot-trades-historical',
    symbol: 'BTC/INR',
    filter: { by: 'end', endTime: 2 },
    limit: 20,
  });
});

test('simple buys and sells', () => {
  const { question, hasArchive } = sbsTrades('BTC/INR');
  expect(hasArchive).toBe(false);
  expect(queries.map((query) => question('recent', query, 50))).toEqual(
    [
      { time: { by: 'start', startTime: 1 } },
      { time: { by: 'end', endTime: 2 } },
      { time: { by: 'range', range } },
      { time: { by: 'all' }, fromId: '7' },
    ].map((filter) => ({ kind: 'sbs-trades', symbol: 'BTC/INR', filter, limit: 50 })),
  );
});

test('crypto and fiat transfers: never by status, of one asset where one is wanted', () => {
  const [start] = queries;
  if (start === undefined) throw new Error('No query.');
  const time = { by: 'start', startTime: 1 };
  expect(cryptoTransfers('deposit').question('recent', start, 50)).toEqual({
    kind: 'crypto-deposits',
    filter: { time },
    limit: 50,
  });
  expect(cryptoTransfers('withdrawal', 'ETH').question('archive', start, 50)).toEqual({
    kind: 'crypto-withdrawals-historical',
    filter: { time, asset: 'ETH' },
    limit: 50,
  });
  const kinds = (['deposit', 'withdrawal'] as const).flatMap((direction) =>
    (['recent', 'archive'] as const).map((endpoint) => fiatTransfers(direction).question(endpoint, start, 50).kind),
  );
  expect(kinds).toEqual([
    'fiat-deposits',
    'fiat-deposits-historical',
    'fiat-withdrawals',
    'fiat-withdrawals-historical',
  ]);
});

test('a window of more than 72 hours is a bug for trades and none for transfers', () => {
  const query: Query = { by: 'window', from: 0, to: 72 * HOUR + 1 };
  expect(() => spotTrades('BTC/INR').question('recent', query, 50)).toThrow('72 hours');
  expect(() => sbsTrades('BTC/INR').question('recent', query, 50)).toThrow('72 hours');
  expect(fiatTransfers('deposit').question('recent', query, 50).kind).toBe('fiat-deposits');
});
