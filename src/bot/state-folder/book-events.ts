// The records that the books are made of: whatever moves the ledger, and what says which assets it answers for.
import type { TraderEvent } from '../../trader/durable/events.ts';

/**
 * Their fold alone gives the ledger of the whole journal, but for what orders reserve: a test proves it. They are kept
 * for ever, in a table of their own, when a snapshot has made all other records of their time needless.
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

type BookEventType = (typeof BOOK_EVENTS)[number];
export type BookEvent = Extract<TraderEvent, { type: BookEventType }>;

const TYPES: ReadonlySet<string> = new Set(BOOK_EVENTS);

export const isBookEvent = (event: { readonly type: string }): boolean => TYPES.has(event.type);
