// A create that was answered 429: refused before anybody looked at it. Its slot is free again when no copy of it can be
// taken any more, and a look after that does not show it.
import { describe, expect, test } from '@jest/globals';
import { HORIZON_MS, LAG_MS } from '../desk-settings.ts';
import { haltOf, type Lost, list, lostBid } from '../lost-bid.ts';
import { endOf, inSlot, ops, refusedForRate } from '../trader-kit.ts';

/** How long until it is closed, in ms, to a tenth of a second. */
function freeAfter({ desk, id }: Lost): number {
  const from = desk.now();
  while (desk.now() < from + 60_000 && endOf(desk, id) === 'not closed') desk.run(100);
  return desk.now() - from;
}

test('its slot is free soon after the horizon, without waiting for the lag bound', () => {
  const lost = lostBid(refusedForRate);
  const took = freeAfter(lost);
  expect(endOf(lost.desk, lost.id)).toBe('not-placed');
  expect(took).toBeGreaterThanOrEqual(HORIZON_MS);
  expect(took).toBeLessThan(HORIZON_MS + 1_500);
});

describe('the read after the horizon', () => {
  test('must be a complete list', () => {
    const { desk } = lostBid(refusedForRate);
    desk.shows.ordersCut = true;
    desk.run(HORIZON_MS + 3_000);
    expect(inSlot(desk, 'buy:0').state).toBe('soft-rejected');
    desk.shows.ordersCut = false;
    desk.run(1_500);
    expect(desk.state().durable.orders.closed.size).toBe(1);
  });

  test('must include the trades as well', () => {
    const { desk } = lostBid(refusedForRate);
    desk.reply = ({ kind }) => (kind === 'create' || kind === 'spot-trades' ? null : undefined);
    desk.run(HORIZON_MS + 3_000);
    expect(inSlot(desk, 'buy:0').state).toBe('soft-rejected');
  });
});

describe('if the exchange placed it anyway', () => {
  test('it is found while the search lasts, and a person is called', () => {
    const { desk, order } = lostBid(refusedForRate);
    list(desk, order, '1-9-1');
    desk.run(1_500);
    expect(ops(desk)).toContain('contract-broken');
    expect(desk.state().durable.orders.byOrderId.has('1-9-1' as never)).toBe(true);
  });

  test('and lists show it only after its slot is free, a person is asked whose it is', () => {
    const lost = lostBid(refusedForRate);
    lost.desk.reply = () => undefined;
    freeAfter(lost);
    lost.desk.run(500);
    expect(inSlot(lost.desk, 'buy:0').state).toBe('open');
    list(lost.desk, lost.order, '1-9-1');
    lost.desk.run(1_500);
    expect(haltOf(lost.desk)).toMatch(
      /^Order 1-9-1 .* is the same as our (order|intent) \S+ and may be a second one of it/,
    );
  });
});

test('a later session waits as for any other refusal', () => {
  const lost = lostBid(refusedForRate);
  lost.desk.restart();
  expect(freeAfter(lost)).toBeGreaterThan(HORIZON_MS + LAG_MS);
  expect(endOf(lost.desk, lost.id)).toBe('not-placed');
});
