// The first books of a market, of which one is garbled: the estimate of the volatility.
import { expect, test } from '@jest/globals';
import { marketOf } from '../../../../src/trader/state/state.ts';
import { BTC, deskSettings } from '../desk-settings.ts';
import { type Desk, deskWith } from '../trader-kit.ts';

const RIGHT = [99_000, 101_000] as const;
const TENFOLD = [990_000, 1_010_000] as const;

function begun(books: readonly (readonly [number, number])[], forMs: number): Desk {
  const desk = deskWith(deskSettings());
  desk.tell({ kind: 'clock', offsetMs: 0, uncertaintyMs: 50, confirmed: true });
  for (const book of books) {
    desk.shows.books[BTC] = book;
    desk.look('book');
    desk.tell({ kind: 'tick' });
    desk.pass(5_500);
  }
  let up = false;
  for (const end = desk.now() + forMs; desk.now() < end; ) {
    up = !up;
    desk.shows.books[BTC] = up ? [99_010, 101_010] : RIGHT;
    desk.run(6_000, 1_000);
  }
  return desk;
}

const volatility = (desk: Desk): number => {
  const { volatilityBpsPerSqrtSecond: known } = marketOf(desk.state(), BTC).knowledge.estimates;
  if (known.kind !== 'known') throw new Error(known.why);
  return known.value;
};

const steady = volatility(begun([RIGHT, RIGHT, RIGHT, RIGHT], 20 * 60_000));

test.each([
  ['the first', [TENFOLD, RIGHT, RIGHT, RIGHT]],
  ['the second', [RIGHT, TENFOLD, RIGHT, RIGHT]],
  ['the third', [RIGHT, RIGHT, TENFOLD, RIGHT]],
])('a price that no second book confirms moves no estimate: %s of four is ten times as high', (_name, books) => {
  const withOne = volatility(begun(books, 20 * 60_000));
  expect(withOne / steady).toBeLessThan(1.5);
});
