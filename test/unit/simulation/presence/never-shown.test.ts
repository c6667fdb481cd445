// Orders that ended before any book showed them, told one by one to what L8 asks of them.
import { expect, test } from '@jest/globals';
import type { Answered, CheckContext } from '../../../../simulation/checks/context.ts';
import { createNeverShown } from '../../../../simulation/presence/never-shown.ts';
import { MINUTE, SECOND } from '../../../../src/domain/time.ts';

const BTC = 'BTC/INR';
const ORDER = '7-1-1';
const LAG_MS = 20 * SECOND;
const ENDED_AT = 5 * SECOND;

function told(books: readonly (readonly [price: unknown, quantity: string][])[]) {
  let now = 0;
  const intent = { intentId: '1-1', orderId: ORDER, symbol: BTC, side: 'buy', price: '100000' };
  const context = {
    now: () => now,
    settings: { assumptions: { readLagBoundMs: LAG_MS } },
    journal: { byOrder: new Map([[ORDER, intent]]), intents: new Map([['1-1', intent]]) },
    oracle: { orders: new Map([[ORDER, { endedAt: ENDED_AT }]]) },
  } as unknown as CheckContext;
  const record = (type: string, payload: object): void =>
    neverShown.recorded(context, { type, payload: payload as Record<string, unknown>, seq: 1, epoch: 1 });
  const neverShown = createNeverShown();
  record('create-outcome', { intentId: '1-1', orderId: ORDER });
  for (const bids of books) {
    const text = JSON.stringify({ bids, asks: [['101000', '1']] });
    const query = new URLSearchParams({ symbol: BTC });
    neverShown.answered(context, { endpoint: 'order-book', status: 200, text, query } as Answered);
  }
  const isHeldAt = (at: number, side: 'buy' | 'sell' = 'buy'): boolean => {
    now = at;
    return neverShown.isHeld(context, BTC, side);
  };
  return { isHeldAt, record };
}

test('an order that no book has shown may be held for resting for a lag bound and a minute', () => {
  const { isHeldAt } = told([[['99000', '1']]]);
  const until = ENDED_AT + LAG_MS + MINUTE;
  expect([isHeldAt(ENDED_AT), isHeldAt(until - 1), isHeldAt(until)]).toEqual([true, true, false]);
  expect(isHeldAt(ENDED_AT, 'sell')).toBe(false);
});

test('one that a book has shown may not, whatever the next one lacks', () => {
  expect(told([[['100000.0', '1']], [['99000', '1']]]).isHeldAt(ENDED_AT)).toBe(false);
});

test('a book with a row that can’t be read shows nothing (F64)', () => {
  for (const odd of ['1,234.5', null, ''])
    expect(
      told([
        [
          [odd, '1'],
          ['100000', '1'],
        ],
      ]).isHeldAt(ENDED_AT),
    ).toBe(true);
});

test('one that is closed is held no more, and a new process knows of none', () => {
  const ends = [
    ['closed', { intentId: '1-1' }],
    ['session-started', {}],
  ] as const;
  for (const [type, payload] of ends) {
    const { isHeldAt, record } = told([]);
    record(type, payload);
    expect(isHeldAt(ENDED_AT)).toBe(false);
  }
});
