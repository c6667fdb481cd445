// What must hold of every difference between wanted and live.
import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { decimal } from '../../../src/domain/decimal.ts';
import { intentId } from '../../../src/domain/ids.ts';
import { type Side, slotOf } from '../../../src/domain/order.ts';
import { diffQuotes } from '../../../src/quoting/moves/diff.ts';
import { diffSettingsSchema } from '../../../src/quoting/moves/refresh-settings.ts';
import { instrument, NOW } from './market.ts';

const place = { side: fc.constantFrom<Side>('buy', 'sell'), level: fc.integer({ min: 0, max: 4 }) };
const price = fc.integer({ min: 90, max: 110 }).map(decimal);
const quantity = fc.integer({ min: 1, max: 3 }).map(decimal);
const quotes = fc.uniqueArray(fc.record({ ...place, price, quantity }), { selector: slotOf, maxLength: 10 });
const live = fc
  .uniqueArray(
    fc.record({
      ...place,
      price,
      quantity,
      sentAt: fc.integer({ min: NOW - 100_000, max: NOW }),
      status: fc.constantFrom<('open' | 'pending' | 'leaving')[]>('open', 'pending', 'leaving'),
    }),
    { selector: slotOf, maxLength: 10 },
  )
  .map((orders) =>
    orders.map((order) => ({
      ...order,
      slot: slotOf(order),
      intentId: intentId(slotOf(order)),
      remaining: order.quantity,
    })),
  );

test('every slot gets one action, creates only free ones; what is pending is left alone, what leaves is gone', () => {
  const facts = { now: NOW, instrument, referencePrice: decimal(100), travelBps: 0 };
  fc.assert(
    fc.property(quotes, live, (wanted, all) => {
      const orders = all.filter(({ status }) => status !== 'leaving');
      const actions = diffQuotes(wanted, all, diffSettingsSchema.parse({ minHalfSpreadBps: 10 }), facts);
      const slots = new Set([...wanted.map(slotOf), ...orders.map((order) => order.slot)]);
      expect(actions.map((action) => action.slot).sort()).toEqual([...slots].sort());
      for (const action of actions) {
        const order = orders.find(({ slot }) => slot === action.slot);
        if (order === undefined) expect(['create', 'wait']).toContain(action.kind);
        else if (order.status === 'pending') expect(action.kind).toBe('wait');
        else expect(['keep', 'cancel', 'replace']).toContain(action.kind);
      }
    }),
    { seed: 20_250_101 },
  );
});

test('when every create has been made, the next difference is only keeps', () => {
  const facts = { now: NOW, instrument, referencePrice: decimal(100), travelBps: 0 };
  const settings = diffSettingsSchema.parse({});
  fc.assert(
    fc.property(quotes, (wanted) => {
      const created = diffQuotes(wanted, [], settings, facts).flatMap((action) =>
        action.kind === 'create' ? [action] : [],
      );
      const orders = created.map(({ slot, quote }) => ({
        ...quote,
        slot,
        intentId: intentId(slot),
        remaining: quote.quantity,
        sentAt: NOW,
        status: 'open' as const,
      }));
      const later = { ...facts, now: NOW + 60_000 };
      expect(orders).toHaveLength(wanted.length);
      expect(diffQuotes(wanted, orders, settings, later).every((action) => action.kind === 'keep')).toBe(true);
    }),
    { seed: 20_250_101 },
  );
});
