import { describe, expect, test } from '@jest/globals';
import {
  LONGEST_WAIT_MS,
  readHttpDate,
  readRateLimit,
  readRetryAfter,
} from '../../../src/client/rate-limit-headers.ts';

/** Our clock is a minute behind the venue's. */
const venueDate = Date.parse('2026-01-02T03:04:05Z');
const receivedAt = venueDate - 60_000;
const answer = { receivedAt, venueDate };
const seconds = venueDate / 1_000;

describe('Retry-After', () => {
  test.each([
    ['1', 1_000],
    ['0', 0],
    ['2.5', 2_500],
    [' 7 ', 7_000],
    ['Fri, 02 Jan 2026 03:04:15 GMT', 10_000],
    ['Fri, 02 Jan 2026 03:04:00 GMT', 0],
    ['Friday, 02-Jan-26 03:04:15 GMT', 10_000],
    ['86400', LONGEST_WAIT_MS],
    ['Sat, 03 Jan 2026 03:04:15 GMT', LONGEST_WAIT_MS],
    ['-1', undefined],
    ['abc', undefined],
    ['', undefined],
    ['1e9', undefined],
    ['2026', 2_026_000 > LONGEST_WAIT_MS ? LONGEST_WAIT_MS : 0],
    ['99999999999999999999', undefined],
    [undefined, undefined],
  ])('%s → %s ms', (text, wait) => expect(readRetryAfter(text, answer)).toBe(wait));

  test('a date is read against our clock where the answer has no Date', () => {
    expect(readRetryAfter('Fri, 02 Jan 2026 03:04:15 GMT', { receivedAt: venueDate })).toBe(10_000);
  });
});

describe('X-RateLimit-Reset, told by our clock', () => {
  test.each([
    ['seconds', String(seconds + 3), receivedAt + 3_000],
    ['milliseconds', String(venueDate + 3_000), receivedAt + 3_000],
    ['a fraction', String(seconds + 0.5), receivedAt + 500],
    ['the past', String(seconds - 5), undefined],
    ['now', String(seconds), undefined],
    ['far away', String(seconds + 86_400), receivedAt + LONGEST_WAIT_MS],
    ['a word', 'soon', undefined],
    ['below zero', '-5', undefined],
    ['nothing', '', undefined],
    ['zero', '0', undefined],
  ])('%s', (_name, text, resetAt) =>
    expect(readRateLimit({ 'x-ratelimit-reset': text }, answer)?.resetAt).toBe(resetAt),
  );
});

test.each([
  ['1', 1],
  ['0', 0],
  ['-1', undefined],
  ['1.5', undefined],
  ['abc', undefined],
  ['1, 1', undefined],
  ['9999999999', undefined],
])('counts: %s → %s', (text, count) => {
  const reading = readRateLimit({ 'x-ratelimit-limit': text, 'x-ratelimit-remaining': text }, answer);
  expect([reading?.limit, reading?.remaining]).toEqual([count, count]);
});

test('no headers, or only nonsense, is no reading', () => {
  expect(readRateLimit({}, answer)).toBeUndefined();
  expect(readRateLimit({ 'x-ratelimit-limit': 'x', 'retry-after': '-1' }, answer)).toBeUndefined();
});

test.each([
  ['Tue, 14 Nov 2023 22:13:20 GMT', 1_700_000_000_000],
  ['1700000000', undefined],
  ['yesterday', undefined],
  ['', undefined],
  [undefined, undefined],
])('the HTTP date %s → %s', (text, at) => expect(readHttpDate(text)).toBe(at));
