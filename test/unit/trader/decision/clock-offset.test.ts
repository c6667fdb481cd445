// Times of fills and trades are by our clock, however far it is from the exchange’s.
import { describe, expect, test } from '@jest/globals';
import { decimal } from '../../../../src/domain/decimal.ts';
import type { PublicTrade } from '../../../../src/domain/fill.ts';
import { HOUR } from '../../../../src/domain/time.ts';
import { quotingSettingsSchema } from '../../../../src/quoting/quoting-settings.ts';
import { decisionOf } from '../../../../src/trader/decision/decide.ts';
import { cashRunwayOf } from '../../../../src/trader/decision/portfolio.ts';
import type { RunSettings, TraderSettings } from '../../../../src/trader/state/settings.ts';
import { marketOf } from '../../../../src/trader/state/state.ts';
import { BTC, deskSettings } from '../desk-settings.ts';
import { type Desk, deskWith, fillNow, inSlot, makeReady } from '../trader-kit.ts';

const withRun = (settings: TraderSettings, change: (run: RunSettings) => Partial<RunSettings>): TraderSettings => ({
  ...settings,
  runs: settings.runs.map((run) => ({ ...run, ...change(run) })),
});

const withQuoting = (quoting: Record<string, unknown>, of = deskSettings()): TraderSettings =>
  withRun(of, () => ({
    quoting: { timeZone: 'UTC', ...quotingSettingsSchema.parse({ costFloor: { enabled: false }, ...quoting }) },
  }));

/** A desk whose own clock is `aheadMs` ahead of the exchange's, as the exchange's answers tell. */
function skewedDesk(settings: TraderSettings, aheadMs: number): Desk {
  const desk = deskWith(settings);
  const clock = { kind: 'clock', offsetMs: -aheadMs, uncertaintyMs: 50, confirmed: true } as const;
  desk.tell(clock);
  desk.look('book', 'orders', 'trades', 'wallet');
  desk.pass(20);
  desk.look('trades', 'wallet');
  desk.pass(20);
  desk.look('trades', 'wallet');
  desk.run(3_000);
  return desk;
}

function fillAt(desk: Desk, slot: string, aheadMs: number, given: object = {}): void {
  fillNow(desk, inSlot(desk, slot), { venueTime: desk.now() - aheadMs, ...given });
  desk.look('orders', 'trades', 'wallet');
}

const whyNoBid = (desk: Desk) => decisionOf(desk.state(), marketOf(desk.state(), BTC), desk.now()).result?.noQuote.buy;

describe('our clock is not the exchange’s (F83, F86): times of fills and trades are moved to ours', () => {
  test.each([0, 61_000])('filledDelayMs of 30 s keeps the slot empty for 30 s: our clock %d ms ahead', (ahead) => {
    const desk = skewedDesk(withQuoting({ filledDelayMs: 30_000 }), ahead);
    fillAt(desk, 'buy:0', ahead);
    desk.run(10_000);
    expect(whyNoBid(desk)).toContain('has just filled');
    expect(desk.slots().filter((slot) => slot.startsWith('buy'))).toEqual([]);
  });

  test.each([0, -1_800_000])('and no longer than that: our clock %d ms ahead', (ahead) => {
    const desk = skewedDesk(withQuoting({ filledDelayMs: 30_000 }), ahead);
    fillAt(desk, 'buy:0', ahead);
    desk.run(60_000);
    expect(whyNoBid(desk)).toBe(null);
  });

  test.each([0, -1_800_000])('hanging: a new order hangs on no fill of before it: our clock %d ms ahead', (ahead) => {
    const desk = skewedDesk(withQuoting({ hanging: { cancelBps: 300 } }), ahead);
    fillAt(desk, 'buy:0', ahead);
    // The ask that is left of the pair is too far away: from then on both sides are quoted as usual (decision 0055).
    desk.shows.books[BTC] = [96_000, 98_000];
    desk.run(60_000, 250);
    // A fall in which the bid is canceled before its successor is placed.
    desk.shows.books[BTC] = [95_500, 97_500];
    desk.run(30_000, 250);
    expect([whyNoBid(desk), desk.slots()]).toEqual([null, ['buy:0 open', 'sell:0 open']]);
  });

  test.each([-1_800_000, 61_000])('takers are measured from the mid before them: our clock %d ms ahead', (ahead) => {
    const settings = withRun(deskSettings(), ({ strategy }) => ({
      strategy: { ...strategy, needs: () => ({ trades: true }) },
    }));
    const desk = skewedDesk(settings, ahead);
    const trades: PublicTrade[] = [];
    desk.shows.publicTrades = { [BTC]: trades };
    // The price goes up by 40 bps every half minute, and each taker trades 110 to 200 bps from it.
    for (let step = 0; step < 240; step += 1) {
      const middle = 100_000 * 1.004 ** Math.floor(step / 10);
      desk.shows.books[BTC] = [Math.round(middle * 0.99), Math.round(middle * 1.01)];
      desk.run(2_500, 250);
      const [takerSide, sign] = step % 2 === 0 ? (['buy', 1] as const) : (['sell', -1] as const);
      const price = middle * (1 + (sign * (110 + ((step * 37) % 90))) / 10_000);
      trades.push({
        ...{ price: decimal(price.toFixed(1)), quantity: decimal('0.01') },
        ...{ takerSide, venueTime: desk.now() - ahead },
      });
      trades.splice(0, Math.max(0, trades.length - 50));
      desk.run(500, 250);
    }
    const { intensity } = marketOf(desk.state(), BTC).knowledge.estimates;
    expect(intensity.sell.kind).toBe('known');
    // 40 a side in ten minutes: each is in the fit, or all but a few.
    expect(intensity.buy.kind).toBe('known');
  });

  test.each([0, 61_000, -1_800_000])('tax of the last hour is of that hour: our clock %d ms ahead', (ahead) => {
    const settings = withRun(deskSettings(), ({ costs }) => ({ costs: { ...costs, tdsRatio: decimal('0.01') } }));
    const desk = skewedDesk(settings, ahead);
    fillAt(desk, 'sell:0', ahead);
    const withheld = (afterMs: number): boolean =>
      !cashRunwayOf(desk.state(), 'INR', desk.now() + afterMs).withheldLastHour.isZero();
    expect([withheld(3_580_000), withheld(3_620_000)]).toEqual([true, false]);
  });

  test('own fills are passed again when the offset is known better', () => {
    const desk = skewedDesk(deskSettings(), 0);
    fillAt(desk, 'buy:0', 0);
    const told = () => decisionOf(desk.state(), marketOf(desk.state(), BTC), desk.now()).view?.ownFills[0]?.at ?? 0;
    const before = told();
    desk.tell({ kind: 'clock', offsetMs: 400, uncertaintyMs: 50, confirmed: true });
    desk.run(2_000);
    expect(told()).toBe(before - 400);
  });
});

// Public trades whose times are of the future: a row that was written wrongly, or a shift that is forgotten.

const trade = (price: string, at: number): PublicTrade => ({
  ...{ price: decimal(price), quantity: decimal('0.1'), takerSide: 'buy', venueTime: at },
});

const HOURS_AHEAD = 5.5 * HOUR;

function begun() {
  const settings = deskSettings();
  const desk = deskWith({ ...settings, runs: settings.runs.map((run) => ({ ...run, referenceSource: 'lastTrade' })) });
  return {
    desk,
    reference: () => decisionOf(desk.state(), marketOf(desk.state(), BTC), desk.now()).view?.referencePrice.toFixed(),
  };
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
