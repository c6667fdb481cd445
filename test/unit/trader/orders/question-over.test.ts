// A halt about orders in question outlives them: once none is open, a bot that runs can be resumed, and says so.
import { describe, expect, test } from '@jest/globals';
import { MINUTE } from '../../../../src/domain/time.ts';
import { marketIn } from '../../../../src/trader/durable/market.ts';
import { whyNotWithoutStart } from '../../../../src/trader/observe/resume.ts';
import { takeSnapshot } from '../../../../src/trader/status/snapshot.ts';
import { BTC, deskSettings, ETH } from '../desk-settings.ts';
import { list, lostBid } from '../lost-bid.ts';
import { type Desk, deskWith, makeReady, reasons, tradeNow, unknown } from '../trader-kit.ts';

/** Longer than it takes to prove a create absent whose funds may be locked. */
const SETTLED_MS = MINUTE;

const haltCode = (desk: Desk): string | undefined => marketIn(desk.state().durable, BTC).halt?.code;
const why = (desk: Desk): string | null => whyNotWithoutStart(desk.state(), { symbol: BTC, price: null }, desk.now());
const shown = (desk: Desk) => takeSnapshot(desk.state(), desk.now()).symbols.find(({ symbol }) => symbol === BTC)?.risk;

/** A bid without an answer and two orders like it, so that BTC/INR halts; ETH/INR has no part in it. */
function askedDesk() {
  const desk = deskWith(deskSettings({ symbols: [BTC, ETH] }));
  makeReady(desk);
  const { order } = lostBid(unknown, desk);
  desk.reply = () => undefined;
  for (const id of ['1-9-1', '1-5-1']) list(desk, order, id);
  desk.run(1_500);
  expect(haltCode(desk)).toBe('order-unknown');
  return { desk, order };
}

describe('a halt about orders in question', () => {
  test('needs a start while one of them is open', () => {
    const { desk, order } = askedDesk();
    tradeNow(desk, order, '1-5-1');
    desk.run(SETTLED_MS);
    expect(why(desk)).toMatch(/which only a start can look into/);
    expect(shown(desk)).toMatchObject({ isQuestionOver: false });
  });

  test.each([
    ['the owner canceled them', (desk: Desk) => (desk.shows.orders = desk.shows.orders.filter((row) => !isAsked(row)))],
    ['one was canceled and the other filled', oneFilled],
  ])('can be resumed without a start once %s; the other market is not touched', (_name, end) => {
    const { desk } = askedDesk();
    end(desk);
    desk.run(SETTLED_MS);
    expect(shown(desk)?.halt?.reason).toMatch(/ No such order is open any more: what remains is `resume BTC\/INR`\.$/);
    expect(why(desk)).toBeNull();
    const others = desk.intents().filter(({ symbol }) => symbol === ETH);
    desk.tell({ kind: 'resume-symbol', resumed: { symbol: BTC, price: null }, by: 'asha' });
    desk.run(SETTLED_MS);
    expect(haltCode(desk)).toBeUndefined();
    expect(reasons(desk)).toEqual(['quoting', 'quoting']);
    expect(desk.slots()).toEqual(['buy:0 open', 'buy:0 open', 'sell:0 open', 'sell:0 open']);
    expect(desk.intents().filter(({ symbol }) => symbol === ETH)).toEqual(others);
  });

  test('is checked again after a start: two lists must lack them', () => {
    const { desk } = askedDesk();
    desk.shows.orders = desk.shows.orders.filter((row) => !isAsked(row));
    desk.restart();
    expect(why(desk)).toMatch(/which only a start can look into/);
    desk.run(SETTLED_MS);
    expect(why(desk)).toBeNull();
  });
});

const isAsked = (row: { readonly orderId: string }): boolean => ['1-9-1', '1-5-1'].includes(row.orderId);

function oneFilled(desk: Desk): void {
  const [first, second] = desk.shows.orders.filter(isAsked);
  if (first === undefined || second === undefined) throw new Error('Nothing is asked about.');
  tradeNow(desk, { ...first, quantity: first.originalQuantity }, first.orderId);
  desk.shows.orders = desk.shows.orders.filter(({ orderId: id }) => id !== second.orderId);
}
