// A journal that can't be: the fold stops at it and says at which order, instead of going on with what it is not.
import { describe, expect, test } from '@jest/globals';
import type { Durable } from '../../../../src/trader/durable/durable.ts';
import type { TraderEvent } from '../../../../src/trader/durable/events.ts';
import { applyEvent } from '../../../../src/trader/durable/fold/apply-event.ts';
import { foldAll, inSlot, quotingDesk } from '../trader-kit.ts';

const desk = quotingDesk();
const bid = inSlot(desk, 'buy:0');
const at = desk.now();
const [intent] = desk.events.filter(({ type, payload }) => type === 'intent' && payload.intentId === bid.intentId);
const fold = (): Durable => foldAll(desk.events);
const apply = (durable: Durable, type: string, payload: object): void =>
  applyEvent(durable, { type, payload: { intentId: bid.intentId, at, ...payload } } as unknown as TraderEvent);

test('an event of an unknown type is refused', () => {
  expect(() => apply(fold(), 'unheard-of', {})).toThrow("The journal has an event of the unknown type 'unheard-of'.");
});

describe('an intent', () => {
  test('is recorded once, open or closed', () => {
    if (intent === undefined) throw new Error('No intent.');
    const words = `Intent ${bid.intentId} is in the journal twice.`;
    expect(() => applyEvent(fold(), intent)).toThrow(words);
    const closed = fold();
    apply(closed, 'closed', { as: 'canceled' });
    expect(closed.orders.intents.has(bid.intentId)).toBe(false);
    expect(() => applyEvent(closed, intent)).toThrow(words);
  });

  test.each<[string, object]>([
    ['listed', { listed: false }],
    ['closed', { as: 'canceled' }],
    ['cancel-sent', { why: 'why' }],
    ['create-outcome', { outcome: 'unknown', orderId: null, detail: '' }],
    ['create-outcome', { outcome: 'soft-rejected', orderId: null, detail: '' }],
    ['create-outcome', { outcome: 'rejected', orderId: null, detail: '' }],
  ])('that is closed is no more %s', (type, payload) => {
    const durable = fold();
    apply(durable, 'closed', { as: 'canceled' });
    expect(() => apply(durable, type, payload)).toThrow(`Intent ${bid.intentId} is not open.`);
  });

  test('is not accepted without the name of its order', () => {
    expect(() => apply(fold(), 'create-outcome', { outcome: 'accepted', orderId: null, detail: '' })).toThrow(
      `Intent ${bid.intentId} was accepted without an order id.`,
    );
  });

  test('keeps an acknowledged cancel if it is listed again, unless that is recorded as disproved', () => {
    const reopened = (payload: object): unknown => {
      const durable = fold();
      apply(durable, 'cancel-sent', { why: 'why' });
      apply(durable, 'cancel-outcome', { outcome: 'acknowledged', detail: '' });
      apply(durable, 'listed', { listed: false });
      apply(durable, 'listed', { listed: true, ...payload });
      return durable.orders.intents.get(bid.intentId);
    };
    expect(reopened({})).toMatchObject({ state: 'open', cancel: 'acknowledged' });
    expect(reopened({ belied: true })).toMatchObject({ state: 'open', cancel: 'none' });
  });

  test('is closed with its fate, and its reservation is free', () => {
    const durable = fold();
    apply(durable, 'closed', { as: 'canceled', at: at + 7 });
    expect(durable.orders.closed.get(bid.intentId)).toEqual({
      ...bid,
      state: 'closed',
      closedAs: 'canceled',
      since: at + 7,
    });
    expect(durable.orders.byOrderId.get(bid.orderId as never)).toBe(bid.intentId);
  });
});
