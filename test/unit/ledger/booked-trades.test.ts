import { describe, expect, test } from '@jest/globals';
import * as fc from 'fast-check';
import { tradeId } from '../../../src/domain/ids.ts';
import {
  type BookedTrades,
  bookedAs,
  bookedCount,
  bookedTradesText,
  bookTrade,
  checkTrade,
  EMPTY_MAP,
  getText,
  NO_TRADES,
  pairsOf,
  setText,
  takeBackTrade,
} from '../../../src/ledger/booked-trades.ts';
import { anyFill, bookableOf, type FillText } from './fills.ts';

const booked = bookTrade(NO_TRADES, { fill: bookableOf({ id: '77' }), origin: 'strategy' });

describe('booked trades', () => {
  test.each<[string, FillText, string]>([
    ['the same trade', { id: '77' }, 'same'],
    ['the same trade with its id written with zeros', { id: '0077' }, 'same'],
    ['the same numbers written with more digits', { id: '77', price: '5000000.00', tds: '0.0' }, 'same'],
    ['another id with the same content', { id: '78' }, 'new'],
    ['the same id of another symbol', { id: '77', symbol: 'ETH/INR' }, 'new'],
    ['another price', { id: '77', price: '5000001' }, 'corrected'],
    ['another quantity', { id: '77', quantity: '0.011' }, 'corrected'],
    ['another quote quantity', { id: '77', quoteQuantity: '50000.01' }, 'corrected'],
    ['another commission', { id: '77', commission: '237' }, 'corrected'],
    ['the commission in another asset', { id: '77', commissionAsset: 'BTC' }, 'corrected'],
    ['tax that appears later', { id: '77', tds: '500' }, 'corrected'],
    ['another order', { id: '77', orderId: '1-2-1' }, 'corrected'],
    ['the other side of a trade with ourselves', { id: '77', side: 'sell', orderId: '1-2-1' }, 'new'],
  ])('%s: %j is %s', (_, text, verdict) => {
    expect(checkTrade(booked, bookableOf(text))).toBe(verdict);
  });

  test('give back what was booked, so that it can be reversed', () => {
    fc.assert(
      fc.property(
        anyFill,
        fc.constantFrom('strategy' as const, 'manual' as const, 'conversion' as const),
        (fill, origin) => {
          const trades = bookTrade(NO_TRADES, { fill, origin });
          expect(bookedAs(trades, fill)).toEqual({ fill, origin });
        },
      ),
    );
    expect(bookedAs(booked, { symbol: 'BTC/INR', tradeId: tradeId('78'), side: 'buy' })).toBeNull();
  });

  test('a booking in place of another counts once', () => {
    const corrected = bookTrade(booked, { fill: bookableOf({ id: '77', tds: '500' }), origin: 'strategy' });
    expect(bookedCount(corrected)).toBe(1);
    expect(checkTrade(corrected, bookableOf({ id: '77', tds: '500' }))).toBe('same');
    expect(checkTrade(booked, bookableOf({ id: '77', tds: '500' }))).toBe('corrected');
  });

  test('one that is taken back is new when it shows again, and counts no more', () => {
    const fill = bookableOf({ id: '77' });
    const without = takeBackTrade(booked, fill);
    expect(checkTrade(without, fill)).toBe('new');
    expect(bookedAs(without, fill)).toBeNull();
    expect(bookedCount(without)).toBe(0);
    expect(bookedTradesText(without)).toBe('');
    expect(bookedCount(bookTrade(without, { fill, origin: 'strategy' }))).toBe(1);
    expect(() => takeBackTrade(without, fill)).toThrow('Trade 77 of BTC/INR is not booked.');
  });

  test('have one text whatever the order', () => {
    const fills = ['1', '2', '3'].map((id) => ({ fill: bookableOf({ id }), origin: 'manual' as const }));
    const text = (trades: BookedTrades) => bookedTradesText(trades);
    expect(text(fills.reduce(bookTrade, NO_TRADES))).toBe(text(fills.toReversed().reduce(bookTrade, NO_TRADES)));
    expect(text(NO_TRADES)).toBe('');
  });
});

describe('the map beneath', () => {
  test('is a map, and every earlier one stays as it was', () => {
    const pair = fc.tuple(fc.oneof(fc.string(), fc.integer({ min: 0, max: 50 }).map(String)), fc.string());
    fc.assert(
      fc.property(fc.array(pair, { maxLength: 200 }), (pairs) => {
        const twin = new Map<string, string>();
        let map = EMPTY_MAP;
        const history = pairs.map(([key, text]) => {
          map = setText(map, key, text);
          twin.set(key, text);
          return { map, twin: new Map(twin) };
        });
        for (const then of history) {
          expect(new Map(pairsOf(then.map))).toEqual(then.twin);
          expect(then.map.size).toBe(then.twin.size);
        }
        for (const [key] of pairs) expect(getText(map, key)).toBe(twin.get(key));
        expect(getText(map, 'never set, longer than any key')).toBeUndefined();
      }),
    );
  });

  test('holds a hundred thousand keys in row, in short lists', () => {
    let map = EMPTY_MAP;
    for (let id = 0; id < 100_000; id += 1) map = setText(map, `BTC/INR ${id}`, 'x');
    expect(map.size).toBe(100_000);
    expect(getText(map, 'BTC/INR 99999')).toBe('x');
    const lists = map.root.flat(2) as (readonly string[] | undefined)[];
    expect(Math.max(...lists.map((list) => (list?.length ?? 0) / 2))).toBeLessThan(20);
  });
});
