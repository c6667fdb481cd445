// The risk gate: the only place that approves orders for sending. Every rule is hard.
import type { OrderRequest } from '../../domain/order.ts';
import {
  checkBudget,
  checkDuplicate,
  checkFunds,
  checkInventory,
  checkOpenOrders,
  checkSelfCross,
  checkSlot,
} from './exposure-checks.ts';
import {
  checkCollar,
  checkHalt,
  checkKillLatch,
  checkLimits,
  checkMarketable,
  checkMessageRate,
  checkOrderNotional,
  checkOrderQuantity,
  checkReference,
  checkState,
  checkSteps,
  checkSymbol,
} from './order-checks.ts';
import type { Check, Denial, Proposal, RiskContext } from './risk-context.ts';

declare const approved: unique symbol;
/** A value that passed every check. Only `assess` makes one, and the trader sends nothing else. */
export type Approved<T> = T & { readonly [approved]: true };

export type Assessment = { readonly kind: 'approved'; readonly order: Approved<OrderRequest> } | Denial;

// Later checks rely on earlier ones: limits are usable, steps and prices positive, the book two-sided.
const CHECKS: readonly Check[] = [
  checkKillLatch,
  checkHalt,
  checkState,
  checkSymbol,
  checkLimits,
  checkSteps,
  checkOrderQuantity,
  checkOrderNotional,
  checkReference,
  checkCollar,
  checkMarketable,
  checkSlot,
  checkDuplicate,
  checkSelfCross,
  checkInventory,
  checkOpenOrders,
  checkBudget,
  checkFunds,
  checkMessageRate,
];

/** Judges one order (order-truth §10); the first failing check gives the reason. Cancels need no judgment. */
export function assess(proposal: Proposal, context: RiskContext): Assessment {
  for (const check of CHECKS) {
    const denial = check(proposal, context);
    if (denial !== null) return denial;
  }
  // A frozen copy: the order that was judged is the one that will be sent.
  const { symbol, side, price, quantity } = proposal.request;
  const order = Object.freeze({ symbol, side, price, quantity }) as Approved<OrderRequest>;
  return { kind: 'approved', order };
}
