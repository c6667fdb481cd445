// Which wallet confirms what is booked of an order that ended, condition by condition.
import { describe, expect, test } from '@jest/globals';
import { confirmedSentAt } from '../../../../src/trader/money/confirmed-wallet.ts';
import type { ForeignOrders } from '../../../../src/trader/state/settings.ts';
import { marketOf } from '../../../../src/trader/state/state.ts';
import { BTC, deskSettings, ETH } from '../desk-settings.ts';
import { inSlot, quotingDesk, START } from '../trader-kit.ts';

const EQUAL = START + 1_000;
const STEADY = START + 2_000;
/** Differences are confirmed from then on. */
const SINCE = START + 1_500;

interface Case {
  /** When the order ended; a difference is confirmed from `SINCE` on. */
  readonly endedAt?: number;
  /** What the wallet holds more than is explained. */
  readonly differs?: Readonly<Record<string, string>>;
  readonly slot?: 'buy:0' | 'sell:0';
  readonly foreignOrders?: ForeignOrders;
  readonly equalSentAt?: number | null;
  readonly steadySentAt?: number | null;
}

function sentAt({
  endedAt = SINCE - 1,
  differs,
  slot = 'buy:0',
  foreignOrders = 'refuse',
  ...sent
}: Case): number | null {
  const desk = quotingDesk(deskSettings({ symbols: [BTC, ETH], foreignOrders }));
  const { durable, reconciliation } = desk.state();
  Object.assign(reconciliation, { equalSentAt: EQUAL, steadySentAt: STEADY, ...sent });
  if (differs !== undefined) durable.differences.unexplainedSince = SINCE;
  for (const [asset, by] of Object.entries(differs ?? {}))
    durable.differences.byAsset.set(asset, { expected: '0', actual: by, since: SINCE });
  return confirmedSentAt(desk.state(), marketOf(desk.state(), inSlot(desk, slot).symbol), endedAt);
}

test('if wallet and ledger agree, it is the last matching wallet', () => {
  expect(sentAt({})).toBe(EQUAL);
  expect(sentAt({ equalSentAt: null })).toBeNull();
});

/** Of the bid of the desk: 0.01 BTC for 980 INR. */
const OF_A_BID = { BTC: '0.004', INR: '-392' };
const OF_AN_ASK = { BTC: '-0.004', INR: '408' };

describe('if they differ, it is the last one before the difference, or one unchanged since', () => {
  test.each<[string, Case, number | null]>([
    ['of an order that ended later', { endedAt: SINCE, differs: OF_A_BID }, STEADY],
    ['not of one that ended before, and may have filled unseen', { differs: OF_A_BID }, null],
    ['not of a sale that did', { differs: OF_AN_ASK, slot: 'sell:0' }, null],
    ['nor of a sale beside what only a buy can have moved', { differs: OF_A_BID, slot: 'sell:0' }, null],
    ['where a fill would have moved the base as well', { differs: { INR: '-7' } }, STEADY],
    ['where a fill would have moved the quote as well', { differs: { BTC: '0.004' } }, STEADY],
    ['where nothing of its market differs', { differs: { DOGE: '1' } }, STEADY],
    [
      'not where the owner may have traded with it: that moves the quote alone',
      { differs: { INR: '-7' }, foreignOrders: 'ignore' },
      null,
    ],
    [
      'where the base alone differs, be the owner there or not',
      { differs: { BTC: '1' }, foreignOrders: 'ignore' },
      STEADY,
    ],
    [
      'of an order of later, be the owner there or not',
      { endedAt: SINCE, differs: { INR: '-7' }, foreignOrders: 'ignore' },
      STEADY,
    ],
    ['the later one of both', { differs: { BTC: '1' }, steadySentAt: EQUAL - 1 }, EQUAL],
    ['where none has stood still', { differs: { BTC: '1' }, steadySentAt: null }, EQUAL],
    ['where none was equal', { differs: { BTC: '1' }, equalSentAt: null }, STEADY],
  ])('%s', (_, given, expected) => {
    expect(sentAt(given)).toBe(expected);
  });
});
