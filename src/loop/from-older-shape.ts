// A snapshot that a program up to schema 12 folded: it held eleven maps by symbol where there is one market now.
import type { IntentId } from '../domain/ids.ts';
import type { InstrumentSymbol } from '../domain/instrument.ts';
import type { EpochMs } from '../domain/time.ts';
import type { Books } from '../trader/durable/books.ts';
import type { Differences } from '../trader/durable/differences/differences.ts';
import { type Durable, emptyDurable } from '../trader/durable/durable.ts';
import { lotsOfRecent } from '../trader/durable/fold/own-lots.ts';
import type { Intent } from '../trader/durable/intent.ts';
import type { JournalFacts } from '../trader/durable/journal-facts.ts';
import { type DurableMarket, emptyMarket } from '../trader/durable/market.ts';
import type { DurableOrders } from '../trader/durable/orders.ts';
import type { MarketRisk, MessageLog } from '../trader/durable/remembered/limits.ts';
import { NO_REVISION } from '../trader/durable/revision.ts';

/** One of the maps: a field of the markets of today, of those of which it was known. */
type BySymbol<T> = ReadonlyMap<InstrumentSymbol, NonNullable<T>>;

interface OlderRisk {
  readonly messages: MessageLog;
  readonly fillParts: BySymbol<MarketRisk['fillParts']>;
  readonly profit: BySymbol<MarketRisk['profit']>;
  readonly haltCodes: BySymbol<NonNullable<DurableMarket['halt']>['code']>;
}

/** What has kept its name lay at the top. */
type SameNames = JournalFacts & Books & DurableOrders & Differences;

/** Any field may be missing: the program did not know it yet. */
export interface OlderDurable extends Partial<SameNames> {
  readonly lastEventAt?: EpochMs;
  readonly markets?: BySymbol<EpochMs> | null;
  readonly added?: BySymbol<EpochMs>;
  readonly lookBack?: BySymbol<DurableMarket['bookedLately']>;
  readonly cursors?: BySymbol<DurableMarket['cursor']>;
  readonly opening?: BySymbol<DurableMarket['openingCursor']>;
  readonly pnl?: BySymbol<DurableMarket['pnl']>;
  readonly tallies?: BySymbol<DurableMarket['tally']>;
  readonly references?: BySymbol<DurableMarket['lastReference']>;
  readonly halts?: BySymbol<string>;
  readonly breaches?: BySymbol<DurableMarket['breaches']>;
  readonly gaps?: BySymbol<EpochMs>;
  readonly risk?: Partial<OlderRisk>;
  readonly orders?: DurableOrders['byOrderId'];
  readonly differences?: Differences['byAsset'];
  readonly heldElsewhere?: Differences['untracked'];
}

/** The state as it is now. What an older program did not know begins empty. */
export function fromOlderShape(older: OlderDurable): Durable {
  const empty = emptyDurable();
  return {
    journal: journalFactsOf(older),
    books: { ...kept(empty.books, older), marketsNamed: (older.markets ?? null) !== null },
    markets: new Map(symbolsIn(older).map((symbol) => [symbol, marketOf(older, symbol)])),
    orders: {
      ...kept(empty.orders, older),
      intents: withCancel(older.intents),
      closed: withCancel(older.closed),
      byOrderId: older.orders ?? empty.orders.byOrderId,
    },
    differences: {
      ...kept(empty.differences, older),
      byAsset: older.differences ?? empty.differences.byAsset,
      untracked: older.heldElsewhere ?? empty.differences.untracked,
    },
    messages: older.risk?.messages ?? empty.messages,
  };
}

/** Before schema 20 the account was held to be known up to the last event, whatever its session had compared. */
export function journalFactsOf(older: Partial<JournalFacts> & { readonly lastEventAt?: EpochMs }): JournalFacts {
  const { lastEventAt, ...facts } = older;
  const known = lastEventAt === undefined ? {} : { knownTo: lastEventAt, isCompared: true };
  return { ...kept(emptyDurable().journal, facts), ...known };
}

/** The fields of a group that the older state has under the same name. */
function kept<T extends object>(empty: T, older: Partial<T>): T {
  const had = Object.entries(older).filter(([name]) => name in empty);
  return { ...empty, ...Object.fromEntries(had) };
}

function symbolsIn(older: OlderDurable): InstrumentSymbol[] {
  const { markets, added, lookBack, cursors, opening, pnl, tallies, references, halts, breaches, gaps, risk } = older;
  const maps: readonly (BySymbol<unknown> | null | undefined)[] = [
    ...[markets, added, references, cursors, opening, lookBack, pnl, tallies, halts, breaches, gaps],
    ...[risk?.fillParts, risk?.profit],
  ];
  return [...new Set(maps.flatMap((map) => [...(map?.keys() ?? [])]))];
}

function marketOf(older: OlderDurable, symbol: InstrumentSymbol): DurableMarket {
  const empty = emptyMarket();
  const reason = older.halts?.get(symbol);
  const tally = older.tallies?.get(symbol) ?? empty.tally;
  return {
    openedSince: older.markets?.get(symbol) ?? null,
    waitingSince: older.added?.get(symbol) ?? null,
    bookedLately: older.lookBack?.get(symbol) ?? [],
    cursor: older.cursors?.get(symbol) ?? null,
    openingCursor: older.opening?.get(symbol) ?? null,
    pnl: older.pnl?.get(symbol) ?? empty.pnl,
    tally,
    ownLots: lotsOfRecent(tally),
    lastReference: older.references?.get(symbol) ?? null,
    halt: reason === undefined ? null : { code: older.risk?.haltCodes?.get(symbol) ?? 'halted', reason },
    breaches: older.breaches?.get(symbol) ?? [],
    gapUntil: older.gaps?.get(symbol) ?? null,
    locks: [],
    revision: null,
    risk: {
      fillParts: older.risk?.fillParts?.get(symbol) ?? [],
      profit: older.risk?.profit?.get(symbol) ?? null,
      protections: empty.risk.protections,
    },
  };
}

/** What an intent begins with that was folded before these were noted. */
const NO_CANCEL: Partial<Intent> = { cancel: 'none', revision: NO_REVISION };

const withCancel = (intents: ReadonlyMap<IntentId, Intent> = new Map()): Map<IntentId, Intent> =>
  new Map([...intents].map(([id, intent]) => [id, { ...NO_CANCEL, ...intent }]));
