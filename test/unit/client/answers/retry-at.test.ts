import { expect, test } from '@jest/globals';
import { retryAt, throttled } from '../../../../src/client/outcomes/classify.ts';
import type { RateLimitReading } from '../../../../src/venue/outcomes.ts';

const RECEIVED = 1_800_000_000_000;
const facts = (rateLimit?: RateLimitReading) => ({
  ...{ sentAt: RECEIVED - 50, receivedAt: RECEIVED },
  ...(rateLimit && { rateLimit }),
});

test.each<[string, RateLimitReading | undefined, number]>([
  ['after what it says', { retryAfter: 3_000, resetAt: RECEIVED + 500 }, 3_000],
  ['at once where it says so', { retryAfter: 0, resetAt: RECEIVED + 500 }, 0],
  ['at the reset of the window where it says no more', { resetAt: RECEIVED + 500 }, 500],
  ['after a second where it says neither', { limit: 10 }, 1_000],
  ['after a second where it says nothing', undefined, 1_000],
])('a throttled request is asked again %s', (_, rateLimit, afterMs) => {
  expect(retryAt(facts(rateLimit))).toBe(RECEIVED + afterMs);
});

test('a throttled request keeps its status, and its code where it has one', () => {
  const retry = { retryAt: RECEIVED + 1_000 };
  expect(throttled(429, null, facts())).toEqual({ kind: 'throttled', status: 429, ...retry });
  expect(throttled(418, { code: -1003, msg: 'Slower.' }, facts())).toEqual({
    ...{ kind: 'throttled', status: 418, code: -1003, ...retry },
  });
});
