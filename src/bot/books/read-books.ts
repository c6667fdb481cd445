// Folds the journal's records into movements, for `export`, `statement` and other reports. The ledger is folded by the
// same functions as in the bot.
import { intentId, tradeId } from '../../domain/ids.ts';
import { invariant } from '../../domain/invariant.ts';
import type { EpochMs } from '../../domain/time.ts';
import { eventOf } from '../../journal/chain.ts';
import { NO_AMOUNT, negate, subtract } from '../../ledger/amount.ts';
import { type BookedTrades, bookedAs, type TradeName } from '../../ledger/booked-trades.ts';
import { correctionEntry, type FillBooking } from '../../ledger/fill-entries.ts';
import { type Change, type Ledger, summed } from '../../ledger/ledger.ts';
import type { JournalRecord } from '../../ports/journal-storage.ts';
import { type Durable, emptyDurable, keepsOf } from '../../trader/durable/durable.ts';
import type { FillRecord } from '../../trader/durable/events.ts';
import { applyToBooks } from '../../trader/durable/fold/apply-event.ts';
import { marketIn } from '../../trader/durable/market.ts';
import { type BookEvent, isBookEvent } from '../state-folder/book-events.ts';
import { type BookedTrade, inOrder, type Movement, type MovementEvent, tradeKey } from './movement.ts';

/** The folded records. */
export interface Books {
  /** In the order of the records, which differs from the order of `happenedAt`. */
  readonly movements: readonly Movement[];
  /** The ledger of these records alone. */
  readonly ledger: Ledger;
  /** Corrections of executions that no record books: earlier records are missing. */
  readonly unfounded: number;
}

/** Ignores records of other types: takes a whole journal, or what is left of one. */
export function readBooks(records: Iterable<JournalRecord>): Books {
  const fold: Fold = { durable: emptyDurable(), movements: [], trades: new Map(), unfounded: 0 };
  for (const record of records)
    if (isBookEvent(record)) take(fold, record.seq, eventOf(record) as unknown as BookEvent);
  return { movements: fold.movements, ledger: fold.durable.books.ledger, unfounded: fold.unfounded };
}

interface Fold {
  readonly durable: Durable;
  readonly movements: Movement[];
  /** Booked executions by key. */
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
  const changes = changesBetween(before, durable.books.ledger);
  const about = { seq, event: wordFor(event), bookedAt: Math.floor(event.payload.at), reference: referenceOf(event) };
  if (replaced === null) return recordBooking(fold, { ...about, changes }, event);
  const takenBack = inOrder(summed(correctionEntry(replaced, null, keepsOf(durable))));
  fold.movements.push({
    ...{ ...about, takesBack: true, happenedAt: replaced.venueTime },
    ...{ changes: takenBack, trade: replaced },
  });
  fold.trades.delete(tradeKey(replaced));
  const rest = summed([...changes, ...takenBack.map((each) => ({ ...each, by: negate(each.by) }))]);
  recordBooking(fold, { ...about, changes: inOrder(rest) }, event);
}

function wordFor({ type, payload }: BookEvent): MovementEvent {
  if (type === 'external-flow') return payload.kind;
  return type === 'fill-corrected' && payload.fill === null ? 'fill-reversed' : type;
}

type About = Pick<Movement, 'seq' | 'event' | 'bookedAt' | 'reference' | 'changes'>;

function recordBooking(fold: Fold, about: About, event: BookEvent): void {
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

/** The execution that the event takes back; null if none. */
function replacedBy({ durable, trades }: Fold, event: BookEvent): BookedTrade | 'unfounded' | null {
  const name = nameOfCorrected(event);
  if (name === null) return null;
  const { conversions, booked } = durable.books;
  const list = event.type === 'external-flow' ? 'simple' : 'spot';
  const before = bookedAs(list === 'simple' ? conversions : booked, name);
  // A simple trade's first booking and its corrections are events of the same type.
  if (before === null) return list === 'simple' ? null : 'unfounded';
  const known = trades.get(tradeKey({ list, fill: before.fill }));
  invariant(known !== undefined, () => `Trade ${name.tradeId} of ${name.symbol} is booked and no record books it.`);
  return known;
}

function nameOfCorrected({ type, payload }: BookEvent): TradeName | null {
  if (type === 'fill-corrected') return nameOf(payload);
  return type === 'external-flow' && payload.kind === 'conversion' ? nameOf(payload.fill) : null;
}

const nameOf = ({ symbol, tradeId: id, side }: Pick<FillRecord, 'symbol' | 'tradeId' | 'side'>): TradeName => ({
  symbol,
  tradeId: tradeId(id),
  side,
});

/** The execution as booked now; null if the event books none. */
function tradeIn({ durable }: Fold, event: BookEvent): BookedTrade | null {
  switch (event.type) {
    case 'fill':
    case 'fill-corrected': {
      const { fill, intentId: intent } = event.payload;
      if (fill === null) return null;
      const trade = bookedTrade(durable.books.booked, fill, intent);
      // The fold has just valued it at this.
      return trade.origin === 'strategy' ? { ...trade, mid: marketIn(durable, fill.symbol).pnl.mid } : trade;
    }
    case 'external-flow': {
      const { payload } = event;
      if (payload.kind === 'owner-trade') return bookedTrade(durable.books.booked, payload.fill, null);
      if (payload.kind !== 'conversion') return null;
      return { ...bookedTrade(durable.books.conversions, payload.fill, null), list: 'simple' };
    }
    default:
      return null;
  }
}

function bookedTrade(trades: BookedTrades, record: FillRecord, intent: string | null): BookedTrade {
  const { symbol, liquidity, venueTime } = record;
  const booking: FillBooking | null = bookedAs(trades, nameOf(record));
  invariant(booking !== null, () => `Trade ${record.tradeId} of ${symbol} is not booked.`);
  const ofBot = intent === null ? null : intentId(intent);
  return { ...booking, list: 'spot', liquidity, intentId: ofBot, venueTime: Math.floor(venueTime), mid: null };
}

/** Ledgers share unchanged parts, so identity means no change. */
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

/**
 * When a movement without a trade happened, which may be long before it was booked: yearly and monthly figures go by
 * this. By the exchange's clock if one of its lists states it.
 */
function happenedAtOf({ type, payload }: BookEvent): EpochMs {
  if (type === 'external-flow' && payload.kind === 'transfer') return payload.venueTime;
  if (type !== 'opened') return payload.at;
  const { at, venueAt, markets } = payload;
  return Math.min(at, venueAt, ...Object.values(markets).map(({ from }) => from));
}

function referenceOf({ type, payload }: BookEvent): string {
  switch (type) {
    case 'fill':
      return `${payload.fill.symbol} ${payload.fill.tradeId}`;
    case 'fill-corrected':
      return `${payload.symbol} ${payload.tradeId}`;
    case 'external-flow':
      if (payload.kind === 'transfer') return payload.name;
      if (payload.kind === 'accepted') return `accepted at ${payload.at}`;
      return `${payload.fill.symbol} ${payload.fill.tradeId}`;
    default:
      return '';
  }
}
