// Each symbol's state as numbers for the memory file, from the trader's snapshot.
import { type Decimal, decimal, ZERO } from '../../domain/decimal.ts';
import type { StatusSnapshot, SymbolView } from '../../trader/status/snapshot.ts';
import { bestLive } from '../../trader/status/standing.ts';
import type { Sample } from './rows.ts';

export const sampleMarkets = (snapshot: StatusSnapshot) =>
  snapshot.symbols.map((view) => ({ symbol: view.symbol, sample: sampleOf(view, snapshot) }));

function sampleOf(view: SymbolView, snapshot: StatusSnapshot): Sample {
  const { market, orders, pnl, base, quote, inventory } = view;
  // Reports date a price by its point, so a point leaves out an older price.
  const isOfNow = pnl.pricedAt !== null && snapshot.at - pnl.pricedAt <= snapshot.limits.bookAgeMs;
  return {
    marketBid: numberOrNull(market?.bid ?? null),
    marketAsk: numberOrNull(market?.ask ?? null),
    ownBid: numberOrNull(bestLive(orders, 'buy')),
    ownAsk: numberOrNull(bestLive(orders, 'sell')),
    reference: isOfNow ? numberOrNull(pnl.price) : null,
    inventory: isCompared(snapshot, base) ? Number(inventory) : null,
    equity: isCompared(snapshot, quote) ? equityIn(quote, snapshot) : null,
    profit: Number(pnl.total),
  };
}

const numberOrNull = (text: string | null): number | null => (text === null ? null : Number(text));

/** Before the wallet was read, a new ledger does not know the holdings. */
const isCompared = ({ assets }: StatusSnapshot, asset: string): boolean =>
  assets.some((each) => each.asset === asset && each.difference !== null);

/** Null while some holding has no price yet. */
function equityIn(quote: string, { symbols, assets }: StatusSnapshot): number | null {
  const held = (asset: string): Decimal => decimal(assets.find((each) => each.asset === asset)?.expected ?? '0');
  // Counts a coin once, even if two symbols trade it for the same money.
  const coins = new Map(symbols.filter((view) => view.quote === quote).map(({ base, pnl }) => [base, pnl.price]));
  const worth = [...coins].map(([base, price]) => {
    if (held(base).isZero()) return ZERO;
    return price === null ? null : held(base).mul(price);
  });
  const known = worth.filter((each) => each !== null);
  return known.length < worth.length ? null : known.reduce((sum, each) => sum.add(each), held(quote)).toNumber();
}
