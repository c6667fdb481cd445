// Which wallet confirms what is booked of an order that ended, condition by condition.
import { describe, expect, test } from '@jest/globals';
import { confirmedSentAt } from '../../../../src/trader/money/confirmed-wallet.ts';
import type { ForeignOrders } from '../../../../src/trader/state/settings.ts';
import { BTC, deskSettings } from '../desk-settings.ts';
import { quotingDesk, START } from '../trader-kit.ts';

const EQUAL = START + 1_000;
const STEADY = START + 2_000;
/** Differences are confirmed from then on. */
const SINCE = START + 1_500;

interface Case {
  /** When the order ended; a difference is confirmed from `SINCE` on. */
  readonly endedAt?: number;
  readonly assets?: readonly string[];
  readonly foreignOrders?: ForeignOrders;
  readonly equalSentAt?: number | null;
  readonly steadySentAt?: number | null;
}

function sentAt({ endedAt = SINCE - 1, assets, foreignOrders = 'refuse', ...sent }: Case): number | null {
  const desk = quotingDesk(deskSettings({ foreignOrders }));
  const { durable, reconciliation } = desk.state();
  Object.assign(reconciliation, { equalSentAt: EQUAL, steadySentAt: STEADY, ...sent });
  if (assets !== undefined) durable.differences.unexplainedSince = SINCE;
  for (const asset of assets ?? []) durable.differences.byAsset.set(asset, { expected: '1', actual: '2' } as never);
  return confirmedSentAt(desk.state(), BTC, endedAt);
}

test('where wallet and ledger agree it is the last one that equals it', () => {
  expect(sentAt({})).toBe(EQUAL);
  expect(sentAt({ equalSentAt: null })).toBeNull();
});

describe('where they differ it is the last one of before, or one that has stood still since', () => {
  test.each<[string, Case, number | null]>([
    ['of an order that ended later', { endedAt: SINCE, assets: ['BTC', 'INR'] }, STEADY],
    ['not of one that ended before, and may have filled unseen', { assets: ['BTC', 'INR'] }, null],
    ['where a fill would have moved the base as well', { assets: ['INR'] }, STEADY],
    ['where a fill would have moved the quote as well', { assets: ['BTC'] }, STEADY],
    ['where nothing of its market differs', { assets: ['DOGE'] }, STEADY],
    [
      'not where the owner may have traded with it: that moves the quote alone',
      { assets: ['INR'], foreignOrders: 'ignore' },
      null,
    ],
    ['where the base alone differs, be the owner there or not', { assets: ['BTC'], foreignOrders: 'ignore' }, STEADY],
    [
      'of an order of later, be the owner there or not',
      { endedAt: SINCE, assets: ['INR'], foreignOrders: 'ignore' },
      STEADY,
    ],
    ['the later one of both', { assets: ['BTC'], steadySentAt: EQUAL - 1 }, EQUAL],
    ['where none has stood still', { assets: ['BTC'], steadySentAt: null }, EQUAL],
    ['where none was equal', { assets: ['BTC'], equalSentAt: null }, STEADY],
  ])('%s', (_, given, expected) => {
    expect(sentAt(given)).toBe(expected);
  });
});
