// From movements to lots: what came and left of each coin, and for which money.
import type { Asset } from '../domain/instrument.ts';
import {
  type Amount,
  add,
  addValue,
  asValue,
  NO_AMOUNT,
  negate,
  subtract,
  subtractValue,
  times,
} from '../ledger/amount.ts';
import type { BookableFill } from '../ledger/bookable-fill.ts';
import type { Lot, Price } from './lots.ts';
import { type BookedTrade, type Movement, tradeKey } from './movement.ts';

export interface LotEvent extends Lot {
  readonly asset: Asset;
  readonly seq: number;
}

/**
 * Lots of every asset that was bought or sold as a coin, in the order in which it happened. Executions count as they
 * are booked at last: what was corrected or taken back never was. Their quantities add up to what moved the wallet.
 */
export function lotEventsOf(movements: readonly Movement[]): readonly LotEvent[] {
  const events = [...tradesOf(movements).flatMap(eventsOfTrade), ...movements.flatMap(eventsOfFlow)];
  const coins = new Set(events.filter(({ price }) => price !== null).map(({ asset }) => asset));
  return events.filter(({ asset }) => coins.has(asset)).sort((a, b) => a.at - b.at || a.seq - b.seq);
}

interface FinalTrade {
  readonly seq: number;
  /** As it is booked now; null where it was taken back. */
  now: BookedTrade | null;
  /** As it was booked last. */
  last: BookedTrade;
  /** What all its bookings did to the wallet. */
  readonly wallet: Map<Asset, Amount>;
}

function tradesOf(movements: readonly Movement[]): readonly FinalTrade[] {
  const trades = new Map<string, FinalTrade>();
  for (const { seq, trade, takesBack, changes } of movements) {
    if (trade === null) continue;
    const key = tradeKey(trade);
    const final = trades.get(key) ?? { seq, now: null, last: trade, wallet: new Map() };
    trades.set(key, final);
    final.now = takesBack ? null : trade;
    final.last = trade;
    for (const { asset, by } of changes.filter(({ account }) => account === 'wallet'))
      final.wallet.set(asset, add(final.wallet.get(asset) ?? NO_AMOUNT, by));
  }
  return [...trades.values()];
}

/**
 * The coin for its money. What the wallet moved otherwise (money that is a coin itself, a fee in a third asset, a coin
 * that was not the ledger's yet when it was traded) moved without a price.
 */
function eventsOfTrade({ seq, now, last, wallet }: FinalTrade): readonly LotEvent[] {
  const { venueTime: at, origin, fill } = now ?? last;
  const coin = now === null ? null : coinOf(now.fill);
  return [...wallet]
    .filter(([, by]) => by !== NO_AMOUNT)
    .map(([asset, quantity]) => {
      const price = coin !== null && asset === fill.base && quantity === coin.quantity ? coin.price : null;
      return { asset, seq, at, quantity, price, symbol: fill.symbol, origin };
    });
}

/**
 * What a trade did to the coin, and for how much. A commission in the coin is worth the trade's price and is shown
 * among the fees: on a buy it is taken off what came and what that cost, on a sale it leaves for its worth.
 */
function coinOf(fill: BookableFill): { readonly quantity: Amount; readonly price: Price } {
  const fee = fill.commissionAsset === fill.base ? fill.commission : NO_AMOUNT;
  const [paid, worth] = [asValue(fill.quoteQuantity), times(fee, fill.price)];
  const isBuy = fill.side === 'buy';
  return {
    quantity: isBuy ? subtract(fill.quantity, fee) : negate(add(fill.quantity, fee)),
    price: { quote: fill.quote, value: isBuy ? subtractValue(paid, worth) : addValue(paid, worth) },
  };
}

function eventsOfFlow({ seq, trade, changes, happenedAt: at }: Movement): readonly LotEvent[] {
  if (trade !== null) return [];
  return changes
    .filter(({ account }) => account === 'wallet')
    .map(({ asset, by: quantity }) => ({ asset, seq, at, quantity, price: null, symbol: null, origin: null }));
}
