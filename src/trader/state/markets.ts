// Which of the configured markets the ledger answers for: those that it was opened with, and those that were opened
// when they were configured later.
import type { Decimal } from '../../domain/decimal.ts';
import type { Asset, InstrumentSymbol } from '../../domain/instrument.ts';
import type { EpochMs } from '../../domain/time.ts';
import { amountDecimal } from '../../ledger/amount.ts';
import { answersFor, expectedTotal } from '../../ledger/ledger.ts';
import type { Books } from '../durable/books.ts';
import type { Durable } from '../durable/durable.ts';
import { assetsOfOpened } from '../durable/fold/keeps.ts';
import { marketIn } from '../durable/market.ts';
import type { TraderSettings } from './settings.ts';
import { runOf, type TraderState } from './state.ts';

interface Markets {
  readonly settings: TraderSettings;
  readonly durable: Durable;
}

/** Whether the trades of the market are booked. */
export function isOpened(durable: Durable, symbol: InstrumentSymbol): boolean {
  return durable.books.opened && marketIn(durable, symbol).openedSince !== null;
}

const symbolsIn = (settings: TraderSettings): InstrumentSymbol[] => settings.runs.map((run) => run.instrument.symbol);

/** Configured markets whose trades are booked. */
export const openedMarkets = (state: Markets): InstrumentSymbol[] =>
  symbolsIn(state.settings).filter((symbol) => isOpened(state.durable, symbol));

/** Configured markets that are still to be opened: before the ledger is, all of them. */
export const unopenedMarkets = (state: Markets): InstrumentSymbol[] =>
  symbolsIn(state.settings).filter((symbol) => !isOpened(state.durable, symbol));

/** Since when the trades of an opened market are booked, by the exchange's clock. */
export const openedSince = (durable: Durable, symbol: InstrumentSymbol): EpochMs =>
  marketIn(durable, symbol).openedSince ?? durable.books.openedAt ?? 0;

// Which assets the ledger answers for.

/**
 * Assets that the ledger answers for: base and quote of every market that it is opened for, of those as well that were
 * taken out of the configuration, and whatever it has booked to the wallet.
 */
export function assetsOf(state: TraderState): Set<Asset> {
  const { ledger } = state.durable.books;
  const booked = [...ledger.balances.keys()].filter((asset) => answersFor(ledger, asset));
  return new Set([...basesAndQuotes(state, openedMarkets(state)), ...assetsOfOpened(state.durable), ...booked]);
}

/** Assets of pending markets not yet in the ledger. */
export function unknownAssets(state: TraderState, symbols = unopenedMarkets(state)): Set<Asset> {
  const known = assetsOf(state);
  return new Set(basesAndQuotes(state, symbols).filter((asset) => !known.has(asset)));
}

/** Those that people are shown: of every run, and what the ledger has booked. */
export const assetsShown = (state: TraderState): Set<Asset> => new Set([...assetsOf(state), ...unknownAssets(state)]);

/** Bases and quotes of configured markets whose trades are booked. */
export const assetsOfRuns = (state: Markets & Pick<TraderState, 'markets'>): Set<Asset> =>
  new Set(basesAndQuotes(state, openedMarkets(state)));

function basesAndQuotes(state: Pick<TraderState, 'markets'>, symbols: readonly InstrumentSymbol[]): Asset[] {
  return symbols.flatMap((symbol) => {
    const { base, quote } = runOf(state, symbol).instrument;
    return [base, quote];
  });
}

/** The ledger's total of an asset as a decimal. */
export function ledgerTotal(books: Books, asset: Asset): Decimal {
  return amountDecimal(expectedTotal(books.ledger, asset));
}
