// Check 8: what one side fills more than the other locks it for a while, and where it goes on halts the symbol until a
// person resumes it.
import { describe, expect, test } from '@jest/globals';
import { decimal } from '../../../src/domain/decimal.ts';
import { MINUTE, SECOND } from '../../../src/domain/time.ts';
import { limitsSchema } from '../../../src/quoting/risk/risk-limits.ts';
import { marketIn } from '../../../src/trader/durable/market.ts';
import { marketOf } from '../../../src/trader/state/state.ts';
import { BTC, deskSettings, ETH } from './desk-settings.ts';
import { haltsIn } from './durable-kit.ts';
import { type Desk, fillNow, inSlot, quotingDesk, rowOf, tradeNow } from './trader-kit.ts';

const QUANTITY = decimal('0.001');

/** A bid is worth about 980 INR: a part of 0.001 about 98. Three of these lock, nine halt. */
const LIMITS = { maxOrderNotional: '1100', repeatedFills: 0.26 };
const settings = deskSettings({ symbols: [BTC, ETH], limits: LIMITS });

const haltOf = (desk: Desk, symbol = BTC) => marketIn(desk.state().durable, symbol).halt?.code;
const locksOf = (desk: Desk, symbol = BTC): string[] =>
  marketIn(desk.state().durable, symbol).locks.map(({ code, side }) => `${code} ${side}`);
const openOf = (desk: Desk, symbol = BTC): string[] =>
  desk.shows.orders.filter((row) => row.symbol === symbol).map(({ side }) => side);

/** A part of the order in this slot fills. */
function fillPart(desk: Desk, slot: 'buy:0' | 'sell:0', at = desk.now()): void {
  fillNow(desk, inSlot(desk, slot), { quantity: QUANTITY, venueTime: at });
  desk.run(3 * SECOND);
}

function filled(parts: number, given = settings): Desk {
  const desk = quotingDesk(given);
  for (let part = 0; part < parts; part += 1) fillPart(desk, 'buy:0');
  return desk;
}

/** Three parts, and five minutes until the side is quoted again. */
function lockedOnce(desk: Desk): void {
  for (let part = 0; part < 3; part += 1) fillPart(desk, 'buy:0');
  expect(locksOf(desk)).toEqual(['repeated-fills buy']);
  desk.run(5 * MINUTE, 500);
  expect(locksOf(desk)).toEqual([]);
}

describe("the excess of one side's fills", () => {
  test('locks that side for five minutes, of this symbol and no other, and ends by itself', () => {
    const desk = filled(2);
    expect(locksOf(desk)).toEqual([]);
    fillPart(desk, 'buy:0');
    expect(locksOf(desk)).toEqual(['repeated-fills buy']);
    expect(haltOf(desk)).toBeUndefined();
    expect(openOf(desk)).toEqual(['sell']);
    expect(openOf(desk, ETH)).toHaveLength(2);
    const [lock] = marketIn(desk.state().durable, BTC).locks;
    expect(lock?.reason).toMatch(
      /^Fills of the buy side within 300 s are worth 294 INR more than those of the other; the limit is 286\.$/,
    );
    expect(desk.notices.find(({ op }) => op === 'locked')?.level).toBe('warn');
    desk.run(5 * MINUTE, 500);
    expect(openOf(desk).toSorted()).toEqual(['buy', 'sell']);
  });

  test('halts if it goes on: the third time within an hour, and a person is called', () => {
    const desk = quotingDesk(settings);
    lockedOnce(desk);
    lockedOnce(desk);
    fillPart(desk, 'buy:0');
    fillPart(desk, 'buy:0');
    expect(haltOf(desk)).toBeUndefined();
    fillPart(desk, 'buy:0');
    expect(haltOf(desk)).toBe('repeated-fills');
    expect(haltsIn(desk.state().durable).get(BTC)).toMatch(/^Fills of the buy side within 3600 s are worth 882 INR/);
    expect(haltOf(desk, ETH)).toBeUndefined();
    expect(openOf(desk)).toEqual([]);
    expect(marketOf(desk.state(), BTC).haltCounts.get('repeated-fills')).toBe(1);
    expect(desk.notices.find(({ op }) => op === 'symbol-halted')?.level).toBe('page');
  });

  test("subtracts the other side's fills: a calm market of many small fills goes on", () => {
    const desk = quotingDesk(settings);
    for (let round = 0; round < 9; round += 1) {
      fillPart(desk, 'buy:0');
      fillPart(desk, 'sell:0');
    }
    expect(marketIn(desk.state().durable, BTC).tally).toMatchObject({ buys: 9, sells: 9 });
    expect([locksOf(desk), haltOf(desk)]).toEqual([[], undefined]);
  });

  test('on the sell side locks the sell side', () => {
    const desk = quotingDesk(settings);
    for (let part = 0; part < 3; part += 1) fillPart(desk, 'sell:0');
    expect(locksOf(desk)).toEqual(['repeated-fills sell']);
    expect(openOf(desk)).toEqual(['buy']);
  });

  test.each([
    [300, ['repeated-fills buy']],
    [301, []],
  ])('within %d s: %j', (seconds, locks) => {
    const desk = quotingDesk(settings);
    const first = desk.now();
    for (const after of [0, 20, seconds]) fillPart(desk, 'buy:0', first + after * SECOND);
    expect(locksOf(desk)).toEqual(locks);
  });

  test('includes a late fill of the other side within the window', () => {
    const desk = filled(2);
    fillNow(desk, inSlot(desk, 'sell:0'), { quantity: QUANTITY, venueTime: desk.now() - 4 * SECOND });
    fillPart(desk, 'buy:0');
    expect(locksOf(desk)).toEqual([]);
  });

  test('counts over a restart, and by its own times if it is found late', () => {
    const desk = filled(2);
    fillNow(desk, inSlot(desk, 'buy:0'), { quantity: QUANTITY });
    desk.pass(10 * MINUTE);
    desk.restart(settings);
    desk.run(3_000);
    expect(locksOf(desk)).toEqual(['repeated-fills buy']);
  });

  test('does nothing by itself when the limit is lowered', () => {
    const desk = filled(2);
    desk.restart(deskSettings({ symbols: [BTC, ETH], limits: { ...LIMITS, repeatedFills: 0.1 } }));
    desk.run(8_000);
    expect([locksOf(desk), haltOf(desk)]).toEqual([[], undefined]);
  });

  test('begins anew if a person removes the lock, or resumes the halted symbol', () => {
    const desk = filled(3);
    desk.tell({ kind: 'unlock', symbol: BTC, side: null, by: 'asha' });
    desk.run(8 * SECOND);
    expect(locksOf(desk)).toEqual([]);
    fillPart(desk, 'buy:0');
    fillPart(desk, 'buy:0');
    expect(locksOf(desk)).toEqual([]);
    fillPart(desk, 'buy:0');
    expect(locksOf(desk)).toEqual(['repeated-fills buy']);
    const halted = filled(1, deskSettings({ symbols: [BTC, ETH], limits: { ...LIMITS, repeatedFills: 0.02 } }));
    expect(haltOf(halted)).toBe('repeated-fills');
    halted.restart(settings, [{ symbol: BTC, price: null }]);
    halted.run(8 * SECOND);
    fillPart(halted, 'buy:0');
    expect(haltOf(halted)).toBeUndefined();
  });

  test("of an order that a person says is the bot's counts, though it was booked as the owner's", () => {
    const desk = quotingDesk(deskSettings({ limits: { maxOrderNotional: '1100', repeatedFills: 0.41 } }));
    const order = { symbol: BTC, side: 'buy', price: decimal(97_000), quantity: decimal('0.0103') } as const;
    desk.tell({ kind: 'stop' });
    desk.run(30_000);
    desk.pass(60 * MINUTE);
    desk.shows.orders = [rowOf(order, '1-900-1', desk.now() - 30 * MINUTE)];
    desk.restart();
    desk.run(3_000);
    tradeNow(desk, order, '1-900-1', { quantity: decimal('0.004') });
    desk.run(5_000);
    expect(marketIn(desk.state().durable, BTC).tally.buys).toBe(0);
    desk.restart(undefined, [], 0, { answer: 'adopt' });
    desk.run(10_000);
    const { tally, risk } = marketIn(desk.state().durable, BTC);
    expect(tally.buys).toBe(1);
    expect(risk.fillParts).toHaveLength(1);
    expect(risk.protections.turnover.notional.toNumber()).toBe(388);
    expect(locksOf(desk)).toEqual([]);
    fillPart(desk, 'buy:0');
    expect(locksOf(desk)).toEqual(['repeated-fills buy']);
  });

  test("of the owner's own orders does not count", () => {
    const desk = filled(2);
    const shape = { symbol: BTC, side: 'buy', price: decimal(98_000), quantity: decimal('0.01') } as const;
    tradeNow(desk, shape, '77');
    desk.run(3_000);
    expect(marketIn(desk.state().durable, BTC).recent.at(-1)?.ours).toBe(false);
    expect(locksOf(desk)).toEqual([]);
  });
});

test('the default is ten times the largest order', () => {
  const limits = { maxOrderQuantity: '1', maxOrderNotional: '1', maxInventoryBase: '1', maxOpenNotional: '1' };
  expect(limitsSchema.parse(limits).repeatedFills).toBe(10);
  expect(limitsSchema.safeParse({ ...limits, repeatedFills: 0 }).success).toBe(false);
  // Each order is worth about 980.
  const desk = quotingDesk(deskSettings({ limits: { maxOrderNotional: '1100' } }));
  let orders = 0;
  for (; orders < 20 && locksOf(desk).length === 0; orders += 1) {
    fillNow(desk, inSlot(desk, 'buy:0'));
    desk.run(8_000);
  }
  expect(orders).toBe(12);
});
