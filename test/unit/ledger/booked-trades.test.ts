import { describe, expect, test } from '@jest/globals';
import * as fc from 'fast-check';
import { tradeId } from '../../../src/domain/ids.ts';
import { addTrade, type BookedTrades, bookedAs, checkTrade, removeTrade } from '../../../src/ledger/booked-trades.ts';
import { anyFill, bookableOf, type FillText } from './fills.ts';

const booked: BookedTrades = new Map();
addTrade(booked, { fill: bookableOf({ id: '77' }), origin: 'strategy' });

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
          const trades: BookedTrades = new Map();
          addTrade(trades, { fill, origin });
          expect(bookedAs(trades, fill)).toEqual({ fill, origin });
        },
      ),
    );
    expect(bookedAs(booked, { symbol: 'BTC/INR', tradeId: tradeId('78'), side: 'buy' })).toBeNull();
  });

  test('a booking in place of another replaces it', () => {
    const trades = new Map(booked);
    addTrade(trades, { fill: bookableOf({ id: '77', tds: '500' }), origin: 'strategy' });
    expect(trades.size).toBe(1);
    expect(checkTrade(trades, bookableOf({ id: '77', tds: '500' }))).toBe('same');
  });

  test('one that is taken back is new when it shows again', () => {
    const fill = bookableOf({ id: '77' });
    const trades = new Map(booked);
    removeTrade(trades, fill);
    expect(checkTrade(trades, fill)).toBe('new');
    expect(bookedAs(trades, fill)).toBeNull();
    expect(() => removeTrade(trades, fill)).toThrow('Trade 77 of BTC/INR is not booked.');
  });
});
