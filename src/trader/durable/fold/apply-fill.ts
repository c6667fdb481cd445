// The fold of one execution: ledger, profit, cursor, tally, and how much of its intent is filled.
import { decimal } from '../../../domain/decimal.ts';
import type { Fill } from '../../../domain/fill.ts';
import { compareTradeIds, type IntentId, intentId } from '../../../domain/ids.ts';
import { invariant } from '../../../domain/invariant.ts';
import { bookTrade } from '../../../ledger/booked-trades.ts';
import type { Reservation } from '../../../ledger/entry.ts';
import { type BookableFill, bookable, type FillBooking, fillEntry } from '../../../ledger/fill-entries.ts';
import { post } from '../../../ledger/ledger.ts';
import { applyPnl } from '../../../ledger/pnl.ts';
import { type Durable, liveIntents } from '../durable.ts';
import type { PayloadOf } from '../events.ts';
import type { Intent } from '../intent.ts';
import { journalAmount } from '../journal-amount.ts';
import { BOOKED_REMEMBERED, type DurableMarket, marketToChange, RECENT_FILLS, type RecentFill } from '../market.ts';
import { reserveLeft } from '../reserve.ts';
import { fromFillRecord } from './fill-record.ts';
import { keepsOf } from './keeps.ts';
import { addToLots } from './own-lots.ts';

export function applyFill(durable: Durable, payload: PayloadOf<'fill'>): void {
  const { books } = durable;
  const fill = fromFillRecord(payload.fill);
  const checked = bookable(fill);
  invariant(checked.ok, () => `A fill of the journal is not bookable: ${checked.ok ? '' : checked.error}`);
  const id = payload.intentId === null ? null : intentId(payload.intentId);
  const booking: FillBooking = { fill: checked.value, origin: id === null ? 'manual' : 'strategy' };
  const left = id === null ? null : fillIntent(durable, id, fill);
  const market = marketToChange(durable, fill.symbol);
  books.ledger = post(books.ledger, fillEntry(books.ledger, { ...booking, keeps: keepsOf(durable) }, left));
  books.booked = bookTrade(books.booked, booking);
  if (id !== null) {
    addToPnl(market, checked.value, payload.mid);
    addToLots(market, fill);
  }
  advanceCursor(market, fill);
  remember(market, fill);
  const isKept = (row: RecentFill): boolean => !row.ours && (payload.inDoubt === true || mayBeOurs(durable, row));
  const doubt = payload.mayBeOf === undefined ? {} : { mayBeOf: payload.mayBeOf.map(intentId) };
  addToRecent(market, { fill, ours: id !== null, ...doubt }, isKept);
  if (market.tally.recent.length > MOST_DOUBTFUL_FILLS) dropOldest(durable, market.tally.recent);
  if (id !== null) addToTally(market, fill);
}

/** Adds to what is filled of the intent, live or closed, and says what it still reserves. */
function fillIntent({ orders }: Durable, id: IntentId, fill: Fill): Reservation | null {
  const live = orders.intents.get(id);
  const intent = live ?? orders.closed.get(id);
  if (!intent) return null;
  const filled: Intent = { ...intent, filled: intent.filled.add(fill.quantity) };
  (live ? orders.intents : orders.closed).set(id, filled);
  if (!live) return null;
  return { intentId: id, asset: intent.reserve.asset, amount: reserveLeft(intent, intent.quantity.sub(filled.filled)) };
}

function addToPnl(market: DurableMarket, fill: BookableFill, mid: string | null): void {
  const at = mid === null ? (market.pnl.mid ?? fill.price) : journalAmount(mid);
  market.pnl = applyPnl(market.pnl, { kind: 'fill', fill, mid: at });
}

function advanceCursor(market: DurableMarket, fill: Fill): void {
  // Where a gap was passed there is none, and what is booked later from before the gap is none to read on from.
  const before = market.cursor ?? market.bookedLately.at(-1);
  if (before && compareTradeIds(before.tradeId, fill.tradeId) >= 0) return;
  market.cursor = { tradeId: fill.tradeId, venueTime: fill.venueTime };
}

/** By id: rows that came late stand where they belong. */
function remember({ bookedLately: marks }: DurableMarket, { tradeId, venueTime, side }: Fill): void {
  const last = marks.at(-1);
  marks.push({ tradeId, venueTime, side });
  if (last && compareTradeIds(last.tradeId, tradeId) > 0) marks.sort((a, b) => compareTradeIds(a.tradeId, b.tradeId));
  if (marks.length > BOOKED_REMEMBERED) marks.shift();
}

/** So many fills are kept while they may turn out to be of an order of ours. */
const MOST_DOUBTFUL_FILLS = 500;

/**
 * It was booked as the owner's, and a create of its symbol has no answer: its order may be found to be that one's
 * (`booked-before.ts`).
 */
function mayBeOurs(durable: Durable, { fill }: RecentFill): boolean {
  return liveIntents(durable, fill.symbol).some(({ orderId }) => orderId === null);
}

function addToRecent({ tally }: DurableMarket, row: RecentFill, isKept: (oldest: RecentFill) => boolean): void {
  const { recent } = tally;
  recent.unshift(row);
  const oldest = recent.at(-1);
  if (recent.length > RECENT_FILLS && oldest && !isKept(oldest)) recent.pop();
}

/**
 * Drops the oldest that can't be of a create without an answer; those that may be stay, however often the owner trades
 * (seed 44109). Where all may be, the oldest goes: an index of -1 is the last one.
 */
function dropOldest({ orders }: Durable, recent: RecentFill[]): void {
  const isOpen = (id: IntentId): boolean => orders.intents.get(id)?.orderId === null;
  recent.splice(
    recent.findLastIndex(({ mayBeOf }) => !mayBeOf?.some(isOpen)),
    1,
  );
}

function addToTally({ tally }: DurableMarket, fill: Fill): void {
  if (fill.side === 'buy') tally.buys += 1;
  else tally.sells += 1;
  if (fill.liquidity === 'taker') {
    tally.takers += 1;
    if (fill.side === 'buy') tally.takerBuys += 1;
  }
  tally.quoteVolume = tally.quoteVolume.add(decimal(fill.quoteQuantity.toFixed()));
}
