// Which order belongs to a create without a name: by everything that it was, and never where two could be.
import { describe, expect, test } from '@jest/globals';
import { decimal } from '../../../src/domain/decimal.ts';
import type { OpenOrder } from '../../../src/domain/order.ts';
import { matchCreates } from '../../../src/watchdog/sweep-match.ts';
import { create, order } from './watch-world.ts';

const WINDOW = { earlierMs: 1_000, laterMs: 14_000 };
const one = create();
const found = (...rows: readonly OpenOrder[]): unknown => [...matchCreates([one], rows, WINDOW).found.values()];

describe('a create without a name', () => {
  test('is the one order that equals it', () => {
    expect(found(order('1-1-1'), order('1-2-1', { side: 'sell' }))).toEqual(['1-1-1']);
  });

  test.each<[string, Partial<OpenOrder>]>([
    ['symbol', { symbol: 'ETH/INR' }],
    ['side', { side: 'sell' }],
    ['price', { price: decimal('5000000.5') }],
    ['quantity', { originalQuantity: decimal('0.010000001') }],
    ['type', { type: 'stop-limit' }],
    ['time, too early', { venueTime: one.timestamp - WINDOW.earlierMs - 1 }],
  ])('is none with another %s', (_what, changes) => {
    expect(found(order('1-1-1', changes))).toEqual([]);
  });

  test('is the same order when a part of it has filled', () => {
    expect(found(order('1-1-1', { remainingQuantity: decimal('0.004'), executedQuantity: decimal('0.006') }))).toEqual([
      '1-1-1',
    ]);
  });

  test('took its order at the last moment at which it could be taken', () => {
    expect(found(order('1-1-1', { venueTime: one.timestamp + WINDOW.laterMs }))).toEqual(['1-1-1']);
  });

  test('may be of one that came in time or of a later one: a first list does not show its shift', () => {
    const late = order('1-2-1', { venueTime: one.timestamp + WINDOW.laterMs + 1 });
    const { found: taken, ambiguous } = matchCreates([one], [late, order('1-1-1')], WINDOW);
    expect(taken.size).toBe(0);
    expect(ambiguous).toEqual([{ create: one, orderIds: ['1-2-1', '1-1-1'], areLate: false }]);
  });

  test('two creates are not both the same order', () => {
    const other = create({ timestamp: one.timestamp + 5 });
    expect([...matchCreates([one, other], [order('1-1-1')], WINDOW).found]).toEqual([[one, '1-1-1']]);
  });
});
