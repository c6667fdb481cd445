// Records that make up the books: all that change the ledger, and those that say which assets it covers.
import type { TraderEvent } from '../../trader/durable/events.ts';

/**
 * Folding them alone yields the ledger of the whole journal, apart from amounts reserved for orders: a test proves it.
 * They are kept forever in their own table, even after a snapshot has made all other records of their time unnecessary.
 */
export const BOOK_EVENTS = [
  'session-started',
  'opened',
  'trades-gap',
  'symbol-resumed',
  'fill',
  'fill-corrected',
  'external-flow',
] as const satisfies readonly TraderEvent['type'][];

/** Trades and their corrections, for lists of them. */
export const TRADE_EVENTS = [
  'fill',
  'fill-corrected',
  'external-flow',
] as const satisfies (typeof BOOK_EVENTS)[number][];

export type BookEvent = Extract<TraderEvent, { type: (typeof BOOK_EVENTS)[number] }>;

const TYPES: ReadonlySet<string> = new Set(BOOK_EVENTS);

export const isBookEvent = (event: { readonly type: string }): boolean => TYPES.has(event.type);
