// The trader's events as journal records, and back: the one place where the journal's JSON meets the trader's types.

import type { IntentId } from '../domain/ids.ts';
import { ok, type Result } from '../domain/result.ts';
import { HOUR } from '../domain/time.ts';
import { canonicalText, fromCanonicalText } from '../journal/canonical.ts';
import { eventOf, type JournalError, type JournalEvent, type Json } from '../journal/chain.ts';
import { type Journal, type JournalOptions, type Opened, openJournal, readJournal } from '../journal/open-journal.ts';
import type { UpkeepPace } from '../journal/upkeep.ts';
import { OPENED, SNAPSHOT, type StateText } from '../journal/walk.ts';
import type { Clock } from '../ports/clock.ts';
import type { JournalRecord, JournalStorage } from '../ports/journal-storage.ts';
import { type Durable, emptyDurable } from '../trader/durable/durable.ts';
import type { TraderEvent } from '../trader/durable/events.ts';
import { applyEvent } from '../trader/durable/fold/apply-event.ts';
import { lotsOfRecent } from '../trader/durable/fold/own-lots.ts';
import type { Intent } from '../trader/durable/intent.ts';
import { type DurableMarket, emptyMarket } from '../trader/durable/market.ts';
import { NO_REVISION } from '../trader/durable/revision.ts';
import { fromOlderShape, journalFactsOf, type OlderDurable } from './from-older-shape.ts';

/**
 * Rises when an event gains a meaning or a type, or when `Durable` or what is in it gains a field whose empty value is
 * wrong for what was folded before, or is arranged anew: an older program would misread a snapshot. A new code of a
 * halt is none of that. A journal of a higher one is refused; one of a lower one is read, and folded from its first
 * record again where that is still there. 2: snapshots, duplicates, the time of the opening. 3: what limits remember.
 * 4: a clock that was set. 5: what a start notes by the new one. 6: what it does before that is known, and fills that
 * are booked for ours afterwards. 7: orders that a person was asked about, and markets that were configured later. 8:
 * trades of the owner's in other markets, and assets that the ledger does not answer for. 9: what the wallet held of
 * these. 10: an order that was refused and placed all the same no longer halts at once; orders that a person said are
 * the bot's, or are not. 11: how far a cancel has come. 12: a clock that was set moves the rest after 10. 13: `Durable`
 * in groups, and one map of markets. 14: locks, and what protections remember. 15: revisions of parameters. 16: fills
 * that are remembered while a person is asked, and the end of an old journal by a clock that was set. 17: trades of the
 * owner's of before an asset was opened. 18: fills that may be of a create without an answer. 19: up to when everything
 * is accounted for, what is on its way when something is opened, ledger and wallet that agree again in some assets, the
 * stamp by which clocks are compared, messages that a clock that was set moves, profit that no limit looks at or that
 * counts tax otherwise, a price of another source, lots that own buys brought, whether profit was looked at since it
 * was marked, fills that are counted when they are attributed, and refusals by 200. 20: cancels that were acknowledged
 * and had no effect, orders that a closed create was wrongly held for, up to when the journal knows of the account.
 */
export const EVENT_SCHEMA = 20;

/** A start folds an hour of records at the most, and the file holds what some days need. */
const UPKEEP: UpkeepPace = {
  everyMs: HOUR,
  everyRecords: 20_000,
  keepRecords: 50_000,
  stepRecords: 200,
};

/** From then on a snapshot has the groups and the one map of markets that `Durable` has. */
const MARKETS_SINCE = 13;

const STATE_TEXT: StateText<Durable> = {
  encode: canonicalText,
  decode: (text, schema) => {
    const decoded = fromCanonicalText(text);
    return schema < MARKETS_SINCE ? fromOlderShape(decoded as OlderDurable) : withNewFields(decoded as Durable);
  },
};

/** What this program does not find begins empty: in a group, a market, and what limits remember of one. */
function withNewFields({ journal, books, markets, orders, differences, messages }: Durable): Durable {
  const empty = emptyDurable();
  return {
    journal: journalFactsOf(journal),
    books: { ...empty.books, ...books },
    markets: new Map([...markets].map(([symbol, market]) => [symbol, withNewMarketFields(market)])),
    orders: { ...empty.orders, ...orders, intents: withRevision(orders.intents), closed: withRevision(orders.closed) },
    differences: { ...empty.differences, ...differences },
    messages: { ...empty.messages, ...messages },
  };
}

const withRevision = (intents: ReadonlyMap<IntentId, Intent> = new Map()): Map<IntentId, Intent> =>
  new Map([...intents].map(([id, intent]) => [id, { ...BEFORE_REVISIONS, ...intent }]));

const BEFORE_REVISIONS: Partial<Intent> = { revision: NO_REVISION };

function withNewMarketFields(older: Partial<DurableMarket>): DurableMarket {
  const empty = emptyMarket();
  const protections = { ...empty.risk.protections, ...older.risk?.protections };
  const risk = { ...empty.risk, ...older.risk, protections };
  // Before schema 19 only the fills that are shown told what own buys had brought.
  const ownLots = older.ownLots ?? lotsOfRecent(older.tally ?? empty.tally);
  return { ...empty, ...older, ownLots, risk };
}

function journalOptions(clock: Clock, upkeep: UpkeepPace): JournalOptions<Durable> {
  return { clock, schema: EVENT_SCHEMA, initial: emptyDurable, reduce: fold, stateText: STATE_TEXT, upkeep };
}

const OWN_TYPES: ReadonlySet<string> = new Set([OPENED, SNAPSHOT]);

function fold(durable: Durable, record: JournalRecord): Durable {
  // The hash chain proves that this program wrote the record, and the schema that it means what it says.
  if (!OWN_TYPES.has(record.type)) applyEvent(durable, eventOf(record) as unknown as TraderEvent);
  return durable;
}

/** Checks the journal, folds it into the trader's durable state, and opens it for writing. */
export function openTraderJournal(
  storage: JournalStorage,
  clock: Clock,
  upkeep: UpkeepPace = UPKEEP,
): Result<Opened<Durable>, JournalError> {
  return openJournal(storage, journalOptions(clock, upkeep));
}

/** Checks and folds a journal without writing to it. */
export function readTraderJournal(
  storage: Pick<JournalStorage, 'read' | 'snapshots'>,
  clock: Clock,
): Result<Durable, JournalError> {
  const read = readJournal(storage, journalOptions(clock, UPKEEP));
  return read.ok ? ok(read.value.state) : read;
}

/**
 * Durable when it returns; throws a `JournalError` when it can't be. Called after every turn of the trader: where
 * nothing is about to leave it also takes a step of the journal's upkeep. No intent is written to a journal that is not
 * in its place any more (F95).
 */
export function writeEvents(journal: Journal, events: readonly TraderEvent[]): void {
  const leaves = (type: TraderEvent['type']): boolean => events.some((event) => event.type === type);
  if (leaves('intent')) journal.assertInPlace();
  if (events.length > 0)
    journal.append(events.map(({ type, payload }): JournalEvent => ({ type, payload: payload as unknown as Json })));
  if (!leaves('intent') && !leaves('cancel-sent')) journal.tend();
}
