// S12 of a book that stands still: what it must lack, and for how long, before nothing may be created on it.
import { describe, expect, test } from '@jest/globals';
import type { Answered, CheckContext, Outgoing } from '../../../../simulation/checks/context.ts';
import { emptyJournalModel, fold, type JournalIntent, type Told } from '../../../../simulation/checks/journal-model.ts';
import { frozenBookChecks } from '../../../../simulation/execution/check-frozen-book.ts';
import { SECOND } from '../../../../src/domain/time.ts';

const symbol = 'BTC/INR';
const told = (type: string, payload: Told['payload']): Told => ({ type, seq: 1, epoch: 1, payload });
const intentRecord = (intentId: string): Told => {
  const terms = { symbol, side: 'buy', price: '900', quantity: '2', bookSentAt: 0 };
  return told('intent', { intentId, slot: 'buy:0', ...terms });
};
const book = (bid: string, size = '1'): string => JSON.stringify({ bids: [[bid, size]], asks: [['1000', '1']] });

const FROZEN_MS = 40 * SECOND;
const LAG_MS = 5 * SECOND;

interface Played {
  /** What the book of each second shows; one that lacks the order where it is left out. */
  readonly bookAt?: (second: number) => string;
  /** When lists show the order; in each second where it is left out. */
  readonly listedUntil?: number;
  readonly live?: boolean;
  /** How long the book was shown before the create leaves. */
  readonly seconds: number;
}

/** An order rests at 900 from the first second on. */
function judged({ bookAt = () => book('890'), listedUntil = Infinity, live = true, seconds }: Played): string[] {
  const broken: string[] = [];
  const journal = emptyJournalModel();
  const context = {
    journal,
    settings: {
      ageLimits: { frozenBookMs: FROZEN_MS },
      polling: { bookMs: SECOND },
      assumptions: { readLagBoundMs: LAG_MS },
    },
    oracle: { live: () => (live ? [{ orderId: 'o1' }] : []) },
    counters: { add: () => undefined },
    clockError: () => 0,
    violated: (invariant: string) => broken.push(invariant),
  } as unknown as CheckContext;
  const checks = frozenBookChecks();
  for (const record of [
    intentRecord('1-1'),
    told('create-outcome', { intentId: '1-1', outcome: 'accepted', orderId: 'o1' }),
  ])
    fold(journal, record, 0);
  for (let second = 0; second <= seconds; second += 1) {
    const answer = { status: 200, sentAt: second * SECOND, query: new URLSearchParams({ symbol }) };
    const list = { ...answer, endpoint: 'open-orders', text: '[{"orderId":"o1"}]' };
    if (second <= listedUntil) checks.answered?.(context, list as unknown as Answered);
    checks.answered?.(context, { ...answer, endpoint: 'order-book', text: bookAt(second) } as unknown as Answered);
  }
  fold(journal, intentRecord('1-2'), 0);
  const intent = journal.live.get('1-2') as JournalIntent;
  checks.sent?.(context, { endpoint: 'create', intent } as unknown as Outgoing);
  return broken;
}

describe('a create on a book that has shown the same for long breaks S12', () => {
  test.each<[string, Played, readonly string[]]>([
    ['where it lacks an order that lists show all the while', { seconds: 60 }, ['S12']],
    ['not before the limit and a lag on both sides have passed', { seconds: 49 }, []],
    ['not where the book shows the order', { seconds: 60, bookAt: () => book('900') }, []],
    ['not where the book does not reach so far', { seconds: 60, bookAt: () => book('910') }, []],
    ['not where the book has moved meanwhile', { seconds: 60, bookAt: (at) => book('890', String(1 + (at % 2))) }, []],
    ['not where lists have long stopped to show the order', { seconds: 60, listedUntil: 30 }, []],
    ['not where the order has gone from the exchange', { seconds: 60, live: false }, []],
    [
      'also where something that is no book came between',
      { seconds: 60, bookAt: (at) => (at === 30 ? '<html>' : book('890')) },
      ['S12'],
    ],
  ])('%s', (_words, played, expected) => {
    expect(judged(played)).toEqual(expected);
  });
});
