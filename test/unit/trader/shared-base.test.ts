// One asset that two symbols trade: its bounds and reserves hold for both together (checks 5 and 10).
import { describe, expect, test } from '@jest/globals';
import { Decimal, decimal } from '../../../src/domain/decimal.ts';
import { BTC, deskSettings, ETH } from './desk-settings.ts';
import { type Desk, deskWith, makeReady, textOf } from './trader-kit.ts';

const BTC_USDT = 'BTC/USDT';
const ETH_BTC = 'ETH/BTC';
/** Nonsense prices of ETH/BTC matter to no rule. */
const BOOKS: Desk['shows']['books'] = {
  [BTC]: [99_000, 101_000],
  [BTC_USDT]: [99_000, 101_000],
  [ETH]: [9_900, 10_100],
  [ETH_BTC]: [9_900, 10_100],
};

type LimitsBySymbol = Readonly<Record<string, Readonly<Record<string, string>>>>;

/** Each symbol with its own limits; both quote for a while. */
function deskOf(limits: LimitsBySymbol, balances: Readonly<Record<string, number>>): Desk {
  const settings = deskSettings({ symbols: Object.keys(limits) });
  const runs = settings.runs.map((run) => {
    const set = Object.entries(limits[run.instrument.symbol] ?? {}).map(([key, value]) => [key, decimal(value)]);
    return { ...run, limits: { ...run.limits, ...Object.fromEntries(set) } };
  });
  const desk = deskWith({ ...settings, runs });
  desk.shows.balances = Object.fromEntries(Object.entries(balances).map(([asset, total]) => [asset, decimal(total)]));
  desk.shows.books = { ...BOOKS };
  makeReady(desk);
  desk.run(5_000);
  return desk;
}

const RICH = { INR: 1_000_000, BTC: 1, USDT: 1_000_000 };

describe('an asset that is the base of two symbols', () => {
  test.each([
    ['maxInventoryBase', '1.015', 'buy', 1],
    ['minInventoryBase', '0.985', 'sell', -1],
  ] as const)('%s holds over both', (key, bound, side, sign) => {
    const desk = deskOf({ [BTC]: { [key]: bound }, [BTC_USDT]: { [key]: bound } }, RICH);
    const open = desk.intents().filter((intent) => intent.side === side);
    expect(open.map(textOf).length).toBeGreaterThan(0);
    const worst = open.reduce((sum, { quantity }) => sum.add(quantity.mul(sign)), new Decimal(1));
    expect(sign === 1 ? worst.lte(bound) : worst.gte(bound)).toBe(true);
  });

  test.each([
    ['maxInventoryBase', '1.005', '100', 'buy'],
    ['minInventoryBase', '0.995', '0', 'sell'],
    ['reserveBase', '0.995', '0', 'sell'],
  ] as const)('%s that one symbol has holds for orders of the other', (key, tight, wide, side) => {
    const desk = deskOf({ [BTC]: { [key]: tight }, [BTC_USDT]: { [key]: wide } }, RICH);
    expect(desk.intents().map(({ side: of }) => of)).not.toContain(side);
    expect(desk.intents()).toHaveLength(2);
  });
});

test('reserveQuote that one symbol has holds for orders of another that is paid with the same', () => {
  const limits = { [BTC]: { reserveQuote: '999500' }, [ETH]: { reserveQuote: '0' } };
  const desk = deskOf(limits, { INR: 1_000_000, BTC: 1, ETH: 10 });
  expect(desk.slots()).toEqual(['sell:0 open', 'sell:0 open']);
});

describe('an asset that is the base of one symbol and the quote of another', () => {
  const balances = { INR: 1_000_000, BTC: 1_000, ETH: 10 };
  // A bid of ETH/BTC costs some thousand BTC of the nonsense, an ask brings as much.
  test.each([
    ['minInventoryBase', '999', 'buy'],
    ['maxInventoryBase', '1001', 'sell'],
    ['reserveBase', '999', 'buy'],
  ] as const)('%s holds for what the other symbol pays and is paid with', (key, bound, side) => {
    const sides = (limits: LimitsBySymbol) =>
      deskOf(limits, balances)
        .intents()
        .filter(({ symbol }) => symbol === ETH_BTC)
        .map(({ side: of }) => of);
    const ample = { maxInventoryBase: '1000000' };
    expect(sides({ [BTC]: ample, [ETH_BTC]: {} })).toContain(side);
    expect(sides({ [BTC]: { ...ample, [key]: bound }, [ETH_BTC]: {} })).not.toContain(side);
  });
});
