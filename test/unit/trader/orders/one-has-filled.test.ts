// Two orders that may be a lost create's, of which one has filled and is booked as the owner's: that the other one is
// the only one left says nothing of whose it is.
import { describe, expect, test } from '@jest/globals';
import { BTC, HORIZON_MS, LAG_MS } from '../desk-settings.ts';
import { codesIn } from '../durable-kit.ts';
import { haltOf, list } from '../lost-bid.ts';
import { canceled, type Desk, endOf, inSlot, nextCreate, ops, readyDesk, tradeNow, unknown } from '../trader-kit.ts';

const resume = [{ symbol: BTC, price: null }];

/** 1-5-1 is listed while a bid is on its way, and 1-9-1 fills before a list shows it; then the answer is lost. */
function twoThatMayBeIt() {
  const desk = readyDesk();
  const create = nextCreate(desk);
  const { order } = create.request;
  desk.pass(200);
  list(desk, order, '1-5-1');
  desk.look('orders');
  desk.pass(100);
  tradeNow(desk, order, '1-9-1');
  desk.answer(create, unknown);
  desk.reply = ({ kind }) => (kind === 'create' ? null : undefined);
  desk.pass(100);
  desk.look('trades');
  expect(ops(desk)).toContain('external-fill');
  desk.pass(100);
  return { desk, order, id: create.intentId };
}

const bookedFor = (desk: Desk, tradeId: number) =>
  desk.events.findLast(
    ({ type, payload }) =>
      (type === 'fill' || type === 'fill-corrected') && payload.fill?.tradeId === desk.shows.fills[tradeId]?.tradeId,
  )?.payload;

test('the listed one is not adopted: a person is asked about both', () => {
  const { desk } = twoThatMayBeIt();
  desk.run(3_000);
  expect(inSlot(desk, 'buy:0')).toMatchObject({ state: 'unknown', orderId: null });
  expect(codesIn(desk.state().durable).get(BTC)).toBe('order-unknown');
  expect(haltOf(desk)).toMatch(/^2 orders could be intent 1-1, and which is not certain: 1-9-1, 1-5-1\./);
  expect(canceled(desk)).toEqual([]);
});

test('nor is it if it fills as well', () => {
  const { desk, order } = twoThatMayBeIt();
  tradeNow(desk, order, '1-5-1');
  desk.look('trades');
  expect(inSlot(desk, 'buy:0')).toMatchObject({ state: 'unknown', orderId: null });
  expect(haltOf(desk)).toMatch(/^2 orders could be intent 1-1/);
});

test('one that filled and was listed with other values does not count as a second one', () => {
  const desk = readyDesk();
  const create = nextCreate(desk);
  const { order } = create.request;
  desk.pass(200);
  list(desk, { ...order, quantity: order.quantity.mul(2) }, '1-9-1');
  desk.look('orders');
  tradeNow(desk, order, '1-9-1');
  desk.answer(create, unknown);
  desk.reply = ({ kind }) => (kind === 'create' ? null : undefined);
  list(desk, order, '1-5-1');
  desk.pass(100);
  desk.look('trades');
  expect(ops(desk)).toContain('external-fill');
  desk.run(3_000);
  expect(inSlot(desk, 'buy:0').orderId).toBe('1-5-1');
  expect(haltOf(desk)).toBeUndefined();
});

describe('if the listed one is gone before a complete list shows it', () => {
  /** Lists are cut for so long that nobody remembers it, and then are whole and lack it. */
  function nobodyRemembers() {
    const lost = twoThatMayBeIt();
    lost.desk.shows.orders = [];
    lost.desk.shows.ordersCut = true;
    lost.desk.run(HORIZON_MS + 2 * LAG_MS);
    lost.desk.shows.ordersCut = false;
    lost.desk.run(HORIZON_MS + 10 * LAG_MS);
    return lost;
  }

  test('the create does not count as never placed: a person was asked about the filled one', () => {
    const { desk, id } = nobodyRemembers();
    expect(endOf(desk, id)).toBe('not closed');
    expect(haltOf(desk)).toMatch(/^2 orders could be intent 1-1/);
  });

  test.each([
    ['resumes the symbol', null, 'not-placed'],
    ['says --adopt-orders', 'adopt', 'filled 0.01 of 0.01'],
  ] as const)('and %s, has his answer taken', (_, answer, end) => {
    const { desk, id } = nobodyRemembers();
    desk.restart(undefined, resume, 0, answer === null ? {} : { answer });
    desk.run(HORIZON_MS + 10 * LAG_MS);
    expect(endOf(desk, id)).toBe(end);
    expect(haltOf(desk)).toBeUndefined();
  });
});

describe('a person who was asked about both, and resumes the symbol,', () => {
  test('has declared the filled one the owner’s: the one he left is ours', () => {
    const { desk } = twoThatMayBeIt();
    desk.run(3_000);
    desk.restart(undefined, resume);
    desk.run(3_000);
    expect(haltOf(desk)).toBeUndefined();
    expect(inSlot(desk, 'buy:0').orderId).toBe('1-5-1');
    expect(bookedFor(desk, 0)).toMatchObject({ intentId: null });
  });

  test('and has canceled that one, makes the create count as never placed', () => {
    const { desk, id } = twoThatMayBeIt();
    desk.run(3_000);
    desk.shows.orders = [];
    desk.restart(undefined, resume);
    // So long lists must lack it, as the creates that nobody answers may lock the funds that they show.
    desk.run(HORIZON_MS + 10 * LAG_MS);
    expect(haltOf(desk)).toBeUndefined();
    expect(endOf(desk, id)).toBe('not-placed');
  });

  test('and says --adopt-orders makes the fill the create’s, and the other one is canceled', () => {
    const { desk, id } = twoThatMayBeIt();
    desk.run(3_000);
    desk.restart(undefined, resume, 0, { answer: 'adopt' });
    expect(endOf(desk, id)).toBe('filled 0.01 of 0.01');
    expect(bookedFor(desk, 0)).toMatchObject({ intentId: id });
    desk.run(3_000);
    expect(canceled(desk)).toContain('1-5-1');
  });
});
