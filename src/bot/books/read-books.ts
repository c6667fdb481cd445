// The fold of the journal's records into movements: what `export`, `statement` and other reports are made of. The same
// functions fold the ledger here that fold it in the bot.

import { intentId, tradeId } from '../../domain/ids.ts';
import { invariant } from '../../domain/invariant.ts';
import type { EpochMs } from '../../domain/time.ts';
import { eventOf } from '../../journal/chain.ts';
import { NO_AMOUNT, negate, subtract } from '../../ledger/amount.ts';
import { type BookedTrades, bookedAs, type TradeName } from '../../ledger/booked-trades.ts';
import { type Change, changeOf, type Line, linesOf } from '../../ledger/entry.ts';
import { correctionEntry, type FillBooking } from '../../ledger/fill-entries.ts';
import type { Ledger } from '../../ledger/ledger.ts';
import type { JournalRecord } from '../../ports/journal-storage.ts';
import { type Durable, emptyDurable } from '../../trader/durable/durable.ts';
import type { FillRecord, PayloadOf } from '../../trader/durable/events.ts';
import { applyToBooks } from '../../trader/durable/fold/apply-event.ts';
import { keepsOf } from '../../trader/durable/fold/keeps.ts';
import { marketIn } from '../../trader/durable/market.ts';
import { type BookEvent, isBookEvent } from '../state-folder/book-events.ts';
import { type BookedTrade, inOrder, type Movement, tradeKey } from './movement.ts';

/** What the records fold to. */
export interface Books {
  /** In the order of the records; by `happenedAt` they are in another. */
  readonly movements: readonly Movement[];
  /** The ledger of these records alone; nothing is reserved in it. */
  readonly ledger: Ledger;
  /** Corrections of executions that no record books: the records of before are missing. */
  readonly unfounded: number;
}

/** Records of other types are passed over: a whole journal may be given, or what is kept of it. */
export function readBooks(records: Iterable<JournalRecord>): Books {
  const fold: Fold = {
    durable: emptyDurable(),
    movements: [],
    trades: new Map(),
    unfounded: 0,
  };
  for (const record of records)
    if (isBookEvent(record)) take(fold, record.seq, eventOf(record) as unknown as BookEvent);
  return { movements: fold.movements, ledger: fold.durable.books.ledger, unfounded: fold.unfounded };
}

interface Fold {
  readonly durable: Durable;
  movements: Movement[];
  /** Executions that are booked, by their key. */
  readonly trades: Map<string, BookedTrade>;
  unfounded: number;
}

function take(fold: Fold, seq: number, event: BookEvent): void {
  const { durable } = fold;
  const replaced = replacedBy(fold, event);
  if (replaced === 'unfounded') {
    fold.unfounded += 1;
    return;
  }
  const before = durable.books.ledger;
  applyToBooks(durable, event);
  if (event.type === 'opened') redateOpening(fold, openingMoment(event.payload));
  const changes = changesBetween(before, durable.books.ledger);
  const about = { seq, event: event.type, bookedAt: Math.floor(event.payload.at), reference: referenceOf(event) };
  if (replaced !== null) {
    const takenBack = inOrder(correctionEntry(replaced, null, keepsOf(durable)).lines.map(changeIn));
    noteTakenBack(fold, { ...about, changes: takenBack, trade: replaced });
    noteMade(fold, { ...about, changes: without(changes, takenBack) }, event);
  } else noteMade(fold, { ...about, changes }, event);
}

type About = Pick<Movement, 'seq' | 'event' | 'bookedAt' | 'reference' | 'changes'>;

function noteTakenBack({ movements, trades }: Fold, about: About & { readonly trade: BookedTrade }): void {
  movements.push({ ...about, takesBack: true, happenedAt: about.trade.venueTime });
  trades.delete(tradeKey(about.trade));
}

function noteMade(fold: Fold, about: About, event: BookEvent): void {
  const { movements, trades } = fold;
  const trade = tradeIn(fold, event);
  if (trade !== null) {
    trades.set(tradeKey(trade), trade);
    movements.push({ ...about, takesBack: false, happenedAt: trade.venueTime, trade });
    return;
  }
  const happenedAt = Math.floor(happenedAtOf(event));
  for (const changes of Map.groupBy(about.changes, ({ asset }) => asset).values())
    movements.push({ ...about, takesBack: false, happenedAt, changes, trade: null });
}

/** Nothing but opening balances was booked until then. */
function redateOpening(fold: Fold, happenedAt: EpochMs): void {
  fold.movements = fold.movements.map((each) =>
    each.event === 'opening-balance' ? { ...each, happenedAt: Math.floor(happenedAt) } : each,
  );
}

/** The execution that the event takes back; null where it takes none back. */
function replacedBy({ durable, trades }: Fold, event: BookEvent): BookedTrade | 'unfounded' | null {
  const name = correctedName(event);
  if (name === null) return null;
  const { conversions, booked } = durable.books;
  const list = event.type === 'conversion' ? 'simple' : 'spot';
  const before = bookedAs(list === 'simple' ? conversions : booked, name);
  // A simple trade that is booked for the first time is an event of the same type as one that is booked otherwise.
  if (before === null) return list === 'simple' ? null : 'unfounded';
  const known = trades.get(tradeKey({ list, fill: before.fill }));
  invariant(known !== undefined, () => `Trade ${name.tradeId} of ${name.symbol} is booked and no record books it.`);
  return known;
}

function correctedName(event: BookEvent): TradeName | null {
  switch (event.type) {
    case 'fill-corrected':
    case 'conversion': {
      const { fill } = event.payload;
      return { symbol: fill.symbol, tradeId: tradeId(fill.tradeId), side: fill.side };
    }
    case 'fill-reversed':
      return { ...event.payload, tradeId: tradeId(event.payload.tradeId) };
    default:
      return null;
  }
}

/** The execution as it is booked now; null where the event books none. */
function tradeIn({ durable }: Fold, event: BookEvent): BookedTrade | null {
  switch (event.type) {
    case 'fill':
    case 'fill-corrected': {
      const { fill, intentId: intent } = event.payload;
      const trade = bookedTrade(durable.books.booked, fill, intent);
      // The fold has just valued it at this.
      return trade.origin === 'strategy' ? { ...trade, mid: marketIn(durable, fill.symbol).pnl.mid } : trade;
    }
    case 'owner-trade':
      return bookedTrade(durable.books.booked, event.payload.fill, null);
    case 'conversion':
      return { ...bookedTrade(durable.books.conversions, event.payload.fill, null), list: 'simple' };
    default:
      return null;
  }
}

function bookedTrade(trades: BookedTrades, record: FillRecord, intent: string | null): BookedTrade {
  const { symbol, side, liquidity, venueTime } = record;
  const booking: FillBooking | null = bookedAs(trades, { symbol, side, tradeId: tradeId(record.tradeId) });
  invariant(booking !== null, () => `Trade ${record.tradeId} of ${symbol} is not booked.`);
  return {
    ...booking,
    list: 'spot',
    liquidity,
    intentId: intent === null ? null : intentId(intent),
    venueTime: Math.floor(venueTime),
    mid: null,
  };
}

const changeIn = (line: Line): Change => ({ asset: line.asset, account: line.account, by: changeOf(line) });

/** Ledgers share what did not change. */
function changesBetween(before: Ledger, after: Ledger): readonly Change[] {
  const changes: Change[] = [];
  for (const [asset, accounts] of after.balances) {
    const known = before.balances.get(asset);
    if (known === accounts) continue;
    for (const [account, balance] of accounts) {
      const by = subtract(balance, known?.get(account) ?? NO_AMOUNT);
      if (by !== NO_AMOUNT) changes.push({ asset, account, by });
    }
  }
  return inOrder(changes);
}

/** What is left of changes where some of them are another movement's. */
const without = (changes: readonly Change[], taken: readonly Change[]): readonly Change[] =>
  inOrder(linesOf([...changes, ...taken.map((each) => ({ ...each, by: negate(each.by) }))]).map(changeIn));

/**
 * When a movement without a trade happened, which may be long before it was booked: what a figure of a year or a month
 * goes by. By the exchange's clock where one of its lists says it.
 */
function happenedAtOf(event: BookEvent): EpochMs {
  switch (event.type) {
    case 'transfer':
      return event.payload.venueTime;
    case 'markets-opened': {
      const { at, venueAt, markets } = event.payload;
      return Math.min(at, venueAt, ...Object.values(markets).map(({ from }) => from));
    }
    default:
      return event.payload.at;
  }
}

/** When an opening balance was there: read before the exchange's clock was known, and named by it afterward. */
const openingMoment = ({ at, venueAt = at }: PayloadOf<'opened'>): EpochMs => Math.min(at, venueAt);

/** What names the movement. */
function referenceOf(event: BookEvent): string {
  switch (event.type) {
    case 'fill':
    case 'fill-corrected':
    case 'conversion':
    case 'owner-trade': {
      const { symbol, tradeId } = event.payload.fill;
      return `${symbol} ${tradeId}`;
    }
    case 'fill-reversed':
      return `${event.payload.symbol} ${event.payload.tradeId}`;
    case 'transfer':
      return event.payload.name;
    case 'difference-accepted':
      return `accepted at ${event.payload.at}`;
    default:
      return '';
  }
}
