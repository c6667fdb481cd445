// The clock of the machine is set while the bot is down (F85): how long ago an order left is told by the exchange's clock.
import { describe, expect, test } from '@jest/globals';
import { MINUTE, SECOND } from '../../../src/domain/time.ts';
import { HORIZON_MS, LAG_MS } from './desk-settings.ts';
import { type Desk, inSlot, nextCreate, ops, readyDesk, rowOf, unknown } from './trader-kit.ts';

/**
 * A bid whose answer was lost, or that was on its way when its process ended; and that process started again with another clock. The order's
 * row has the exchange's time.
 */
function lostBefore(clockSetMs: number, answered = true): { readonly desk: Desk; readonly show: () => void } {
  const desk = readyDesk();
  const create = nextCreate(desk);
  if (create.request.kind !== 'create') throw new Error('No create.');
  const { order } = create.request;
  const leftAt = desk.now();
  if (answered) desk.answer(create, unknown);
  desk.pass(200);
  desk.restart(undefined, [], clockSetMs);
  return { desk, show: () => desk.shows.orders.push(rowOf(order, '1-9-1', leftAt)) };
}

describe('a clock that was set back', () => {
  test('an order that is listed by an earlier time than its create is not taken for one that was there before (seed 3284)', () => {
    const { desk, show } = lostBefore(-10 * SECOND);
    show();
    desk.shows.ordersCut = true;
    desk.look('orders');
    expect(inSlot(desk, 'buy:0').state).toBe('unknown');
    desk.shows.ordersCut = false;
    desk.pass(SECOND);
    desk.look('orders');
    expect(inSlot(desk, 'buy:0')).toMatchObject({ state: 'open', orderId: '1-9-1' });
  });
});

describe('a clock that was set forward', () => {
  test('absence is not proved before the horizon of the exchange’s clock', () => {
    const { desk, show } = lostBefore(60 * MINUTE);
    desk.reply = ({ kind }) => (kind === 'create' ? null : undefined);
    desk.run(HORIZON_MS + LAG_MS - 2 * SECOND);
    expect(inSlot(desk, 'buy:0').state).toBe('unknown');
    show();
    desk.run(2 * SECOND);
    expect(inSlot(desk, 'buy:0')).toMatchObject({ state: 'open', orderId: '1-9-1' });
  });

  test('it is said', () => {
    const { desk } = lostBefore(60 * MINUTE);
    expect(ops(desk)).toContain('clock-moved');
  });
});

describe('a create on its way when the process ended is unknown since the start, by the clock as it is then (seed 7017)', () => {
  test.each([-60 * MINUTE, 60 * MINUTE])('set by %d ms: found as soon as it is listed', (setMs) => {
    const { desk, show } = lostBefore(setMs, false);
    desk.run(3 * SECOND);
    show();
    desk.run(3 * SECOND);
    expect(inSlot(desk, 'buy:0')).toMatchObject({ state: 'open', orderId: '1-9-1' });
  });

  test.each([-60 * MINUTE, 60 * MINUTE])('set by %d ms: proved absent in the time that it takes', (setMs) => {
    const { desk } = lostBefore(setMs, false);
    desk.reply = ({ kind }) => (kind === 'create' ? null : undefined);
    desk.run(2 * (HORIZON_MS + LAG_MS) + 30 * SECOND);
    expect(desk.notices.filter(({ op }) => op === 'not-placed')).toHaveLength(1);
  });
});

test('a clock that is known a little otherwise was not set', () => {
  const { desk } = lostBefore(400);
  expect(ops(desk)).not.toContain('clock-moved');
});
