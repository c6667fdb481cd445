// The trader's persistent state: the fold of its journal.
import { type Asset, type InstrumentSymbol, parseSymbol } from '../../domain/instrument.ts';
import type { EpochMs } from '../../domain/time.ts';
import type { Keeps } from '../../ledger/fill-entries.ts';
import { answersFor } from '../../ledger/ledger.ts';
import { type Books, type Differences, emptyBooks, noDifferences } from './books.ts';
import { type DurableOrders, emptyOrders, type Intent } from './intent.ts';
import type { DurableMarket } from './market.ts';
import { type MessageLog, noMessages } from './remembered.ts';

/** Owned linearly, like the state that holds it. A change of its shape needs a higher `EVENT_SCHEMA`. */
export interface Durable {
  readonly journal: JournalFacts;
  readonly books: Books;
  /** Markets with any recorded fact, including those no longer configured; see `marketIn` and `marketToChange`. */
  readonly markets: Map<InstrumentSymbol, DurableMarket>;
  readonly orders: DurableOrders;
  readonly differences: Differences;
  readonly messages: MessageLog;
}

export function emptyDurable(): Durable {
  return {
    journal: emptyJournal(),
    books: emptyBooks(),
    markets: new Map(),
    orders: emptyOrders(),
    differences: noDifferences(),
    messages: noMessages(),
  };
}

/** Intents of a symbol that are not closed, oldest first. */
export function liveIntents({ orders }: Pick<Durable, 'orders'>, symbol: InstrumentSymbol): Intent[] {
  const live: Intent[] = [];
  for (const intent of orders.intents.values()) if (intent.symbol === symbol) live.push(intent);
  return live;
}

// Why an old journal blocks trading. Reads only.

/** Markets, configured or not, with orders that a person must claim or disown. */
export const staleMarkets = ({ markets }: Durable): InstrumentSymbol[] =>
  [...markets].flatMap(([symbol, { halt }]) => (halt?.code === 'journal-stale' ? [symbol] : []));

/** The question that a person must answer before anything is quoted; null if there is none. */
export function staleReason({ markets }: Durable): string | null {
  const halts = [...markets.values()].map(({ halt }) => halt);
  return halts.find((halt) => halt?.code === 'journal-stale')?.reason ?? null;
}

// The journal itself and the sessions that wrote it.

/** When a create left, by the exchange's clock and by ours. */
export type Stamp = Readonly<Pick<Intent, 'timestamp' | 'sentAt'>>;

export interface JournalFacts {
  /** Rises with every start of the program on this journal. */
  epoch: number;
  paperInstance: string | null;
  /** Whether this session has compared the account with the journal: a wallet has matched the ledger. */
  isCompared: boolean;
  /**
   * Up to when the journal knows the account, by our clock: the last event of a session that has compared it. A session
   * without answers adds nothing.
   */
  knownTo: EpochMs;
  /** Whether the last session that compared the account ended with every own order proved gone. */
  endedFlat: boolean;
  /**
   * Where the journal ended when it was found to be older than the account, by our clock; null while no symbol is
   * halted for that.
   */
  staleFrom: EpochMs | null;
  /**
   * When a person last answered whose the orders of such a journal are, by our clock; 0 if nobody has. Earlier orders
   * are not asked about again.
   */
  answeredAt: EpochMs;
  /**
   * The stamp of the newest create whose order the exchange named: it was accepted, and shows by how much our clock was
   * set since, even if nothing of it is open any more. Null if there was none.
   */
  newestStamp: Stamp | null;
}

/** Where the journal ended when the account went on without it, by our clock. */
export const endOfJournal = ({ staleFrom, knownTo, answeredAt }: JournalFacts): EpochMs =>
  staleFrom ?? Math.max(knownTo, answeredAt);

function emptyJournal(): JournalFacts {
  return {
    ...{ epoch: 0, paperInstance: null, isCompared: false, knownTo: 0 },
    ...{ endedFlat: false, staleFrom: null, answeredAt: 0, newestStamp: null },
  };
}

// The ledger's assets, without a configuration at hand.

/** Base and quote of every market that the ledger was opened for, configured or not. */
export const assetsOfOpened = ({ markets }: Durable): Asset[] =>
  [...markets].flatMap(([symbol, { openedSince }]) => {
    const market = openedSince === null ? null : parseSymbol(symbol);
    return market === null ? [] : [market.base, market.quote];
  });

/** The ledger's assets by the journal: those of the markets that it was opened for, and every asset with a booking. */
export function keepsOf(durable: Durable): Keeps {
  const { ledger } = durable.books;
  return (asset) => answersFor(ledger, asset) || assetsOfOpened(durable).includes(asset);
}

/** Remembers the stamp of a create whose order the exchange named. */
export function recordStamp({ journal }: Durable, { timestamp, sentAt }: Stamp): void {
  if (journal.newestStamp === null || timestamp > journal.newestStamp.timestamp)
    journal.newestStamp = { timestamp, sentAt };
}
