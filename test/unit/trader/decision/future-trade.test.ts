// Public trades whose times are of the future: a row that was written wrongly, or a shift that is forgotten.
import { expect, test } from '@jest/globals';
import { decimal } from '../../../../src/domain/decimal.ts';
import type { PublicTrade } from '../../../../src/domain/fill.ts';
import { HOUR } from '../../../../src/domain/time.ts';
import { decisionOf } from '../../../../src/trader/decision/decide.ts';
import { BTC, deskSettings } from '../desk-settings.ts';
import { deskWith, makeReady } from '../trader-kit.ts';

const trade = (price: string, at: number): PublicTrade => ({
  ...{ price: decimal(price), quantity: decimal('0.1'), takerSide: 'buy', venueTime: at },
});

const HOURS_AHEAD = 5.5 * HOUR;

function begun() {
  const settings = deskSettings();
  const desk = deskWith({ ...settings, runs: settings.runs.map((run) => ({ ...run, referenceSource: 'lastTrade' })) });
  return { desk, reference: () => decisionOf(desk.state(), BTC, desk.now()).view?.referencePrice.toFixed() };
}

test('one is not the last trade, and hides none that come after it', () => {
  const { desk, reference } = begun();
  const first = trade('100200', desk.now() - 5_000);
  desk.shows.publicTrades[BTC] = [first, trade('100300', desk.now() + HOURS_AHEAD)];
  makeReady(desk);
  desk.run(4_000);
  expect(reference()).toBe('100200');
  // The same row as it is.
  const second = trade('100300', desk.now() - 6_000);
  desk.shows.publicTrades[BTC] = [first, second];
  desk.run(5_000);
  expect(reference()).toBe('100300');
  desk.shows.publicTrades[BTC] = [first, second, trade('100900', desk.now())];
  desk.run(10_000);
  expect(reference()).toBe('100900');
});

test('nor are all of a page, whose shift is forgotten for a moment', () => {
  const { desk, reference } = begun();
  const rows = [trade('100200', desk.now() - 5_000), trade('100300', desk.now() - 4_000)];
  desk.shows.publicTrades[BTC] = rows;
  makeReady(desk);
  desk.run(4_000);
  desk.shows.publicTrades[BTC] = rows.map((row) => ({ ...row, venueTime: row.venueTime + HOURS_AHEAD }));
  desk.run(4_000);
  expect(reference()).toBe('100300');
  desk.shows.publicTrades[BTC] = [...rows, trade('100900', desk.now())];
  desk.run(10_000);
  expect(reference()).toBe('100900');
});
