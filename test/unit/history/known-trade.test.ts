// Readings that go on behind a known trade: how the overlap with it is proved, and what is said where it is not.
import { describe, expect, test } from '@jest/globals';
import { HOUR, MINUTE, SECOND } from '../../../src/domain/time.ts';
import { playTrades, SETTINGS } from './play-trades.ts';
import { at, behind, crowd, idsOf, NEWEST, OLDEST, steady, venue, words } from './small-venue.ts';
import { NOW } from './true-rows.ts';

describe('behind a known trade', () => {
  test('one page that holds it is enough, and the trade itself is not handed out again', () => {
    const rows = steady(10);
    const played = playTrades('spot', behind(rows[4]), venue(rows));
    expect(played.asked.map(words)).toEqual(['recent by from-id']);
    expect(idsOf(played.rows)).toEqual(['1005', '1006', '1007', '1008', '1009']);
    expect(played.outcome).toMatchObject({
      kind: 'complete',
      rows: 5,
      requests: 1,
    });
  });

  test('pages overlap by the trade that each ends with', () => {
    const rows = steady(120, MINUTE);
    const played = playTrades('spot', behind(rows[0]), venue(rows));
    const from = played.asked.map(({ query }) => (query.by === 'from-id' ? query.id : query.by));
    expect(from).toEqual(['1000', '1049', '1098']);
    expect(played.batches.map(({ length }) => length)).toEqual([48, 49, 22]);
    expect(played.outcome).toMatchObject({ kind: 'complete', rows: 119 });
  });

  test('a page of the newest does not hold it: times lead back to it', () => {
    const rows = steady(120, MINUTE);
    const played = playTrades('spot', behind(rows[0]), venue(rows, { part: NEWEST }));
    expect(new Set(played.asked.slice(1).map(({ query }) => query.by))).toEqual(new Set(['window', 'start']));
    expect(played.outcome).toMatchObject({ kind: 'complete', rows: 119 });
  });

  test.each([
    ['from the old end', OLDEST],
    ['from the new end', NEWEST],
  ])('a list without ids is read by time instead, its pages cut %s', (_what, part) => {
    const rows = steady(120, MINUTE);
    const played = playTrades('spot', behind(rows[0]), { ...venue(rows, { part }), takesNoIds: true });
    expect(played.asked.filter(({ query }) => query.by === 'from-id')).toHaveLength(1);
    expect(idsOf(played.rows)).toEqual(rows.slice(1).map(({ id }) => String(id)));
    expect(played.outcome).toMatchObject({ kind: 'complete', rows: 119 });
  });

  test('so is its archive', () => {
    const rows = steady(90, 6 * HOUR);
    const played = playTrades('spot', behind(rows[0]), { ...venue(rows), takesNoIds: true });
    expect(played.asked.map(words).some((each) => each.startsWith('archive'))).toBe(true);
    expect(played.asked.filter(({ query }) => query.by === 'from-id')).toHaveLength(1);
    expect(played.outcome).toMatchObject({ kind: 'complete', rows: 89 });
  });

  test('a millisecond that only ids could split is a gap', () => {
    const known = at(NOW - HOUR, 1_000n);
    const rows = [known, ...crowd(120, NOW - MINUTE, 2_000n)];
    const { outcome, asked } = playTrades('spot', behind(known), { ...venue(rows), takesNoIds: true });
    expect(asked.filter(({ query }) => query.by === 'from-id')).toHaveLength(1);
    expect(outcome).toMatchObject({ kind: 'gap', gaps: [{ why: 'too-many-at-once' }] });
  });

  test.each([
    ['holds only what is older', 'older'],
    ['holds everything', 'all'],
  ] as const)('it has left the window: the archive is walked, which %s', (_what, archive) => {
    const rows = steady(90, 6 * HOUR);
    const played = playTrades('spot', behind(rows[0]), venue(rows, { archive }));
    expect(played.asked.map(words)).toContain('archive by from-id');
    expect(played.outcome).toMatchObject({ kind: 'complete', rows: 89 });
  });

  test('no window is taken for granted: what the recent list does not show is looked for in the archive', () => {
    const rows = steady(30, HOUR);
    const windowMs = 2 * HOUR;
    expect(windowMs).toBeLessThan(SETTINGS.shortestWindowMs);
    const { outcome } = playTrades('spot', behind(rows[20]), venue(rows, { windowMs }));
    expect(outcome).toMatchObject({ kind: 'complete', rows: 9 });
  });

  test('it is on no list: the venue took it back, or lists are missing something; nothing is called complete', () => {
    const rows = steady(10);
    const others = rows.filter((row) => row !== rows[3]);
    for (const archive of ['older', 'all'] as const) {
      const { outcome } = playTrades('spot', behind(rows[3]), venue(others, { archive }));
      expect(outcome).toMatchObject({
        kind: 'gap',
        gaps: [{ from: rows[3]?.time, to: rows[4]?.time, why: 'cursor-missing' }],
      });
    }
  });

  test('a neighbor that is the same number as a double is not it', () => {
    const rows = steady(30, HOUR, 2n ** 53n);
    const [known, neighbor] = rows;
    expect(Number(known?.id)).toBe(Number(neighbor?.id));
    const { outcome } = playTrades('spot', behind(known), venue(rows.slice(1)));
    expect(outcome).toMatchObject({ kind: 'gap', gaps: [{ why: 'cursor-missing' }] });
  });

  test('a smaller id beside a later time is said where times stood in for ids', () => {
    const rows = steady(120, MINUTE).map((row, index) => (index === 60 ? { ...row, id: 1_500n } : row));
    expect(playTrades('spot', behind(rows[0]), venue(rows, { part: NEWEST })).outcome).toMatchObject({
      kind: 'gap',
      gaps: [{ why: 'ids-out-of-order' }],
    });
    expect(playTrades('spot', behind(rows[0]), venue(rows.slice(55, 70))).outcome.kind).toBe('gap');
    expect(playTrades('spot', behind(rows[55]), venue(rows.slice(55, 70))).outcome.kind).toBe('complete');
  });

  test('a time is settled once no trade can come before it any more', () => {
    const rows = [at(NOW - 10 * MINUTE, 1n), at(NOW - 3 * MINUTE, 2n), at(NOW - 30 * SECOND, 4n)];
    const late = { ...at(NOW - 40 * SECOND, 3n), shownAt: NOW + HOUR };
    const { outcome } = playTrades('spot', behind(rows[0]), venue([...rows, late]));
    expect(outcome).toMatchObject({ kind: 'complete', rows: 2 });
    expect(outcome.settledUntil).toBe(NOW - SETTINGS.lagBoundMs);
  });

  test('a known trade of another time is no matter to ids, and a gap where times must lead', () => {
    const rows = steady(120, MINUTE);
    const [first] = rows;
    const early = behind(first === undefined ? first : { ...first, time: first.time - 5 * HOUR });
    expect(playTrades('spot', early, venue(rows)).outcome.kind).toBe('complete');
    const { outcome } = playTrades('spot', early, venue(rows, { part: NEWEST }));
    expect(outcome).toMatchObject({ kind: 'gap', gaps: [{ why: 'cursor-moved' }] });
  });
});
