// An order that a person was asked about, or said not to be the bot's: it is nobody's until he has answered.
import { describe, expect, test } from '@jest/globals';
import { type Decimal, decimal, plain } from '../../../../src/domain/decimal.ts';
import { orderId } from '../../../../src/domain/ids.ts';
import { MINUTE } from '../../../../src/domain/time.ts';
import { recover } from '../../../../src/trader/observe/recover.ts';
import type { Resumed } from '../../../../src/trader/observe/resume.ts';
import { BTC, deskSettings, HORIZON_MS, LAG_MS } from '../desk-settings.ts';
import { haltOf, list, lostBid } from '../lost-bid.ts';
import {
  canceled,
  type Desk,
  deskWith,
  endOf,
  foldAll,
  inSlot,
  makeReady,
  nextCreate,
  type OrderShape,
  ops,
  quotingDesk,
  readyDesk,
  rejected,
  rowOf,
  tradeNow,
  unknown,
} from '../trader-kit.ts';

const resume = [{ symbol: BTC, price: null }];

/** On an account that is the bot's alone a start finds an order like the bid, of just before, and asks whose it is. */
function askedDesk(): { readonly desk: Desk; readonly bid: OrderShape & { readonly quantity: Decimal } } {
  const desk = quotingDesk(deskSettings({ foreignOrders: 'refuse' }));
  const bid = inSlot(desk, 'buy:0');
  desk.pass(2 * MINUTE);
  desk.shows.orders = [rowOf(bid, '1-5-1', desk.now() - MINUTE)];
  desk.restart();
  desk.run(3_000);
  expect(haltOf(desk)).toContain('1-5-1');
  return { desk, bid };
}

describe('an order in question', () => {
  test('is not matched to a create by its fills if a person said that it is not the bot’s', () => {
    const desk = quotingDesk();
    desk.pass(2 * MINUTE);
    const owners = { symbol: BTC, side: 'buy', price: decimal(98_000), quantity: decimal('0.01') } as const;
    desk.shows.orders.push(rowOf(owners, '1-5-1', desk.now() - MINUTE));
    desk.restart();
    desk.run(2 * LAG_MS + 5_000);
    expect(haltOf(desk)).toContain('1-5-1');
    desk.restart(undefined, [], 0, { answer: 'not-mine' });
    expect([...desk.state().durable.orders.thirdParty]).toEqual(['1-5-1']);
    const create = nextCreate(desk);
    expect(create.request.order).toMatchObject({ side: 'buy' });
    expect(plain(create.request.order.price)).toBe('98000');
    expect(plain(create.request.order.quantity)).toBe('0.01');
    desk.answer(create, unknown);
    desk.restart();
    tradeNow(desk, owners, '1-5-1', { at: desk.now() + 100 });
    desk.pass(1_000);
    desk.look('trades');
    expect(ops(desk)).not.toContain('adopted');
    expect(desk.state().durable.orders.byOrderId.has(orderId('1-5-1'))).toBe(false);
  });

  test('is taken over once, though it filled before the answer', () => {
    const { desk, bid } = askedDesk();
    tradeNow(desk, bid, '1-5-1', { quantity: bid.quantity.mul(0.4) });
    desk.run(3_000);
    expect(canceled(desk)).not.toContain('1-5-1');
    desk.restart(undefined, resume, 0, { answer: 'adopt' });
    expect(desk.intents().filter(({ orderId: id }) => id === '1-5-1')).toHaveLength(1);
  });

  test('is not canceled for a fill where it only looks almost like a lost create', () => {
    const desk = readyDesk(deskSettings({ params: { orderSize: '1010' } }));
    const { order } = lostBid(unknown, desk);
    desk.pass(500);
    const owners = { ...order, quantity: decimal('0.01') };
    list(desk, owners, '1-5-1');
    desk.run(2_000);
    expect(haltOf(desk)).toContain('1-5-1');
    tradeNow(desk, owners, '1-5-1', { quantity: decimal('0.004') });
    desk.run(5_000);
    expect(canceled(desk)).not.toContain('1-5-1');
  });

  test('is taken over once, though its fill was read before any list', () => {
    const { desk, bid } = askedDesk();
    tradeNow(desk, bid, '1-5-1', { quantity: bid.quantity.mul(0.4) });
    desk.look('trades');
    desk.restart(undefined, resume, 0, { answer: 'adopt' });
    expect(desk.intents().filter(({ orderId: id }) => id === '1-5-1')).toHaveLength(1);
  });

  test('is in no fence, though the account is said to be for the bot alone', () => {
    const desk = deskWith(deskSettings({ foreignOrders: 'refuse' }));
    desk.shows.books[BTC] = [99_013, 101_013];
    makeReady(desk);
    const { order } = lostBid(unknown, desk);
    list(desk, { ...order, price: decimal(98_010) }, '1-9-1');
    desk.run(2_000);
    expect(haltOf(desk)).toContain('1-9-1');
    desk.run(HORIZON_MS + 3 * LAG_MS);
    expect(desk.shows.orders).toHaveLength(1);
  });
});

describe('an order of which a person said that it is not the bot’s', () => {
  /** A bid whose answer was lost, and two orders like it: a person was asked which of them it is. */
  function askedOfTwo(): Desk {
    const desk = readyDesk(deskSettings({ assumptions: { resolutionDeadlineMs: 10 * MINUTE } }));
    const { order } = lostBid(unknown, desk);
    for (const id of ['1-9-1', '1-5-1']) list(desk, order, id);
    desk.run(1_500);
    expect(haltOf(desk)).toContain('2 orders could be intent');
    return desk;
  }
  const leaveOne = (desk: Desk): void => {
    desk.shows.orders = desk.shows.orders.filter((row) => row.orderId === '1-5-1');
    desk.run(3_000);
  };
  const isOurs = (desk: Desk): boolean => desk.state().durable.orders.byOrderId.has(orderId('1-5-1'));
  const restored = { why: 'The state folder was restored.', ownMarks: new Set<never>() };

  test('is not asked about again, though the file of own orders names it', () => {
    const desk = quotingDesk();
    desk.pass(2 * MINUTE);
    const other = { symbol: BTC, side: 'buy', price: decimal(90_000), quantity: decimal('0.5') } as const;
    desk.shows.orders.push(rowOf(other, '1-9-1', desk.now() - MINUTE));
    const doubt = { why: null, ownMarks: new Set([orderId('1-9-1')]) };
    desk.restart(undefined, [], 0, { doubt });
    desk.run(2 * LAG_MS + 5_000);
    expect(haltOf(desk)).toContain('1-9-1');
    desk.restart(undefined, [], 0, { doubt, answer: 'not-mine' });
    desk.run(3_000);
    expect(haltOf(desk)).toBeUndefined();
    tradeNow(desk, other, '1-9-1', { liquidity: 'maker' });
    desk.restart(undefined, [], 0, { doubt });
    desk.run(3_000);
    expect(haltOf(desk)).toBeUndefined();
  });

  test.each([
    { answer: 'not-mine' as const, resume: [] },
    { answer: null, resume },
  ])('of an old journal ($answer) is not taken for the create that another question was about', (said) => {
    const desk = askedOfTwo();
    desk.restart(undefined, [], 0, { doubt: restored });
    desk.run(3_000);
    leaveOne(desk);
    desk.restart(undefined, said.resume, 0, { answer: said.answer });
    desk.run(5_000);
    expect(haltOf(desk)).toBeUndefined();
    expect(isOurs(desk)).toBe(false);
  });

  test.each([
    { answer: 'not-mine' as const, ours: false },
    { answer: null, ours: true },
  ])('is not taken for the create whose question is answered by resuming ($answer)', ({ answer, ours }) => {
    const desk = askedOfTwo();
    leaveOne(desk);
    desk.restart(undefined, resume, 0, { answer });
    desk.run(5_000);
    expect(haltOf(desk)).toBeUndefined();
    expect(isOurs(desk)).toBe(ours);
  });

  test('only counts so in the resumed symbol: a notice names the others', () => {
    const { events, now } = askedOfTwo();
    const told = (resumed: readonly Resumed[]): readonly string[] => {
      const session = { now: now(), epoch: 2, program: 'test', paperInstance: null, resume: resumed };
      const begun = recover(deskSettings(), foldAll(events), { ...session, answer: 'not-mine' });
      if (!begun.ok) throw new Error(begun.error);
      return begun.value.effects.notices.map(({ op, level }) => `${level} ${op}`);
    };
    expect(told([])).toContain('warn taken-over');
    expect(told(resume)).not.toContain('warn taken-over');
  });

  test('does not count as a second one of ours by its fills either, on an account that is the bot’s alone', () => {
    const { desk, bid } = askedDesk();
    desk.restart(undefined, [], 0, { answer: 'not-mine' });
    tradeNow(desk, bid, '1-5-1', { quantity: bid.quantity.mul(0.4) });
    desk.look('trades');
    expect(isOurs(desk)).toBe(false);
  });
});

test('after a fill that may belong to two creates, a third create is found by its own fill', () => {
  const desk = readyDesk(deskSettings({ foreignOrders: 'refuse' }));
  desk.reply = ({ kind }) => (kind === 'cancel-symbol' ? rejected(-5014) : kind === 'create' ? unknown : undefined);
  for (let i = 0; i < 40 && desk.intents().length < 3; i += 1) desk.run(100);
  const intents = desk.intents();
  const sell = intents.find(({ side }) => side === 'sell');
  const buy = intents.find(({ side }) => side === 'buy');
  if (!sell || !buy) throw new Error('No sell.');
  desk.reply = ({ kind }) => (kind === 'cancel-symbol' ? rejected(-5014) : kind === 'create' ? null : undefined);
  for (const [of, id, extra] of [
    [buy, '1-8-1', { quantity: decimal('0.004'), price: decimal(97_000), liquidity: 'taker' as const }],
    [sell, '1-9-1', {}],
  ] as const) {
    tradeNow(desk, of, id, extra);
  }
  desk.run(LAG_MS + 3_000);
  expect(endOf(desk, sell.intentId)).toContain('filled');
});
