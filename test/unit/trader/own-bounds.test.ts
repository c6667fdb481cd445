// Bounds and reserves hold for what the exchange has, and for all symbols of an asset together (checks 5 and 10).
import { describe, expect, test } from '@jest/globals';
import { Decimal, decimal, maxOf, ZERO } from '../../../src/domain/decimal.ts';
import { orderId } from '../../../src/domain/ids.ts';
import type { OpenOrder, Side } from '../../../src/domain/order.ts';
import { shareNeeded } from '../../../src/trader/decision/view.ts';
import { BTC, deskSettings, ETH, LAG_MS } from './desk-settings.ts';
import { acknowledged, type Desk, deskWith, makeReady, readyDesk, rowOf, textOf, unknown } from './trader-kit.ts';

const FEE = decimal('1.01');
const PARAMS = { levels: 3, halfSpreadStepBps: 50, orderSize: '10000' };

/** Of the bids in quote, fee included, and in base; of the asks in base. */
interface Most {
  readonly quote: Decimal;
  readonly bids: Decimal;
  readonly asks: Decimal;
}

const sumOf = (orders: readonly OpenOrder[], side: Side, value: (order: OpenOrder) => Decimal): Decimal =>
  orders.filter((order) => order.side === side).reduce((sum, order) => sum.add(value(order)), ZERO);

/**
 * The market goes up and down for `minutes`, every fifth create has no answer although it was placed, and a cancel is
 * acknowledged at once and done three seconds later. What rests at the exchange at its most, looked at after each step.
 */
function mostAtTheExchange(desk: Desk, minutes: number): Most {
  let most: Most = { quote: ZERO, bids: ZERO, asks: ZERO };
  let [creates, lost] = [0, 900];
  const canceled: { readonly id: string; readonly at: number }[] = [];
  desk.reply = (request) => {
    if (request.kind === 'cancel') {
      canceled.push({ id: request.orderId, at: desk.now() + 3_000 });
      return acknowledged;
    }
    if (request.kind !== 'create') return undefined;
    creates += 1;
    if (creates % 5 > 0) return undefined;
    lost += 1;
    desk.shows.orders.push(rowOf(request.order, orderId(`1-${lost}-1`), desk.now()));
    return unknown;
  };
  for (let step = 0; step < minutes * 240; step += 1) {
    const middle = 100_000 + 3_000 * Math.sin(step / 40);
    desk.shows.books[BTC] = [Math.round(middle - 1_000), Math.round(middle + 1_000)];
    const gone = new Set(canceled.filter(({ at }) => at <= desk.now()).map(({ id }) => id));
    desk.shows.orders = desk.shows.orders.filter(({ orderId: id }) => !gone.has(id));
    desk.run(250, 250);
    const { orders } = desk.shows;
    const quote = sumOf(orders, 'buy', ({ price, remainingQuantity }) => price.mul(remainingQuantity)).mul(FEE);
    const bids = sumOf(orders, 'buy', ({ remainingQuantity }) => remainingQuantity);
    const asks = sumOf(orders, 'sell', ({ remainingQuantity }) => remainingQuantity);
    most = { quote: maxOf(quote, most.quote), bids: maxOf(bids, most.bids), asks: maxOf(asks, most.asks) };
  }
  return most;
}

const createsOf = (desk: Desk, side: Side): number =>
  desk.events.filter(({ type, payload }) => type === 'intent' && payload.side === side).length;

describe('orders at the exchange while levels move', () => {
  test.each<[string, keyof Most, number, Record<string, unknown>]>([
    ['budget.maxQuote', 'quote', 45_000, { quoting: { budget: { maxQuote: '45000' } } }],
    ['budget.maxBase', 'asks', 0.45, { quoting: { budget: { maxBase: '0.45' } } }],
    ['maxInventoryBase', 'bids', 0.45, { limits: { maxInventoryBase: '1.45' } }],
    ['minInventoryBase', 'asks', 0.45, { limits: { minInventoryBase: '0.55' } }],
    ['reserveQuote', 'quote', 45_000, { limits: { reserveQuote: '955000' } }],
    ['reserveBase', 'asks', 0.45, { limits: { reserveBase: '0.55' } }],
  ])('stays within %s', (_what, what, bound, given) => {
    const desk = readyDesk(deskSettings({ params: PARAMS, ...given }));
    const most = mostAtTheExchange(desk, 1)[what].toNumber();
    expect(most).toBeLessThanOrEqual(bound);
    // It is used, and levels move all the same.
    expect(most).toBeGreaterThan(bound * 0.66);
    expect(createsOf(desk, what === 'asks' ? 'sell' : 'buy')).toBeGreaterThan(8);
  });
});

describe('a share of what all accounts may hold', () => {
  const shareOf = (most: string) => ({ kind: 'share', asset: 'BTC', most: decimal(most) }) as const;

  test('bounds bids like maxInventoryBase', () => {
    const desk = readyDesk(deskSettings({ params: PARAMS }));
    desk.tell(shareOf('1.45'));
    expect(mostAtTheExchange(desk, 1).bids.toNumber()).toBeLessThanOrEqual(0.45);
    expect(createsOf(desk, 'buy')).toBeGreaterThan(8);
  });

  test('rises and falls while the bot runs', () => {
    // The desk holds 1: nothing is bought, and asks stay.
    const desk = deskWith(deskSettings({ params: PARAMS }));
    desk.tell(shareOf('1'));
    makeReady(desk);
    desk.run(10_000, 250);
    expect([createsOf(desk, 'buy'), createsOf(desk, 'sell')]).toEqual([0, 3]);
    desk.tell(shareOf('2'));
    desk.run(10_000, 250);
    expect(createsOf(desk, 'buy')).toBe(3);
  });

  test('needed is what may be held by live orders, and what further ones may buy', () => {
    const desk = readyDesk(
      deskSettings({ params: PARAMS, limits: { maxInventoryBase: '1.6', maxOpenNotional: '50000' } }),
    );
    const bids = sumOf(desk.shows.orders, 'buy', ({ remainingQuantity }) => remainingQuantity);
    const needed = shareNeeded(desk.state(), 'BTC', desk.now());
    expect(needed.held.toFixed()).toBe(bids.add(1).toFixed());
    // 50,000 at 100,000 each.
    expect(needed.wanted.toNumber()).toBeCloseTo(1.5, 2);
    const tight = readyDesk(
      deskSettings({ params: PARAMS, limits: { maxInventoryBase: '1.2', maxOpenNotional: '50000' } }),
    );
    expect(shareNeeded(tight.state(), 'BTC', tight.now()).wanted.toNumber()).toBeLessThanOrEqual(1.2);
  });
});

test('without room for both, the old order goes first, and its level waits for the proof', () => {
  const desk = readyDesk(
    deskSettings({ quoting: { budget: { maxQuote: '1500' } }, params: { askHalfSpreadsBps: [] } }),
  );
  desk.run(3_000);
  desk.shows.books[BTC] = [101_000, 103_000];
  desk.run(2_000);
  expect(desk.slots()).toEqual(['buy:0 closing']);
  desk.run(LAG_MS + 3_000);
  expect(desk.slots()).toEqual(['buy:0 open']);
});

// One asset that two symbols trade: its bounds and reserves hold for both together (checks 5 and 10).

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
    const sidesOf = (symbol: string) => desk.intents().flatMap((each) => (each.symbol === symbol ? [each.side] : []));
    // The symbol with the tight bound sizes its order to what the bound leaves.
    expect([sidesOf(BTC).length, sidesOf(BTC_USDT)]).toEqual([2, [side === 'buy' ? 'sell' : 'buy']]);
  });
});

test("one symbol's reserveQuote applies to orders of another one with the same quote asset", () => {
  const limits = { [BTC]: { reserveQuote: '999500' }, [ETH]: { reserveQuote: '0' } };
  const desk = deskOf(limits, { INR: 1_000_000, BTC: 1, ETH: 10 });
  // BTC/INR itself buys for the 500 INR that its reserve leaves.
  expect(
    desk
      .intents()
      .map(({ symbol, side }) => `${symbol} ${side}`)
      .toSorted(),
  ).toEqual([`${BTC} buy`, `${BTC} sell`, `${ETH} sell`].toSorted());
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
