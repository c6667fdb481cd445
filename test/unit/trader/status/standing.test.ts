// What a snapshot shows of own orders, sides and levels, and the word for a symbol.
import { describe, expect, test } from '@jest/globals';
import { decimal, plain } from '../../../../src/domain/decimal.ts';
import { SECOND } from '../../../../src/domain/time.ts';
import type { IntentState } from '../../../../src/trader/durable/intent.ts';
import { type OrderView, type SymbolView, takeSnapshot } from '../../../../src/trader/status/snapshot.ts';
import {
  countStandings,
  SIDE_STATES,
  type SideState,
  type SideView,
  sidesOf,
  standingOf,
  standingWords,
  symbolVerdict,
} from '../../../../src/trader/status/standing.ts';
import { btc, order } from '../../../browser/status-fixture.ts';
import { BTC, deskSettings } from '../desk-settings.ts';
import { type Desk, fillNow, inSlot, quotingDesk } from '../trader-kit.ts';

const bid = (state: IntentState, isLeaving = false): OrderView => ({
  ...order({ side: 'buy', price: '1', quantity: '1', state }),
  standing: standingOf(state, isLeaving),
});

describe('one side', () => {
  test.each<[string, string, Partial<SymbolView>, boolean]>([
    ['quoted', 'an open order', { orders: [bid('open')] }, true],
    ['quoted', 'an open order beside one that leaves', { orders: [bid('cancel-sent'), bid('open')] }, true],
    ['quoted', 'an open order while nothing new is placed', { orders: [bid('open')], state: 'waiting' }, true],
    ['waiting', 'an open order of a list that is too old', { orders: [bid('open')], state: 'waiting' }, false],
    ['waiting', 'an order that leaves', { orders: [bid('cancel-sent')], state: 'waiting' }, true],
    ['halted', 'an open order of a halted symbol', { orders: [bid('open')], state: 'halted' }, true],
    ['paused', 'nothing', { orders: [], state: 'paused' }, true],
    ['no-quote', 'nothing, and none wanted', { orders: [], noQuote: { buy: 'No funds.', sell: null } }, true],
    ['leaving', 'an open order that is to be canceled', { orders: [bid('open', true)] }, true],
    ['leaving', 'an order whose cancel was sent', { orders: [bid('cancel-sent')] }, true],
    ['leaving', 'an order that is gone from the list', { orders: [bid('closing')] }, true],
    ['unknown', 'an order without an answer', { orders: [bid('unknown')] }, true],
    ['denied', 'a refused order', { orders: [], denied: { code: 'collar', message: 'Too far.' } }, true],
    ['placing', 'an order on its way', { orders: [bid('sent')] }, true],
  ])('is %s with %s', (state, _what, change, isFresh) => {
    expect(sidesOf(btc(change), isFresh).buy.state).toBe(state);
  });

  test('counts every order once, and says why none is live', () => {
    const orders = (['open', 'sent', 'unknown', 'soft-rejected', 'cancel-sent', 'closing'] as const).map((state) =>
      bid(state),
    );
    expect(sidesOf(btc({ orders }), true).buy).toEqual({
      ...{ state: 'quoted', missingMs: 0, why: null },
      ...{ live: 1, placing: 1, unknown: 2, leaving: 2 },
    });
    expect(sidesOf(btc({ orders: [] }), true).buy.why).toBe('About to be placed.');
  });
});

test('while every order of a trader is being canceled, nothing of it counts as quoted', () => {
  // There is no room for a successor beside an order.
  const desk: Desk = quotingDesk(deskSettings({ limits: { maxOpenOrders: 2 } }));
  const viewNow = () => takeSnapshot(desk.state(), desk.now()).symbols.find(({ symbol }) => symbol === BTC);
  expect(viewNow()?.verdict.word).toBe('Quoting');
  desk.reply = (request) => (request.kind === 'cancel' ? null : undefined);
  desk.shows.books[BTC] = [99_900, 101_900];
  for (const end = desk.now() + 20_000; desk.now() < end && (viewNow()?.sides.sell.live ?? 0) > 0; ) desk.run(100);
  for (const end = desk.now() + 5_000; desk.now() < end && (viewNow()?.sides.buy.live ?? 0) > 0; ) desk.run(100);
  const view = viewNow();
  expect(view?.verdict).toEqual({ tone: 'calm', word: 'Replacing quotes' });
  expect(view?.quotedSpreadBps).toBeNull();
  expect([view?.sides.buy, view?.sides.sell]).toMatchObject([
    { state: 'leaving', live: 0, leaving: 1 },
    { state: 'leaving', live: 0, leaving: 1 },
  ]);
});

const side = (state: SideState, missingMs = 0) => ({
  ...{ state, missingMs, live: 0, placing: 0, leaving: 0, unknown: 0, why: null },
});
const verdictOf = (buy: SideView, sell: SideView) => symbolVerdict({ state: 'quoting', sides: { buy, sell } });
const MISSING = SIDE_STATES.filter((state) => state !== 'quoted');
const verdict = (buy: SideState, sell: SideState, missingMs = 0): string => {
  const { tone, word } = verdictOf(side(buy, missingMs), side(sell, missingMs));
  return `${tone}: ${word}`;
};

test.each([
  ['waiting', 'warn', 'Waiting'],
  ['paused', 'warn', 'Paused'],
  ['halted', 'stop', 'Halted'],
] as const)('a symbol that is %s is so, whatever is live', (state, tone, word) => {
  const sides = { buy: side('quoted'), sell: side('quoted') };
  expect(symbolVerdict({ state, sides })).toEqual({ tone, word });
});

test('two quoted sides are good', () => {
  expect(verdict('quoted', 'quoted')).toBe('good: Quoting');
});

test.each(MISSING)('a side quoted alone next to %s is shown', (other) => {
  const tone = other === 'unknown' || other === 'denied' ? 'warn' : 'calm';
  expect(verdict('quoted', other)).toBe(`${tone}: Quoting, bid only`);
  expect(verdict(other, 'quoted')).toBe(`${tone}: Quoting, ask only`);
});

test.each(MISSING)('nothing quoted and a side %s', (state) => {
  const words = state === 'leaving' || state === 'placing' ? 'calm: Replacing quotes' : 'warn: No quote';
  expect([verdict(state, 'no-quote'), verdict('no-quote', state), verdict(state, state)]).toEqual([
    words,
    words,
    words,
  ]);
});

test.each(MISSING)('a lost quote next to a side that is %s does not improve the verdict', (state) => {
  const TONES = ['good', 'calm', 'warn', 'stop'];
  const toneOf = (...sides: Parameters<typeof verdictOf>): number => TONES.indexOf(verdictOf(...sides).tone);
  for (const ms of [0, 15_000, 15_001, 900_000])
    for (const lost of MISSING)
      for (const lostMs of [0, 15_001]) {
        const [stays, goes] = [side(state, ms), side(lost, lostMs)];
        expect(toneOf(goes, stays)).toBeGreaterThanOrEqual(toneOf(side('quoted'), stays));
        expect(toneOf(stays, goes)).toBeGreaterThanOrEqual(toneOf(stays, side('quoted')));
      }
});

test.each(['leaving', 'placing', 'unknown'] as const)('an order %s for longer than 15 s is no replacement', (state) => {
  expect(verdict(state, state, 15_000)).toBe(state === 'unknown' ? 'warn: No quote' : 'calm: Replacing quotes');
  expect(verdict(state, state, 15_001)).toBe('warn: No quote');
  expect(verdict('quoted', state, 15_001)).toBe('warn: Quoting, bid only');
  expect(verdict('quoted', 'no-quote', 900_000)).toBe('calm: Quoting, bid only');
});

test.each([
  ['open', 'live', 'leaving'],
  ['sent', 'placing', 'placing'],
  ['unknown', 'unknown', 'unknown'],
  ['soft-rejected', 'unknown', 'unknown'],
  ['cancel-sent', 'leaving', 'leaving'],
  ['closing', 'leaving', 'leaving'],
  ['closed', 'leaving', 'leaving'],
] as const)('an order that is %s is %s, and %s where the decision takes it away', (state, stays, leaves) => {
  expect([standingOf(state, false), standingOf(state, true)]).toEqual([stays, leaves]);
});

test('orders are counted by standing, and put into words', () => {
  const orders = (['live', 'leaving', 'live', 'placing', 'unknown', 'live'] as const).map((standing) => ({ standing }));
  expect(countStandings(orders)).toEqual({ live: 3, placing: 1, leaving: 1, unknown: 1 });
  expect(standingWords(countStandings(orders))).toBe('3 live, 1 on the way, 1 leaving, 1 unknown');
  expect(standingWords(countStandings(orders.slice(1, 2)))).toBe('1 leaving');
  expect(standingWords(countStandings([]))).toBe('');
});

test('each level of the book shows our own part, without its fills', () => {
  const desk = quotingDesk();
  const [bid, ask] = [inSlot(desk, 'buy:0'), inSlot(desk, 'sell:0')];
  const levels = () => {
    const [view] = takeSnapshot(desk.state(), desk.now()).symbols;
    return { bids: view?.bids, asks: view?.asks };
  };
  expect(levels()).toEqual({
    bids: [{ price: '99000', quantity: '1', own: '0' }],
    asks: [{ price: '101000', quantity: '1', own: '0' }],
  });
  desk.shows.books[BTC] = [bid.price.toNumber(), ask.price.toNumber()];
  fillNow(desk, ask, { quantity: decimal('0.001') });
  desk.look('trades', 'book');
  expect(levels()).toEqual({
    bids: [{ price: plain(bid.price), quantity: '1', own: plain(bid.quantity) }],
    asks: [{ price: plain(ask.price), quantity: '1', own: plain(ask.quantity.sub('0.001')) }],
  });
});

// Numbers that the snapshot brings for graphs: the others' best prices, how much of the limits is used.

const snapshot = (desk: Desk) => takeSnapshot(desk.state(), desk.now());
const viewOf = (desk: Desk) => snapshot(desk).symbols.find(({ symbol }) => symbol === BTC);
const oneSidedOf = (desk: Desk) => viewOf(desk)?.risk.limitsUsed.find(({ name }) => name === 'repeatedFills')?.share;

test("the others' best prices are those of the book without us, and absent without one", () => {
  const desk = quotingDesk();
  expect(viewOf(desk)?.market).toEqual({ bid: '99000', ask: '101000' });
  desk.shows.books[BTC] = null;
  desk.run(10 * SECOND);
  expect(viewOf(desk)).toMatchObject({ market: null, marketSpreadBps: null });
});

test('fills of one side count until the other side fills as much, or the window has passed', () => {
  const desk = quotingDesk(deskSettings({ limits: { maxOrderNotional: '1250', repeatedFills: 0.8 } }));
  const fill = (slot: string) => {
    const made = fillNow(desk, inSlot(desk, slot), { quantity: decimal('0.001') });
    desk.run(3 * SECOND);
    return made.price.mul(made.quantity).div(1_000).toNumber();
  };
  const bought = fill('buy:0');
  expect(oneSidedOf(desk)).toBeCloseTo(bought, 6);
  const sold = fill('sell:0');
  expect(oneSidedOf(desk)).toBeCloseTo(Math.abs(bought - sold), 6);
  desk.run(301 * SECOND);
  expect(oneSidedOf(desk)).toBe(0);
});
