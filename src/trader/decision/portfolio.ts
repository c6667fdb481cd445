// The account as one inventory: what it leaves to each coin, by the prices and orders of all.
import { type Decimal, ZERO } from '../../domain/decimal.ts';
import type { InstrumentSymbol } from '../../domain/instrument.ts';
import { type Coin, type PlaceInPortfolio, placeInPortfolio } from '../../quoting/portfolio.ts';
import { liveIntents } from '../durable/durable.ts';
import { mayBeLive, remainingOf } from '../durable/intent.ts';
import { trustedPrice } from '../money/trusted-price.ts';
import { ledgerTotal } from '../state/assets.ts';
import { runOf, type TraderState } from '../state/state.ts';

/** Where the portfolio has the coin of this symbol. */
const isInPortfolio = ({ settings, markets }: TraderState, symbol: InstrumentSymbol): boolean => {
  const { portfolio } = settings;
  const instrument = markets.get(symbol)?.run.instrument;
  return instrument !== undefined && portfolio?.quote === instrument.quote && portfolio.shares.has(instrument.base);
};

/**
 * A coin of the portfolio whose price is not known yet, so that nothing of it can be told; null where all are. One of
 * which nothing is held or bid for takes no room at any price.
 */
export function unvaluedCoin(state: TraderState, symbol: InstrumentSymbol): InstrumentSymbol | null {
  if (!isInPortfolio(state, symbol)) return null;
  for (const other of state.markets.keys()) {
    if (other === symbol || !isInPortfolio(state, other) || trustedPrice(state, other) !== null) continue;
    const { held, bids } = coinOf(state, other, ZERO);
    // Before the ledger is opened nobody knows what is held.
    if (!state.durable.books.opened || held.gt(0) || bids.gt(0)) return other;
  }
  return null;
}

/** The other coins of the portfolio; none where the symbol's own is not in it, or where one of them is unvalued. */
export function otherCoins(state: TraderState, symbol: InstrumentSymbol): readonly Coin[] {
  if (!isInPortfolio(state, symbol) || unvaluedCoin(state, symbol) !== null) return NONE;
  const coins: Coin[] = [];
  for (const other of state.markets.keys()) {
    if (other === symbol || !isInPortfolio(state, other)) continue;
    coins.push(coinOf(state, other, trustedPrice(state, other)?.price ?? ZERO));
  }
  return coins;
}

const NONE: readonly Coin[] = [];

/** Whether they leave the same room. */
export const areSameCoins = (a: readonly Coin[], b: readonly Coin[]): boolean =>
  a.length === b.length &&
  a.every(({ asset, held, bids, price }, index) => {
    const other = b[index];
    return (
      other !== undefined &&
      asset === other.asset &&
      held.eq(other.held) &&
      bids.eq(other.bids) &&
      price.eq(other.price)
    );
  });

/**
 * What the account leaves to the coin of the symbol at its reference price; null where there is no portfolio, or the
 * coin is not in it, or another coin is unvalued.
 */
export function placeOf(
  state: TraderState,
  symbol: InstrumentSymbol,
  { others, reference }: { readonly others: readonly Coin[]; readonly reference: Decimal },
): PlaceInPortfolio | null {
  const { portfolio } = state.settings;
  if (portfolio === null || !isInPortfolio(state, symbol) || unvaluedCoin(state, symbol) !== null) return null;
  const own = coinOf(state, symbol, reference);
  return placeInPortfolio(portfolio, { coins: [...others, own], quoteHeld: ledgerTotal(state, portfolio.quote), own });
}

function coinOf(state: TraderState, symbol: InstrumentSymbol, price: Decimal): Coin {
  const { base: asset } = runOf(state, symbol).instrument;
  const bids = liveIntents(state.durable, symbol)
    .filter((intent) => intent.side === 'buy' && mayBeLive(intent))
    .reduce((sum: Decimal, intent) => sum.add(remainingOf(intent)), ZERO);
  return { asset, held: ledgerTotal(state, asset), bids, price };
}
