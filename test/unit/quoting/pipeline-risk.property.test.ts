// Pipeline, difference and risk gate agree: what the first two want to create, the third approves.
import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { decimal, maxOf, ZERO } from '../../../src/domain/decimal.ts';
import { intentId } from '../../../src/domain/ids.ts';
import type { Side } from '../../../src/domain/order.ts';
import { inventoryRange } from '../../../src/quoting/inventory.ts';
import { fundsLocked, fundsNeeded, type LiveOrder } from '../../../src/quoting/live-order.ts';
import { diffQuotes } from '../../../src/quoting/moves/diff.ts';
import { diffSettingsSchema } from '../../../src/quoting/moves/refresh-settings.ts';
import type { QuotingInput } from '../../../src/quoting/pipeline/draft.ts';
import { computeQuotes } from '../../../src/quoting/pipeline/pipeline.ts';
import { assess } from '../../../src/quoting/risk/risk.ts';
import type { RiskContext } from '../../../src/quoting/risk/risk-context.ts';
import { limitsOf, limitsSchema } from '../../../src/quoting/risk/risk-limits.ts';
import { NOW } from './market.ts';
import { quotingInputs, SEED } from './random-market.ts';

const PLENTY = '1000000000';
const APPROVED = { kind: 'approved' };
const limits = limitsOf(
  limitsSchema.parse({
    maxOrderQuantity: PLENTY,
    maxOrderNotional: PLENTY,
    maxInventoryBase: PLENTY,
    maxOpenNotional: PLENTY,
    collarBps: 10_000,
  }),
);

const lockedBy = (orders: readonly LiveOrder[], side: Side) =>
  orders.reduce((sum, order) => (order.side === side ? sum.add(fundsLocked(order)) : sum), ZERO);

/** The random market with holdings in which its live orders have their funds, as they would in a ledger. */
function withFundedOrders(input: QuotingInput): QuotingInput {
  const { view, live } = input;
  const base = { ...view.base, total: view.base.total.add(lockedBy(live, 'sell')) };
  const quote = { ...view.quote, total: view.quote.total.add(lockedBy(live, 'buy')) };
  return { ...input, view: { ...view, base, quote } };
}

function contextOf({ view, settings, live, limits: own }: QuotingInput): RiskContext {
  return {
    ...view,
    isRunning: true,
    killLatched: false,
    halt: null,
    unwinding: null,
    configuredSymbols: [view.symbol],
    limits: { ...limits, ...own },
    budget: settings.budget,
    inventoryRange: inventoryRange(view, settings.inventory),
    lastGoodReference: view.referencePrice,
    recentReference: view.referencePrice,
    orders: live,
    foreignOpenOrders: 0,
    baseInOtherMarkets: { more: decimal('0'), less: decimal('0') },
    quoteAsBase: null,
    totals: { openNotional: decimal(0), openOrders: live.length },
    messages: { inSecond: 0, inMinute: 0, today: 0 },
    bookMaxAgeMs: 10_000,
    messageLimits: { maxPerSecond: 10, maxPerMinute: 300, maxPerDay: 100_000 },
  };
}

/** The same after an order was chosen: it counts at once. */
function withChosen(context: RiskContext, order: LiveOrder): RiskContext {
  const need = fundsNeeded({ ...order, quantity: order.remaining }, context.costs);
  const spend = (free: RiskContext['base']['free']) => maxOf(ZERO, free.sub(need));
  return {
    ...context,
    orders: [...context.orders, order],
    totals: { ...context.totals, openOrders: context.totals.openOrders + 1 },
    base: order.side === 'sell' ? { ...context.base, free: spend(context.base.free) } : context.base,
    quote: order.side === 'buy' ? { ...context.quote, free: spend(context.quote.free) } : context.quote,
  };
}

test('every create is approved, one after the other, each counted from the moment it is chosen', () => {
  let approved = 0;
  fc.assert(
    fc.property(quotingInputs.map(withFundedOrders), (input) => {
      const { quotes } = computeQuotes(input);
      const { instrument, referencePrice, symbol } = input.view;
      const facts = { now: NOW, instrument, referencePrice, travelBps: 0 };
      let context = contextOf(input);
      for (const action of diffQuotes(quotes, input.live, diffSettingsSchema.parse({}), facts)) {
        if (action.kind !== 'create') continue;
        const { slot, quote } = action;
        const assessment = assess({ request: { symbol, ...quote }, slot }, context);
        // Two slots may want the very same order: then the gate is right to refuse the second.
        if (assessment.kind === 'denied' && assessment.code === 'duplicate') continue;
        // Orders that rest may be over a bound, or larger than what is wanted in their place: then it waits for them.
        if (assessment.kind === 'denied' && ['inventory', 'budget'].includes(assessment.code)) {
          const orders = context.orders.filter((order) => !input.live.includes(order));
          expect(assess({ request: { symbol, ...quote }, slot }, { ...context, orders })).toMatchObject(APPROVED);
          continue;
        }
        // Ten own orders may be open already.
        if (assessment.kind === 'denied' && context.orders.length >= 10) continue;
        expect(assessment).toMatchObject(APPROVED);
        approved += 1;
        const chosen = { intentId: intentId(`i-new-${slot}`), slot, sentAt: NOW, status: 'pending' as const };
        context = withChosen(context, { ...chosen, ...quote, remaining: quote.quantity });
      }
    }),
    { numRuns: 400, seed: SEED },
  );
  expect(approved).toBeGreaterThan(200);
});
