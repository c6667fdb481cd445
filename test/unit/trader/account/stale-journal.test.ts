// A start whose journal may be older than what the account shows: what is asked, what is not, and what the answer does.
import { describe, expect, test } from '@jest/globals';
import { decimal } from '../../../../src/domain/decimal.ts';
import { intentId, orderId } from '../../../../src/domain/ids.ts';
import type { OrderRequest } from '../../../../src/domain/order.ts';
import { MINUTE } from '../../../../src/domain/time.ts';
import { haltForLaterTrade } from '../../../../src/trader/account/stale-journal.ts';
import { endOfJournal } from '../../../../src/trader/durable/durable.ts';
import { marketIn } from '../../../../src/trader/durable/market.ts';
import { askAbout } from '../../../../src/trader/policy/attribution/questions.ts';
import { marketOf } from '../../../../src/trader/state/state.ts';
import { beginTurn } from '../../../../src/trader/state/turn.ts';
import { BTC, deskSettings, ETH, HORIZON_MS, LAG_MS } from '../desk-settings.ts';
import { codesIn, haltsIn } from '../durable-kit.ts';
import { lostBid } from '../lost-bid.ts';
import {
  canceled,
  type Desk,
  endOf,
  fillOf,
  inSlot,
  moveOrders,
  moveWallet,
  ops,
  quotingDesk,
  readyDesk,
  rowOf,
  tradeNow,
  unknown,
} from '../trader-kit.ts';

const HALF_AN_HOUR_MS = 30 * MINUTE;
const haltsOf = (desk: Desk): readonly string[] =>
  [...codesIn(desk.state().durable)].map(([symbol, code]) => `${symbol} ${code}`);
const createsFrom = (desk: Desk, at: number): number =>
  desk.sent.filter(({ at: left, chosen: { request } }) => request.kind === 'create' && left >= at).length;

/** A bid at a price of its own, as large as the bot's (1,000 INR). */
const LIKE_OURS: OrderRequest = { symbol: BTC, side: 'buy', price: decimal(97_000), quantity: decimal('0.0103') };
const UNLIKE_OURS: OrderRequest = { ...LIKE_OURS, quantity: decimal('0.05') };

/** The bot has quoted; an hour later the exchange shows what it shows, and a start finds the journal of an hour ago. */
function hourLater(desk: Desk, shows: readonly OrderRequest[], isClean = true): void {
  if (isClean) {
    desk.tell({ kind: 'stop' });
    desk.run(HORIZON_MS + 2 * LAG_MS);
    expect(desk.state().durable.journal.endedFlat).toBe(true);
  }
  desk.pass(2 * HALF_AN_HOUR_MS);
  desk.shows.orders = shows.map((order, index) => rowOf(order, `1-${900 + index}-1`, desk.now() - HALF_AN_HOUR_MS));
}

describe('on a shared account', () => {
  test('an order as large as the bot’s that its journal does not know: nothing is placed before an answer', () => {
    const desk = quotingDesk(deskSettings({ symbols: [BTC, ETH] }));
    hourLater(desk, [LIKE_OURS]);
    desk.restart();
    const from = desk.now();
    desk.run(10_000);
    expect(haltsOf(desk)).toEqual([`${BTC} journal-stale`, `${ETH} journal-stale`]);
    expect(haltsIn(desk.state().durable).get(BTC)).toMatch(
      /^The journal ends at \S+ \S+ UTC, .*order 1-900-1 \(buy 0\.0103 @ 97000\)/,
    );
    expect({ phase: desk.state().phase, creates: createsFrom(desk, from) }).toEqual({
      phase: 'starting',
      creates: 0,
    });
    desk.restart();
    desk.run(10_000);
    expect({ halts: haltsOf(desk).length, canceled: canceled(desk).includes('1-900-1') }).toEqual({
      halts: 2,
      canceled: false,
    });
    expect(createsFrom(desk, from)).toBe(0);
  });

  test.each(['adopt', 'not-mine'] as const)('the answer %s is given once, and quoting goes on', (answer) => {
    const desk = quotingDesk();
    hourLater(desk, [LIKE_OURS]);
    desk.restart();
    desk.run(10_000);
    desk.restart(deskSettings(), [], 0, { answer });
    desk.run(10_000);
    expect(haltsOf(desk)).toEqual([]);
    expect(inSlot(desk, 'buy:0').state).toBe('open');
    expect(canceled(desk).includes('1-900-1')).toBe(answer === 'adopt');
    if (answer === 'adopt') expect(endOf(desk, '3~1-900-1')).toBe('canceled');
    desk.restart();
    desk.run(3_000);
    expect(haltsOf(desk)).toEqual([]);
  });

  test('fills of an order that is taken over are booked as the bot’s', () => {
    const desk = quotingDesk();
    hourLater(desk, [LIKE_OURS]);
    desk.restart();
    desk.run(3_000);
    tradeNow(desk, LIKE_OURS, '1-900-1', { quantity: decimal('0.004') });
    desk.run(5_000);
    desk.restart(deskSettings(), [], 0, { answer: 'adopt' });
    desk.run(10_000);
    expect(endOf(desk, '3~1-900-1')).toBe('canceled 0.004 of 0.0103');
    expect(marketIn(desk.state().durable, BTC).tally.buys).toBe(1);
  });

  test('also where many trades of other orders came after them', () => {
    const desk = quotingDesk();
    hourLater(desk, [LIKE_OURS]);
    desk.restart();
    desk.run(3_000);
    const other = { ...LIKE_OURS, quantity: decimal('0.0001') };
    const fills = [
      fillOf(LIKE_OURS, orderId('1-900-1'), { at: desk.now(), quantity: decimal('0.004') }),
      ...Array.from({ length: 30 }, () => fillOf(other, orderId('1-950-1'), { at: desk.now() })),
    ];
    for (const fill of fills) {
      desk.shows.fills.push(fill);
      moveWallet(desk.shows, fill);
      moveOrders(desk.shows, fill);
    }
    desk.run(5_000);
    desk.restart(deskSettings(), [], 0, { answer: 'adopt' });
    desk.run(10_000);
    expect(endOf(desk, '3~1-900-1')).toBe('canceled 0.004 of 0.0103');
  });

  test('an order of another size, and any trade after a clean end, are the owner’s: nobody is asked', () => {
    const desk = quotingDesk();
    hourLater(desk, [UNLIKE_OURS]);
    tradeNow(desk, LIKE_OURS, '1-950-1', { at: desk.now() - HALF_AN_HOUR_MS });
    desk.restart();
    desk.run(10_000);
    expect(haltsOf(desk)).toEqual([]);
    expect(ops(desk)).toContain('stray-order');
    expect(ops(desk)).toContain('external-fill');
  });

  test('a maker’s trade of exactly the bot’s size after an unclean end is asked about', () => {
    const desk = quotingDesk();
    hourLater(desk, [], false);
    tradeNow(desk, LIKE_OURS, '1-950-1', { at: desk.now() - HALF_AN_HOUR_MS, liquidity: 'maker' });
    desk.restart();
    desk.run(10_000);
    expect(haltsOf(desk)).toEqual([`${BTC} journal-stale`]);
    expect(haltsIn(desk.state().durable).get(BTC)).toContain('order 1-950-1');
  });

  test('orders placed by hand while the bot runs, or right after it was killed, are not', () => {
    const desk = quotingDesk();
    desk.restart();
    desk.run(5_000);
    desk.shows.orders.push(rowOf(LIKE_OURS, '1-900-1', desk.now()));
    desk.run(5_000);
    desk.pass(2_000);
    desk.restart();
    desk.run(10_000);
    expect(haltsOf(desk)).toEqual([]);
  });

  test('an order that the file of own orders names is the bot’s, whatever its size', () => {
    const desk = quotingDesk();
    hourLater(desk, [UNLIKE_OURS]);
    desk.restart(deskSettings(), [], 0, { doubt: { why: null, ownMarks: new Set([orderId('1-900-1')]) } });
    desk.run(10_000);
    expect(haltsOf(desk)).toEqual([`${BTC} journal-stale`]);
  });

  test('trades that may belong to an unanswered create do not show that the journal is old', () => {
    // A bid left, the bot died before its answer, a part of it filled, and the watchdog canceled the rest.
    const { desk, order, id } = lostBid();
    desk.pass(MINUTE);
    const fill = fillOf(order, orderId('1-9-1'), { quantity: decimal('0.004'), at: desk.now() });
    desk.pass(MINUTE);
    desk.restart(deskSettings(), [], 0, { doubt: { why: null, ownMarks: new Set([orderId('1-9-1')]) } });
    const shows = (): boolean =>
      haltForLaterTrade(beginTurn(desk.state(), desk.now()), marketOf(desk.state(), BTC), fill, [fill]);
    expect(shows()).toBe(false);
    desk.state().durable.orders.intents.delete(intentId(id));
    expect(shows()).toBe(true);
  });

  test('trades of an order that a person was asked about do not either (seed 25477)', () => {
    const desk = quotingDesk();
    hourLater(desk, [], false);
    desk.restart();
    const turn = beginTurn(desk.state(), desk.now());
    const showsBy = (id: string): boolean => {
      const fill = fillOf(LIKE_OURS, orderId(id), { at: desk.now() - HALF_AN_HOUR_MS, liquidity: 'maker' });
      return haltForLaterTrade(turn, marketOf(turn.state, BTC), fill, [fill]);
    };
    askAbout(turn, marketOf(turn.state, BTC), {
      orders: [orderId('1-950-1')],
      as: 'twin',
      rows: [],
      message: 'Which of the two is it?',
    });
    expect(showsBy('1-950-1')).toBe(false);
    expect(showsBy('1-951-1')).toBe(true);
  });

  test('a restored state folder is asked about, whatever the account shows', () => {
    const desk = quotingDesk();
    hourLater(desk, []);
    const doubt = { why: 'The state folder was restored.', ownMarks: new Set<never>() };
    desk.restart(deskSettings(), [], 0, { doubt, answer: 'not-mine' });
    desk.run(10_000);
    expect(haltsOf(desk)).toEqual([`${BTC} journal-stale`]);
    expect(haltsIn(desk.state().durable).get(BTC)).toMatch(/^The state folder was restored\. .*--adopt-orders/);
  });
});

describe('on an account that is the bot’s alone', () => {
  const settings = deskSettings({ foreignOrders: 'refuse' });
  const doubt = { why: 'The state folder was restored.', ownMarks: new Set<never>() };
  const asked = (desk: Desk): readonly string[] => [...desk.state().durable.orders.questioned.keys()];

  /** The process was killed while it quoted; an hour later the exchange shows an order of so long after that. */
  function killed(desk: Desk, laterMs: number): void {
    const endedAt = desk.now();
    desk.pass(2 * HALF_AN_HOUR_MS);
    desk.shows.orders = [rowOf(UNLIKE_OURS, '1-900-1', endedAt + laterMs)];
  }

  test('any later order and any later maker’s trade is asked about', () => {
    const desk = quotingDesk(settings);
    hourLater(desk, [UNLIKE_OURS]);
    desk.restart();
    desk.run(10_000);
    expect(haltsOf(desk)).toEqual([`${BTC} journal-stale`]);
  });

  test('no fence cancels what the journal does not know, before a list was read or a person has answered', () => {
    const { desk } = lostBid(unknown, readyDesk(settings));
    killed(desk, HALF_AN_HOUR_MS);
    desk.restart();
    const fences = (): number => desk.sent.filter(({ chosen }) => chosen.request.kind === 'cancel-symbol').length;
    desk.run(MINUTE);
    expect({ asked: asked(desk), fences: fences() }).toEqual({ asked: ['1-900-1'], fences: 0 });
    desk.tell({ kind: 'stop' });
    desk.run(2 * MINUTE);
    expect({ phase: desk.state().phase, flat: desk.state().durable.journal.endedFlat, fences: fences() }).toEqual({
      phase: 'stopped',
      flat: false,
      fences: 0,
    });
    desk.restart(settings, [], 0, { answer: 'adopt' });
    desk.run(MINUTE);
    expect({ fences: fences(), end: endOf(desk, '3~1-900-1') }).toEqual({ fences: 1, end: 'canceled' });
  });

  test('orders from just after the end of a journal that is known to be old are asked about, too', () => {
    const desk = quotingDesk(settings);
    killed(desk, 1_000);
    desk.restart(settings, [], 0, { doubt });
    desk.run(10_000);
    expect(asked(desk)).toEqual(['1-900-1']);
  });

  test.each([
    [-1_500, ['1-900-1']],
    [1_500, ['1-900-1']],
    // So far the clocks of two processes may be apart at the most: twice a second.
    [-2_500, []],
  ])('as is what came %d ms after its last record, as clocks may differ: %j', (laterMs, expected) => {
    const desk = quotingDesk(settings);
    const lastRecordAt = endOfJournal(desk.state().durable.journal);
    killed(desk, lastRecordAt + laterMs - desk.now());
    desk.restart(settings, [], 0, { doubt });
    desk.run(10_000);
    expect(asked(desk)).toEqual(expected);
  });

  test.each([-45 * MINUTE, 45 * MINUTE])('on a machine whose clock differs by %d ms as well', (differsMs) => {
    const desk = quotingDesk(settings);
    killed(desk, HALF_AN_HOUR_MS);
    desk.restart(settings, [], differsMs);
    desk.run(10_000);
    expect(asked(desk)).toEqual(['1-900-1']);
  });
});
