// A refused key is read again from disk; if it was replaced, the new one is used from then on.

import { expect, test } from '@jest/globals';
import type { ApiKeys } from '../../../../src/bot/keys/keys.ts';
import { venueWithRereadKeys } from '../../../../src/bot/keys/venue-session.ts';
import { Secret } from '../../../../src/client/wire/secret.ts';
import type { CancelOutcome, Completed } from '../../../../src/venue/outcomes.ts';
import type { SweepRequest } from '../../../../src/watchdog/sweep.ts';
import { kindOf, refused } from '../../refused.ts';

const keysOf = (name: string): ApiKeys => ({ key: new Secret(name), secret: new Secret(`secret of ${name}`) });
const REQUEST: SweepRequest = { kind: 'open-orders' };

interface Refusal {
  readonly status: number;
  readonly outcome: CancelOutcome;
}

const REFUSED: Refusal = { status: 403, outcome: refused(-2015, { status: 403, msg: '' }) };
const failed = (status: number, code?: number): Refusal => ({
  status,
  outcome: {
    kind: 'unknown',
    fault: {
      sent: true,
      reason: 'status',
      status,
      detail: 'Failed.',
      ...(code !== undefined && { code, refusal: kindOf(code) }),
    },
  },
});

/** An exchange that accepts one key; records the keys it was asked with, and those closed. */
function exchange(taken: string, kept: () => ApiKeys, refusal: Refusal = REFUSED) {
  const seen: string[] = [];
  const venue = venueWithRereadKeys({
    keys: keysOf('old'),
    read: kept,
    replaced: ({ key }) => void seen.push(`replaced by ${key.reveal()}`),
    open: ({ key }) => ({
      perform: async () => {
        seen.push(key.reveal());
        const outcome = key.reveal() === taken ? { kind: 'acknowledged' as const, msg: '' } : refusal.outcome;
        return {
          kind: 'cancel',
          request: REQUEST,
          outcome,
          facts: { sentAt: 0, receivedAt: 0, status: refusal.status },
        } as unknown as Completed;
      },
      close: () => void seen.push(`closed ${key.reveal()}`),
    }),
  });
  return { venue, seen };
}

test('a refused key is replaced by the stored one, which signs from then on', async () => {
  const { venue, seen } = exchange('new', () => keysOf('new'));
  for (let times = 0; times < 3; times += 1) await venue.perform(REQUEST);
  venue.close();
  expect(seen).toEqual(['old', 'replaced by new', 'closed old', 'new', 'new', 'closed new']);
});

test.each([
  ['a failed authentication, of which a cancel does not know whether it acted', failed(500, -3000)],
  ['401, which no code is tied to', failed(401)],
])('%s causes a new read, too', async (_what, refusal) => {
  const { venue, seen } = exchange('new', () => keysOf('new'), refusal);
  await venue.perform(REQUEST);
  await venue.perform(REQUEST);
  expect(seen).toEqual(['old', 'replaced by new', 'closed old', 'new']);
});

test('another failure does not replace it', async () => {
  const { venue, seen } = exchange('new', () => keysOf('new'), failed(500, -5014));
  await venue.perform(REQUEST);
  expect(seen).toEqual(['old']);
});

test('the same key, or an unreadable one, changes nothing', async () => {
  const same = exchange('new', () => keysOf('old'));
  await same.venue.perform(REQUEST);
  const unreadable = exchange('new', () => {
    throw new Error('It is just being written.');
  });
  await unreadable.venue.perform(REQUEST);
  expect([same.seen, unreadable.seen]).toEqual([['old'], ['old']]);
});

test('an accepted key is not read again', async () => {
  const { venue, seen } = exchange('old', () => keysOf('new'));
  await venue.perform(REQUEST);
  expect(seen).toEqual(['old']);
});
