// What a session compares its first prices with: the last good ones of before.
import { decimal } from '../../domain/decimal.ts';
import type { DurationMs, EpochMs } from '../../domain/time.ts';
import { isOldReference } from '../decision/price-jump.ts';
import { type LastReference, marketIn } from '../durable/market.ts';
import type { Market } from '../state/market.ts';
import type { TraderState } from '../state/state.ts';
import { beginReferences } from './revise-run.ts';

/**
 * A market that is far from where it was a while ago wants a person (F62), over a restart as well; after an hour, or
 * where the price is taken from elsewhere since, only one that is less than half or more than double does.
 */
export function seedReferences({ markets, durable }: TraderState, now: EpochMs): void {
  for (const [symbol, market] of markets) {
    const { lastReference } = marketIn(durable, symbol);
    if (lastReference === null) continue;
    const { price, at, isOfOther } = lastReference;
    if (isOfOther) beginReferences(market, decimal(price));
    else if (isOldReference(at, now)) market.oldReference = decimal(price);
    else Object.assign(market, comparedWith(lastReference));
  }
}

/** They were noted by a clock that was set by so much since, and are as old as they are by the one of now. */
export function moveReferences({ markets, durable, session }: TraderState, byMs: DurationMs): void {
  const { startedAt } = session;
  for (const [symbol, market] of markets) {
    const { lastReference } = marketIn(durable, symbol);
    if (lastReference === null || lastReference.isOfOther || lastReference.at >= startedAt) continue;
    const { at } = lastReference;
    if (market.lastGoodAt === at) Object.assign(market, { lastGoodAt: at + byMs, jump: null });
    else if (isOldReference(at, startedAt) && !isOldReference(at + byMs, startedAt))
      holdTo(market, { ...lastReference, at: at + byMs });
  }
}

/** A price that a person stated is no good one before a book has shown it. */
const comparedWith = ({ price, at, isStated }: LastReference): Partial<Market> =>
  isStated
    ? { lastGoodReference: null, lastGoodAt: null, statedReference: decimal(price) }
    : { lastGoodReference: decimal(price), lastGoodAt: at };

/** What was accepted meanwhile was compared with nothing. */
function holdTo(market: Market, last: LastReference): void {
  Object.assign(market, { ...comparedWith(last), oldReference: null });
  Object.assign(market, { firstReference: null, jump: null, travel: null });
  market.references.splice(0);
}
