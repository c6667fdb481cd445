// What one page proves: whether it may be cut, and which times it covers.
import { describe, expect, test } from '@jest/globals';
import { tradeId } from '../../../src/domain/ids.ts';
import { cover, NOTHING_COVERED, type RowKey, type Span } from '../../../src/history/coverage.ts';
import { isOutOfOrder, provenSpans, sortAndNotePage } from '../../../src/history/page.ts';
import { CAUTIOUS_HISTORY } from '../../../src/history/query.ts';
import { openEndpoint } from '../../../src/history/state.ts';

const key = (time: number, id = time): RowKey => ({ time, id: tradeId(String(id)) });
const keys = (...times: readonly number[]): RowKey[] => times.map((time) => key(time));
const many = (count: number): RowKey[] => Array.from({ length: count }, (_, index) => key(100 + index));

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
    const endpoint = openEndpoint('recent', { from: 0, to: 1_000 }, false);
    endpoint.longestPage = longest;
    expect(sortAndNotePage(many(rows), { endpoint, settings: { ...CAUTIOUS_HISTORY, limit } }).whole).toBe(whole);
  });

  test('rows that come twice make a page longer, but teach nothing of how long pages are', () => {
    const endpoint = openEndpoint('recent', { from: 0, to: 1_000 }, false);
    const settings = CAUTIOUS_HISTORY;
    expect(sortAndNotePage([...many(20), key(100)], { endpoint, settings }).whole).toBe(false);
    expect(endpoint.longestPage).toBe(20);
    expect(sortAndNotePage(many(20), { endpoint, settings }).whole).toBe(false);
  });
});

describe('a cut page', () => {
  const asked = { by: 'window', from: 0, to: 100 } as const;
  const sorted = { keys: keys(40, 41, 60), whole: false };
  const within: Span = { from: 41, to: 59 };
  const ends = { shownUntil: 1_000, keptFrom: 0 };
  const knowing = (...times: readonly number[]) =>
    times.reduce((swept, time) => cover(swept, { from: time, to: time }, keys(time)), NOTHING_COVERED);

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
    expect(provenSpans(asked, sorted, { swept: knowing(...times), shownUntil, keptFrom })).toEqual([expected]);
  });

  test('that leaves out rows on both sides is no part of the list and proves nothing', () => {
    expect(provenSpans(asked, sorted, { swept: knowing(30, 70), ...ends })).toEqual([]);
  });

  test('of one millisecond covers nothing, not even that', () => {
    const crowd = { keys: [key(50, 1), key(50, 2)], whole: false };
    const [span] = provenSpans(asked, crowd, { swept: NOTHING_COVERED, ...ends });
    expect(span?.from).toBeGreaterThan(span?.to ?? 0);
  });
});

test.each([
  ['ids and times that rise together', [key(1, 5), key(1, 6), key(2, 10)], false],
  ['a larger id beside an earlier time', [key(1, 11), key(2, 10)], true],
  ['ids that are larger by their length', [key(1, 9), key(2, 10)], false],
])('%s', (_what, rows, expected) => {
  expect(isOutOfOrder(rows)).toBe(expected);
});
