import { describe, expect, test } from '@jest/globals';
import { observeOrderMade } from '../../../src/client/times/observe-times.ts';
import {
  QUARTER,
  startTimeOffsets,
  type TimeOffset,
  type TimeOffsets,
  timeOffsetOf,
} from '../../../src/client/times/time-offsets.ts';
import {
  answerAt,
  HOUR,
  INDIA,
  KIND,
  knownAfter,
  learned,
  MINUTE,
  SECOND,
  type ShiftedVenue,
  START,
  venueOf,
} from './shifted-venue.ts';

describe('what changes', () => {
  const trades = (from: number, count: number): number[] => Array.from({ length: count }, (_, n) => from + n * MINUTE);
  const looksAt = (rows: readonly number[]): number[] => rows.map((at) => at + SECOND);
  const before = trades(0, 20);
  const later = trades(HOUR, 20);
  const proved = knownAfter(venueOf(before), looksAt(before));
  const offsetAfter = (state: TimeOffsets, venue: ShiftedVenue, reads: readonly number[]): TimeOffset =>
    timeOffsetOf(knownAfter(venue, reads, state), KIND);

  test.each([
    ['the field is mended', 0],
    ['summer time begins', INDIA + 4],
    ['another zone', -20],
  ])('%s: found after some new rows, and said', (_name, quarters) => {
    const venue = venueOf(later, { quarters });
    const offset = offsetAfter(proved, venue, looksAt(later));
    expect(offset).toMatchObject({ appliedMs: quarters * QUARTER, evidence: 'proved', misfits: 0, changes: 1 });
    const change = { because: 'rows', fromMs: INDIA * QUARTER, toMs: quarters * QUARTER };
    expect(offset.lastChange).toMatchObject(change);
  });

  test('until it is found, misfits show that something is wrong', () => {
    const venue = venueOf(later, { quarters: 0 });
    const [first, second, third] = looksAt(later);
    const offset = offsetAfter(
      proved,
      venue,
      [first, second, third].filter((at) => at !== undefined),
    );
    expect(offset).toMatchObject({ appliedMs: INDIA * QUARTER, evidence: 'proved', changes: 0 });
    expect(offset.misfits).toBe(2);
  });

  test('one row with a wrong time changes nothing that is proved', () => {
    const glitch = { at: START + HOUR + 2 * HOUR, lagMs: -2 * HOUR };
    const venue = { ...venueOf(later), rows: [...venueOf(later).rows, glitch] };
    const offset = offsetAfter(proved, venue, looksAt(later));
    expect(offset).toMatchObject({ appliedMs: INDIA * QUARTER, evidence: 'proved', changes: 0 });
  });

  test('rows with ids that come again with other times move the shift at once', () => {
    const venue = venueOf(before);
    const at = START + 21 * MINUTE;
    const offset = timeOffsetOf(learned(proved, at, answerAt({ ...venue, quarters: 0 }, at)), KIND);
    const change = { because: 'rows', fromMs: INDIA * QUARTER, toMs: 0, at };
    expect(offset).toMatchObject({ appliedMs: 0, evidence: 'proved', changes: 1, lastChange: change });
  });

  test.each([
    ['seven minutes', (at: number) => at + 7 * MINUTE],
    ['quarter hours, each by others', (at: number, index: number) => at + (index + 1) * QUARTER],
  ])('rows that come again with times moved by %s move nothing', (_name, elsewhere) => {
    const at = START + 21 * MINUTE;
    const seen = answerAt(venueOf(before), at);
    const times = seen.times.map((row, index) => ({ ...row, at: elsewhere(row.at, index) }));
    expect(timeOffsetOf(learned(proved, at, { ...seen, times }), KIND)).toEqual(timeOffsetOf(proved, KIND));
  });

  describe('the clock behind Date', () => {
    const steady = knownAfter(venueOf(trades(0, 20)), looksAt(trades(0, 20)));

    test('one answer with another Date teaches nothing and ends nothing', () => {
      const at = START + 21 * MINUTE;
      const odd = answerAt(venueOf([...before, 21 * MINUTE - 1], { dateErrorMs: -2 * HOUR }), at);
      const offset = timeOffsetOf(learned(steady, at, odd), KIND);
      expect(offset).toEqual(timeOffsetOf(steady, KIND));
    });

    test('nor do two that agree, seconds apart', () => {
      const odd = (at: number) => answerAt(venueOf([...before, 21 * MINUTE - 1], { dateErrorMs: -2 * HOUR }), at);
      const state = [START + 21 * MINUTE, START + 21 * MINUTE + 5 * SECOND].reduce(
        (known, at) => learned(known, at, odd(at)),
        steady,
      );
      expect(timeOffsetOf(state, KIND)).toEqual(timeOffsetOf(steady, KIND));
    });

    test('a step that lasts is said, and everything is learned anew', () => {
      const venue = venueOf(later, { dateErrorMs: -2 * HOUR });
      const offset = offsetAfter(steady, venue, looksAt(later));
      // Measured against a clock that is two hours behind.
      expect(offset).toMatchObject({ measuredMs: (INDIA + 8) * QUARTER, changes: 1 });
      expect(offset.lastChange).toMatchObject({ because: 'clock', fromMs: INDIA * QUARTER, toMs: 0 });
    });

    test('one that stands still proves nothing', () => {
      const stuck = answerAt(venueOf(before), START + 21 * MINUTE).venueDate;
      const venue = venueOf(later, { quarters: INDIA });
      const state = looksAt(later).reduce(
        (known, at) => learned(known, START + at, answerAt(venue, START + at, { venueDate: stuck })),
        steady,
      );
      expect(timeOffsetOf(state, KIND)).toEqual(timeOffsetOf(steady, KIND));
    });

    test('one that stands still from the first answer on proves nothing false', () => {
      const stuck = answerAt(venueOf(before), START).venueDate;
      const venue = venueOf(before, { quarters: 0 });
      const state = looksAt(before).reduce(
        (known, at) => learned(known, START + at, answerAt(venue, START + at, { venueDate: stuck })),
        startTimeOffsets(),
      );
      expect(timeOffsetOf(state, KIND)).toMatchObject({ appliedMs: 0, changes: 0 });
    });
  });
});

describe('an order of our own', () => {
  const orders = (state: TimeOffsets, quarters: number, readAt: number): TimeOffset => {
    const venue = venueOf([0], { quarters });
    const seen = answerAt(venue, START + readAt, { kind: 'open-orders' });
    return timeOffsetOf(learned(state, START + readAt, seen), 'open-orders');
  };
  const made = observeOrderMade(startTimeOffsets(), { name: 'row 0', venueDate: START, roundTripMs: 300 });

  test.each([-20, -1, 0, 1, INDIA])('shifted by %i quarter hours proves the shift whenever it shows up', (quarters) => {
    for (const readAt of [SECOND, HOUR, 5 * HOUR]) {
      const offset = orders(made, quarters, readAt);
      expect(offset).toMatchObject({ evidence: 'proved', measuredMs: quarters * QUARTER, changes: 0 });
    }
  });

  test('that is a foreign one proves nothing', () => {
    const other = observeOrderMade(startTimeOffsets(), { name: 'row 9', venueDate: START, roundTripMs: 300 });
    expect(orders(other, 0, HOUR).evidence).toBe('none');
  });

  test('is none where its name was there before: a create can be answered with that of another order (F17)', () => {
    const venue = venueOf([-2 * HOUR], { quarters: 0 });
    const of = (list: string) => answerAt(venue, START + SECOND, { kind: 'open-orders', list });
    const listed = learned(startTimeOffsets(), START, of('all symbols'));
    const name = `row ${-2 * HOUR}`;
    const reused = observeOrderMade(listed, { name, venueDate: START, roundTripMs: 300 });
    const offset = timeOffsetOf(learned(reused, START + SECOND, of('one symbol')), 'open-orders');
    expect(offset).toMatchObject({ appliedMs: 0, changes: 0 });

    const twice = observeOrderMade(made, { name: 'row 0', venueDate: START + 2 * HOUR, roundTripMs: 300 });
    expect(orders(twice, 0, 2 * HOUR)).toMatchObject({ evidence: 'proved', measuredMs: 0, changes: 0 });
  });

  test('outweighs what rows had shown', () => {
    const venue = venueOf([-MINUTE], { quarters: INDIA });
    const wrong = learned(made, START, answerAt(venue, START, { kind: 'open-orders', list: 'other' }));
    expect(timeOffsetOf(wrong, 'open-orders').measuredMs).toBe(INDIA * QUARTER);
    expect(orders(wrong, 0, HOUR)).toMatchObject({ evidence: 'proved', measuredMs: 0, changes: 1 });
  });
});
