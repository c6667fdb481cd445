// The trader's persistent state: the fold of its journal.
import type { InstrumentSymbol } from '../../domain/instrument.ts';
import { type Books, emptyBooks } from './books.ts';
import { type Differences, noDifferences } from './differences.ts';
import { type DurableOrders, emptyOrders, type Intent } from './intent.ts';
import { emptyJournal, type JournalFacts } from './journal-facts.ts';
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
