// How each list is asked: the very requests, and that each is one the venue takes.
import { describe, expect, test } from '@jest/globals';
import { decimal, ZERO } from '../../../src/domain/decimal.ts';
import { tradeId } from '../../../src/domain/ids.ts';
import { HOUR } from '../../../src/domain/time.ts';
import type { CryptoTransfer, FiatTransfer } from '../../../src/domain/transfer.ts';
import {
  absorbTransfers,
  cryptoName,
  cryptoProgress,
  cryptoTransfers,
  fiatName,
  fiatTransfers,
  isPending,
  sbsTrades,
  spotTrades,
} from '../../../src/history/lists.ts';
import type { Entry, Query } from '../../../src/history/query.ts';

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

// Which transfer of a page is which of those known, told by status and hash where all else is alike.

const crypto: CryptoTransfer = {
  direction: 'deposit',
  status: 'pending',
  statusText: 'PENDING',
  venueTime: 1,
  fee: ZERO,
  asset: 'BTC',
  amount: decimal('1.5'),
  transactionHash: null,
  network: 'BTC',
  fromAddress: null,
  toAddress: 'a',
};
const fiat: FiatTransfer = {
  direction: 'deposit',
  status: 'pending',
  statusText: 'PENDING',
  venueTime: 1,
  fee: ZERO,
  amount: decimal(500),
  referenceId: 'R',
};

/** `success h1`: a status and, where there is one, a hash. */
function rowOf(words: string): CryptoTransfer {
  const [status = '', hash = null] = words.split(' ');
  const known = (['pending', 'success', 'failed'] as const).find((word) => word === status) ?? 'other';
  return { ...crypto, status: known, statusText: status.toUpperCase(), transactionHash: hash };
}
const wordsOf = (row: CryptoTransfer): string =>
  [row.statusText.toLowerCase(), ...(row.transactionHash === null ? [] : [row.transactionHash])].join(' ');

const absorb = absorbTransfers(cryptoProgress);

describe('alike transfers of one millisecond', () => {
  test.each([
    // known, shown, all together afterward
    ['', 'pending', 'pending'],
    ['pending', 'pending', 'pending'],
    ['', 'pending, pending', 'pending, pending'],
    ['pending', 'pending, pending', 'pending, pending'],
    ['pending, pending', 'pending', 'pending, pending'],
    ['pending', 'success h1', 'success h1'],
    ['pending', 'pending h1', 'pending h1'],
    ['success', 'success h1', 'success h1'],
    ['success h1', 'success h2', 'success h1, success h2'],
    ['success h1', 'pending', 'success h1, pending'],
    ['failed', 'success h1', 'failed, success h1'],
    ['processing', 'success', 'success'],
    ['pending, success', 'success h1, failed', 'failed, success h1'],
    ['pending, pending h1', 'success h1, success h2', 'success h2, success h1'],
    ['pending, success h1', 'success h2', 'success h2, success h1'],
  ])('known: %s; shown: %s → %s', (known, shown, together) => {
    const rows = (text: string): CryptoTransfer[] => (text === '' ? [] : text.split(', ').map(rowOf));
    const entries: Entry<CryptoTransfer>[] = rows(known).map((row) => ({ row, handedOut: null }));
    const before = entries.length;
    const added = absorb(entries, rows(shown));
    expect(entries.map(({ row }) => wordsOf(row)).join(', ')).toBe(together);
    expect(added).toHaveLength(entries.length - before);
  });
});

test('what can change or come later names no transfer; the rest does', () => {
  const later = { ...crypto, status: 'success', transactionHash: 'h', fromAddress: 'x', fee: decimal(1) } as const;
  expect(cryptoName(later)).toBe(cryptoName(crypto));
  expect(cryptoName({ ...crypto, amount: decimal('1.500') })).toBe(cryptoName(crypto));
  const others = [
    { venueTime: 2 },
    { asset: 'ETH' },
    { amount: decimal(2) },
    { network: 'X' },
    { direction: 'withdrawal' },
  ] as const;
  const names = others.map((change) => cryptoName({ ...crypto, ...change }));
  expect(new Set([cryptoName(crypto), ...names]).size).toBe(others.length + 1);
  const fiats = [{}, { venueTime: 2 }, { amount: decimal(1) }, { referenceId: 'S' }].map((change) =>
    fiatName({ ...fiat, ...change }),
  );
  expect(new Set(fiats).size).toBe(4);
  expect(fiatName({ ...fiat, status: 'rejected' })).toBe(fiatName(fiat));
});

test('only what the specification calls final is not pending', () => {
  const open = (['success', 'pending', 'failed', 'rejected', 'other'] as const).filter((status) =>
    isPending({ ...fiat, status }),
  );
  expect(open).toEqual(['pending', 'other']);
});
