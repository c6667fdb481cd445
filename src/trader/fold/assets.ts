// Which assets the ledger answers for.
import { type Asset, type InstrumentSymbol, parseSymbol } from '../../domain/instrument.ts';
import type { Keeps } from '../../ledger/fill-entries.ts';
import { answersFor } from '../../ledger/ledger.ts';
import type { Durable } from '../durable/durable.ts';
import { openedMarkets, unopenedMarkets } from '../state/markets.ts';
import { runOf, symbolsOf, type TraderState } from '../state/state.ts';

/**
 * Assets that the ledger answers for: base and quote of every market that it is opened for, and whatever it has booked
 * to the wallet.
 */
export function assetsOf(state: TraderState): Set<Asset> {
  const { ledger } = state.durable.books;
  const booked = [...ledger.balances.keys()].filter((asset) => answersFor(ledger, asset));
  return new Set([...basesAndQuotes(state, openedMarkets(state)), ...booked]);
}

/**
 * The same for the fold, which knows no configuration. A ledger of which nobody says for which markets it was opened
 * answers for all.
 */
export function keepsOf({ markets, books }: Durable): Keeps {
  const { marketsNamed, ledger } = books;
  return (asset) => {
    if (!marketsNamed || answersFor(ledger, asset)) return true;
    return [...markets].some(([symbol, { openedSince }]) => {
      if (openedSince === null) return false;
      const { base, quote } = parseSymbol(symbol) ?? {};
      return base === asset || quote === asset;
    });
  };
}

/** Those of markets that are to be opened which the ledger has never known. */
export function unknownAssets(state: TraderState): Set<Asset> {
  const known = assetsOf(state);
  return new Set(basesAndQuotes(state, unopenedMarkets(state)).filter((asset) => !known.has(asset)));
}

/** Those that people are shown: of every run, and what the ledger has booked. */
export const assetsShown = (state: TraderState): Set<Asset> => new Set([...assetsOf(state), ...unknownAssets(state)]);

/** Base and quote of every run. */
export const assetsOfRuns = (state: TraderState): Set<Asset> => new Set(basesAndQuotes(state, symbolsOf(state)));

function basesAndQuotes(state: TraderState, symbols: readonly InstrumentSymbol[]): Asset[] {
  return symbols.flatMap((symbol) => {
    const { base, quote } = runOf(state, symbol).instrument;
    return [base, quote];
  });
}
