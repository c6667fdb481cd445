// A market that is configured later, over restarts, and in journals of an older program.
import { describe, expect, test } from '@jest/globals';
import { emptyDurable } from '../../../src/trader/durable/durable.ts';
import { applyEvent } from '../../../src/trader/durable/fold/apply-event.ts';
import { marketIn } from '../../../src/trader/durable/market.ts';
import {
  add,
  BOTH,
  booked,
  codes,
  DAY,
  expectCalm,
  HOUR,
  held,
  INEXACT,
  move,
  openings,
  theirs,
  trade,
  waitingDesk,
} from './added-market-kit.ts';
import { deskSettings, ETH } from './desk-settings.ts';
import { haltsIn } from './durable-kit.ts';
import { runUntil } from './run-until.ts';
import { fillNow, inSlot, quotingDesk, rejected } from './trader-kit.ts';

describe('what its owner bought while the bot was at work', () => {
  test('seconds before he stopped it to add the run is booked', () => {
    const desk = quotingDesk();
    desk.run(5_000);
    const bought = trade(desk);
    desk.run(2_000);
    desk.tell({ kind: 'stop' });
    desk.run(3_000);
    desk.pass(30_000);
    add(desk);
    desk.run(10 * 60_000);
    expect([booked(desk, bought), openings(desk)]).toEqual([1, [{ ETH: '10' }]]);
    expectCalm(desk);
  });

  test('and what explained a difference then is booked once', () => {
    const desk = quotingDesk();
    desk.run(10_000);
    const bought = trade(desk);
    desk.run(60_000);
    expect(desk.events.filter(({ payload }) => 'kind' in payload && payload.kind === 'owner-trade')).toHaveLength(1);
    add(desk);
    desk.run(60_000);
    expect([booked(desk, bought), openings(desk)]).toEqual([0, [{ ETH: '12' }]]);
    expectCalm(desk);
  });
});

test('what its owner traded before the machine slept is booked (seed 94870)', () => {
  const { desk, own } = waitingDesk();
  desk.run(2_000);
  desk.tell({ kind: 'clock', offsetMs: 490_000, uncertaintyMs: 50, confirmed: true });
  move(desk, 'ETH', `-${INEXACT}`);
  desk.run(60_000);
  expect([booked(desk, own), openings(desk), held(desk, 'ETH')]).toEqual([1, [{ ETH: '10' }], '12']);
  expectCalm(desk);
});

describe('over restarts', () => {
  test('in the middle it is opened once, and what was to be booked at first is booked', () => {
    const desk = quotingDesk();
    desk.run(5_000);
    desk.pass(HOUR);
    const bought = trade(desk);
    desk.pass(HOUR);
    for (const cutAt of [0, 200, 400, 900]) {
      add(desk);
      desk.reply = (request) =>
        request.kind === 'spot-trades' && request.symbol === ETH ? rejected(-1500, 500) : undefined;
      desk.run(cutAt);
    }
    const meanwhile = trade(desk, { quantity: '1' });
    add(desk);
    desk.reply = () => undefined;
    desk.run(60_000);
    add(desk);
    desk.run(30_000);
    expect([booked(desk, bought), booked(desk, meanwhile)]).toEqual([1, 1]);
    expect(openings(desk)).toEqual([{ ETH: '10' }]);
    expect(held(desk, 'ETH')).toBe('13');
    expectCalm(desk);
  });

  test('a run that was taken out before its market was opened begins anew when it comes back', () => {
    const desk = quotingDesk();
    desk.run(5_000);
    add(desk);
    desk.restart(deskSettings());
    desk.look('book', 'orders');
    desk.run(5_000);
    expect(marketIn(desk.state().durable, ETH).waitingSince).toBeNull();
    desk.pass(HOUR);
    add(desk);
    desk.run(30_000);
    expect(openings(desk)).toEqual([{ ETH: '10' }]);
    expectCalm(desk);
  });

  test('a crash between the opening and its first trades books them at the next start', () => {
    const desk = quotingDesk();
    desk.run(5_000);
    desk.pass(HOUR);
    const bought = trade(desk);
    add(desk);
    runUntil(desk, () => openings(desk).length > 0);
    const at = desk.events.findIndex(({ type, payload }) => type === 'opened' && payload.later);
    expect(desk.events.splice(at + 1).map(({ type }) => type)).toEqual(['fill']);
    add(desk);
    desk.run(30_000);
    expect([booked(desk, bought), openings(desk).length, held(desk, 'ETH')]).toEqual([1, 1, '12']);
    expectCalm(desk);
  });

  test.each([0, 2])('what had left the list by then is never booked, %i days later', (days) => {
    const desk = quotingDesk();
    desk.run(5_000);
    const old = theirs({ quantity: '2', at: desk.now() + DAY, symbol: ETH });
    desk.shows.archive.push(old);
    desk.pass(5 * DAY);
    add(desk);
    desk.run(30_000);
    desk.shows.books[ETH] = null;
    expect(openings(desk)).toEqual([{ ETH: '10' }]);
    desk.pass(days * DAY);
    add(desk);
    desk.run(60_000);
    expect(booked(desk, old)).toBe(0);
    expectCalm(desk);
  });

  test('that it never had a trade is no gap at the next start', () => {
    const desk = quotingDesk();
    desk.run(5_000);
    desk.pass(5 * DAY);
    add(desk);
    desk.run(30_000);
    add(desk);
    desk.reply = (request) => (request.kind === 'spot-trades-historical' ? rejected(-1404, 404) : undefined);
    desk.run(60_000);
    expect(haltsIn(desk.state().durable).has(ETH)).toBe(false);
    expect(desk.notices.filter(({ op, symbol }) => op === 'history-read' && symbol === ETH)).toEqual([]);
  });

  test('since when nothing is accounted for is kept by the clock as it is, when that was set', () => {
    const durable = emptyDurable();
    const payload = { at: 5, epoch: 1, program: 'test', paperInstance: null, added: { [ETH]: 1_000 } };
    applyEvent(durable, { type: 'session-started', payload });
    applyEvent(durable, {
      type: 'clock-moved',
      payload: { byMs: 500, startedAt: 3_000, stamp: { timestamp: 1, sentAt: 1 }, at: 2_000 },
    });
    expect(marketIn(durable, ETH).waitingSince).toBe(1_500);
  });

  test('a market that was taken out stays opened: after a month its trades are read on from its cursor', () => {
    const desk = quotingDesk(BOTH);
    const last = fillNow(desk, inSlot(desk, 'buy:0', ETH));
    desk.run(5_000);
    desk.tell({ kind: 'stop' });
    desk.run(60_000);
    desk.restart(deskSettings());
    desk.look('book', 'orders');
    desk.run(5_000);
    desk.tell({ kind: 'stop' });
    desk.run(60_000);
    desk.pass(30 * DAY);
    const meanwhile = trade(desk, { at: desk.now() - 10 * DAY });
    desk.shows.archive = [...desk.shows.fills];
    desk.shows.fills = [];
    add(desk);
    desk.run(60_000);
    expect(openings(desk)).toEqual([]);
    expect([booked(desk, last), booked(desk, meanwhile)]).toEqual([1, 1]);
    expect(codes(desk, ETH)).not.toContain('starting');
    expectCalm(desk);
  });
});

describe('a market that was taken out, and came back', () => {
  test('is read on behind more trades of its owner than a page holds, which are booked already', () => {
    const desk = quotingDesk(BOTH);
    desk.run(5_000);
    trade(desk, { quantity: '0.1' });
    desk.run(20_000);
    desk.tell({ kind: 'stop' });
    desk.run(60_000);
    desk.restart(deskSettings());
    desk.look('book', 'orders');
    desk.run(20_000);
    for (let i = 0; i < 60; i += 1) {
      desk.pass(10);
      trade(desk, { quantity: '0.1' });
    }
    desk.run(3 * 60_000, 500);
    expect(desk.events.filter(({ payload }) => 'kind' in payload && payload.kind === 'owner-trade')).toHaveLength(60);
    desk.tell({ kind: 'stop' });
    desk.run(60_000);
    desk.restart(BOTH);
    desk.look('book', 'orders');
    const before = desk.sent.length;
    desk.run(60_000);
    const pages = desk.sent
      .slice(before)
      .filter(({ chosen: { request } }) => request.kind === 'spot-trades' && request.symbol === ETH);
    expect(pages.length).toBeLessThan(200);
    expect(codes(desk, ETH)).toEqual([]);
  });
});
