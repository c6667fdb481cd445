// A create without an answer was filled in part, and its order ended before any list could show it.
import { describe, expect, test } from '@jest/globals';
import { decimal } from '../../../../src/domain/decimal.ts';
import { orderId } from '../../../../src/domain/ids.ts';
import type { OrderRequest } from '../../../../src/domain/order.ts';
import { MINUTE } from '../../../../src/domain/time.ts';
import type { Answer } from '../../../../src/trader/observe/take-over.ts';
import { BTC, deskSettings, HORIZON_MS, LAG_MS } from '../desk-settings.ts';
import { haltOf, list, lostBid } from '../lost-bid.ts';
import { type Desk, endOf, fillOf, moveWallet, ops, softRejected, unknown } from '../trader-kit.ts';

const PROVED_MS = HORIZON_MS + 2 * LAG_MS + 10_000;

/** Three tenths of it filled at its price; no list has shown the order, and nothing is locked for it. */
function filledInPart(
  outcome: typeof unknown | typeof softRejected = unknown,
  then: (desk: Desk, order: OrderRequest) => void = () => undefined,
) {
  const lost = lostBid(outcome);
  const { desk, order } = lost;
  const fill = fillOf(order, orderId('1-9-1'), { at: desk.now(), quantity: order.quantity.mul(0.3) });
  desk.shows.fills.push(fill);
  moveWallet(desk.shows, fill);
  then(desk, order);
  desk.run(PROVED_MS);
  return { ...lost, fill };
}

describe('a create without an answer at whose price an order filled that no list has shown', () => {
  test.each([
    ['unknown', unknown],
    ['refused with 200', softRejected],
  ] as const)('is not held for never placed: a person is asked (%s)', (_, outcome) => {
    const { desk, id } = filledInPart(outcome);
    expect(endOf(desk, id)).toBe('not closed');
    expect(haltOf(desk)).toBe(
      'Order 1-9-1 (0.003 filled) could be intent 1-1 (buy 0.01 @ 98000): no list shows of what quantity it was, and ' +
        "its trades are booked as not the bot's. Look it up at the exchange, then resume the symbol: with " +
        "--adopt-orders where it is the bot's.",
    );
    desk.run(MINUTE);
    expect(endOf(desk, id)).toBe('not closed');
    expect(desk.notices.filter(({ level }) => level === 'page')).toHaveLength(1);
  });

  test('is asked about also where the owner traded by the hundred meanwhile, at other prices', () => {
    const { desk, id, order } = filledInPart(unknown, ({ shows, now }, { symbol }) => {
      const owners = { symbol, side: 'sell', price: decimal(120_000), quantity: decimal('0.0001') } as const;
      for (let count = 0; count < 600; count += 1) {
        const fill = fillOf(owners, orderId(`1-${100 + count}-1`), { at: now() + count });
        shows.fills.push(fill);
        moveWallet(shows, fill);
      }
    });
    expect(desk.events.filter(({ type }) => type === 'fill')).toHaveLength(601);
    expect(endOf(desk, id)).toBe('not closed');
    expect(haltOf(desk)).toContain(`Order 1-9-1 (0.003 filled) could be intent 1-1 (buy 0.01 @ ${order.price}`);
  });

  test('keeps no stop from its end, which is not flat: no read tells more', () => {
    const { desk } = filledInPart();
    desk.restart();
    desk.run(PROVED_MS + LAG_MS);
    desk.tell({ kind: 'stop' });
    desk.run(3 * LAG_MS);
    expect(desk.state().phase).toBe('stopped');
    expect(desk.events.at(-1)).toMatchObject({ type: 'session-ended', payload: { flat: false, unknown: 1 } });
  });

  const answered = (answer: Answer | null) => {
    const { desk, id } = filledInPart();
    desk.restart(deskSettings(), [{ symbol: BTC, price: null }], 0, answer === null ? {} : { answer });
    desk.reply = ({ kind }) => (kind === 'create' ? null : undefined);
    desk.run(PROVED_MS + LAG_MS);
    return { desk, id };
  };

  test("is held for never placed where a person resumes the symbol: the order is not the bot's", () => {
    const { desk, id } = answered(null);
    expect(endOf(desk, id)).toBe('not-placed');
    expect(haltOf(desk)).toBeUndefined();
    expect([...desk.state().durable.orders.thirdParty]).toEqual(['1-9-1']);
  });

  test('is that order where a person says so, with what filled of it', () => {
    const { desk, id } = answered('adopt');
    expect(endOf(desk, id)).toBe('canceled 0.003 of 0.01');
    expect(haltOf(desk)).toBeUndefined();
  });
});

describe('an order that a list has shown with another quantity is not asked about', () => {
  const smaller = () => {
    const lost = lostBid();
    const quantity = lost.order.quantity.mul(0.6);
    list(lost.desk, { ...lost.order, quantity }, '1-5-1');
    lost.desk.run(1_500);
    return { ...lost, quantity };
  };

  test.each([
    ['while it rests', 0.5, false],
    ['when it has filled and is gone', 1, true],
  ])('%s', (_, share, isGone) => {
    const { desk, order, id, quantity } = smaller();
    const fill = fillOf(order, orderId('1-5-1'), { at: desk.now(), quantity: quantity.mul(share) });
    desk.shows.fills.push(fill);
    moveWallet(desk.shows, fill);
    if (isGone) desk.shows.orders = [];
    desk.run(PROVED_MS + LAG_MS);
    expect(endOf(desk, id)).toBe('not-placed');
    expect(haltOf(desk)).toBeUndefined();
    expect(ops(desk)).toContain('external-fill');
  });
});
