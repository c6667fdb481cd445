// Time adds up: every millisecond that is counted is in exactly one entry of each account, whatever comes in whatever
// pieces.

import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { DAY, HOUR, MINUTE } from '../../../../src/domain/time.ts';
import { BLOCKS } from '../../../../src/quoting/block.ts';
import {
  addPiece,
  copyOf,
  correctFresh,
  lastHourOf,
  type Piece,
  type SymbolTime,
  startTime,
  type TimeAccount,
  TRACKS,
} from '../../../../src/trader/state/time-account.ts';

const sum = (account: TimeAccount): number => [...account.values()].reduce((total, ms) => total + ms, 0);
const sums = (time: SymbolTime): number[] => TRACKS.map((track) => sum(time.tracks[track].all));
const hours = (time: SymbolTime): number[] => TRACKS.map((track) => sum(lastHourOf(time.tracks[track])));

const presence = fc.constantFrom('fresh' as const, ...BLOCKS);
const piece: fc.Arbitrary<Piece> = fc.record({
  ms: fc.oneof({ weight: 9, arbitrary: fc.integer({ min: 1, max: 90_000 }) }, fc.integer({ min: 1, max: 3 * HOUR })),
  sides: fc.record({ buy: presence, sell: presence }),
});
const correction = fc.record({
  side: fc.constantFrom('buy' as const, 'sell' as const),
  ms: fc.integer({ min: -5_000, max: 10 * MINUTE }),
});

test('any states and durations: each account covers all the time, and its last hour is an hour', () => {
  const run = fc.property(
    fc.array(fc.oneof({ weight: 4, arbitrary: piece }, correction), { maxLength: 80 }),
    (steps) => {
      const time = startTime(0);
      let all = 0;
      for (const step of steps) {
        if ('sides' in step) {
          addPiece(time, step);
          all += step.ms;
        } else correctFresh(time, step.side, { ms: step.ms, reason: 'order-unknown' });
        expect(time.countedMs).toBe(all);
        expect(sums(time)).toEqual([all, all, all]);
        for (const hour of hours(time)) {
          expect(hour).toBeLessThanOrEqual(HOUR);
          expect(hour).toBeGreaterThanOrEqual(Math.min(all, HOUR - MINUTE));
        }
        for (const track of TRACKS) {
          const { all: account, minutes } = time.tracks[track];
          expect(Math.min(0, ...account.values(), ...minutes.flatMap((minute) => [...minute.values()]))).toBe(0);
          expect(minutes.length).toBeLessThanOrEqual(60);
        }
      }
    },
  );
  fc.assert(run, { numRuns: Number(process.env.RUNS ?? 300) });
});

test('both sides are fresh if each is, and lost to the graver reason if both are lost', () => {
  const time = startTime(0);
  addPiece(time, { ms: 5, sides: { buy: 'fresh', sell: 'fresh' } });
  addPiece(time, { ms: 7, sides: { buy: 'lane', sell: 'fresh' } });
  addPiece(time, { ms: 11, sides: { buy: 'fresh', sell: 'funds' } });
  addPiece(time, { ms: 13, sides: { buy: 'lane', sell: 'book' } });
  expect([...time.tracks.both.all]).toEqual([
    ['fresh', 5],
    ['lane', 7],
    ['funds', 11],
    ['book', 13],
  ]);
});

test('a machine that slept for weeks costs no more than an hour', () => {
  const time = startTime(0);
  addPiece(time, { ms: 90_000, sides: { buy: 'fresh', sell: 'fresh' } });
  addPiece(time, { ms: 40 * DAY + 1, sides: { buy: 'book', sell: 'book' } });
  expect(sums(time)).toEqual(Array(3).fill(90_000 + 40 * DAY + 1));
  expect([...lastHourOf(time.tracks.both).keys()]).toEqual(['book']);
});

test('counting in a copy does not change the original', () => {
  const time = startTime(0);
  addPiece(time, { ms: 1_000, sides: { buy: 'fresh', sell: 'fresh' } });
  addPiece(copyOf(time), { ms: 500, sides: { buy: 'lane', sell: 'lane' } });
  correctFresh(copyOf(time), 'buy', { ms: 500, reason: 'order-unknown' });
  expect(sums(time)).toEqual([1_000, 1_000, 1_000]);
  expect([...lastHourOf(time.tracks.buy)]).toEqual([['fresh', 1_000]]);
});

test('the newest fresh time is corrected, for the side and for both, minute by minute', () => {
  const time = startTime(0);
  addPiece(time, { ms: 90_000, sides: { buy: 'fresh', sell: 'fresh' } });
  addPiece(time, { ms: 10_000, sides: { buy: 'lane', sell: 'fresh' } });
  correctFresh(time, 'buy', { ms: 50_000, reason: 'order-unknown' });
  const corrected = { fresh: 40_000, lane: 10_000, 'order-unknown': 50_000 };
  expect(Object.fromEntries(time.tracks.buy.all)).toEqual(corrected);
  expect(Object.fromEntries(time.tracks.both.all)).toEqual(corrected);
  expect(Object.fromEntries(time.tracks.sell.all)).toEqual({ fresh: 100_000 });
  expect(time.tracks.buy.minutes.map((minute) => minute.get('fresh'))).toEqual([40_000, 0]);
});
