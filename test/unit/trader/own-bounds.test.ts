// Money and base that a symbol's own settings leave to its orders: kept by what the exchange has, at every moment, also
// while levels move, cancels are acknowledged late and creates have no answer.
import { describe, expect, test } from '@jest/globals';
import { type Decimal, decimal, maxOf, ZERO } from '../../../src/domain/decimal.ts';
import { orderId } from '../../../src/domain/ids.ts';
import type { OpenOrder, Side } from '../../../src/domain/order.ts';
import { BTC, deskSettings, LAG_MS } from './desk-settings.ts';
import { acknowledged, type Desk, readyDesk, rowOf, unknown } from './trader-kit.ts';

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

describe('what rests at the exchange while levels move', () => {
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
