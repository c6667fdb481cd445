// The clock of the machine is set while the bot is down (F85): how long ago an order left is told by the exchange's
// clock.
import { describe, expect, test } from '@jest/globals';
import { intentId, orderId } from '../../../src/domain/ids.ts';
import { MINUTE, SECOND } from '../../../src/domain/time.ts';
import { emptyDurable, type Stamp } from '../../../src/trader/durable/durable.ts';
import { applyEvent } from '../../../src/trader/durable/fold/apply-event.ts';
import { marketIn, marketToChange } from '../../../src/trader/durable/market.ts';
import { stepsAtMost } from '../steps-at-most.ts';
import { BTC, HORIZON_MS, LAG_MS } from './desk-settings.ts';
import { type Desk, inSlot, nextCreate, ops, readyDesk, rejected, rowOf, textOf, unknown } from './trader-kit.ts';

/**
 * A bid whose answer was lost, or that was on its way when its process ended; and that process started again with
 * another clock. The order's row has the exchange's time.
 */
function lostBefore(clockSetMs: number, answered = true): { readonly desk: Desk; readonly show: () => void } {
  const desk = readyDesk();
  const create = nextCreate(desk);
  const { order } = create.request;
  const leftAt = desk.now();
  if (answered) desk.answer(create, unknown);
  desk.pass(200);
  desk.restart(undefined, [], clockSetMs);
  return { desk, show: () => desk.shows.orders.push(rowOf(order, '1-9-1', leftAt)) };
}

test('behind a clock that was set back an order of an earlier time than its create does not count as older', () => {
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

test('after a sleep (F86) nothing is created by what was read before, though it looks young: all is read anew', () => {
  const desk = readyDesk();
  desk.pass(SECOND);
  desk.shows.books[BTC] = [98_500, 100_500];
  desk.tell({ kind: 'clock', offsetMs: 30 * MINUTE, uncertaintyMs: 50, confirmed: true });
  const sent: string[] = [];
  for (let tries = 0; tries < 20; tries += 1) {
    const chosen = desk.open('private');
    if (chosen !== null) {
      sent.push(chosen.request.kind);
      desk.answer(chosen);
    }
    desk.pass(100);
  }
  expect(sent).toEqual(expect.arrayContaining(['open-orders', 'spot-trades', 'wallet']));
  expect(sent).not.toContain('create');
  desk.run(2 * SECOND);
  expect(desk.intents().map(textOf)).toEqual(['buy 0.01 @ 97510', 'sell 0.01 @ 101490']);
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

  test('it is reported once the exchange has accepted a stamp', () => {
    const { desk } = lostBefore(60 * MINUTE);
    desk.look('book');
    expect(ops(desk)).not.toContain('clock-moved');
    desk.look('orders');
    expect(ops(desk)).toContain('clock-moved');
  });
});

describe('an outdated Date (F88, seed 3375)', () => {
  /**
   * A bid whose cancel got no answer; and its process started again, an hour later by its clock, with a first `Date` of
   * half an hour ago.
   */
  function misled(): { readonly desk: Desk; readonly isTaken: () => boolean } {
    const desk = readyDesk();
    desk.answer(nextCreate(desk));
    desk.shows.books = { [BTC]: [79_000, 81_000] };
    desk.reply = ({ kind }) => (kind === 'cancel' || kind === 'create' ? null : undefined);
    desk.run(3 * SECOND);
    expect(inSlot(desk, 'buy:0').state).toBe('cancel-sent');
    desk.restart(undefined, [], 60 * MINUTE);
    const offsetMs = -60 * MINUTE;
    let taken = false;
    desk.reply = (request) => {
      if (!('stamp' in request)) return undefined;
      const isRight = Math.abs(request.stamp.timestamp - desk.now() - offsetMs) <= request.stamp.recvWindow;
      taken ||= isRight;
      return isRight ? undefined : rejected(-1021);
    };
    desk.tell({ kind: 'clock', offsetMs: offsetMs - 30 * MINUTE, uncertaintyMs: 500, confirmed: true });
    return { desk, isTaken: () => taken };
  }

  const moves = (desk: Desk): number[] =>
    desk.events.flatMap((event) => (event.type === 'clock-moved' ? [event.payload.byMs] : []));

  test('tells nothing before the exchange has taken a stamp, and what was canceled is so since then', () => {
    const { desk, isTaken } = misled();
    const startedAt = desk.now();
    desk.run(5 * SECOND);
    expect(isTaken()).toBe(false);
    expect(moves(desk)).toEqual([]);
    expect(inSlot(desk, 'buy:0').since).toBeGreaterThanOrEqual(startedAt);
    desk.tell({ kind: 'clock', offsetMs: -60 * MINUTE, uncertaintyMs: 500, confirmed: true });
    desk.run(5 * SECOND);
    expect(moves(desk)).toEqual([60 * MINUTE]);
    expect(inSlot(desk, 'buy:0').since).toBeLessThanOrEqual(desk.now());
    desk.run(20 * SECOND);
    expect(ops(desk).filter((op) => op === 'closed')).toHaveLength(1);
  });

  test('on the very answer that proves the stamp: the stamp is trusted', () => {
    const { desk } = misled();
    desk.tell({ kind: 'clock', offsetMs: -60 * MINUTE, uncertaintyMs: 500, confirmed: true });
    desk.pass(SECOND);
    let asked = desk.open('private');
    const step = stepsAtMost();
    for (; asked?.request.kind === 'cancel'; asked = desk.open('private')) step();
    if (asked === null) throw new Error('Nothing was asked.');
    desk.tell({ kind: 'clock', offsetMs: -90 * MINUTE, uncertaintyMs: 500, confirmed: true });
    desk.answer(asked);
    expect(moves(desk)).toEqual([60 * MINUTE]);
  });
});

describe('a create on its way when the process ended is unknown since the start, by the clock as it is then', () => {
  test.each([-60 * MINUTE, 60 * MINUTE])('set by %d ms: found as soon as it is listed', (setMs) => {
    const { desk, show } = lostBefore(setMs, false);
    desk.run(3 * SECOND);
    show();
    desk.run(3 * SECOND);
    expect(inSlot(desk, 'buy:0').orderId).toBe('1-9-1');
  });

  test.each([-60 * MINUTE, 60 * MINUTE])('set by %d ms: proved absent in the time that it takes', (setMs) => {
    const { desk } = lostBefore(setMs, false);
    desk.reply = ({ kind }) => (kind === 'create' ? null : undefined);
    desk.run(2 * (HORIZON_MS + LAG_MS) + 30 * SECOND);
    expect(desk.notices.filter(({ op }) => op === 'not-placed')).toHaveLength(1);
  });
});

/** By a create, at a moment before the session starts. */
const told = ({ timestamp, sentAt }: Stamp, at: number) => ({ startedAt: at + 1, stamp: { timestamp, sentAt }, at });

test('the rest after an order that was refused and placed all the same goes on by the new clock', () => {
  const { desk } = lostBefore(0);
  const [newest] = desk.intents();
  if (newest === undefined) throw new Error('No intent.');
  const durable = emptyDurable();
  durable.orders.intents.set(newest.intentId, newest);
  const at = newest.sentAt - SECOND;
  marketToChange(durable, BTC).breaches = [{ intentId: intentId('1-1'), at }];
  applyEvent(durable, { type: 'clock-moved', payload: { ...told(newest, at), byMs: -MINUTE } });
  expect(marketIn(durable, BTC).breaches).toEqual([{ intentId: '1-1', at: at - MINUTE }]);
  applyEvent(durable, { type: 'clock-moved', payload: { ...told(newest, at), byMs: 2 * MINUTE } });
  expect(marketIn(durable, BTC).breaches).toEqual([{ intentId: '1-1', at }]);
});

test('since when a symbol is halted is said by the new clock', () => {
  const durable = emptyDurable();
  const at = 1_700_000_000_000;
  const halted = (): number => (marketIn(durable, BTC).halt?.since ?? 0) - at;
  applyEvent(durable, { type: 'symbol-halted', payload: { symbol: BTC, reason: 'It lost.', code: 'loss', at } });
  expect(halted()).toBe(0);
  applyEvent(durable, {
    type: 'clock-moved',
    payload: { ...told({ timestamp: at, sentAt: at }, at + 2 * MINUTE), byMs: MINUTE },
  });
  expect(halted()).toBe(MINUTE);
});

test('a create that left by the new clock already is not moved: its stamp tells (seed 21447)', () => {
  const { desk } = lostBefore(0);
  const [known] = desk.intents();
  if (known === undefined) throw new Error('No intent.');
  const durable = emptyDurable();
  const named = { ...known, intentId: intentId('1-1'), orderId: orderId('1-9-1') };
  // A minute later by the exchange's clock; ours has lost that minute meanwhile.
  const later = { ...known, intentId: intentId('1-2'), timestamp: known.timestamp + MINUTE };
  for (const intent of [named, later]) durable.orders.intents.set(intent.intentId, intent);
  applyEvent(durable, { type: 'clock-moved', payload: { ...told(known, known.sentAt + SECOND), byMs: -MINUTE } });
  const horizons = [named, later].map(({ intentId: id }) => durable.orders.intents.get(id)?.horizon);
  expect(horizons).toEqual([known.horizon - MINUTE, known.horizon]);
});

describe('times recorded after the newest create', () => {
  const moved = (since: number, byMs: number): number => {
    const { desk } = lostBefore(0);
    const [intent] = desk.intents();
    if (intent === undefined) throw new Error('No intent.');
    const durable = emptyDurable();
    const at = intent.sentAt + 10 * SECOND;
    durable.orders.intents.set(intent.intentId, { ...intent, since: intent.sentAt + since });
    applyEvent(durable, { type: 'clock-moved', payload: { ...told(intent, at), byMs } });
    return (durable.orders.intents.get(intent.intentId)?.since ?? 0) - intent.sentAt;
  };

  test.each([
    ['may have the new clock already, and is made no older', 5 * SECOND, -MINUTE, 5 * SECOND],
    ['is of now at the latest', MINUTE, -MINUTE, 10 * SECOND],
    ['is made younger, to now at the latest', 5 * SECOND, MINUTE, 10 * SECOND],
    ['and before it is made older', -SECOND, -MINUTE, -MINUTE - SECOND],
  ])('%s', (_what, since, byMs, expected) => {
    expect(moved(since, byMs)).toBe(expected);
  });
});

test('a slightly different estimate is no clock change', () => {
  const { desk } = lostBefore(400);
  expect(ops(desk)).not.toContain('clock-moved');
});
