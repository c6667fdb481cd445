// What a list of all markets leaves in the state, what a refused late-trade scan says, and which orders count in money.
import { expect, test } from '@jest/globals';
import { decimal } from '../../../../src/domain/decimal.ts';
import { riskContext } from '../../../../src/trader/decision/view.ts';
import { marketOf } from '../../../../src/trader/state/state.ts';
import { BTC, deskSettings } from '../desk-settings.ts';
import { move } from '../money-kit.ts';
import { fillNow, inSlot, ops, quotingDesk, rejected, rowOf } from '../trader-kit.ts';

test('a whole list of all markets shows the orders of others, without those of configured markets', () => {
  const desk = quotingDesk();
  const other = rowOf(
    { symbol: 'DOGE/INR', side: 'buy', price: decimal(10), quantity: decimal(1) },
    '1-7-1',
    desk.now(),
  );
  desk.shows.orders.push(other);
  const tell = (complete: boolean): readonly string[] => {
    const read = { rows: desk.shows.orders, complete, sentAt: desk.now(), receivedAt: desk.now() };
    const request = { kind: 'open-orders' } as const;
    const chosen = { ...desk.sent.findLast(({ chosen: { request: r } }) => r.kind === 'open-orders')?.chosen, request };
    const facts = { sentAt: desk.now(), receivedAt: desk.now() };
    const completed = { kind: 'open-orders', request, outcome: { kind: 'read', read }, facts };
    desk.tell({ kind: 'completed', chosen: chosen as never, completed: completed as never });
    return desk.state().otherMarkets.map(({ orderId }) => orderId);
  };
  desk.pass(1_000);
  expect(tell(false)).toEqual([]);
  expect(tell(true)).toEqual(['1-7-1']);
});

test('a late-trade scan that is refused for its content is reported, and counts as made if a difference waits', () => {
  const desk = quotingDesk();
  fillNow(desk, inSlot(desk, 'buy:0'), { quantity: decimal('0.001') });
  desk.run(60_000);
  desk.reply = (request) =>
    request.kind === 'spot-trades' && request.filter.by === 'window' ? rejected(-1105) : undefined;
  move(desk, 'INR', '-700');
  desk.run(3 * 60_000);
  expect(ops(desk)).toContain('history-read');
  expect(ops(desk)).toContain('difference');
});

test('orders quoted in another asset count by number in the overall limits, not in money', () => {
  const one = quotingDesk(deskSettings({ symbols: [BTC] }));
  const two = quotingDesk(deskSettings({ symbols: [BTC, 'ETH/USDT'] }));
  const [bid] = two.intents();
  if (bid === undefined) throw new Error('No order.');
  // One more, of a market that is quoted otherwise.
  const foreign = { ...bid, intentId: 'other' as never, symbol: 'ETH/USDT', slot: 'buy:1' as never };
  two.state().durable.orders.intents.set(foreign.intentId, foreign);
  const [totals, before] = [two, one].map(
    (desk) => riskContext(desk.state(), marketOf(desk.state(), BTC), desk.now()).totals,
  );
  expect(totals?.openOrders).toBe(two.intents().length);
  expect(two.intents().length).toBeGreaterThan(one.intents().length);
  expect(totals?.openNotional.toFixed()).toBe(before?.openNotional.toFixed());
});
