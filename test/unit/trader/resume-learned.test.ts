// A person resumes a symbol at the right price while the bot runs: what was learned at a price that was wrong by a
// decimal is forgotten.
import { expect, test } from '@jest/globals';
import { decimal } from '../../../src/domain/decimal.ts';
import { marketIn } from '../../../src/trader/durable/market.ts';
import { marketOf } from '../../../src/trader/state/state.ts';
import { BTC } from './desk-settings.ts';
import { type Desk, deskWith, makeReady } from './trader-kit.ts';

let up = false;
function move(desk: Desk, factor: number, forMs: number): void {
  for (const end = desk.now() + forMs; desk.now() < end; ) {
    up = !up;
    desk.shows.books[BTC] = up ? [99_010 * factor, 101_010 * factor] : [99_000 * factor, 101_000 * factor];
    desk.run(6_000, 1_000);
  }
}

function volatilityAfter(first: number): number {
  const desk = deskWith();
  desk.shows.books[BTC] = [99_000 * first, 101_000 * first];
  makeReady(desk);
  move(desk, first, 200_000);
  if (first !== 1) {
    move(desk, 1, 90_000);
    expect(marketIn(desk.state().durable, BTC).halt?.code).toBe('price');
    desk.tell({ kind: 'resume-symbol', resumed: { symbol: BTC, price: decimal(100_000) }, by: 'asha' });
  } else move(desk, 1, 90_000);
  move(desk, 1, 600_000);
  expect(marketIn(desk.state().durable, BTC).halt).toBeNull();
  const { volatilityBpsPerSqrtSecond: known } = marketOf(desk.state(), BTC).knowledge.estimates;
  if (known.kind !== 'known') throw new Error(known.why);
  return known.value;
}

test('what was measured at the wrong price moves no estimate after the resume', () => {
  const usual = volatilityAfter(1);
  expect(volatilityAfter(10) / usual).toBeLessThan(1.5);
});
