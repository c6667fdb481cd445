// Which of the configured markets the ledger answers for: those that it was opened with, and those that were opened
// when they were configured later.
import type { InstrumentSymbol } from '../../domain/instrument.ts';
import type { EpochMs } from '../../domain/time.ts';
import type { Durable } from '../durable/durable.ts';
import { marketIn } from '../durable/market.ts';
import type { TraderSettings } from './settings.ts';

interface Markets {
  readonly settings: TraderSettings;
  readonly durable: Durable;
}

/** Whether the trades of the market are booked. */
export function isOpened({ durable }: Pick<Markets, 'durable'>, symbol: InstrumentSymbol): boolean {
  return durable.books.opened && marketIn(durable, symbol).openedSince !== null;
}

const symbolsIn = ({ settings }: Markets): InstrumentSymbol[] => settings.runs.map((run) => run.instrument.symbol);

/** Configured markets whose trades are booked. */
export const openedMarkets = (state: Markets): InstrumentSymbol[] =>
  symbolsIn(state).filter((symbol) => isOpened(state, symbol));

/** Configured markets that are still to be opened: before the ledger is, all of them. */
export const unopenedMarkets = (state: Markets): InstrumentSymbol[] =>
  symbolsIn(state).filter((symbol) => !isOpened(state, symbol));

/** Since when the trades of an opened market are booked, by the exchange's clock. */
export const openedSince = ({ durable }: Pick<Markets, 'durable'>, symbol: InstrumentSymbol): EpochMs =>
  marketIn(durable, symbol).openedSince ?? durable.books.openedAt ?? 0;

/**
 * What a start writes about markets. What was configured since the ledger was opened is opened anew; of a start before
 * that did not get so far it is known since when nothing of it is accounted for. Where no moment is known up to which
 * all is accounted for, it is since the journal last knew of the account.
 */
export function waitingAtStart(state: Markets): { added?: Readonly<Record<InstrumentSymbol, EpochMs>> } {
  const { durable } = state;
  const waiting = durable.books.opened ? unopenedMarkets(state) : [];
  if (waiting.length === 0) return {};
  const since = durable.differences.accountedTo ?? durable.journal.knownTo;
  return {
    added: Object.fromEntries(waiting.map((symbol) => [symbol, marketIn(durable, symbol).waitingSince ?? since])),
  };
}
