// What must hold between any two steps of a trader.
import { liveIntents } from '../../../src/trader/durable/durable.ts';
import type { IntentRecord } from '../../../src/trader/durable/events.ts';
import type { Intent } from '../../../src/trader/durable/intent.ts';
import { symbolsOf, type TraderState } from '../../../src/trader/state/state.ts';
import { isConsistent, negativeBalances } from '../ledger/ledger-checks.ts';

/**
 * S3: in a slot at most one order that may be live and the one that it replaces, beside those that were canceled and
 * one whose create has no answer: another one that is like it in neither price nor quantity may stand in for that.
 */
export function slotViolations(trader: TraderState): string[] {
  return symbolsOf(trader).flatMap((symbol) => {
    const live = liveIntents(trader.durable, symbol).filter(({ cancel }) => cancel === 'none');
    const bySlot = Map.groupBy(live, ({ slot }) => slot);
    // The one that is replaced may be gone before its cancel is sent.
    const isNamed = ({ state }: Intent): boolean => state === 'open' || state === 'closing';
    const isMove = ([older, ...newer]: readonly Intent[]): boolean =>
      newer.length === 1 && older !== undefined && isNamed(older);
    const mayBe = (orders: readonly Intent[]): boolean => orders.length === 1 || isMove(orders);
    return [...bySlot].flatMap(([slot, orders]) => {
      const doubtful = orders.find(isInDoubt);
      const others = orders.filter((order) => order !== doubtful);
      const fits = doubtful !== undefined && others.every((order) => isUnlike(order, doubtful)) && mayBe(others);
      return mayBe(orders) || fits ? [] : [`S3: ${symbol} has ${orders.length} orders in ${slot}.`];
    });
  });
}

const isInDoubt = ({ state }: Intent): boolean => state === 'unknown' || state === 'soft-rejected';

const isUnlike = (a: Intent, b: Intent): boolean => !a.price.eq(b.price) && !a.quantity.eq(b.quantity);

/**
 * S3 at a create: only the order that it replaces, one in doubt, and those that all but certainly are gone may be in
 * its slot.
 */
export function createViolations({ durable }: TraderState, created: readonly IntentRecord[]): string[] {
  const leaves = ({ state, cancel }: Intent): boolean =>
    (state === 'cancel-sent' && cancel === 'acknowledged') || (state === 'closing' && cancel !== 'none');
  return created.flatMap(({ intentId, symbol, slot, replaces }) => {
    const others = liveIntents(durable, symbol).filter((other) => other.slot === slot && other.intentId !== intentId);
    const own = liveIntents(durable, symbol).find((each) => each.intentId === intentId);
    const doubtful = others.find((other) => isInDoubt(other) && own !== undefined && isUnlike(own, other));
    const holders = others.filter((other) => other.intentId !== replaces && other !== doubtful && !leaves(other));
    return holders.map((holder) => `S3: ${intentId} was created in the slot of ${holder.intentId}.`);
  });
}

/** M1, M9. */
export function moneyViolations({ durable }: TraderState): string[] {
  const negative = negativeBalances(durable.books.ledger).map(
    ({ asset, account }) => `M9: ${account} of ${asset} is negative.`,
  );
  return isConsistent(durable.books.ledger) ? negative : ['M1: the ledger does not balance.', ...negative];
}
