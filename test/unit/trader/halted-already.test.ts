// A second reason to halt a symbol that is halted: who resumes it must know of a doubt about whose orders are whose.
import { describe, expect, test } from '@jest/globals';
import { decimal } from '../../../src/domain/decimal.ts';
import { orderId } from '../../../src/domain/ids.ts';
import { HOUR, MINUTE } from '../../../src/domain/time.ts';
import { BTC, deskSettings, ETH } from './desk-settings.ts';
import { codesIn } from './durable-kit.ts';
import { type Desk, fillNow, fillOf, inSlot, moveWallet, quotingDesk, rowOf } from './trader-kit.ts';

const NARROW = { maxOrderNotional: '1100', repeatedFills: 0.27 };
const DOUBT = { doubt: { why: 'The journal ends before what the witness shows.', ownMarks: new Set<never>() } };

const haltOf = (desk: Desk) => codesIn(desk.state().durable).get(BTC);
const resume = (desk: Desk): void =>
  desk.tell({ kind: 'resume-symbol', by: 'asha', resumed: { symbol: BTC, price: null } });
const told = (desk: Desk, op: string): string[] =>
  desk.notices.flatMap((each) => (each.op === op ? [each.message] : []));

/** Halted by its own fills. */
function haltedDesk(settings = deskSettings({ limits: NARROW })): Desk {
  const desk = quotingDesk(settings);
  fillNow(desk, inSlot(desk, 'buy:0'));
  desk.run(10_000);
  expect(haltOf(desk)).toBe('repeated-fills');
  return desk;
}

describe('a symbol that is halted already', () => {
  test('is halted for an old journal as well: no resume of a running bot answers that', () => {
    const desk = haltedDesk();
    desk.restart(undefined, [], 0, DOUBT);
    desk.run(10_000);
    expect(haltOf(desk)).toBe('journal-stale');
    resume(desk);
    desk.run(20_000);
    expect([haltOf(desk), desk.slots()]).toEqual(['journal-stale', []]);
  });

  test('is halted for somebody else on a dedicated account as well', () => {
    const desk = haltedDesk(deskSettings({ foreignOrders: 'refuse', limits: NARROW }));
    const order = { symbol: BTC, side: 'buy', price: decimal(90_000), quantity: decimal('0.5') } as const;
    const fill = fillOf(order, orderId('1-7-1'), { at: desk.now() });
    desk.shows.fills.push(fill);
    moveWallet(desk.shows, fill);
    desk.run(10_000);
    resume(desk);
    desk.run(20_000);
    expect(haltOf(desk)).toBe('not-alone');
  });

  test('is not halted anew for what weighs no more', () => {
    const desk = haltedDesk();
    desk.shows.books[BTC] = [150_000, 151_000];
    desk.run(3 * MINUTE);
    expect(haltOf(desk)).toBe('repeated-fills');
  });

  test('and shows an order of after the end of its journal takes the answer that the page names', () => {
    const desk = haltedDesk();
    desk.tell({ kind: 'stop' });
    desk.run(30_000);
    desk.pass(HOUR);
    const order = { symbol: BTC, side: 'buy', price: decimal(97_000), quantity: decimal('0.0103') } as const;
    desk.shows.orders = [rowOf(order, '1-900-1', desk.now() - 30 * MINUTE)];
    desk.restart();
    desk.run(3_000);
    expect(told(desk, 'symbol-halted').at(-1)).toContain('--not-mine');
    desk.restart(undefined, [], 0, { answer: 'not-mine' });
    desk.run(3_000);
    expect(desk.state().durable.orders.questioned.size).toBe(0);
  });
});

test('whose the orders are of a market that was taken out is answered with those of the others', () => {
  const desk = quotingDesk(deskSettings({ symbols: [BTC, ETH] }));
  desk.tell({ kind: 'stop' });
  desk.run(30_000);
  desk.restart(undefined, [], 0, DOUBT);
  desk.run(3_000);
  expect([...codesIn(desk.state().durable).values()]).toEqual(['journal-stale', 'journal-stale']);
  desk.restart(deskSettings({ symbols: [BTC] }), [], 0, { answer: 'not-mine' });
  desk.run(20_000);
  expect(desk.slots()).toEqual(['buy:0 open', 'sell:0 open']);
});

test('that orders of a market that was taken out are the bot’s answers nothing until it is configured', () => {
  const desk = quotingDesk(deskSettings({ symbols: [BTC, ETH] }));
  desk.tell({ kind: 'stop' });
  desk.run(30_000);
  desk.restart(undefined, [], 0, DOUBT);
  desk.run(3_000);
  for (let start = 0; start < 2; start += 1) {
    desk.restart(deskSettings({ symbols: [BTC] }), [], 0, { answer: 'adopt' });
    desk.run(20_000);
    expect([...codesIn(desk.state().durable)]).toEqual([[ETH, 'journal-stale']]);
    expect(desk.slots()).toEqual([]);
  }
  desk.restart(undefined, [], 0, { answer: 'adopt' });
  desk.run(20_000);
  expect(desk.slots()).toHaveLength(4);
});
