import { expect, test } from '@jest/globals';
import { decisionOf } from '../../../../src/trader/decision/decide.ts';
import { BTC } from '../desk-settings.ts';
import { inSlot, quotingDesk } from '../trader-kit.ts';

test('once a cancel has left the decision is made anew, and wants it no more', () => {
  const desk = quotingDesk();
  const bid = inSlot(desk, 'buy:0');
  desk.run(2_500);
  // The bid is far too near now: it is canceled before anything takes its place.
  desk.shows.books[BTC] = [97_000, 99_000];
  desk.look('book');
  const wanted = () => decisionOf(desk.state(), BTC, desk.now()).cancels.map(({ intentId }) => intentId);
  expect(wanted()).toContain(bid.intentId);
  const chosen = desk.open('private');
  expect(chosen).toMatchObject({ request: { kind: 'cancel', orderId: bid.orderId }, intentId: bid.intentId });
  expect(wanted()).not.toContain(bid.intentId);
});
