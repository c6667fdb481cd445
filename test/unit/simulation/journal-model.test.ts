// The model of the journal, folded apart from the bot's own fold: what contradicts itself is said.
import { describe, expect, test } from '@jest/globals';
import { emptyJournalModel, fold, type JournalModel } from '../../../simulation/checks/journal-model.ts';

type Line = readonly [type: string, payload: Readonly<Record<string, unknown>>];

const ORDER = { symbol: 'BTC/INR', side: 'buy', price: '100' };
const PLACED = { ...ORDER, slot: 'buy:0', quantity: '2', timestamp: 5, horizon: 9, bookSentAt: 1 };
const INTENT: Line = ['intent', { intentId: '1-1', ...PLACED }];
const COSTS = { quoteQuantity: '100', commission: '0', commissionAsset: 'INR', tds: '0' };
const accepted = (intentId: string, orderId: string): Line => {
  return ['create-outcome', { intentId, outcome: 'accepted', orderId }];
};
const filled = (tradeId: string, quantity = '1'): Line => {
  return ['fill', { intentId: '1-1', fill: { ...ORDER, ...COSTS, orderId: 'o1', tradeId, quantity } }];
};
const closed = (as: string): Line => ['closed', { intentId: '1-1', as }];

/** Folds the lines; says which invariants they contradict. */
function told(lines: readonly Line[]): { journal: JournalModel; broken: string[] } {
  const journal = emptyJournalModel();
  const broken = lines.flatMap(([type, payload], index) => {
    const contradiction = fold(journal, { type, payload, seq: index + 1, epoch: 1 }, index);
    return contradiction === null ? [] : [contradiction.invariant];
  });
  return { journal, broken };
}

describe('what contradicts the records before it', () => {
  test.each<[string, readonly Line[], readonly string[]]>([
    [
      'nothing, in the life of an order',
      [INTENT, accepted('1-1', 'o1'), filled('7'), ['listed', { intentId: '1-1', listed: false }], closed('canceled')],
      [],
    ],
    ['an intent that is written twice', [INTENT, INTENT], ['S11']],
    [
      'an order of two intents',
      [INTENT, ['intent', { ...INTENT[1], intentId: '1-2' }], accepted('1-1', 'o1'), accepted('1-2', 'o1')],
      ['R5'],
    ],
    ['a trade that is booked twice', [INTENT, accepted('1-1', 'o1'), filled('7'), filled('007')], ['M3']],
    ['more filled than was asked for', [INTENT, accepted('1-1', 'o1'), filled('7'), filled('8', '1.5')], ['M4']],
    [
      'what is closed and goes on',
      [INTENT, accepted('1-1', 'o1'), closed('canceled'), ['listed', { intentId: '1-1', listed: false }]],
      ['S6'],
    ],
    ['a late fill is none of these', [INTENT, accepted('1-1', 'o1'), closed('canceled'), filled('7')], []],
  ])('%s', (_name, lines, expected) => {
    expect(told(lines).broken).toEqual(expected);
  });

  test('a trade that was taken back can be booked again', () => {
    const { journal, broken } = told([
      INTENT,
      accepted('1-1', 'o1'),
      filled('7'),
      ['fill-corrected', { symbol: 'BTC/INR', tradeId: '7', side: 'buy', fill: null }],
      filled('7'),
    ]);
    expect(broken).toEqual([]);
    expect(journal.intents.get('1-1')?.filled.toFixed()).toBe('1');
  });

  test('an order found twice is an intent of its own', () => {
    const { journal, broken } = told([
      INTENT,
      accepted('1-1', 'o1'),
      ['adopted', { intentId: '1-9', orderId: 'o2', order: { of: '1-1' } }],
    ]);
    expect(broken).toEqual([]);
    expect([...journal.live.keys()]).toEqual(['1-1', '1-9']);
    expect(journal.byOrder.get('o2')?.intentId).toBe('1-9');
  });

  test('an order that a person named is one as well', () => {
    const order = { symbol: 'BTC/INR', side: 'sell', price: '100', quantity: '2' };
    const adopted = { intentId: '2~o3', orderId: 'o3', order: { of: null, ...order }, at: 5 };
    const { journal, broken } = told([['adopted', adopted]]);
    expect(broken).toEqual([]);
    expect(journal.byOrder.get('o3')).toMatchObject({ ...order, intentId: '2~o3', state: 'open' });
  });
});
