// What one page proves: whether it may be cut, and which times it covers.
import { describe, expect, test } from '@jest/globals';
import { tradeId } from '../../../src/domain/ids.ts';
import { cover, type Mark, NOTHING_COVERED, type Span } from '../../../src/history/coverage.ts';
import { isOutOfOrder, provenSpans, sheetOf } from '../../../src/history/page.ts';
import { openRoute } from '../../../src/history/route.ts';
import { CAUTIOUS_HISTORY } from '../../../src/history/settings.ts';

const mark = (time: number, id = time): Mark => ({ time, id: tradeId(String(id)) });
const marks = (...times: readonly number[]): Mark[] => times.map((time) => mark(time));
const many = (count: number): Mark[] => Array.from({ length: count }, (_, index) => mark(100 + index));

describe('a page is whole', () => {
  test.each([
    // limit, longest page before, rows, whole
    [50, 0, 0, true],
    [50, 0, 19, true],
    [50, 0, 20, false],
    [50, 0, 49, false],
    [50, 50, 49, true],
    [50, 50, 50, false],
    [50, 20, 20, false],
    [50, 30, 29, true],
    [50, 120, 60, false],
    [10, 0, 9, true],
    [10, 0, 10, false],
  ] as const)('asked for %i, the longest so far %i: %i rows, %s', (limit, longest, rows, whole) => {
    const route = openRoute('recent', { from: 0, to: 1_000 }, false);
    route.longestPage = longest;
    expect(sheetOf(many(rows), { route, settings: { ...CAUTIOUS_HISTORY, limit } }).whole).toBe(whole);
  });

  test('rows that come twice make a page longer, but teach nothing of how long pages are', () => {
    const route = openRoute('recent', { from: 0, to: 1_000 }, false);
    const settings = CAUTIOUS_HISTORY;
    expect(sheetOf([...many(20), mark(100)], { route, settings }).whole).toBe(false);
    expect(route.longestPage).toBe(20);
    expect(sheetOf(many(20), { route, settings }).whole).toBe(false);
  });
});

describe('a cut page', () => {
  const asked = { by: 'window', from: 0, to: 100 } as const;
  const sheet = { marks: marks(40, 41, 60), whole: false };
  const within: Span = { from: 41, to: 59 };
  const ends = { shownUntil: 1_000, keptFrom: 0 };
  const knowing = (...times: readonly number[]) =>
    times.reduce((swept, time) => cover(swept, { from: time, to: time }, marks(time)), NOTHING_COVERED);

  test.each([
    ['no other row', [], ends, within],
    ['a later row that it leaves out', [70], ends, { from: 0, to: 59 }],
    ['an earlier row that it leaves out', [30], ends, { from: 41, to: 99 }],
    ['rows that it holds', [40, 60], ends, within],
    ['rows that were not asked for', [101], ends, within],
    ['a later row that not every server may show yet', [70], { ...ends, shownUntil: 69 }, within],
    ['an earlier row that not every server may show yet', [30], { ...ends, shownUntil: 29 }, within],
    ['an earlier row that may have left the list', [30], { ...ends, keptFrom: 31 }, within],
  ] as const)('knowing %s, covers what it must', (_what, times, { shownUntil, keptFrom }, expected) => {
    expect(provenSpans(asked, sheet, { swept: knowing(...times), shownUntil, keptFrom })).toEqual([expected]);
  });

  test('that leaves out rows on both sides is no part of the list and proves nothing', () => {
    expect(provenSpans(asked, sheet, { swept: knowing(30, 70), ...ends })).toEqual([]);
  });

  test('of one millisecond covers nothing, not even that', () => {
    const crowd = { marks: [mark(50, 1), mark(50, 2)], whole: false };
    const [span] = provenSpans(asked, crowd, { swept: NOTHING_COVERED, ...ends });
    expect(span?.from).toBeGreaterThan(span?.to ?? 0);
  });
});

test.each([
  ['ids and times that rise together', [mark(1, 5), mark(1, 6), mark(2, 10)], false],
  ['a larger id beside an earlier time', [mark(1, 11), mark(2, 10)], true],
  ['ids that are larger by their length', [mark(1, 9), mark(2, 10)], false],
])('%s', (_what, rows, expected) => {
  expect(isOutOfOrder(rows)).toBe(expected);
});
