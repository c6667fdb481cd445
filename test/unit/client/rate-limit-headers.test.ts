import { execFileSync } from 'node:child_process';
import path from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { estimate, observe, startServerClock } from '../../../src/client/clock/server-clock.ts';
import { answerFacts } from '../../../src/client/outcomes/classify.ts';
import {
  LONGEST_WAIT_MS,
  LONGEST_WINDOW_MS,
  readHttpDate,
  readRateLimit,
  readRetryAfter,
  withKnownReset,
  withProvenReset,
} from '../../../src/client/outcomes/rate-limit-headers.ts';
import type { AnswerFacts } from '../../../src/venue/outcomes.ts';

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
    ['far away', String(seconds + 86_400), receivedAt + LONGEST_WINDOW_MS],
    ['a word', 'soon', undefined],
    ['below zero', '-5', undefined],
    ['nothing', '', undefined],
    ['zero', '0', undefined],
  ])('%s', (_name, text, resetAt) =>
    expect(readRateLimit({ 'x-ratelimit-reset': text }, answer)?.resetAt).toBe(resetAt),
  );
});

test.each([
  ['whole seconds, with Date', String(seconds + 3), answer, 1_000],
  ['whole seconds, without', String(seconds - 57), { receivedAt }, 2_000],
  ['less than what is rounded', String(seconds + 1), answer, 0],
  ['a fraction', String(seconds + 0.5), answer, undefined],
])('the earliest end of a window, told in %s', (_how, text, to, wait) => {
  const { resetFrom } = readRateLimit({ 'x-ratelimit-reset': text }, to) ?? {};
  expect(resetFrom).toBe(wait === undefined ? undefined : receivedAt + wait);
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

test('an HTTP date is UTC in each of its forms, whatever the zone of the machine', () => {
  const file = path.resolve('src/client/outcomes/rate-limit-headers.ts');
  const forms = ['Sun, 06 Nov 1994 08:49:37 GMT', 'Sunday, 06-Nov-94 08:49:37 GMT', 'Sun Nov  6 08:49:37 1994'];
  const script = `import { readHttpDate } from ${JSON.stringify(file)};
    console.log(JSON.stringify(${JSON.stringify(forms)}.map(readHttpDate)));`;
  // A thread can't change its zone.
  const told = execFileSync(process.execPath, ['--input-type=module', '-e', script], {
    env: { ...process.env, TZ: 'Asia/Kolkata' },
    encoding: 'utf8',
  });
  expect(JSON.parse(told)).toEqual(Array(3).fill(Date.UTC(1994, 10, 6, 8, 49, 37)));
});

describe('the reset by a clock that is known better than Date', () => {
  const facts: AnswerFacts = {
    sentAt: receivedAt - 50,
    receivedAt,
    venueDate,
    rateLimit: { resetAt: receivedAt + 3_000 },
  };
  const resetAt = (known: { offsetMs: number; uncertaintyMs: number } | null, of = facts): number | undefined =>
    withProvenReset(of, known === null ? null : { ...known, samples: 9, confirmed: true }).rateLimit?.resetAt;

  test.each([
    ['nothing known', null, 3_000],
    ['known to be 0.7 s into the second, to 100 ms', { offsetMs: 60_700, uncertaintyMs: 100 }, 2_400],
    ['known no better than Date', { offsetMs: 60_500, uncertaintyMs: 500 }, 3_000],
    ['known worse than Date', { offsetMs: 60_500, uncertaintyMs: 900 }, 3_000],
    ['known to be 2.5 s ahead of a Date that stands still (F88)', { offsetMs: 62_600, uncertaintyMs: 100 }, 500],
    ['known to be past the reset', { offsetMs: 64_000, uncertaintyMs: 10 }, -990],
  ])('%s', (_what, known, waitMs) => expect(resetAt(known)).toBe(receivedAt + waitMs));

  test('is known better at its earliest, too, and never later than at its latest', () => {
    const told = { resetAt: receivedAt + 3_000, resetFrom: receivedAt + 1_000 };
    const earliest = (offsetMs: number, uncertaintyMs: number): number => {
      const known = { offsetMs, uncertaintyMs, samples: 9, confirmed: true };
      return (withProvenReset({ ...facts, rateLimit: told }, known).rateLimit?.resetFrom ?? 0) - receivedAt;
    };
    // 0.7 s into the second, to 100 ms: the venue counts 2.2 to 2.4 s to the told end, up to a second too late.
    expect(earliest(60_700, 100)).toBe(1_200);
    expect(earliest(62_600, 100)).toBeLessThanOrEqual(500);
  });

  test('a Date of minutes ago makes the wait longer than a window is, and its end no earlier than it was told', () => {
    const behindMs = 300_000;
    const told = { 'x-ratelimit-reset': String(seconds + 3) };
    const rateLimit = readRateLimit(told, { receivedAt, venueDate: venueDate - behindMs });
    const stale = { ...facts, venueDate: venueDate - behindMs, ...(rateLimit && { rateLimit }) };
    expect(resetAt({ offsetMs: 60_000, uncertaintyMs: 0 }, stale)).toBe(receivedAt + 3_000);
    expect(resetAt({ offsetMs: 60_500, uncertaintyMs: 500 }, stale)).toBe(receivedAt + 3_000);
  });

  test('a Retry-After that is a date ends by it as well', () => {
    const wait = (retryAfter: string, known: { offsetMs: number; uncertaintyMs: number }): number | undefined => {
      const stale = { receivedAt, venueDate: venueDate - 300_000 };
      const rateLimit = readRateLimit({ 'retry-after': retryAfter }, stale);
      const clock = { ...known, samples: 9, confirmed: true };
      return withKnownReset({ ...facts, ...stale, ...(rateLimit && { rateLimit }) }, clock, null).rateLimit?.retryAfter;
    };
    const date = 'Fri, 02 Jan 2026 03:04:15 GMT';
    expect(wait(date, { offsetMs: 60_000, uncertaintyMs: 0 })).toBe(11_000);
    expect(wait(date, { offsetMs: 60_000, uncertaintyMs: 400 })).toBe(11_400);
    expect(wait(date, { offsetMs: 99_000, uncertaintyMs: 0 })).toBe(0);
    expect(wait('200', { offsetMs: 60_000, uncertaintyMs: 0 })).toBe(200_000);
  });

  test('what has no reset, or no Date, stays as it is', () => {
    const known = { offsetMs: 60_700, uncertaintyMs: 100, samples: 9, confirmed: true };
    const { venueDate: _date, ...undated } = facts;
    const { rateLimit: _limit, ...unlimited } = facts;
    for (const each of [undated, unlimited, { ...facts, rateLimit: { remaining: 0 } }])
      expect(withProvenReset(each, known)).toEqual(each);
  });

  test('never too early, and after some answers hardly too late: a second of Date is not waited in vain', () => {
    let late = 0;
    for (let offset = -3_000; offset <= 3_000; offset += 130) {
      let clock = startServerClock();
      for (let n = 0; n < 60; n += 1) {
        const sentAt = 1_700_000_000_000 + n * 1_237;
        const stampedAt = sentAt + 20 + ((n * 7) % 40);
        const at = stampedAt + 20 + ((n * 11) % 40);
        const trueReset = Math.ceil((stampedAt + offset) / 1_000 + 2) * 1_000;
        const date = Math.floor((stampedAt + offset) / 1_000) * 1_000;
        const headers = { date: new Date(date).toUTCString(), 'x-ratelimit-reset': String(trueReset / 1_000) };
        const seen = answerFacts({ kind: 'response', status: 200, headers, body: '', sentAt, receivedAt: at });
        clock = observe(clock, { sentAt, receivedAt: at, venueDate: date, mono: at - 1_700_000_000_000 }).state;
        const known = estimate(clock, { now: at, mono: at - 1_700_000_000_000 });
        late = (withProvenReset(seen, known).rateLimit?.resetAt ?? 0) - (trueReset - offset);
        expect(late).toBeGreaterThanOrEqual(0);
      }
      expect(late).toBeLessThan(250);
    }
  });
});
