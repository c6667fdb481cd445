// Which assets the ledger answers for.
import type { Decimal } from '../../domain/decimal.ts';
import type { Asset, InstrumentSymbol } from '../../domain/instrument.ts';
import { amountDecimal } from '../../ledger/amount.ts';
import { answersFor, expectedTotal } from '../../ledger/ledger.ts';
import { assetsOfOpened } from '../durable/fold/keeps.ts';
import { isOpened, openedMarkets, unopenedMarkets } from './markets.ts';
import { marketOf, runOf, symbolsOf, type TraderState } from './state.ts';

/**
 * Assets that the ledger answers for: base and quote of every market that it is opened for, of those as well that were
 * taken out of the configuration, and whatever it has booked to the wallet.
 */
export function assetsOf(state: TraderState): Set<Asset> {
  const { ledger } = state.durable.books;
  const booked = [...ledger.balances.keys()].filter((asset) => answersFor(ledger, asset));
  return new Set([...basesAndQuotes(state, openedMarkets(state)), ...assetsOfOpened(state.durable), ...booked]);
}

/** Those of markets that are to be opened which the ledger has never known. */
export function unknownAssets(state: TraderState, symbols = unopenedMarkets(state)): Set<Asset> {
  const known = assetsOf(state);
  return new Set(basesAndQuotes(state, symbols).filter((asset) => !known.has(asset)));
}

/** Those that people are shown: of every run, and what the ledger has booked. */
export const assetsShown = (state: TraderState): Set<Asset> => new Set([...assetsOf(state), ...unknownAssets(state)]);

/**
 * Markets of runs that are opened, or can be. One that is still to be opened, and that the exchange does not list, is
 * like one that no run has: its trades may explain a difference.
 */
export const marketsOfRuns = (state: TraderState): InstrumentSymbol[] =>
  symbolsOf(state).filter((symbol) => isOpened(state, symbol) || marketOf(state, symbol).unavailable === null);

/** Their bases and quotes. */
export const assetsOfRuns = (state: TraderState): Set<Asset> => new Set(basesAndQuotes(state, marketsOfRuns(state)));

function basesAndQuotes(state: TraderState, symbols: readonly InstrumentSymbol[]): Asset[] {
  return symbols.flatMap((symbol) => {
    const { base, quote } = runOf(state, symbol).instrument;
    return [base, quote];
  });
}

/** The ledger's total of an asset as a decimal. */
export function ledgerTotal(state: TraderState, asset: Asset): Decimal {
  return amountDecimal(expectedTotal(state.durable.books.ledger, asset));
}
