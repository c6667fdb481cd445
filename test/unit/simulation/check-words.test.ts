// What must be said, and what must never be: checks that read records and notices.
import { describe, expect, test } from '@jest/globals';
import { secrecyChecks } from '../../../simulation/checks/check-liveness.ts';
import type { CheckContext, Outgoing } from '../../../simulation/checks/context.ts';
import { emptyJournalModel, fold, type Told } from '../../../simulation/checks/journal-model.ts';
import { closedChecks } from '../../../simulation/execution/check-closed.ts';
import type { Notice } from '../../../src/trader/state/turn.ts';

const noticeOf = (notice: Partial<Notice>): Notice => ({ level: 'page', op: 'late-fill', message: '', ...notice });

describe('a fill of an order that was held for closed', () => {
  const told = (type: string, payload: Told['payload']): Told => ({ type, seq: 1, epoch: 1, payload });
  const intent = told('intent', { intentId: '1-1', symbol: 'BTC/INR', side: 'buy', price: '1', quantity: '2' });
  const accepted = told('create-outcome', { intentId: '1-1', outcome: 'accepted', orderId: 'o1' });
  const closed = told('closed', { intentId: '1-1', as: 'filled' });
  const fill = told('fill', {
    intentId: '1-1',
    fill: { symbol: 'BTC/INR', tradeId: '7', orderId: 'o1', quantity: '1' },
  });

  const judged = (records: readonly Told[], notice: Notice | null): string[] => {
    const broken: string[] = [];
    const journal = emptyJournalModel();
    const context = {
      journal,
      isUp: () => true,
      violated: (invariant: string) => broken.push(invariant),
    } as unknown as CheckContext;
    const checks = closedChecks();
    for (const record of records) {
      fold(journal, record, 0);
      checks.recorded?.(context, record, {} as never);
    }
    if (notice !== null) checks.noticed?.(context, notice);
    checks.sampled?.(context);
    return broken;
  };

  test.each<[string, readonly Told[], Notice | null, readonly string[]]>([
    ['of which nobody is told breaks S6', [intent, accepted, closed, fill], null, ['S6']],
    ['nor is it told by a page about another', [intent, accepted, closed, fill], noticeOf({ orderId: 'o2' }), ['S6']],
    ['of which a person is told does not', [intent, accepted, closed, fill], noticeOf({ orderId: 'o1' }), []],
    ['and one that closes it needs no page', [intent, accepted, fill, closed], null, []],
  ])('%s', (_words, records, notice, expected) => {
    expect(judged(records, notice)).toEqual(expected);
  });
});

describe('X1', () => {
  const SIGNATURE = 'a1'.repeat(32);
  const judged = (where: 'notice' | 'record', text: string): string[] => {
    const broken: string[] = [];
    const context = {
      violated: (_invariant: string, sentence: string) => broken.push(sentence),
    } as unknown as CheckContext;
    const checks = secrecyChecks(['the-key', 'the-secret']);
    checks.sent?.(context, { query: new URLSearchParams({ signature: SIGNATURE }) } as unknown as Outgoing);
    if (where === 'notice') checks.noticed?.(context, noticeOf({ op: 'refused', message: text }));
    else checks.recorded?.(context, { type: 'fill', seq: 7, epoch: 1, payload: {} }, { payload: text } as never);
    return broken;
  };

  test.each<['notice' | 'record', string, readonly string[]]>([
    ['notice', `400 for signature=${SIGNATURE}&x=1`, ['A secret is in the notice refused.']],
    ['notice', `400 for signature=${SIGNATURE.toUpperCase()}`, ['A secret is in the notice refused.']],
    ['notice', `The hash is ${'b2'.repeat(32)}.`, []],
    ['notice', 'X-APIKEY: the-key', ['A secret is in the notice refused.']],
    ['record', '{"detail":"the-secret"}', ['A secret is in journal record 7 (fill).']],
    ['record', `{"detail":"${SIGNATURE}"}`, ['A secret is in journal record 7 (fill).']],
    ['record', '{"detail":"the keyhole"}', []],
  ])('a %s with %s', (where, text, expected) => {
    expect(judged(where, text)).toEqual(expected);
  });
});
