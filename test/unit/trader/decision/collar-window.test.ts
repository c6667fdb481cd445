// The collar's second price: the reference of some minutes ago, which a price that creeps away leaves behind (check 3).
import { expect, test } from '@jest/globals';
import { MINUTE } from '../../../../src/domain/time.ts';
import { riskContext } from '../../../../src/trader/decision/view.ts';
import { BTC, deskSettings } from '../desk-settings.ts';
import { type Desk, quotingDesk } from '../trader-kit.ts';

const recentOf = (desk: Desk): string =>
  riskContext(desk.state(), BTC, desk.now()).recentReference?.toFixed() ?? 'none';

/** The middle of the book rises by so much each half minute. */
function creep(desk: Desk, by: number, times: number): void {
  for (let time = 0; time < times; time += 1) {
    const [bid, ask] = desk.shows.books[BTC] ?? [0, 0];
    desk.shows.books[BTC] = [bid + by, ask + by];
    desk.run(MINUTE / 2, 500);
  }
}

test('is the oldest of the last five minutes, and moves on with them', () => {
  const desk = quotingDesk();
  expect(recentOf(desk)).toBe('100000');
  creep(desk, 100, 8);
  expect(recentOf(desk)).toBe('100000');
  creep(desk, 100, 12);
  expect(recentOf(desk)).toBe('101100');
});

test('stops what is too far from it, though the price of now is near', () => {
  // Each step is small, and each ask is 2 % from the price of its moment.
  const desk = quotingDesk(deskSettings({ limits: { jumpBps: 500 } }));
  creep(desk, 500, 14);
  const before = desk.sent.length;
  creep(desk, 500, 4);
  const sides = desk.sent
    .slice(before)
    .flatMap(({ chosen: { request } }) => (request.kind === 'create' ? [request.order.side] : []));
  expect(new Set(sides)).toEqual(new Set(['buy']));
});
