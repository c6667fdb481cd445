// S3 counts the orders that leave as the exchange said and as the journal knows: neither alone.
import { describe, expect, test } from '@jest/globals';
import type { Answered, CheckContext, Outgoing } from '../../../../simulation/checks/context.ts';
import { emptyJournalModel, fold, type JournalIntent, type Told } from '../../../../simulation/checks/journal-model.ts';
import { slotChecks } from '../../../../simulation/execution/check-slots.ts';

const symbol = 'BTC/INR';
const told = (type: string, payload: Told['payload']): Told => ({ type, seq: 1, epoch: 1, payload });
const intentRecord = (intentId: string): Told =>
  told('intent', { intentId, symbol, slot: 'sell:0', side: 'sell', price: '1', quantity: '2', bookSentAt: 0 });
const canceled = (intentId: string, orderId: string): readonly Told[] => [
  intentRecord(intentId),
  told('create-outcome', { intentId, outcome: 'accepted', orderId }),
  told('cancel-sent', { intentId }),
];
const acknowledged = (intentId: string): Told => told('cancel-outcome', { intentId, outcome: 'acknowledged' });

/** One more is created in the slot after the exchange acknowledged the cancel of the one order there. */
function judged(records: readonly Told[]): readonly string[] {
  const broken: string[] = [];
  const journal = emptyJournalModel();
  const limits = { maxLeavingPerSlot: 0, maxLeaving: 0 };
  const context = {
    journal,
    settings: {
      runs: [{ instrument: { symbol }, limits }],
    },
    counters: { add: () => undefined },
    now: () => 0,
    clockError: () => 0,
    violated: (invariant: string) => broken.push(invariant),
  } as unknown as CheckContext;
  const checks = slotChecks();
  for (const record of [...records, intentRecord('1-2')]) fold(journal, record, 0);
  const said = { status: 200, text: '{"msg":"It is canceled."}', query: new URLSearchParams() };
  const answer = { ...said, endpoint: 'cancel', body: { order_id: 'o1' } };
  checks.answered?.(context, answer as unknown as Answered);
  const intent = journal.live.get('1-2') as JournalIntent;
  checks.sent?.(context, { endpoint: 'create', intent, body: {} } as unknown as Outgoing);
  return broken;
}

describe('an order created beside one whose cancel was acknowledged, where none is allowed', () => {
  const first = canceled('1-1', 'o1');
  test.each<[string, readonly Told[], readonly string[]]>([
    ['breaks S3', [...first, acknowledged('1-1')], ['S3']],
    ['does not where only a life heard of it that could write no more', first, []],
    [
      'does not where the first one is listed again and canceled again',
      [
        ...first,
        acknowledged('1-1'),
        told('listed', { intentId: '1-1', listed: true }),
        told('cancel-sent', { intentId: '1-1' }),
      ],
      [],
    ],
    ['does where it is canceled again meanwhile', [...first, acknowledged('1-1'), ...first.slice(2)], ['S3']],
  ])('%s', (_words, records, expected) => {
    expect(judged(records)).toEqual(expected);
  });
});
