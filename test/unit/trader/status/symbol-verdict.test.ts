import { expect, test } from '@jest/globals';
import {
  countStandings,
  SIDE_STATES,
  type SideState,
  type SideView,
  standingOf,
  standingWords,
  symbolVerdict,
} from '../../../../src/trader/status/standing.ts';

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

test('two sides that are quoted are good', () => {
  expect(verdict('quoted', 'quoted')).toBe('good: Quoting');
});

test.each(MISSING)('one that is quoted alone beside %s is said', (other) => {
  const tone = other === 'unknown' || other === 'denied' ? 'warn' : 'calm';
  expect(verdict('quoted', other)).toBe(`${tone}: Quoting, bid only`);
  expect(verdict(other, 'quoted')).toBe(`${tone}: Quoting, ask only`);
});

test.each(MISSING)('where nothing is quoted and a side is %s', (state) => {
  const words = state === 'leaving' || state === 'placing' ? 'calm: Replacing quotes' : 'warn: No quote';
  expect([verdict(state, 'no-quote'), verdict('no-quote', state), verdict(state, state)]).toEqual([
    words,
    words,
    words,
  ]);
});

test.each(MISSING)('a quote that is lost beside a side that is %s makes nothing calmer', (state) => {
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

test.each(['leaving', 'placing', 'unknown'] as const)('what is %s for longer than 15 s replaces nothing', (state) => {
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

test('orders are counted by what they are, and told in words', () => {
  const orders = (['live', 'leaving', 'live', 'placing', 'unknown', 'live'] as const).map((standing) => ({ standing }));
  expect(countStandings(orders)).toEqual({ live: 3, placing: 1, leaving: 1, unknown: 1 });
  expect(standingWords(countStandings(orders))).toBe('3 live, 1 on the way, 1 leaving, 1 unknown');
  expect(standingWords(countStandings(orders.slice(1, 2)))).toBe('1 leaving');
  expect(standingWords(countStandings([]))).toBe('');
});
