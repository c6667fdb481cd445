// R2 outside of calm: for how long a create may be unknown while reads are answered, and what it waits for.
import { describe, expect, test } from '@jest/globals';
import type { Answered, CheckContext, Outgoing } from '../../../../simulation/checks/context.ts';
import { emptyJournalModel, fold, type Told } from '../../../../simulation/checks/journal-model.ts';
import { unknownChecks } from '../../../../simulation/execution/check-unknown.ts';
import { SECOND } from '../../../../src/domain/time.ts';
import { BTC, deskSettings } from '../../trader/desk-settings.ts';

const told = (type: string, payload: Told['payload']): Told => ({ type, seq: 1, epoch: 1, payload });

interface Played {
  readonly seconds: number;
  /** When a read is answered; in each second where it is left out. */
  readonly isRead?: (second: number) => boolean;
  readonly foreignOrders?: 'ignore' | 'refuse';
  /** What the journal says in that second. */
  readonly says?: readonly [second: number, told: Told];
  readonly downAt?: number;
}

/** A create without an answer, of which a proof may take 30 s and lists trail by 5 s at the most. */
function judged({ seconds, isRead = () => true, foreignOrders = 'ignore', says, downAt }: Played): string[] {
  const broken = new Set<string>();
  const journal = emptyJournalModel();
  let now = 0;
  let second = 0;
  const context = {
    journal,
    settings: deskSettings({ foreignOrders }),
    counters: { add: () => undefined },
    now: () => now,
    clockError: () => 0,
    canWrite: () => true,
    latchedSince: () => null,
    isUp: () => second !== downAt,
    violated: (invariant: string) => broken.add(invariant),
  } as unknown as CheckContext;
  const checks = unknownChecks();
  const terms = { symbol: BTC, side: 'buy', price: '900', quantity: '2', timestamp: 0, horizon: 0 };
  fold(journal, told('intent', { intentId: '1-1', slot: 'buy:0', ...terms }), 0);
  fold(journal, told('create-outcome', { intentId: '1-1', outcome: 'unknown', orderId: null }), 0);
  for (; second <= seconds; second += 1) {
    now = second * SECOND;
    if (says?.[0] === second) fold(journal, says[1], now);
    const message = { endpoint: 'open-orders' } as unknown as Outgoing;
    checks.sent?.(context, message);
    if (isRead(second)) checks.answered?.(context, { ...message, status: 200, text: '[]' } as unknown as Answered);
    checks.sampled?.(context);
  }
  return [...broken];
}

describe('an unknown create breaks R2', () => {
  test.each<[string, Played, readonly string[]]>([
    ['after two deadlines, two lags and a minute in which reads were answered', { seconds: 132 }, ['R2']],
    ['not before', { seconds: 130 }, []],
    [
      'after once more for a fence, where the account is the bot’s alone',
      { seconds: 167, foreignOrders: 'refuse' },
      ['R2'],
    ],
    ['and not before that', { seconds: 160, foreignOrders: 'refuse' }, []],
    ['not where no read is answered', { seconds: 300, isRead: () => false }, []],
    ['not where a gap lets the time for proof begin anew', { seconds: 180, isRead: (at) => at < 80 || at > 95 }, []],
    ['also where every other read is lost', { seconds: 132, isRead: (at) => at % 2 === 0 }, ['R2']],
    [
      'not where a person is called',
      { seconds: 300, says: [100, told('symbol-halted', { symbol: BTC, reason: 'It could not be proved.' })] },
      [],
    ],
    [
      'not where the wallet differs',
      { seconds: 300, says: [100, told('difference', { asset: 'BTC', expected: '1', actual: '2' })] },
      [],
    ],
    [
      'not where it is closed',
      { seconds: 300, says: [100, told('closed', { intentId: '1-1', as: 'not-placed' })] },
      [],
    ],
    ['not where the bot was down between', { seconds: 180, downAt: 90 }, []],
  ])('%s', (_words, played, expected) => {
    expect(judged(played)).toEqual(expected);
  });
});
