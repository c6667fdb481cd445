// What a market whose price jumped is kept from, beside being quoted itself.
import { expect, test } from '@jest/globals';
import { decimal } from '../../../../src/domain/decimal.ts';
import type { RunSettings, TraderSettings } from '../../../../src/trader/state/settings.ts';
import { hasDecided, takeRead } from '../../../../src/trader/turns/preview.ts';
import { strategy as crossRate } from '../../../../strategies/cross-rate.ts';
import { BTC, deskSettings } from '../desk-settings.ts';
import { type Desk, deskWith, makeReady, reasons } from '../trader-kit.ts';

const USDT = 'USDT/INR';
const LEG = 'BTC/USDT';
const RIGHT = { [BTC]: [99_000, 101_000], [USDT]: [999, 1_001], [LEG]: [99, 101] } as const;

/** BTC/INR is quoted through BTC/USDT, which no run has, and USDT/INR. */
function crossing(ofUsdt: Partial<RunSettings> = {}): TraderSettings {
  const settings = deskSettings({ symbols: [BTC, USDT], limits: { jumpBps: 300 } });
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

test('nor for a moment: what was decided before the jump was known is decided anew', () => {
  const desk = begun();
  Object.assign(desk.shows.books, { [USDT]: [1_039, 1_041] });
  desk.look('book');
  expect(desk.state().markets.get(USDT)?.jump).not.toBeNull();
  expect(whyNone(desk)).toBe('The book of USDT/INR is not read yet, or its price is not trusted.');
});

test('a price that is not of its book says nothing of the book: it stays a leg', () => {
  const desk = begun(crossing({ referenceSource: 'external' }));
  expect(reasons(desk)[1]).toContain('There is no external price');
  expect(ofBtc(desk)).toHaveLength(2);
});

test('what would be quoted now is looked for until a second book has confirmed the leg', () => {
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
