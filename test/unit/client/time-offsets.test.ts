import { describe, expect, test } from '@jest/globals';
import {
  appliedOffsetMs,
  fieldTimeOf,
  QUARTER,
  startTimeOffsets,
  TIME_OFFSET_DEFAULTS,
  type TimeOffset,
  timeOffsetOf,
} from '../../../src/client/times/time-offsets.ts';
import {
  answerAt,
  HOUR,
  INDIA,
  KIND,
  knownAfter,
  learned,
  type MadeRow,
  MINUTE,
  SECOND,
  type ShiftedVenue,
  START,
  venueOf,
} from './shifted-venue.ts';

const told = ({ evidence, measuredMs, samples }: TimeOffset): string =>
  `${evidence} ${measuredMs / MINUTE} min, ${samples} samples`;
const toldOf = (venue: ShiftedVenue, readsAt: readonly number[]): string =>
  told(timeOffsetOf(knownAfter(venue, readsAt), KIND));

describe('rows of Indian time, read as if UTC', () => {
  test.each<[string, readonly number[], readonly number[], string]>([
    ['nothing was read', [], [], 'none 0 min, 0 samples'],
    ['an empty page', [], [0], 'none 0 min, 0 samples'],
    ['one row, just made', [0], [SECOND], 'at-least 330 min, 1 samples'],
    ['one row of 13 minutes', [0], [13 * MINUTE], 'at-least 330 min, 1 samples'],
    ['one row of 16 minutes: a quarter may be missing', [0], [16 * MINUTE], 'at-least 315 min, 1 samples'],
    ['one row of five hours: nearly everything is missing', [0], [5 * HOUR], 'at-least 30 min, 1 samples'],
    ['one row of six hours: it could be half an hour old', [0], [6 * HOUR], 'none 0 min, 1 samples'],
    ['one row of a day', [0], [24 * HOUR], 'none 0 min, 0 samples'],
    ['an old row on every page is one sample', [0], [SECOND, 2 * SECOND, 3 * SECOND], 'at-least 330 min, 1 samples'],
    ['a row that was not there ten seconds ago', [0, 60_000], [55_000, 65_000], 'proved 330 min, 2 samples'],
    ['one that was not there ten minutes ago', [0, 10 * MINUTE], [MINUTE, 11 * MINUTE], 'proved 330 min, 2 samples'],
    ['one that was not there an hour ago', [0, HOUR], [MINUTE, HOUR + MINUTE], 'at-least 330 min, 2 samples'],
    [
      'one that was not there an hour ago, and is older than that page',
      [0, 60_000],
      [0, HOUR],
      'proved 330 min, 2 samples',
    ],
  ])('%s', (_name, rows, reads, expected) => expect(toldOf(venueOf(rows), reads)).toBe(expected));

  test('pages that share no row are not compared', () => {
    const venue = venueOf([0, 60_000], { pageSize: 1 });
    expect(toldOf(venue, [55_000, 65_000])).toBe('at-least 330 min, 2 samples');
  });

  test('the shift is taken from rows and put on filters', () => {
    const state = knownAfter(venueOf([0]), [SECOND]);
    expect(appliedOffsetMs(state, KIND)).toBe(INDIA * QUARTER);
    expect(fieldTimeOf(state, KIND, START)).toBe(START + INDIA * QUARTER);
    expect(appliedOffsetMs(state, 'tickers')).toBe(0);
  });

  test('a page that is not complete cannot show that a row was not there', () => {
    const venue = venueOf([0, 60_000]);
    const first = answerAt(venue, START + 55_000, { complete: false });
    const state = learned(startTimeOffsets(), START + 55_000, first);
    const second = learned(state, START + 65_000, answerAt(venue, START + 65_000));
    expect(timeOffsetOf(second, KIND).evidence).toBe('at-least');
  });

  test('answers that overtake each other are not compared', () => {
    const venue = venueOf([0, 60_000]);
    const late = answerAt(venue, START + 55_000);
    const state = learned(startTimeOffsets(), START + 65_000, answerAt(venue, START + 65_000));
    expect(told(timeOffsetOf(learned(state, START + 65_000, late), KIND))).toBe('at-least 330 min, 1 samples');
  });

  test('an old row that slides back onto a cut page is not young', () => {
    const venue = venueOf([-6 * HOUR, 0, SECOND], { pageSize: 2, quarters: 0 });
    const state = knownAfter(venue, [2 * SECOND]);
    // The newest row is taken back: its place on the page goes to the oldest.
    const at = START + 4 * SECOND;
    const without = answerAt(venueOf([-6 * HOUR, 0], { pageSize: 2, quarters: 0 }), at);
    const offset = timeOffsetOf(learned(state, at, without), KIND);
    expect(offset).toMatchObject({ evidence: 'at-least', measuredMs: 0, samples: 1, misfits: 0 });
  });
});

describe('an unshifted field', () => {
  const utc = (rows: readonly number[], more: Partial<ShiftedVenue> = {}) => venueOf(rows, { quarters: 0, ...more });
  test.each<[string, ShiftedVenue, readonly number[], string]>([
    ['young rows show that it is not behind', utc([0]), [SECOND], 'at-least 0 min, 1 samples'],
    ['rows that come while we look prove it', utc([0, 60_000]), [55_000, 65_000], 'proved 0 min, 2 samples'],
    ['old trades of a thin symbol show nothing', utc([0]), [9 * HOUR, 10 * HOUR], 'none 0 min, 1 samples'],
    ['Date a second behind', utc([0], { dateErrorMs: -SECOND }), [10], 'at-least 0 min, 1 samples'],
    ['Date half a minute behind', utc([0], { dateErrorMs: -30 * SECOND }), [10], 'at-least 0 min, 1 samples'],
    ['a row that is shown a minute late', lateBy(MINUTE), [0, MINUTE + 1], 'proved 0 min, 2 samples'],
    [
      'a row that is shown half an hour late',
      lateBy(30 * MINUTE),
      [0, 29 * MINUTE, 31 * MINUTE],
      'at-least 0 min, 1 samples',
    ],
  ])('%s', (_name, venue, reads, expected) => expect(toldOf(venue, reads)).toBe(expected));

  function lateBy(lagMs: number): ShiftedVenue {
    const rows = [
      { at: START - 10, lagMs: 0 },
      { at: START, lagMs },
    ];
    return { ...utc([]), rows };
  }

  test('rows that all come half an hour late are misfits, and no clock that is behind', () => {
    const every = (n: number): MadeRow => ({ at: START + n * 20 * SECOND, lagMs: n === 0 ? 0 : 30 * MINUTE });
    const venue = { ...utc([]), rows: Array.from({ length: 200 }, (_, n) => every(n)) };
    const reads = Array.from({ length: 100 }, (_, n) => n * 30 * SECOND);
    const offset = timeOffsetOf(knownAfter(venue, reads), KIND);
    expect(offset).toMatchObject({ appliedMs: 0, evidence: 'at-least', changes: 0 });
    expect(offset.misfits).toBeGreaterThan(10);
  });

  test.each(['records', 'events'] as const)('%s that are all listed three hours after their time', (shape) => {
    const late = (n: number): MadeRow => ({ at: START + n * HOUR, lagMs: n === 0 ? 0 : 3 * HOUR });
    const venue = { ...utc([]), rows: Array.from({ length: 12 }, (_, n) => late(n)) };
    const looks = Array.from({ length: 96 }, (_, n) => START + n * 10 * MINUTE);
    const state = looks.reduce(
      (known, now) => learned(known, now, answerAt(venue, now, { shape })),
      startTimeOffsets(TIME_OFFSET_DEFAULTS),
    );
    // Only what is listed soon after it happened tells of a clock that is behind.
    expect(timeOffsetOf(state, KIND).appliedMs).toBe(shape === 'records' ? 0 : -3 * HOUR);
  });
});

describe('what a shift can be', () => {
  const busy = Array.from({ length: 60 }, (_, n) => n * MINUTE);
  const looks = busy.map((at) => at + SECOND);

  test.each([-48, -40, -20, -4, 0, 1, 2, 12, 22, 23, 36, 56])('%i quarter hours are found', (quarters) => {
    const offset = timeOffsetOf(knownAfter(venueOf(busy, { quarters }), looks), KIND);
    expect(offset).toMatchObject({ measuredMs: quarters * QUARTER, evidence: 'proved', changes: 0, misfits: 0 });
  });

  test.each([-3, -2, -1])('%i quarter hours are taken for rows that come late', (quarters) => {
    const offset = timeOffsetOf(knownAfter(venueOf(busy, { quarters }), looks), KIND);
    expect(offset).toMatchObject({ appliedMs: 0, evidence: 'none' });
    expect(offset.misfits).toBeGreaterThan(50);
  });

  test.each([57, 96, 1_000])('%i quarter hours are in no zone', (quarters) => {
    const offset = timeOffsetOf(knownAfter(venueOf(busy, { quarters }), looks), KIND);
    expect(offset).toMatchObject({ appliedMs: 0, evidence: 'none' });
    expect(offset.misfits).toBe(60);
  });

  test('a clock that is seven minutes ahead is not a shift, and is counted as one that does not fit', () => {
    const rows = busy.map((at) => ({ at: START + at + 7 * MINUTE, lagMs: -7 * MINUTE }));
    const offset = timeOffsetOf(knownAfter({ ...venueOf([], { quarters: 0 }), rows }, looks), KIND);
    expect(offset).toMatchObject({ appliedMs: 0, evidence: 'none', changes: 0 });
    expect(offset.misfits).toBeGreaterThan(50);
  });

  test('hours are still corrected where all rows come some minutes late', () => {
    const rows = busy.map((at) => ({ at: START + at, lagMs: 5 * MINUTE }));
    const offset = timeOffsetOf(knownAfter({ ...venueOf([]), rows }, looks), KIND);
    expect(offset).toMatchObject({ appliedMs: INDIA * QUARTER, evidence: 'at-least', changes: 0 });
  });
});

describe('a configured shift', () => {
  const configured = { 'public-trades': 0, 'legacy-trades': INDIA * QUARTER };
  const settings = { ...TIME_OFFSET_DEFAULTS, configured };

  test('wins over what answers show, which is told all the same', () => {
    const state = knownAfter(venueOf([0]), [SECOND], startTimeOffsets(settings));
    const told = { appliedMs: 0, configured: true, measuredMs: INDIA * QUARTER, evidence: 'at-least' };
    expect(timeOffsetOf(state, KIND)).toMatchObject(told);
    expect(appliedOffsetMs(state, KIND)).toBe(0);
    expect(timeOffsetOf(state, 'legacy-trades')).toMatchObject({ appliedMs: INDIA * QUARTER, evidence: 'none' });
    expect(fieldTimeOf(state, 'legacy-trades', START)).toBe(START + INDIA * QUARTER);
  });

  test.each([1, MINUTE, Number.NaN, 57 * QUARTER, -49 * QUARTER, Number.POSITIVE_INFINITY])('cannot be %d ms', (ms) => {
    expect(() => startTimeOffsets({ ...settings, configured: { tickers: ms } })).toThrow(
      `The time offset of tickers is ${ms} ms, not whole quarter hours from -12 h to 14 h.`,
    );
  });
});
