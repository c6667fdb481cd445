// Which prices are near enough for an own order to count as a fresh quote: between the reference price and the
// farthest that the strategy quotes, with the tolerance at which an order is moved.
import { type Decimal, maxOf, ONE, ZERO } from '../../domain/decimal.ts';
import type { Side } from '../../domain/order.ts';
import { ratioOfBps } from '../../quoting/amount.ts';
import { priceToleranceAwayBps } from '../../quoting/moves/diff.ts';
import { askWidthBps } from '../../quoting/strategy-call/ask-strategy.ts';
import type { Decision } from '../state/decision.ts';
import type { PriceRange, SymbolTime } from '../state/presence/time-account.ts';
import type { RunSettings } from '../state/settings.ts';

const SIDES: readonly Side[] = ['buy', 'sell'];

/** Takes the ranges of the newest decision. A side that wants no quote at the moment keeps the width that it had. */
export function noteRanges(time: SymbolTime, decision: Decision | null, run: RunSettings): void {
  if (decision === null || decision === time.rangesOf) return;
  time.rangesOf = decision;
  const reference = decision.view?.referencePrice ?? null;
  for (const side of SIDES) {
    if (reference !== null) time.widths[side] = widthOf(decision, side, { reference, run }) ?? time.widths[side];
    const width = time.widths[side];
    time.ranges[side] = reference === null || width === null ? null : rangeOf(side, reference, width);
  }
}

/** As a share of the reference price; null where neither the strategy nor a wanted quote says it. */
function widthOf(
  { result }: Decision,
  side: Side,
  { reference, run }: { readonly reference: Decimal; readonly run: RunSettings },
): Decimal | null {
  const { strategy, params, refresh } = run;
  const quotes = (result?.quotes ?? []).filter((quote) => quote.side === side);
  const configured = askWidthBps(strategy, params);
  if (quotes.length === 0 && configured === null) return null;
  const tolerance = Math.max(refresh.priceToleranceBps, priceToleranceAwayBps(refresh));
  // What costs and guards move out is wanted farther away than the strategy has it.
  const outermost = quotes.reduce((most: Decimal, { price }) => maxOf(most, price.sub(reference).abs()), ZERO);
  return maxOf(outermost.div(reference), ratioOfBps(configured ?? 0)).add(ratioOfBps(tolerance));
}

const rangeOf = (side: Side, reference: Decimal, width: Decimal): PriceRange =>
  side === 'buy'
    ? { least: reference.mul(ONE.sub(width)), most: reference }
    : { least: reference, most: reference.mul(ONE.add(width)) };

export const isNear = (price: Decimal, range: PriceRange | null): boolean =>
  range !== null && price.gte(range.least) && price.lte(range.most);
