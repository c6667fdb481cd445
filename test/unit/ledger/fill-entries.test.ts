import { describe, expect, test } from '@jest/globals';
import { Decimal } from '../../../src/domain/decimal.ts';
import { intentId } from '../../../src/domain/ids.ts';
import type { Entry, Line } from '../../../src/ledger/entry.ts';
import { bookable } from '../../../src/ledger/fill-entries.ts';
import { balanceOf, EMPTY_LEDGER, post, reservationOf } from '../../../src/ledger/ledger.ts';
import { amt, fillOf } from './fills.ts';

test.each([
  [{ ...fillOf({}), symbol: 'BTCINR' }, "Trade 1: 'BTCINR' is not a symbol."],
  [fillOf({ price: '-1' }), 'Trade 1 of BTC/INR, price: -1 is negative.'],
  [
    fillOf({ tds: '1e-19' }),
    'Trade 1 of BTC/INR, tds: 0.0000000000000000001 has 19 decimals, an amount holds at most 18.',
  ],
  [
    { ...fillOf({}), commission: new Decimal(Number.NaN) },
    'Trade 1 of BTC/INR, commission: NaN is not an amount: it is not finite.',
  ],
])('a fill that can’t be booked exactly is refused (%#)', (fill, error) => {
  expect(bookable(fill)).toEqual({ ok: false, error });
});

const ID = intentId('i-1');
const source = { kind: 'intent', intentId: ID } as const;
/** So much goes from the wallet into what is reserved. */
const moves = (asset: string, text: string): Line[] => [
  { asset, account: 'reserved', side: 'debit', amount: amt(text) },
  { asset, account: 'wallet', side: 'credit', amount: amt(text) },
];
const reserves = (asset: string, text: string) => ({ intentId: ID, asset, amount: amt(text) });
const held = post(EMPTY_LEDGER, { lines: moves('INR', '5'), memo: 'first', source, reservation: reserves('INR', '5') });

describe('what is reserved is what intents have reserved', () => {
  test('it is held, grows by what the entry moves, and ends with zero', () => {
    expect([reservationOf(held, ID), balanceOf(held, 'INR', 'reserved')]).toEqual([reserves('INR', '5'), amt('5')]);
    const more = post(held, { lines: moves('INR', '2'), memo: 'more', source, reservation: reserves('INR', '7') });
    expect(balanceOf(more, 'INR', 'reserved')).toBe(amt('7'));
    const back = moves('INR', '7').map((line): Line => ({ ...line, side: line.side === 'debit' ? 'credit' : 'debit' }));
    const none = post(more, { lines: back, memo: 'none', source, reservation: reserves('INR', '0') });
    expect([reservationOf(none, ID), balanceOf(none, 'INR', 'reserved')]).toEqual([null, amt('0')]);
  });

  test.each<[string, Pick<Entry, 'lines' | 'reservation'>, string]>([
    [
      'of another asset than its intent reserves',
      { lines: moves('BTC', '2'), reservation: reserves('INR', '7') },
      "Entry 'odd' moves reserved BTC of no intent.",
    ],
    ['of no intent', { lines: moves('INR', '2') }, "Entry 'odd' moves reserved INR of no intent."],
    [
      'that is more than it asks for',
      { lines: moves('INR', '3'), reservation: reserves('INR', '7') },
      "Entry 'odd' moves 3 of reserved, its reservation asks for 2.",
    ],
    [
      'that is asked for and not moved',
      { lines: [], reservation: reserves('INR', '7') },
      "Entry 'odd' moves 0 of reserved, its reservation asks for 2.",
    ],
    ['below zero', { lines: [], reservation: reserves('INR', '-1') }, 'Intent i-1 would reserve -1 INR.'],
    [
      'in another asset than before',
      { lines: moves('BTC', '2'), reservation: reserves('BTC', '2') },
      'Intent i-1 reserves INR, not BTC.',
    ],
  ])('an entry is refused that moves money %s', (_, entry, message) => {
    expect(() => post(held, { ...entry, memo: 'odd', source })).toThrow(message);
  });
});
