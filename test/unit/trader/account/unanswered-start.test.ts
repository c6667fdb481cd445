// A start that the exchange does not answer learns nothing of the account: what the next one is compared with is what
// the journal knew before it.
import { describe, expect, test } from '@jest/globals';
import { decimal } from '../../../../src/domain/decimal.ts';
import { orderId } from '../../../../src/domain/ids.ts';
import type { OrderRequest } from '../../../../src/domain/order.ts';
import { DAY, HOUR, MINUTE } from '../../../../src/domain/time.ts';
import { BTC, HORIZON_MS, LAG_MS } from '../desk-settings.ts';
import { codesIn } from '../durable-kit.ts';
import { haltOf } from '../lost-bid.ts';
import { crypto } from '../money-kit.ts';
import { type Desk, inSlot, ops, quotingDesk, readyDesk, rowOf, tradeNow } from '../trader-kit.ts';

/** A bid at a price of its own, as large as the bot's. */
const LIKE_OURS: OrderRequest = { symbol: BTC, side: 'buy', price: decimal(97_000), quantity: decimal('0.0103') };
const HALF_AN_HOUR_MS = 30 * MINUTE;

function stopClean(desk: Desk): void {
  desk.tell({ kind: 'stop' });
  desk.run(HORIZON_MS + 2 * LAG_MS);
  expect(desk.state().durable.journal.endedFlat).toBe(true);
}

/** It starts, is answered nothing for a while, and is killed; the next one is answered. */
function startUnanswered(desk: Desk): void {
  desk.restart();
  desk.reply = () => null;
  desk.run(5_000);
  desk.reply = () => undefined;
}

function startAnswered(desk: Desk): void {
  desk.restart();
  desk.run(2 * LAG_MS + 5_000);
}

test('an old journal is told from the account by where it ended before it', () => {
  const desk = quotingDesk();
  const bid = inSlot(desk, 'buy:0');
  // The bot that went on from here placed another bid; its journal is gone.
  desk.pass(HALF_AN_HOUR_MS);
  desk.shows.orders = [rowOf({ ...bid, price: decimal(97_000) }, '1-9-1', desk.now())];
  desk.pass(HALF_AN_HOUR_MS);
  startUnanswered(desk);
  desk.pass(MINUTE);
  startAnswered(desk);
  expect(haltOf(desk)).toContain('1-9-1');
});

test.each([-2 * HOUR, 2 * HOUR])('also where our clock was set by %d ms, and no wallet was compared', (setMs) => {
  const desk = quotingDesk();
  const bid = inSlot(desk, 'buy:0');
  desk.pass(HALF_AN_HOUR_MS);
  const later = rowOf({ ...bid, price: decimal(97_000) }, '1-9-1', desk.now());
  desk.pass(HALF_AN_HOUR_MS);
  desk.restart(undefined, [], setMs);
  desk.reply = ({ kind }) => (kind === 'wallet' ? null : undefined);
  desk.run(5_000);
  expect(ops(desk)).toContain('clock-moved');
  desk.shows.orders = [later];
  desk.reply = () => undefined;
  startAnswered(desk);
  expect(haltOf(desk)).toContain('1-9-1');
});

describe('after a clean end', () => {
  test("orders placed by hand are the owner's", () => {
    const desk = quotingDesk();
    stopClean(desk);
    desk.pass(HALF_AN_HOUR_MS);
    startUnanswered(desk);
    desk.pass(HALF_AN_HOUR_MS);
    tradeNow(desk, LIKE_OURS, '1-5-1');
    desk.pass(HALF_AN_HOUR_MS);
    startAnswered(desk);
    expect(haltOf(desk)).toBeUndefined();
    expect(ops(desk)).toContain('external-fill');
  });

  test('an earlier deposit explains a difference', () => {
    const desk = quotingDesk();
    stopClean(desk);
    desk.pass(3 * HOUR);
    crypto(desk, { asset: 'BTC' });
    desk.shows.balances.BTC = decimal(4);
    desk.pass(10 * DAY);
    startUnanswered(desk);
    desk.pass(MINUTE);
    desk.restart();
    desk.run(20 * LAG_MS);
    expect(haltOf(desk)).toBeUndefined();
    expect(ops(desk)).toContain('external-flow');
  });

  test('the end no longer counts as clean once a start has compared the account', () => {
    const desk = readyDesk();
    stopClean(desk);
    startAnswered(desk);
    expect(desk.state().durable.journal.endedFlat).toBe(false);
  });
});

test('an answered question is not asked again, even if that start learned nothing of the account', () => {
  const desk = quotingDesk();
  desk.pass(2 * HALF_AN_HOUR_MS);
  desk.shows.orders = [rowOf(LIKE_OURS, '1-900-1', desk.now() - HALF_AN_HOUR_MS)];
  startAnswered(desk);
  expect([...codesIn(desk.state().durable).values()]).toEqual(['journal-stale']);
  desk.restart(undefined, [], 0, { answer: 'not-mine' });
  desk.reply = () => null;
  desk.run(5_000);
  desk.reply = () => undefined;
  tradeNow(desk, LIKE_OURS, '1-950-1', { at: desk.now() - 10 * MINUTE, liquidity: 'maker' });
  desk.pass(MINUTE);
  startAnswered(desk);
  expect(haltOf(desk)).toBeUndefined();
});

test('a session records once that the account was compared, even without a difference', () => {
  const desk = quotingDesk();
  startAnswered(desk);
  startAnswered(desk);
  const from = desk.events.findLastIndex(({ type }) => type === 'session-started');
  expect(desk.events.slice(from).filter(({ type }) => type === 'reconciled')).toHaveLength(1);
});

describe('a journal that ended clean, and may be old: a stop that was answered nothing proves nothing', () => {
  const isFlatWhenStopped = (desk: Desk): boolean => {
    desk.reply = () => null;
    desk.run(5_000);
    desk.tell({ kind: 'stop' });
    desk.run(5_000);
    return desk.state().phase === 'stopped' && desk.state().durable.journal.endedFlat;
  };

  function ended(): Desk {
    const desk = quotingDesk();
    stopClean(desk);
    desk.pass(HALF_AN_HOUR_MS);
    return desk;
  }

  test('without any such evidence it does', () => {
    const desk = ended();
    desk.restart();
    expect(isFlatWhenStopped(desk)).toBe(true);
  });

  test('if the state folder was restored, at this start or at the previous one', () => {
    const desk = ended();
    desk.restart(undefined, [], 0, { doubt: { why: 'The state folder was restored.', ownMarks: new Set() } });
    expect(isFlatWhenStopped(desk)).toBe(false);
    desk.restart();
    expect(isFlatWhenStopped(desk)).toBe(false);
    desk.restart(undefined, [], 0, { answer: 'not-mine' });
    expect(isFlatWhenStopped(desk)).toBe(true);
  });

  test('if the file of own orders names others', () => {
    const desk = ended();
    desk.restart(undefined, [], 0, { doubt: { why: null, ownMarks: new Set([orderId('1-900-1')]) } });
    expect(isFlatWhenStopped(desk)).toBe(false);
  });

  test('if a start has asked whose an order is, and was killed before it had compared the account', () => {
    const desk = ended();
    desk.shows.orders = [rowOf(LIKE_OURS, '1-900-1', desk.now())];
    desk.pass(HALF_AN_HOUR_MS);
    desk.restart();
    desk.reply = ({ kind }) => (kind === 'wallet' ? null : undefined);
    desk.run(5_000);
    expect([...desk.state().durable.orders.questioned.keys()]).toEqual(['1-900-1']);
    desk.restart();
    expect(isFlatWhenStopped(desk)).toBe(false);
  });
});
