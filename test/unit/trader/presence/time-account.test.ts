// Time adds up: every millisecond that is counted is in exactly one entry of each account, whatever comes in whatever
// pieces.
import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { DAY, HOUR, MINUTE } from '../../../../src/domain/time.ts';
import { BLOCKS } from '../../../../src/quoting/block.ts';
import {
  addPiece,
  anHourAgo,
  copyOf,
  correctFresh,
  type Piece,
  type SymbolTime,
  startTime,
  type TimeAccount,
  TRACKS,
} from '../../../../src/trader/state/time-account.ts';

const sum = (account: TimeAccount): number => [...account.values()].reduce((total, ms) => total + ms, 0);
const sums = (time: SymbolTime): number[] => TRACKS.map((track) => sum(time.tracks[track]));
/** Time counted since the accounts of an hour ago. */
function hours(time: SymbolTime): number[] {
  const before = anHourAgo(time);
  return TRACKS.map((track) => sum(time.tracks[track]) - (before === null ? 0 : sum(before[track])));
}

const presence = fc.constantFrom('fresh' as const, ...BLOCKS);
const piece: fc.Arbitrary<Piece> = fc.record({
  ms: fc.integer({ min: 1, max: 2 * MINUTE }),
  sides: fc.record({ buy: presence, sell: presence }),
});
const correction = fc.record({
  side: fc.constantFrom('buy' as const, 'sell' as const),
  ms: fc.integer({ min: -5_000, max: 10 * MINUTE }),
});

test('any states and durations: each account covers all the time, and its last hour is an hour', () => {
  const run = fc.property(
    fc.array(fc.oneof({ weight: 4, arbitrary: piece }, correction), { maxLength: 150 }),
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
          expect(hour).toBeGreaterThanOrEqual(Math.min(all, HOUR - 4 * MINUTE));
        }
        for (const track of TRACKS) {
          expect(Math.min(0, ...time.tracks[track].values())).toBe(0);
          expect(time.marks.length).toBeLessThanOrEqual(62);
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
  expect([...time.tracks.both]).toEqual([
    ['fresh', 5],
    ['lane', 7],
    ['funds', 11],
    ['book', 13],
  ]);
});

test('after weeks of sleep, the last hour begins where the machine fell asleep', () => {
  const time = startTime(0);
  addPiece(time, { ms: 90_000, sides: { buy: 'fresh', sell: 'fresh' } });
  addPiece(time, { ms: 40 * DAY + 1, sides: { buy: 'book', sell: 'book' } });
  expect(sums(time)).toEqual(Array(3).fill(90_000 + 40 * DAY + 1));
  expect(anHourAgo(time)?.both).toEqual(new Map([['fresh', 90_000]]));
});

test('counting in a copy does not change the original', () => {
  const time = startTime(0);
  addPiece(time, { ms: 1_000, sides: { buy: 'fresh', sell: 'fresh' } });
  addPiece(copyOf(time), { ms: 500, sides: { buy: 'lane', sell: 'lane' } });
  correctFresh(copyOf(time), 'buy', { ms: 500, reason: 'order-unknown' });
  expect(sums(time)).toEqual([1_000, 1_000, 1_000]);
});

test('fresh time is corrected, for the side and for both', () => {
  const time = startTime(0);
  addPiece(time, { ms: 90_000, sides: { buy: 'fresh', sell: 'fresh' } });
  addPiece(time, { ms: 10_000, sides: { buy: 'lane', sell: 'fresh' } });
  correctFresh(time, 'buy', { ms: 50_000, reason: 'order-unknown' });
  const corrected = { fresh: 40_000, lane: 10_000, 'order-unknown': 50_000 };
  expect(Object.fromEntries(time.tracks.buy)).toEqual(corrected);
  expect(Object.fromEntries(time.tracks.both)).toEqual(corrected);
  expect(Object.fromEntries(time.tracks.sell)).toEqual({ fresh: 100_000 });
});
