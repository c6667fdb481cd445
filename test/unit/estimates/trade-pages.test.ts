import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import type { PublicTrade } from '../../../src/domain/fill.ts';
import { coverageOf, type JoinedPage, joinPage } from '../../../src/estimates/trade-pages.ts';
import { shown, trade } from './public-trades.ts';

const [a, b, c, d] = ['buy 1 @ 100 at 1', 'buy 2 @ 100 at 2', 'sell 1 @ 99 at 3', 'buy 1 @ 101 at 4'].map(trade) as [
  PublicTrade,
  PublicTrade,
  PublicTrade,
  PublicTrade,
];
const outcome = ({ added, hasGap, isFirst, isBehind }: JoinedPage): unknown => ({
  added: added.map(shown),
  hasGap,
  isFirst,
  isBehind,
});
const joined = { hasGap: false, isFirst: false, isBehind: false };

describe('a page', () => {
  test('is the first where nothing was seen', () => {
    const page = joinPage([], [b, a]);
    expect(outcome(page)).toEqual({ ...joined, added: [a, b].map(shown), isFirst: true });
    expect(page.tail.map(shown)).toEqual([a, b].map(shown));
  });

  test('adds what it has beyond the tail, whatever the order of its rows', () => {
    const page = joinPage([a, b, c], [d, c, b]);
    expect(outcome(page)).toEqual({ ...joined, added: [shown(d)] });
    expect(page.tail).toHaveLength(4);
  });

  test('without a shared row is a gap, and the next one is joined to it', () => {
    const page = joinPage([a, b], [c, d]);
    expect(outcome(page)).toEqual({ ...joined, added: [c, d].map(shown), hasGap: true });
    const next = joinPage(page.tail, [c, d, trade('sell 1 @ 98 at 9')]);
    expect(outcome(next)).toEqual({ ...joined, added: ['sell 1 @ 98 at 9'] });
  });

  test('that ends before the tail adds nothing and is no gap, nor is an empty one', () => {
    for (const page of [[a], [a, b], []])
      expect(outcome(joinPage([b, c, d], page))).toEqual({ ...joined, added: [], isBehind: true });
  });

  test('may show an equal row once more: that is another trade', () => {
    expect(outcome(joinPage([a, b], [a, b, b]))).toEqual({ ...joined, added: [shown(b)] });
    expect(outcome(joinPage([a, b, b], [a, b, b]))).toEqual({ ...joined, added: [] });
  });

  test('that begins in the last millisecond of the tail may have been cut there: a gap', () => {
    expect(outcome(joinPage([a, b], [b, c]))).toEqual({ ...joined, added: [shown(c)], hasGap: true });
  });

  test('that is the same again is no gap, even within one millisecond', () => {
    expect(outcome(joinPage([b], [b]))).toEqual({ ...joined, added: [] });
    expect(outcome(joinPage([a, b], [a, b]))).toEqual({ ...joined, added: [] });
  });

  test('that shows more of the one millisecond of a tail is a gap: those rows may be before the tail', () => {
    const other = trade('buy 7 @ 100 at 2');
    expect(outcome(joinPage([b], [a, other, b]))).toEqual({ ...joined, added: [], hasGap: true });
  });

  test('that came late and is no proof takes nothing from the tail', () => {
    const [x, y] = ['buy 1 @ 100 at 2', 'buy 2 @ 101 at 2'].map(trade) as [PublicTrade, PublicTrade];
    const late = joinPage([x], [a, y]);
    expect(outcome(late)).toEqual({ ...joined, added: [], hasGap: true });
    expect(outcome(joinPage(late.tail, [x]))).toEqual({ ...joined, added: [] });
  });

  test('brings a row that the exchange published late', () => {
    expect(outcome(joinPage([a, c], [a, b, c]))).toEqual({ ...joined, added: [shown(b)] });
  });

  test('keeps a tail of two hundred rows at most', () => {
    let tail: readonly PublicTrade[] = [];
    const rows = Array.from({ length: 500 }, (_, index) => trade(`buy 1 @ 100 at ${index}`));
    for (let end = 50; end <= 500; end += 30) tail = joinPage(tail, rows.slice(end - 50, end)).tail;
    expect(tail.length).toBe(200);
  });
});

/** Few prices, sizes and milliseconds, so that equal rows and full milliseconds are frequent. */
const row = fc.record({
  later: fc.constantFrom(0, 0, 1, 1, 2),
  kind: fc.constantFrom('buy 1 @ 100', 'sell 1 @ 100', 'buy 2 @ 101'),
});
const stream = fc.array(row, { minLength: 1, maxLength: 120 }).map((rows) => {
  let time = 0;
  return rows.map(({ later, kind }) => {
    time += later;
    return trade(`${kind} at ${time}`);
  });
});
interface Read {
  readonly moment: number;
  readonly length: number;
  readonly isReversed: boolean;
}
const read: fc.Arbitrary<Read> = fc.record({
  moment: fc.nat(120),
  length: fc.integer({ min: 1, max: 30 }),
  isReversed: fc.boolean(),
});
/** In order of time but for some that come late. */
const reads = fc
  .array(read, { minLength: 2, maxLength: 25 })
  .chain((all) => fc.boolean().map((late) => (late ? all : all.toSorted((x, y) => x.moment - y.moment))));

interface Turn {
  readonly page: readonly PublicTrade[];
  readonly before: readonly PublicTrade[];
  readonly answer: JoinedPage;
  /** Rows of the truth that were read until now, and those that this page adds to them. */
  readonly truth: readonly PublicTrade[];
}

/** The one exception: a page within one millisecond whose rows were all seen. */
const isSameAgain = ({ page, answer }: Pick<Turn, 'page' | 'answer'>): boolean =>
  inOneMoment(page) && answer.added.length === 0 && !answer.hasGap;

function play(rows: readonly PublicTrade[], all: readonly Read[]): Turn[] {
  let tail: readonly PublicTrade[] = [];
  let seenTo = 0;
  return all.map(({ moment, length, isReversed }): Turn => {
    const end = Math.min(moment, rows.length);
    const page = rows.slice(Math.max(0, end - length), end);
    const answer = joinPage(tail, isReversed ? page.toReversed() : page);
    const turn = { page, before: tail, answer, truth: rows.slice(seenTo, Math.max(seenTo, end)) };
    tail = answer.tail;
    // What was taken for the same rows again is still to come, where it was not.
    if (!isSameAgain(turn)) seenTo = Math.max(seenTo, end);
    return turn;
  });
}

const inOneMoment = (rows: readonly PublicTrade[]): boolean => rows[0]?.venueTime === rows.at(-1)?.venueTime;

describe('a page shows completely', () => {
  const covered = (tail: readonly PublicTrade[], page: readonly PublicTrade[]) => {
    const coverage = coverageOf(joinPage(tail, page), { sentAt: 9, coveredTo: 5 });
    return coverage && { ...coverage, trades: coverage.trades.map(shown) };
  };

  test('the time since the request for the previous one where it joins that', () => {
    expect(covered([a, b], [a, b, c])).toEqual({ from: 5, to: 9, trades: [shown(c)] });
  });

  test('the time between its own rows where it is the first, or after a gap', () => {
    expect(covered([], [a, b])).toEqual({ from: 1, to: 2, trades: [shown(b)] });
    expect(covered([a], [c, d])).toEqual({ from: 3, to: 4, trades: [shown(d)] });
  });

  test('nothing where it came late, is empty, or is within one millisecond', () => {
    expect([covered([b], [a]), covered([a], []), covered([], [a])]).toEqual([null, null, null]);
  });
});

describe('against the true stream, of 1,000 random ones', () => {
  test('what is added is exactly what is new, or the gap is said', () => {
    fc.assert(
      fc.property(stream, reads, (rows, all) => {
        for (const { page, answer, truth } of play(rows, all)) {
          if (answer.isFirst || answer.hasGap) continue;
          if (isSameAgain({ page, answer })) continue;
          expect(answer.added.map(shown).toSorted()).toEqual(truth.map(shown).toSorted());
        }
      }),
      { numRuns: 1_000 },
    );
  });

  test('what is added at a gap is new as well', () => {
    fc.assert(
      fc.property(stream, reads, (rows, all) => {
        for (const { answer, truth } of play(rows, all)) {
          if (answer.isFirst) continue;
          const left = truth.map(shown);
          for (const each of answer.added) {
            expect(left).toContain(shown(each));
            left.splice(left.indexOf(shown(each)), 1);
          }
        }
      }),
      { numRuns: 1_000 },
    );
  });

  test('a page that reaches back beyond the last millisecond of a tail of several is joined', () => {
    let reaching = 0;
    fc.assert(
      fc.property(stream, reads, (rows, all) => {
        for (const { page, before, answer } of play(rows, all)) {
          const end = before.at(-1)?.venueTime;
          if (end === undefined || inOneMoment(before) || !page.some(({ venueTime }) => venueTime < end)) continue;
          reaching += 1;
          expect(answer.hasGap).toBe(false);
        }
      }),
      { numRuns: 1_000 },
    );
    expect(reaching).toBeGreaterThan(300);
  });
});
