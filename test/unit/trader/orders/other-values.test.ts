// A create was held for an order because of its fills, and lists show it with other values: it is another order.
import { describe, expect, test } from '@jest/globals';
import { decimal } from '../../../../src/domain/decimal.ts';
import { unmatchedOrders } from '../../../../src/trader/orders/in-question.ts';
import { BTC, HORIZON_MS, LAG_MS } from '../desk-settings.ts';
import { codesIn } from '../durable-kit.ts';
import { haltOf, lostBid } from '../lost-bid.ts';
import { canceled, endOf, ops, rowOf, tradeNow } from '../trader-kit.ts';

const resume = [{ symbol: BTC, price: null }];

/** The owner's order of five times as much, 1-5-1, has filled by what a lost bid was of before any list shows it. */
function takenForOurs() {
  const { desk, order, id } = lostBid();
  const owners = { ...order, quantity: order.quantity.mul(5) };
  desk.shows.orders.push(rowOf(owners, '1-5-1', desk.now()));
  tradeNow(desk, order, '1-5-1');
  desk.pass(200);
  desk.look('trades');
  expect(endOf(desk, id)).toBe('filled 0.01 of 0.01');
  return { desk, order };
}

describe('an order of other values than were sent, whose first fill was taken for that of a lost create', () => {
  test('is not canceled: a person is asked whose it is', () => {
    const { desk } = takenForOurs();
    desk.run(LAG_MS + 5_000);
    expect(canceled(desk)).not.toContain('1-5-1');
    expect(codesIn(desk.state().durable).get(BTC)).toBe('order-unknown');
    expect(haltOf(desk)).toBe(
      'A list shows order 1-5-1 (buy 0.04 @ 98000), which was held for our buy 0.01 @ 98000: it is another order, ' +
        "and is left alone. What is booked of it stays the bot's. Look it up at the exchange, then resume the " +
        "symbol: with --adopt-orders where it is the bot's.",
    );
  });

  test('is the owner’s, and so is what fills of it then, once the symbol is resumed: nobody asks again', () => {
    const { desk, order } = takenForOurs();
    desk.run(2_000);
    desk.restart(undefined, resume);
    desk.run(2_000);
    tradeNow(desk, order, '1-5-1');
    desk.run(3 * LAG_MS);
    expect(haltOf(desk)).toBeUndefined();
    expect(canceled(desk)).not.toContain('1-5-1');
    const bookedFor = desk.events.flatMap((event) => (event.type === 'fill' ? [event.payload.intentId] : []));
    expect(bookedFor).toEqual(['1-1', null]);
  });

  test('is canceled where a person says that it is the bot’s', () => {
    const { desk } = takenForOurs();
    desk.run(2_000);
    desk.restart(undefined, resume, 0, { answer: 'adopt' });
    desk.run(2_000);
    expect(canceled(desk)).toContain('1-5-1');
  });

  test('is waited for by no stop, which names it and is not flat', () => {
    const { desk } = takenForOurs();
    desk.run(2_000);
    for (const create of [...desk.held]) desk.answer(create);
    desk.tell({ kind: 'stop' });
    desk.run(HORIZON_MS + 2 * LAG_MS);
    expect(desk.state()).toMatchObject({ phase: 'stopped', durable: { journal: { endedFlat: false } } });
    expect(unmatchedOrders(desk.state())).toMatchObject([{ row: { orderId: '1-5-1' }, mayBeOurs: true }]);
  });

  test('is canceled as ever where the exchange may have rounded it (F16)', () => {
    const { desk, order } = lostBid();
    tradeNow(desk, order, '1-9-1');
    desk.run(LAG_MS + 3_000);
    const rounded = { ...order, quantity: decimal('0.0102') };
    desk.shows.orders.push(rowOf(rounded, '1-9-1', desk.now()));
    desk.run(2_000);
    expect(ops(desk)).toContain('stray-order');
    expect(canceled(desk)).toContain('1-9-1');
  });
});
