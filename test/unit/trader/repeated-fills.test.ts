// Check 8: a side that fills again and again stops the symbol until a person resumes it.
import { describe, expect, test } from '@jest/globals';
import { decimal } from '../../../src/domain/decimal.ts';
import { orderId } from '../../../src/domain/ids.ts';
import { MINUTE } from '../../../src/domain/time.ts';
import { marketIn } from '../../../src/trader/durable/market.ts';
import { marketOf } from '../../../src/trader/state/state.ts';
import { BTC, deskSettings, ETH } from './desk-settings.ts';
import { codesIn, haltsIn } from './durable-kit.ts';
import {
  type Desk,
  fillNow,
  fillOf,
  inSlot,
  moveOrders,
  moveWallet,
  quotingDesk,
  rejected,
  rowOf,
} from './trader-kit.ts';

const LIMITS = { repeatedFills: 3, repeatedFillsWindowMs: 60_000 };
const settings = deskSettings({ symbols: [BTC, ETH], limits: LIMITS });

const haltOf = (desk: Desk, symbol = BTC) => codesIn(desk.state().durable).get(symbol);

/** The order in this slot fills whole, and the bot places its next one. */
function fillWhole(desk: Desk, slot: 'buy:0' | 'sell:0'): void {
  fillNow(desk, inSlot(desk, slot));
  desk.run(8_000);
}

function twoBuys(): Desk {
  const desk = quotingDesk(settings);
  fillWhole(desk, 'buy:0');
  fillWhole(desk, 'buy:0');
  return desk;
}

describe('fills of one side', () => {
  test('as many as the limit halt this symbol and no other, and its orders are canceled', () => {
    const desk = twoBuys();
    expect(haltOf(desk)).toBeUndefined();
    fillNow(desk, inSlot(desk, 'buy:0'));
    desk.run(3_000);
    expect(haltOf(desk)).toBe('repeated-fills');
    expect(haltsIn(desk.state().durable).get(BTC)).toBe('3 orders of the buy side filled within 60 s (repeatedFills).');
    expect(haltOf(desk, ETH)).toBeUndefined();
    expect(desk.shows.orders.filter(({ symbol }) => symbol === BTC)).toEqual([]);
    expect(marketOf(desk.state(), BTC).haltCounts.get('repeated-fills')).toBe(1);
    expect(desk.notices.find(({ op }) => op === 'symbol-halted')?.level).toBe('page');
  });

  test('of the other side do not count', () => {
    const desk = twoBuys();
    fillWhole(desk, 'sell:0');
    fillWhole(desk, 'sell:0');
    expect(haltOf(desk)).toBeUndefined();
  });

  test('of one order are one', () => {
    const desk = quotingDesk(settings);
    const intent = inSlot(desk, 'buy:0');
    for (let part = 0; part < 5; part += 1) {
      fillNow(desk, intent, { quantity: decimal('0.001') });
      desk.run(3_000);
    }
    expect(marketIn(desk.state().durable, BTC).tally.buys).toBe(5);
    expect(haltOf(desk)).toBeUndefined();
  });

  test.each([
    [60_000, 'repeated-fills'],
    [60_001, undefined],
  ])('within %d ms: %s', (windowMs, code) => {
    const desk = quotingDesk(settings);
    const first = desk.now();
    for (const after of [0, 30_000, windowMs]) {
      fillNow(desk, inSlot(desk, 'buy:0'), { venueTime: first + after });
      desk.run(8_000);
    }
    expect(haltOf(desk)).toBe(code);
  });

  test('further apart than the window are none too many', () => {
    const desk = twoBuys();
    desk.run(MINUTE, 500);
    fillWhole(desk, 'buy:0');
    expect(haltOf(desk)).toBeUndefined();
  });

  test("of an order that a person says is the bot's count, though they were booked as the owner's", () => {
    const desk = quotingDesk(deskSettings({ limits: { repeatedFillsNotional: '450' } }));
    const order = { symbol: BTC, side: 'buy', price: decimal(97_000), quantity: decimal('0.0103') } as const;
    desk.tell({ kind: 'stop' });
    desk.run(30_000);
    desk.pass(60 * MINUTE);
    desk.shows.orders = [rowOf(order, '1-900-1', desk.now() - 30 * MINUTE)];
    desk.restart();
    desk.run(3_000);
    const fill = fillOf(order, orderId('1-900-1'), { at: desk.now(), quantity: decimal('0.004') });
    desk.shows.fills.push(fill);
    moveWallet(desk.shows, fill);
    moveOrders(desk.shows, fill);
    desk.run(5_000);
    expect(marketIn(desk.state().durable, BTC).tally.buys).toBe(0);
    desk.restart(undefined, [], 0, { answer: 'adopt' });
    desk.run(10_000);
    const { tally, risk } = marketIn(desk.state().durable, BTC);
    expect(tally.buys).toBe(1);
    expect(risk.fillParts).toHaveLength(1);
    expect(risk.protections.turnover.notional.toNumber()).toBe(388);
    expect(haltOf(desk)).toBeUndefined();
    fillNow(desk, inSlot(desk, 'buy:0'), { quantity: decimal('0.001') });
    desk.run(3_000);
    expect(haltOf(desk)).toBe('repeated-fills');
  });

  test("of the owner's own orders do not count", () => {
    const desk = quotingDesk(settings);
    fillWhole(desk, 'buy:0');
    const shape = { symbol: BTC, side: 'buy', price: decimal(98_000), quantity: decimal('0.01') } as const;
    const fill = fillOf(shape, orderId('77'), { at: desk.now() });
    desk.shows.fills.push(fill);
    moveWallet(desk.shows, fill);
    desk.run(3_000);
    expect(marketIn(desk.state().durable, BTC).tally.recent[0]?.ours).toBe(false);
    fillWhole(desk, 'buy:0');
    expect(haltOf(desk)).toBeUndefined();
  });

  test('count over a restart, and by their own times where they are found late', () => {
    const desk = twoBuys();
    fillNow(desk, inSlot(desk, 'buy:0'));
    desk.pass(10 * MINUTE);
    desk.restart(settings);
    desk.run(3_000);
    expect(haltOf(desk)).toBe('repeated-fills');
  });

  test('halt over restarts until a person resumes, who begins the count anew', () => {
    const desk = twoBuys();
    fillWhole(desk, 'buy:0');
    desk.restart(settings);
    desk.run(8_000);
    expect(desk.slots().filter((slot) => slot.endsWith('open'))).toHaveLength(2);
    desk.restart(settings, [{ symbol: BTC, price: null }]);
    desk.run(8_000);
    expect(desk.slots().filter((slot) => slot.endsWith('open'))).toHaveLength(4);
    fillWhole(desk, 'buy:0');
    fillWhole(desk, 'buy:0');
    expect(haltOf(desk)).toBeUndefined();
    fillWhole(desk, 'buy:0');
    expect(haltOf(desk)).toBe('repeated-fills');
  });

  test('of before do not halt by themselves when the limit is lowered', () => {
    const desk = twoBuys();
    desk.restart(deskSettings({ symbols: [BTC, ETH], limits: { ...LIMITS, repeatedFills: 2 } }));
    desk.run(8_000);
    expect(haltOf(desk)).toBeUndefined();
  });
});

test('orders that filled while the symbol was halted do not halt it again with one of half an hour later', () => {
  const desk = quotingDesk(
    deskSettings({
      params: { levels: 2, halfSpreadStepBps: 100 },
      limits: { repeatedFills: 2, repeatedFillsWindowMs: 60_000 },
    }),
  );
  desk.run(10_000);
  desk.reply = ({ kind }) => (kind === 'create' ? rejected(-1121) : undefined);
  fillNow(desk, inSlot(desk, 'sell:0'));
  for (let tick = 0; tick < 200 && haltOf(desk) === undefined; tick += 1) desk.run(100);
  expect(haltOf(desk)).toBe('create-refused');
  desk.reply = () => undefined;
  fillNow(desk, inSlot(desk, 'buy:0'));
  fillNow(desk, inSlot(desk, 'buy:1'));
  desk.run(30_000);
  desk.tell({ kind: 'resume-symbol', by: 'asha', resumed: { symbol: BTC, price: null } });
  desk.run(30 * MINUTE);
  fillNow(desk, inSlot(desk, 'buy:0'));
  desk.run(10_000);
  expect(haltOf(desk)).toBeUndefined();
});
