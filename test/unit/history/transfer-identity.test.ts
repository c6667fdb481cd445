// Which transfer of a page is which of those known, told by status and hash where all else is alike.
import { describe, expect, test } from '@jest/globals';
import { decimal, ZERO } from '../../../src/domain/decimal.ts';
import type { CryptoTransfer, FiatTransfer } from '../../../src/domain/transfer.ts';
import { absorbTransfers, cryptoName, cryptoProgress, fiatName, isPending } from '../../../src/history/lists.ts';
import type { Entry } from '../../../src/history/query.ts';

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
    // known, shown, all together afterwards
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
