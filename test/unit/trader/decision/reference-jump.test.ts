// A reference price against those of before: jumps, the collar’s second leg, and how far prices travel.
import { describe, expect, test } from '@jest/globals';
import { decimal } from '../../../../src/domain/decimal.ts';
import { MINUTE } from '../../../../src/domain/time.ts';
import { travelBpsOf, travelIn } from '../../../../src/trader/decision/reference.ts';
import { riskContext } from '../../../../src/trader/decision/view.ts';
import type { RunSettings, TraderSettings } from '../../../../src/trader/state/settings.ts';
import { marketOf } from '../../../../src/trader/state/state.ts';
import { hasDecided, takeRead } from '../../../../src/trader/turns/preview.ts';
import { strategy as crossRate } from '../../../../strategies/cross-rate.ts';
import { BTC, deskSettings } from '../desk-settings.ts';
import { codesIn } from '../durable-kit.ts';
import { type Desk, deskWith, makeReady, quotingDesk, readyDesk, reasons } from '../trader-kit.ts';

const USDT = 'USDT/INR';
const LEG = 'BTC/USDT';
const RIGHT = { [BTC]: [99_000, 101_000], [USDT]: [999, 1_001], [LEG]: [99, 101] } as const;

/** BTC/INR is quoted through BTC/USDT, which no run has, and USDT/INR. */
function crossing(ofUsdt: Partial<RunSettings> = {}): TraderSettings {
  const settings = deskSettings({ symbols: [BTC, USDT], limits: { jumpBps: 390 } });
  const [btc, usdt] = settings.runs as [RunSettings, RunSettings];
  const params = crossRate.params.parse({ legs: [LEG, USDT], halfSpreadBps: 200, orderSize: '1000' });
  return {
    ...settings,
    runs: [
      { ...btc, strategy: crossRate, params },
      { ...usdt, ...ofUsdt },
    ] as TraderSettings['runs'],
  };
}

function begun(settings = crossing()): Desk {
  const desk = deskWith(settings);
  desk.shows.balances = { INR: decimal(10_000_000), BTC: decimal(1), USDT: decimal(10_000) };
  Object.assign(desk.shows.books, RIGHT);
  makeReady(desk);
  desk.run(10_000);
  return desk;
}

const ofBtc = (desk: Desk): string[] =>
  desk
    .intents()
    .filter(({ symbol, state }) => symbol === BTC && state === 'open')
    .map(({ side, price }) => `${side} ${price.toFixed()}`)
    .sort();

const whyNone = (desk: Desk) => desk.state().markets.get(BTC)?.decision?.result?.noQuote.buy;

test('no leg of a cross rate while its price is not trusted here, and one again once it is back', () => {
  const desk = begun();
  const before = ofBtc(desk);
  expect([before.length, reasons(desk)]).toEqual([2, ['quoting', 'quoting']]);
  const sentBefore = desk.sent.length;
  // 4 % up: within what the legs may be off the reference price of BTC/INR, and no price for USDT/INR itself.
  Object.assign(desk.shows.books, { [USDT]: [1_039, 1_041] });
  desk.run(20_000);
  expect(desk.state().markets.get(USDT)?.jump).not.toBeNull();
  expect(ofBtc(desk)).toEqual([]);
  expect(desk.sent.slice(sentBefore).filter(({ chosen }) => chosen.request.kind === 'create')).toEqual([]);
  expect(whyNone(desk)).toBe('The book of USDT/INR is not read yet, or its price is not trusted.');
  Object.assign(desk.shows.books, RIGHT);
  desk.run(20_000);
  expect(ofBtc(desk)).toEqual(before);
});

test('nor for a moment: decisions from before the jump was known are made anew', () => {
  const desk = begun();
  Object.assign(desk.shows.books, { [USDT]: [1_039, 1_041] });
  desk.look('book');
  expect(desk.state().markets.get(USDT)?.jump).not.toBeNull();
  expect(whyNone(desk)).toBe('The book of USDT/INR is not read yet, or its price is not trusted.');
});

test('a price from another source proves nothing about the book: it stays a leg', () => {
  const desk = begun(crossing({ referenceSource: 'external' }));
  expect(reasons(desk)[1]).toContain('There is no external price');
  expect(ofBtc(desk)).toHaveLength(2);
});

test('the preview reads on until a second book has confirmed the leg', () => {
  const desk = deskWith(crossing());
  Object.assign(desk.shows.books, RIGHT);
  desk.tell({ kind: 'clock', offsetMs: 0, uncertaintyMs: 50, confirmed: true });
  for (const end = desk.now() + 30_000; desk.now() < end; desk.pass(100)) {
    for (const lane of ['public', 'private'] as const) {
      const chosen = takeRead(desk.state(), lane, desk.now());
      if (chosen !== null) desk.answer(chosen);
    }
    if (hasDecided(desk.state(), desk.now())) break;
  }
  expect(hasDecided(desk.state(), desk.now())).toBe(true);
  expect([desk.state().markets.get(BTC)?.decision?.result?.quotes.length, whyNone(desk)]).toEqual([2, null]);
});

// A garbled book, an outage of hours, and a market that has moved meanwhile.

function afterOutage(bid: number, ask: number): Desk {
  const desk = quotingDesk();
  desk.run(5_000);
  desk.shows.books[BTC] = [990_000, 1_010_000];
  desk.look('book');
  desk.run(100);
  const fault = { sent: true, reason: 'timeout', detail: 'Slow.' } as const;
  desk.reply = ({ kind }) =>
    kind === 'create' || kind === 'cancel' ? { kind: 'unknown', fault } : { kind: 'failed', fault };
  desk.run(10_000, 500);
  desk.pass(6 * 3_600_000);
  desk.run(10_000, 500);
  desk.shows.books[BTC] = [bid, ask];
  desk.reply = () => undefined;
  desk.run(3 * 60_000);
  return desk;
}

test('an outage of hours takes the market as it is, also where the last book before it was garbled', () => {
  const desk = afterOutage(114_000, 116_000);
  expect(codesIn(desk.state().durable).get(BTC)).toBeUndefined();
  expect(desk.state().markets.get(BTC)?.lastGoodReference?.toFixed()).toBe('115000');
});

test('a decimal that stays slipped halts it', () => {
  expect(codesIn(afterOutage(990_000, 1_010_000).state().durable).get(BTC)).toBe('price');
});

// Prices of before that features look back at.

test('a price from before the last refresh is known at any time, even for the rarest refresh', () => {
  const longest = 10 * MINUTE;
  const desk = readyDesk();
  desk.run(longest);
  for (let seconds = 0; seconds < 1.1 * (longest / 1_000); seconds += 1) {
    desk.run(1_000);
    const refreshedAt = Math.floor(desk.now() / longest) * longest;
    expect(marketOf(desk.state(), BTC).references[0]?.at).toBeLessThanOrEqual(refreshedAt);
  }
});

// What the tolerance of an order is held to: how far the reference price goes while a move is on its way.

/** One every five seconds. */
const pricesOf = (prices: readonly number[]) =>
  prices.map((price, index) => ({ at: index * 5_000, price: decimal(price), float: price }));

describe('the travel of reference prices', () => {
  test('is the root mean square of their changes over the time', () => {
    const steps = Array.from({ length: 13 }, (_, index) => 10_000 + (index % 2) * 10);
    const travel = travelIn(pricesOf(steps), 5_000);
    expect(travel?.overMs).toBe(5_000);
    expect(travel?.bps).toBeCloseTo(10, 1);
  });

  test('that return is zero over two of their steps', () => {
    const steps = Array.from({ length: 14 }, (_, index) => 10_000 + (index % 2) * 10);
    expect(travelIn(pricesOf(steps), 10_000)).toEqual({ bps: 0, overMs: 10_000 });
  });

  test('covers the next available time if they are farther apart than requested', () => {
    const drift = Array.from({ length: 20 }, (_, index) => 10_000 + index);
    const travel = travelIn(pricesOf(drift), 7_000);
    expect(travel?.overMs).toBe(10_000);
    expect(travel?.bps).toBeCloseTo(2, 1);
  });

  test('is not what they did over an outage: what was seen in seconds before and after it tells', () => {
    const calm = Array.from({ length: 60 }, (_, index) => 10_000 + (index % 2));
    const before = pricesOf(calm);
    const outage = 20 * MINUTE;
    const after = pricesOf(calm.map((price) => price * 1.03)).map(({ at, ...each }) => ({
      ...{ at: at + 60 * 5_000 + outage },
      ...each,
    }));
    const travel = travelIn([...before, ...after], 5_000);
    expect(travel).toEqual({ bps: expect.closeTo(1, 1), overMs: 5_000 });
    // One price in five minutes is all that there is to go by.
    const rare = pricesOf(calm).map(({ at, ...each }) => ({ at: at * 60, ...each }));
    expect(travelIn(rare, 200_000)).toEqual({ bps: expect.closeTo(1, 1), overMs: 300_000 });
  });

  test('is unknown with few prices', () => {
    expect(travelIn(pricesOf([10_000, 10_010, 10_000]), 5_000)).toBeNull();
  });
});

describe('the travel while a move is on its way', () => {
  const desk = () => {
    const settings = deskSettings({ requestsPerSecond: { public: 100, private: 0.5 } });
    const [run] = settings.runs;
    if (run === undefined) throw new Error('The desk has one run.');
    const guard = { ...run.quoting.guard, expectedDelayMs: 1_000, volatilityBpsPerSqrtSecond: 3 };
    const told = { ...run, quoting: { ...run.quoting, guard } };
    return { run: told, desk: quotingDesk({ ...settings, runs: [told] }) };
  };

  test('is what the guard assumes before there are prices: a book of 1 s, two turns in 4 s, 1 s to the book', () => {
    const { desk: quoting } = desk();
    expect(travelBpsOf(quoting.state(), marketOf(quoting.state(), BTC))).toBeCloseTo(3 * Math.sqrt(6), 6);
  });

  test('is the measured one once there are', () => {
    const { desk: quoting } = desk();
    for (let book = 0; book < 40; book += 1) {
      // The middle goes from 100000 to 100100 and back.
      quoting.shows.books[BTC] = book % 4 < 2 ? [98_000, 102_000] : [98_100, 102_100];
      quoting.pass(5_000);
      quoting.look('book', 'orders', 'trades', 'wallet');
      quoting.run(100);
    }
    const seen = travelBpsOf(quoting.state(), marketOf(quoting.state(), BTC));
    expect(seen).toBeGreaterThan(6);
    expect(seen).toBeLessThan(11);
  });
});

// The collar's second price: the reference of some minutes ago, which a price that creeps away leaves behind (check 3).

const recentOf = (desk: Desk): string =>
  riskContext(desk.state(), marketOf(desk.state(), BTC), desk.now()).recentReference?.toFixed() ?? 'none';

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

test('stops quotes too far from it, even if near the current price', () => {
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
