// An order that looks like a lost create but for what the exchange may have rounded (F16): when a person is asked whose
// it is, and what his answer makes of it.
import { describe, expect, test } from '@jest/globals';
import { decimal } from '../../../../src/domain/decimal.ts';
import { MINUTE } from '../../../../src/domain/time.ts';
import { BTC, deskSettings, HORIZON_MS, LAG_MS } from '../desk-settings.ts';
import { codesIn } from '../durable-kit.ts';
import { haltOf, list, lostBid } from '../lost-bid.ts';
import {
  canceled,
  type Desk,
  deskWith,
  endOf,
  fillNow,
  inSlot,
  makeReady,
  nextCreate,
  ops,
  rowOf,
  unknown,
} from '../trader-kit.ts';

const resume = [{ symbol: BTC, price: null }];

/** A bid that is sent is of 0.0099 @ 98012. */
const ROUNDED = { symbol: BTC, side: 'buy', price: decimal(98_010), quantity: decimal('0.0099') } as const;

function unevenDesk(foreignOrders: 'ignore' | 'refuse' = 'ignore'): Desk {
  const desk = deskWith(deskSettings({ foreignOrders }));
  desk.shows.books[BTC] = [99_013, 101_013];
  makeReady(desk);
  return desk;
}

describe('is in no question', () => {
  test('if it was created hours before the create, even if a start sees both first', () => {
    const desk = unevenDesk();
    desk.shows.orders.push(rowOf(ROUNDED, '1-5-1', desk.now() - 60 * MINUTE));
    desk.look('orders');
    desk.pass(1_000);
    lostBid(unknown, desk);
    desk.run(1_000);
    expect(haltOf(desk)).toBeUndefined();
    desk.restart();
    desk.run(3 * LAG_MS + HORIZON_MS);
    expect(haltOf(desk)).toBeUndefined();
  });

  test('on a list that may be cut and lack the sent order; a complete one shows it', () => {
    const desk = unevenDesk();
    const { order } = lostBid(unknown, desk);
    desk.pass(500);
    list(desk, ROUNDED, '1-5-1');
    desk.shows.ordersCut = true;
    desk.look('orders');
    expect(ops(desk)).not.toContain('stray-order');
    list(desk, order, '1-9-1');
    desk.shows.ordersCut = false;
    desk.run(2_000);
    expect(haltOf(desk)).toBeUndefined();
    expect(inSlot(desk, 'buy:0').orderId).toBe('1-9-1');
  });
});

describe('is in question', () => {
  test('on the first complete list, after one that was cut', () => {
    const desk = unevenDesk();
    lostBid(unknown, desk);
    list(desk, ROUNDED, '1-9-1');
    desk.shows.ordersCut = true;
    desk.run(1_000);
    expect(haltOf(desk)).toBeUndefined();
    desk.shows.ordersCut = false;
    desk.run(1_000);
    expect(haltOf(desk)).toContain('may be intent 1-1');
  });

  test('whatever its time, and on any list, on an account that is the bot’s alone', () => {
    const desk = unevenDesk('refuse');
    lostBid(unknown, desk);
    list(desk, ROUNDED, '1-9-1', desk.now() - 60 * MINUTE);
    desk.shows.ordersCut = true;
    desk.run(1_000);
    expect(haltOf(desk)).toContain('may be intent 1-1');
  });
});

describe('a person who resumes the symbol', () => {
  const asked = (): Desk => {
    const desk = unevenDesk();
    lostBid(unknown, desk);
    desk.pass(500);
    list(desk, ROUNDED, '1-5-1');
    desk.run(HORIZON_MS + 3 * LAG_MS);
    expect(haltOf(desk)).toContain('may be intent 1-1');
    return desk;
  };

  test.each([
    ['says nothing more', {}],
    ['says --not-mine', { answer: 'not-mine' }],
  ] as const)('and %s has said that it is not the bot’s: he is asked no more, and it is left alone', (_, answer) => {
    const desk = asked();
    desk.restart(undefined, resume, 0, answer);
    desk.run(HORIZON_MS + 10 * LAG_MS);
    expect(haltOf(desk)).toBeUndefined();
    expect(endOf(desk, '1-1')).toBe('not-placed');
    desk.restart();
    desk.run(5_000);
    expect(haltOf(desk)).toBeUndefined();
    expect(canceled(desk)).not.toContain('1-5-1');
  });

  test('and says --adopt-orders makes the bot cancel it', () => {
    const desk = asked();
    desk.restart(undefined, resume, 0, { answer: 'adopt' });
    desk.run(HORIZON_MS + 10 * LAG_MS);
    expect(haltOf(desk)).toBeUndefined();
    expect(canceled(desk)).toContain('1-5-1');
    expect(endOf(desk, '1-1')).toBe('not-placed');
  });

  test('while the bot runs, after another halt, answers the question as well', () => {
    const desk = deskWith(deskSettings({ limits: { maxOrderNotional: '1100', repeatedFills: 0.27 } }));
    desk.shows.books[BTC] = [99_013, 101_013];
    makeReady(desk);
    desk.answer(nextCreate(desk));
    const ask = nextCreate(desk);
    const { order } = ask.request;
    desk.reply = ({ kind }) => (kind === 'create' ? null : undefined);
    fillNow(desk, inSlot(desk, 'buy:0'));
    desk.look('trades');
    expect(codesIn(desk.state().durable).get(BTC)).toBe('repeated-fills');
    desk.answer(ask, unknown);
    list(desk, { ...order, price: order.price.toNearest(10) }, '1-5-1');
    desk.run(1_000);
    expect(ops(desk)).toContain('orders-questioned');
    desk.tell({ kind: 'resume-symbol', by: 'asha', resumed: { symbol: BTC, price: null } });
    desk.run(HORIZON_MS + 5 * LAG_MS);
    expect(endOf(desk, ask.intentId ?? '')).toBe('not-placed');
    expect(canceled(desk)).not.toContain('1-5-1');
  });
});
