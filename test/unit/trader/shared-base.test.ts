// One asset that two symbols trade: its bounds hold for both together (check 5).
import { describe, expect, test } from '@jest/globals';
import { Decimal, decimal } from '../../../src/domain/decimal.ts';
import { deskSettings } from './desk-settings.ts';
import { deskWith, makeReady, textOf } from './trader-kit.ts';

describe('check 5, with an asset that is the base of two symbols', () => {
  test.each([
    ['maxInventoryBase', '1.015', 'buy', 1],
    ['minInventoryBase', '0.985', 'sell', -1],
  ] as const)('%s holds over both', (key, bound, side, sign) => {
    const symbols = ['BTC/INR', 'BTC/USDT'];
    const settings = deskSettings({ symbols, limits: { [key]: bound } });
    const desk = deskWith(settings);
    desk.shows.balances = { INR: decimal(1_000_000), BTC: decimal(1), USDT: decimal(1_000_000) };
    desk.shows.books = { 'BTC/INR': [99_000, 101_000], 'BTC/USDT': [99_000, 101_000] };
    makeReady(desk);
    desk.run(5_000);
    const open = desk.intents().filter((intent) => intent.side === side);
    expect(open.map(textOf).length).toBeGreaterThan(0);
    const worst = open.reduce((sum, { quantity }) => sum.add(quantity.mul(sign)), new Decimal(1));
    expect(sign === 1 ? worst.lte(bound) : worst.gte(bound)).toBe(true);
  });
});
