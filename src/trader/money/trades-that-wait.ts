// Own trades that are known and wait to be booked: their market was configured later, and is opened once a second
// wallet says the same. What they moved of assets that the ledger knows is expected of the wallet all the same.
import type { Fill } from '../../domain/fill.ts';
import type { Asset } from '../../domain/instrument.ts';
import { type Amount, add, NO_AMOUNT, subtract } from '../../ledger/amount.ts';
import { compare, type Difference } from '../../ledger/ledger.ts';
import { isAvailable } from '../contact/listing.ts';
import type { Changes } from '../durable/explain.ts';
import { unopenedMarkets } from '../state/markets.ts';
import type { TraderState } from '../state/state.ts';
import { beginningOf, movedBy } from './market-onboarding.ts';

/**
 * Before the ledger is opened nothing is expected of a wallet. Trades of a market that the exchange does not list wait
 * for nothing: they are booked as those of a market that no run has.
 */
export function tradesThatWait(state: TraderState): readonly Fill[] {
  if (!state.durable.books.opened) return [];
  // From when its market would count is not asked for.
  return unopenedMarkets(state).flatMap((symbol) =>
    isAvailable(state, symbol) ? beginningOf(state, symbol, 0).later : [],
  );
}

export const movedByTradesThatWait = (state: TraderState): Changes => movedBy(state, tradesThatWait(state));

/** Assets in which the wallet's total is not what is booked, and what trades that wait moved. */
export function differencesFrom(state: TraderState, totals: ReadonlyMap<Asset, Amount>): Difference[] {
  const moved = movedByTradesThatWait(state);
  const movedOf = (asset: Asset): Amount => (totals.has(asset) ? (moved.get(asset) ?? NO_AMOUNT) : NO_AMOUNT);
  const withoutThem = new Map([...totals].map(([asset, total]) => [asset, subtract(total, movedOf(asset))]));
  return compare(state.durable.books.ledger, withoutThem).map((each) => ({
    ...each,
    expected: add(each.expected, movedOf(each.asset)),
    actual: add(each.actual, movedOf(each.asset)),
  }));
}
