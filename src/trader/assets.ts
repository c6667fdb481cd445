// Which assets the ledger answers for.
import type { Asset, InstrumentSymbol } from '../domain/instrument.ts';
import { openedMarkets, unopenedMarkets } from './markets.ts';
import { runOf, type TraderState } from './state.ts';

/** Assets that the ledger answers for: base and quote of every market that it is opened for, and whatever it has booked. */
export function assetsOf(state: TraderState): Set<Asset> {
  return new Set([...basesAndQuotes(state, openedMarkets(state)), ...state.durable.ledger.balances.keys()]);
}

/** Those of markets that are to be opened which the ledger has never known. */
export function unknownAssets(state: TraderState): Set<Asset> {
  const known = assetsOf(state);
  return new Set(basesAndQuotes(state, unopenedMarkets(state)).filter((asset) => !known.has(asset)));
}

/** Those that people are shown: of every run, and what the ledger has booked. */
export const assetsShown = (state: TraderState): Set<Asset> => new Set([...assetsOf(state), ...unknownAssets(state)]);

function basesAndQuotes(state: TraderState, symbols: readonly InstrumentSymbol[]): Asset[] {
  return symbols.flatMap((symbol) => {
    const { base, quote } = runOf(state, symbol).instrument;
    return [base, quote];
  });
}
