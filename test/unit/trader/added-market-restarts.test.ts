// A market that is configured later, over restarts, and in journals of an older program.
import { describe, expect, test } from '@jest/globals';
import { add, BOTH, booked, codes, DAY, expectCalm, HOUR, held, openings, theirs, trade } from './added-market-kit.ts';
import { deskSettings, ETH } from './desk-settings.ts';
import { haltsIn } from './durable-kit.ts';
import { fillNow, inSlot, quotingDesk, rejected } from './trader-kit.ts';

test('a purchase by the owner seconds before he stopped the bot to add the run is booked', () => {
  const desk = quotingDesk();
  desk.run(5_000);
  const bought = trade(desk);
  desk.run(2_000);
  desk.tell({ kind: 'stop' });
  desk.run(3_000);
  desk.pass(30_000);
  add(desk);
  desk.run(10 * 60_000);
  expect([booked(desk, bought), openings(desk)]).toEqual([1, [{ ETH: '12' }]]);
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
        request.kind === 'spot-trades' && request.symbol === ETH ? rejected(-5011, 500) : undefined;
      desk.run(cutAt);
    }
    const meanwhile = trade(desk, { quantity: '1' });
    add(desk);
    desk.reply = () => undefined;
    desk.run(60_000);
    add(desk);
    desk.run(30_000);
    expect([booked(desk, bought), booked(desk, meanwhile)]).toEqual([1, 1]);
    expect(openings(desk)).toEqual([{ ETH: '13' }]);
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
    desk.pass(HOUR);
    add(desk);
    desk.run(30_000);
    expect(openings(desk)).toEqual([{ ETH: '10' }]);
    expectCalm(desk);
  });

  test.each([0, 2])('trades that had left the list by then are never booked, %i days later', (days) => {
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

  test('a market without any trade has no gap at the next start', () => {
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

test('a market that came back is read on behind more booked trades of its owner than a page holds', () => {
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
