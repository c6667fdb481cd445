// Orders whose cancels were acknowledged are closed beside a difference that nothing explains: where it can't be of
// them, by its sign or its size, or where own trades were read whole from before they were placed. A trade that shows
// too late for that is booked all the same.
import { expect, test } from '@jest/globals';
import { decimal } from '../../../../src/domain/decimal.ts';
import { DAY } from '../../../../src/domain/time.ts';
import { BTC, LAG_MS } from '../desk-settings.ts';
import { move } from '../money-kit.ts';
import { type Desk, endOf, fillNow, inSlot, ops, quotingDesk, rejected } from '../trader-kit.ts';

/** Both orders of 1,000 INR are being replaced. */
function replacingDesk(): Desk {
  const desk = quotingDesk();
  desk.run(1_000);
  desk.shows.books[BTC] = [98_000, 100_000];
  desk.run(600);
  return desk;
}

const isFlat = (desk: Desk): boolean | null => desk.state().durable.journal.endedFlat;

test.each([
  ['more INR than the orders can have cost', { INR: '-5000' }],
  ['a gain in INR alone', { INR: '7' }],
  ['a large gain', { INR: '5000' }],
  ['a loss of the size of fees', { INR: '-7' }],
  ['the least loss', { INR: '-0.00000001' }],
  ['a gain of both assets', { INR: '3', BTC: '0.000001' }],
  ['a loss of both assets', { INR: '-3', BTC: '-0.000001' }],
])('%s: a stop ends flat', (_, moves) => {
  const desk = replacingDesk();
  for (const [asset, by] of Object.entries(moves)) move(desk, asset, by);
  desk.run(60_000);
  expect(ops(desk)).toContain('difference');
  desk.tell({ kind: 'stop' });
  desk.run(60_000);
  expect(desk.slots()).toEqual([]);
  expect(isFlat(desk)).toBe(true);
});

test.each([false, true])('also in a later session; with trades booked: %s', (withTrades) => {
  const desk = quotingDesk();
  desk.run(1_000);
  if (withTrades) fillNow(desk, inSlot(desk, 'buy:0'), { quantity: decimal('0.001') });
  desk.run(3_000);
  desk.shows.books[BTC] = [98_000, 100_000];
  desk.run(600);
  move(desk, 'INR', '-7');
  desk.run(2_000);
  expect(desk.slots()).toContain('buy:0 closing');
  desk.shows.ordersCut = true;
  desk.run(60_000);
  expect(ops(desk)).toContain('difference');
  desk.shows.ordersCut = false;
  desk.restart();
  desk.tell({ kind: 'stop' });
  desk.run(60_000);
  expect(desk.slots()).toEqual([]);
  expect(isFlat(desk)).toBe(true);
});

/** The bid fills while its cancel is on its way, and no list shows the trade until `showsAfterMs`. */
function filledUnseen(showsAfterMs: number): { desk: Desk; id: string } {
  const desk = quotingDesk();
  desk.run(1_000);
  fillNow(desk, inSlot(desk, 'sell:0'), { quantity: decimal('0.001') });
  desk.run(3_000);
  const bid = inSlot(desk, 'buy:0');
  desk.shows.books[BTC] = [98_000, 100_000];
  desk.run(300);
  const fill = fillNow(desk, bid, { quantity: decimal('0.004') });
  desk.shows.fills.pop();
  desk.run(showsAfterMs);
  desk.shows.fills.push(fill);
  return { desk, id: bid.intentId };
}

test.each([0.2, 0.5, 0.95])('a fill whose trade shows after %s of the lag bound is included when it closes', (part) => {
  const { desk, id } = filledUnseen(part * LAG_MS);
  desk.run(60_000);
  expect(endOf(desk, id)).toBe('canceled 0.004 of 0.01');
});

test('a possible fill keeps it open if own trades can’t be read back', () => {
  const desk = quotingDesk();
  desk.run(1_000);
  fillNow(desk, inSlot(desk, 'buy:0'), { quantity: decimal('0.001') });
  desk.run(3_000);
  const reply = desk.reply;
  desk.reply = (request) =>
    request.kind === 'spot-trades' && request.filter.by === 'window' ? rejected(-1102) : reply(request);
  const bid = inSlot(desk, 'buy:0');
  desk.shows.books[BTC] = [98_000, 100_000];
  desk.run(600);
  move(desk, 'INR', '-7');
  desk.run(90_000);
  expect(ops(desk)).toContain('difference');
  expect(endOf(desk, bid.intentId)).toBe('not closed');
});

test('after days the list has dropped the trade: the order waits for a person, and a stop ends and reports it', () => {
  const desk = quotingDesk();
  desk.run(1_000);
  fillNow(desk, inSlot(desk, 'sell:0'), { quantity: decimal('0.001') });
  desk.run(3_000);
  const bid = inSlot(desk, 'buy:0');
  desk.shows.books[BTC] = [98_000, 100_000];
  desk.run(600);
  expect(desk.intents().find(({ intentId }) => intentId === bid.intentId)?.cancel).toBe('acknowledged');
  fillNow(desk, bid, { quantity: decimal('0.004') });
  desk.shows.fills.pop();
  desk.shows.fills = [];
  desk.reply = ({ kind }) => (kind === 'spot-trades-historical' ? rejected(-1102) : undefined);
  desk.pass(5 * DAY);
  desk.restart();
  desk.run(60_000);
  expect(ops(desk)).toContain('difference-unjudged');
  desk.restart(undefined, [{ symbol: BTC, price: null }]);
  desk.run(60_000);
  expect(ops(desk)).toContain('difference');
  expect(endOf(desk, bid.intentId)).toBe('not closed');
  const stoppedAt = desk.now();
  desk.tell({ kind: 'stop' });
  desk.run(60_000);
  const ended = desk.events.findLast((event) => event.type === 'session-ended')?.payload;
  expect(ended?.flat).toBe(false);
  expect(ended?.at).toBeLessThan(stoppedAt + 3 * LAG_MS);
  desk.restart(undefined, [], 0, { acceptDifferences: true });
  desk.run(60_000);
  expect(endOf(desk, bid.intentId)).toBe('canceled');
});
