// A create without an answer at whose price an order of nobody's fills in part: what a list shows of it says whose it
// is.
import { describe, expect, test } from '@jest/globals';
import { decimal } from '../../../../src/domain/decimal.ts';
import { HORIZON_MS, LAG_MS } from '../desk-settings.ts';
import { haltOf, list, lostBid } from '../lost-bid.ts';
import { endOf, inSlot, ops, tradeNow } from '../trader-kit.ts';

const PROVED_MS = HORIZON_MS + 2 * LAG_MS + 10_000;

test('a fill from before the first list is the create’s, even if the owner traded often since', () => {
  const { desk, order, id } = lostBid();
  tradeNow(desk, { ...order, quantity: decimal('0.003') }, '1-9-1');
  const owners = { ...order, side: 'sell', price: decimal(120_000), quantity: decimal('0.0001') } as const;
  for (let count = 0; count < 400; count += 1) tradeNow(desk, owners, `1-${100 + count}-1`, { at: desk.now() + count });
  desk.run(LAG_MS + 4_000);
  expect(desk.events.filter(({ type }) => type === 'fill')).toHaveLength(401);
  list(desk, order, '1-9-1', desk.now() - LAG_MS);
  desk.run(2_000);
  expect(inSlot(desk, 'buy:0')).toMatchObject({ intentId: id, orderId: '1-9-1' });
  expect(inSlot(desk, 'buy:0').filled.toFixed()).toBe('0.003');
});

describe('an order that a list has shown with another quantity is the owner’s', () => {
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
    tradeNow(desk, order, '1-5-1', { quantity: quantity.mul(share) });
    if (isGone) desk.shows.orders = [];
    desk.run(PROVED_MS + LAG_MS);
    expect(endOf(desk, id)).toBe('not-placed');
    expect(haltOf(desk)).toBeUndefined();
    expect(ops(desk)).toContain('external-fill');
  });
});
