import { afterEach, describe, expect, test } from '@jest/globals';
import { clockText, isoText, showTimesIn, timeText } from '../../../src/domain/time-text.ts';

const AT = Date.UTC(2026, 2, 29, 0, 59, 59, 120);

afterEach(() => showTimesIn('UTC'));

describe('a time is shown with its zone', () => {
  test.each([
    ['UTC', '2026-03-29 00:59:59 UTC', '2026-03-29T00:59:59.120Z'],
    ['Asia/Kolkata', '2026-03-29 06:29:59 GMT+5:30', '2026-03-29T06:29:59.120+05:30'],
    ['America/St_Johns', '2026-03-28 22:29:59 GMT-2:30', '2026-03-28T22:29:59.120-02:30'],
    ['Europe/Berlin', '2026-03-29 01:59:59 GMT+1', '2026-03-29T01:59:59.120+01:00'],
  ])('%s', (zone, text, iso) => {
    showTimesIn(zone);
    expect(timeText(AT)).toBe(text);
    expect(clockText(AT)).toBe(text.slice(11));
    expect(isoText(AT)).toBe(iso);
    expect(Date.parse(isoText(AT))).toBe(AT);
  });
});

test('an hour that clocks repeat is told apart by its zone', () => {
  showTimesIn('Europe/Berlin');
  const first = Date.UTC(2026, 9, 25, 0, 30);
  expect(timeText(first)).toBe('2026-10-25 02:30:00 GMT+2');
  expect(timeText(first + 3_600_000)).toBe('2026-10-25 02:30:00 GMT+1');
});
