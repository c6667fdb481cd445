// An order that a list shows long after it was held for closed: the bot knows that it rests, and its file of own orders
// does not name it any more. The watchdog and cancel-all call that flat.
import { expect, test } from '@jest/globals';
import { MINUTE } from '../../../src/domain/time.ts';
import { emptyDurable } from '../../../src/trader/durable/durable.ts';
import {
  differences,
  forgetOld,
  noOrders,
  notesOf,
  notesOfRecord,
  ordersAtStart,
  take,
} from '../../../src/watchdog/own-orders.ts';
import { nextStep } from '../../../src/watchdog/sweep.ts';
import { beginSweep } from '../../../src/watchdog/sweep-state.ts';
import { LAG_MS } from '../trader/desk-settings.ts';
import { type Desk, quotingDesk, rowOf, unknown } from '../trader/trader-kit.ts';
import { answer, list } from './turns/sweep-kit.ts';
import { SETTINGS } from './watch-world.ts';

/** What the bot has noted by now, as a file that is written anew now holds it. */
function fileOf(desk: Desk) {
  const orders = ordersAtStart(noOrders(null), emptyDurable(), null);
  for (const { type, payload } of desk.events)
    for (const note of notesOfRecord({ type, payload: JSON.stringify(payload) } as never)) take(orders, note);
  const clock = { now: desk.now, monotonic: desk.now };
  // As before each renewal of the lease.
  for (const note of differences(orders, desk.state(), clock)) take(orders, note);
  forgetOld(orders, desk.now());
  const file = noOrders(null);
  for (const note of notesOf(orders, desk.now())) take(file, note);
  return file;
}

test('an order that rests, as the bot knows, is canceled by a watchdog that takes over', () => {
  const desk = quotingDesk();
  const [bid] = desk.intents();
  if (!bid?.orderId) throw new Error('Nothing is quoted.');
  desk.tell({ kind: 'pause', reason: 'Nobody watches.' });
  desk.run(LAG_MS * 3);
  expect(desk.intents()).toEqual([]);
  desk.run(16 * MINUTE, 1_000);
  // It rests all the same, and no cancel of it comes through.
  desk.shows.orders.push(rowOf(bid, bid.orderId, desk.now()));
  desk.reply = ({ kind }) => (kind === 'cancel' ? unknown : undefined);
  desk.run(20_000, 1_000);
  expect(desk.notices.some(({ op }) => op === 'stray-order')).toBe(true);
  expect(desk.intents()).toMatchObject([{ intentId: bid.intentId, state: 'cancel-sent' }]);

  const sweep = beginSweep({ ...SETTINGS.sweep, symbols: ['BTC/INR'] }, fileOf(desk), 0);
  const rows = [...desk.shows.orders];
  const steps: string[] = [];
  for (let now = 100; now < 20_000; now += 250) {
    const step = nextStep(sweep, now);
    if (step.kind === 'flat') steps.push('flat');
    if (step.kind === 'flat') break;
    if (step.kind !== 'send') continue;
    steps.push(step.request.kind === 'cancel' ? `cancel ${step.request.orderId}` : step.request.kind);
    if (step.request.kind === 'open-orders') list(sweep, rows, now);
    else answer(sweep, step.request, { kind: 'acknowledged', msg: 'ok' }, { now: now + 10, leftAt: now });
  }
  expect(steps).toContain(`cancel ${bid.orderId}`);
});
