// K10: which order may rest while its successor is sent, and which must be canceled first.
import { describe, expect, test } from '@jest/globals';
import type { CheckContext, Outgoing } from '../../../../simulation/checks/context.ts';
import { emptyJournalModel, fold, type JournalIntent, type Told } from '../../../../simulation/checks/journal-model.ts';
import { moveChecks } from '../../../../simulation/execution/check-moves.ts';

const symbol = 'BTC/INR';
const told = (type: string, payload: Told['payload']): Told => ({ type, seq: 1, epoch: 1, payload });
const intentRecord = (intentId: string, side: 'buy' | 'sell', price: string): Told => {
  const terms = { symbol, side, price, quantity: '2', bookSentAt: 0, reference: '1000' };
  return told('intent', { intentId, slot: `${side}:0`, ...terms });
};

interface Played {
  readonly side?: 'buy' | 'sell';
  /** Price of the order that rests, where 1000 is the reference price and 900 (a bid) or 1100 (an ask) is wanted. */
  readonly rests: string;
  /** What leaves before the create. */
  readonly first?: Partial<Outgoing>;
  /** Whether the exchange has named the order that rests. */
  readonly isNamed?: boolean;
}

function judged({ side = 'buy', rests, first, isNamed = true }: Played): readonly string[] {
  const broken: string[] = [];
  const journal = emptyJournalModel();
  const order = { orderId: 'o1', symbol, maker: { kind: 'bot', intentId: '1-1' } };
  const context = {
    journal,
    settings: { runs: [{ instrument: { symbol }, refresh: { cancelFirstRatio: 0.9 } }] },
    oracle: { live: () => [order] },
    counters: { add: () => undefined },
    violated: (invariant: string) => broken.push(invariant),
  } as unknown as CheckContext;
  const checks = moveChecks();
  const records = [intentRecord('1-1', side, rests), intentRecord('1-2', side, side === 'buy' ? '900' : '1100')];
  const outcome = { intentId: '1-1', outcome: isNamed ? 'accepted' : 'unknown', orderId: isNamed ? 'o1' : null };
  for (const record of [...records, told('create-outcome', outcome)]) {
    fold(journal, record, 0);
    checks.recorded?.(context, record, {} as never);
  }
  const message = { query: new URLSearchParams(), body: {}, intent: null };
  if (first !== undefined) checks.sent?.(context, { ...message, ...first } as unknown as Outgoing);
  const intent = journal.live.get('1-2') as JournalIntent;
  checks.sent?.(context, { ...message, endpoint: 'create', intent } as unknown as Outgoing);
  return broken;
}

describe('a create leaves while the older order of its level rests, which breaks K10', () => {
  test.each<[string, Played, readonly string[]]>([
    ['where that bid is nearer than nine tenths of the wanted distance', { rests: '911' }, ['K10']],
    ['where that ask is', { side: 'sell', rests: '1089' }, ['K10']],
    ['not where it is just as near as it may be', { rests: '910' }, []],
    ['not where it is farther away than is wanted', { side: 'sell', rests: '1120' }, []],
    ['not after its cancel', { rests: '950', first: { endpoint: 'cancel', body: { order_id: 'o1' } } }, []],
    ['not after a cancel of the symbol', { rests: '950', first: { endpoint: 'cancel-symbol', body: { symbol } } }, []],
    [
      'although another order was canceled',
      { rests: '950', first: { endpoint: 'cancel', body: { order_id: 'o2' } } },
      ['K10'],
    ],
    ['not where no answer has named it', { rests: '950', isNamed: false }, []],
  ])('%s', (_words, played, expected) => {
    expect(judged(played)).toEqual(expected);
  });
});
