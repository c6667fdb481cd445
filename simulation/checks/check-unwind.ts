// Back to the target at a loss limit (K16), by the journal and the exchange's truth: of one side, never more than own
// fills moved the base since the ledger was opened, and not from the book before its time.
import { type Decimal, ZERO } from '../../src/domain/decimal.ts';
import type { RunSettings } from '../../src/trader/state/settings.ts';
import { heldOf } from '../exposure/measures.ts';
import type { CheckContext, Checker } from './context.ts';
import { type JournalIntent, type JournalModel, ownBase } from './journal-model.ts';
import { midPriceOf } from './mid-price.ts';

export function unwindChecks(): Checker {
  return {
    sent(context, { endpoint, intent }) {
      if (endpoint !== 'create' || intent === null || !mayUnwind(context.journal, intent)) return;
      const { symbol, side } = intent;
      const left = leftOf(context.journal, symbol);
      const orders = [...context.journal.live.values()].filter((each) => each.symbol === symbol && each.side === side);
      const filling = orders.reduce((sum, each) => sum.add(each.quantity).sub(each.filled), ZERO);
      context.counters.add('unwinding order');
      if (filling.gt(left))
        context.violated('K16', `With all orders filled ${filling.toFixed()} go back; ${left.toFixed()} are left.`);
    },
  };
}

/** Whether the halt of its market allows this create. */
export const mayUnwind = ({ halts }: JournalModel, { symbol, side }: JournalIntent): boolean =>
  halts.get(symbol)?.unwind?.side === side;

/** Whether it may take from the book by now, by either clock. */
export function mayTake(context: CheckContext, { limits }: RunSettings, intent: JournalIntent): boolean {
  const halt = context.journal.halts.get(intent.symbol);
  if (halt === undefined || limits.unwind === undefined || !mayUnwind(context.journal, intent)) return false;
  const since = Math.max(context.now() - halt.at, context.now() + context.clockError() - halt.toldAt);
  return since >= limits.unwind.takeAfterSeconds * 1_000;
}

/** Base that its halt still lets own orders trade; below zero after too much. */
function leftOf(journal: JournalModel, symbol: string): Decimal {
  const unwind = journal.halts.get(symbol)?.unwind ?? null;
  if (unwind === null) return ZERO;
  const moved = ownBase(journal, symbol).sub(unwind.from);
  return unwind.quantity.sub(unwind.side === 'buy' ? moved : moved.neg());
}

/** Orders this close to the end may be too small, or of other lots. */
const NEAR_THE_END = 3;

/** Whether a halted market must still trade: something is left, and the base is off its target. */
export function mustUnwind(context: CheckContext, { instrument, limits, quoting }: RunSettings): boolean {
  const { symbol, base, quote, minNotional, lotSize } = instrument;
  const unwind = context.journal.halts.get(symbol)?.unwind ?? null;
  const referencePrice = midPriceOf(context, instrument);
  if (unwind === null || limits.unwind === undefined || referencePrice === null) return false;
  const held = heldOf(context, base);
  const target = held.add(heldOf(context, quote).div(referencePrice)).mul(quoting.inventory.targetRatio);
  const off = unwind.side === 'buy' ? target.sub(held) : held.sub(target);
  const least = minNotional.div(referencePrice).add(lotSize.mul(10)).mul(NEAR_THE_END);
  return off.gt(least) && leftOf(context.journal, symbol).gt(least);
}
