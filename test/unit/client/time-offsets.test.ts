// What answers prove of the offset of a list: `probe` writes it into the configuration.
import { describe, expect, test } from '@jest/globals';
import {
  observeTimes,
  startTimeOffsets,
  type TimesSeen,
  timeOffsetOf,
} from '../../../src/client/times/observe-times.ts';
import { DAY, HOUR, MINUTE, SECOND } from '../../../src/domain/time.ts';

const START = 1_700_000_000_000;
const INDIA = 5.5 * HOUR;

interface Look {
  /** When the list was read, after the start. */
  readonly at: number;
  /** True times of its rows, after the start. */
  readonly rows: readonly number[];
}

/** What is known after some looks at a list that is written off by so much. */
function toldOf(offsetMs: number, looks: readonly Look[], shape: TimesSeen['shape'] = 'events'): string {
  const known = looks.reduce((state, { at, rows }) => {
    const venueDate = START + at;
    const times = rows.map((row) => ({ name: `made ${row}`, at: START + row + offsetMs }));
    return observeTimes(state, { kind: 'public-trades', list: 'all', shape, times, complete: true, venueDate });
  }, startTimeOffsets());
  const { evidence, measuredMs } = timeOffsetOf(known, 'public-trades');
  return `${evidence} ${measuredMs / MINUTE}`;
}

/** A row every twenty seconds, each seen five seconds after it was made. */
const market = (count: number): Look[] =>
  Array.from({ length: count }, (_, look) => ({
    at: look * 20 * SECOND,
    rows: Array.from({ length: look + 1 }, (_row, index) => index * 20 * SECOND - 5 * SECOND),
  }));

describe('one answer shows at least so much', () => {
  test.each<[string, readonly Look[], string]>([
    ['an empty page: nothing', [{ at: 0, rows: [] }], 'none 0'],
    ['a row that was just made: all of it', [{ at: SECOND, rows: [0] }], 'at-least 330'],
    ['a row of 16 minutes: a quarter of an hour may be missing', [{ at: 16 * MINUTE, rows: [0] }], 'at-least 315'],
    ['a row of six hours: nothing', [{ at: 6 * HOUR, rows: [0] }], 'none 0'],
  ])('of Indian time, by %s', (_what, looks, expected) => {
    expect(toldOf(INDIA, looks)).toBe(expected);
  });

  test('a young row of true time is not behind', () =>
    expect(toldOf(0, [{ at: SECOND, rows: [0] }])).toBe('at-least 0'));
  test('rows some minutes ahead are of a clock', () => {
    expect(toldOf(20 * MINUTE, [{ at: SECOND, rows: [0] }])).toBe('none 0');
  });
});

describe('new rows of a list that was read before prove it', () => {
  test.each([0, HOUR, INDIA, 5.75 * HOUR])('%d ms ahead, with the first', (offsetMs) => {
    expect(toldOf(offsetMs, market(2))).toBe(`proved ${offsetMs / MINUTE}`);
  });

  test('behind, with the third: one may just be listed late', () => {
    expect([2, 3, 4].map((looks) => toldOf(-5 * HOUR, market(looks)))).toEqual(['none 0', 'none 0', 'proved -300']);
    const late = { at: 40 * SECOND, rows: [-3 * HOUR + 1, -4 * HOUR, -5 * HOUR] };
    expect(toldOf(0, [{ at: 0, rows: [-4 * HOUR, -5 * HOUR] }, late])).toBe('none 0');
  });

  test('not of a list on which old rows may be new', () => {
    expect(toldOf(INDIA, market(4), 'records')).toBe('at-least 330');
  });

  test('not where the pages share no row', () => {
    const apart = [0, 20 * SECOND].map((at) => ({ at, rows: [at - 5 * SECOND] }));
    expect(toldOf(INDIA, apart)).toBe('at-least 330');
  });

  test('that have moved on', () => {
    const steady = (at: number): Look => ({ at, rows: [0] });
    expect(toldOf(INDIA, [steady(0), steady(20 * SECOND)], 'latest')).toBe('at-least 330');
  });
});

test('rows that do not fit what was known count alone', () => {
  const [first, ...others] = market(3);
  const shifted = others.map(({ at, rows }) => ({ at: at + DAY, rows: rows.map((row) => row + DAY + INDIA) }));
  expect(first && toldOf(0, [first, ...others])).toBe('proved 0');
  expect(first && toldOf(0, [first, ...others, ...shifted])).toBe('proved 330');
});
