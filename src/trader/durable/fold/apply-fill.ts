// The fold of the lots of own purchases: as many as the holdings need, oldest first by trade.
import { type Decimal, decimal, ZERO } from '../../../domain/decimal.ts';
import type { Fill } from '../../../domain/fill.ts';
import { compareTradeIds, type IntentId, intentId, tradeId } from '../../../domain/ids.ts';
import { invariant } from '../../../domain/invariant.ts';
import { amountDecimal } from '../../../ledger/amount.ts';
import { bookedAs, bookTrade, type TradeName, takeBackTrade } from '../../../ledger/booked-trades.ts';
import type { Reservation } from '../../../ledger/entry.ts';
import {
  type BookableFill,
  bookable,
  correctionEntry,
  type FillBooking,
  fillEntry,
  reserveEntry,
} from '../../../ledger/fill-entries.ts';
import { post } from '../../../ledger/ledger.ts';
import { applyPnl } from '../../../ledger/pnl.ts';
import { type Durable, liveIntents } from '../durable.ts';
import type { PayloadOf } from '../events.ts';
import { type Intent, reserveLeft } from '../intent.ts';
import { BOOKED_REMEMBERED, type DurableMarket, marketToChange, RECENT_FILLS, type RecentFill } from '../market.ts';
import { feeWorth, type OwnLot } from '../remembered.ts';
import { fromFillRecord, journalAmount } from './fill-record.ts';
import { keepsOf } from './keeps.ts';

/** Lots kept beyond the holdings: a sale may be taken back. */
const KEPT = 20;
/** Beyond this the two oldest merge: the cost of the holdings stays the same. */
const MOST_LOTS = 100;

/** Call it once the own fill is in the profit. */
export function addToLots(market: DurableMarket, fill: Fill): void {
  if (fill.side === 'buy')
    market.ownLots = [...market.ownLots, lotOf(fill)].sort((a, b) => compareTradeIds(a.tradeId, b.tradeId));
  while (hasTooMany(market)) market.ownLots = market.ownLots.slice(1);
  const [oldest, next, ...rest] = market.ownLots;
  if (oldest !== undefined && next !== undefined && market.ownLots.length > MOST_LOTS)
    market.ownLots = [together(oldest, next), ...rest];
}

/** Removes a fill that is taken back, or booked anew. */
export function takeFromLots(market: DurableMarket, { tradeId, side }: Pick<Fill, 'tradeId' | 'side'>): void {
  if (side === 'sell') return;
  market.ownLots = market.ownLots.filter((lot) => compareTradeIds(lot.tradeId, tradeId) !== 0);
}

const lotOf = (fill: Fill): OwnLot => ({
  tradeId: fill.tradeId,
  quantity: fill.quantity,
  worth: fill.price.mul(fill.quantity),
  fee: feeWorth(fill),
});

/** Whether the oldest lot is sold already. */
function hasTooMany({ ownLots, pnl }: DurableMarket): boolean {
  if (ownLots.length <= KEPT) return false;
  const newer = ownLots.slice(1).reduce((sum, { quantity }) => sum.add(quantity), ZERO);
  return newer.gte(amountDecimal(pnl.inventory));
}

const together = (older: OwnLot, newer: OwnLot): OwnLot => ({
  tradeId: newer.tradeId,
  quantity: older.quantity.add(newer.quantity),
  worth: older.worth.add(newer.worth),
  fee: older.fee.add(newer.fee),
});

// The fold of one execution: ledger, profit, cursor, tally, and the filled quantity of its intent.

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

/** Adds to the intent's filled quantity, live or closed, and returns what it still reserves. */
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
  // After an accepted gap there is no cursor, and late bookings from before the gap are no place to read on from.
  const before = market.cursor ?? market.bookedLately.at(-1);
  if (before && compareTradeIds(before.tradeId, fill.tradeId) >= 0) return;
  market.cursor = { tradeId: fill.tradeId, venueTime: fill.venueTime };
}

/** Sorted by id: late rows go to their place. */
function remember({ bookedLately: marks }: DurableMarket, { tradeId, venueTime, side }: Fill): void {
  const last = marks.at(-1);
  marks.push({ tradeId, venueTime, side });
  if (last && compareTradeIds(last.tradeId, tradeId) > 0) marks.sort((a, b) => compareTradeIds(a.tradeId, b.tradeId));
  if (marks.length > BOOKED_REMEMBERED) marks.shift();
}

/** Fills kept while they may turn out to belong to an order of ours. */
const MOST_DOUBTFUL_FILLS = 500;

/**
 * It was booked as the owner's while a create of its symbol has no answer: its order may turn out to be that create's
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
 * Drops the oldest fill that can't belong to an unanswered create; the others stay, however often the owner trades
 * (seed 44109). If all may, the oldest goes: an index of -1 is the last one.
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

// The fold of a correction: a booked trade is reversed, and booked anew if it still stands (F50).

export function correctFill(durable: Durable, payload: PayloadOf<'fill-corrected'>): void {
  const { symbol, side, fill: record, mid } = payload;
  const name: TradeName = { symbol, tradeId: tradeId(payload.tradeId), side };
  const market = marketToChange(durable, symbol);
  const fill = record === null ? null : fromFillRecord(record);
  const before = takeOut(durable, market, name, { mid, liquidity: fill?.liquidity ?? null });
  if (fill === null) takeBack(durable, market, before);
  else bookAnew(durable, market, { fill, before, intentId: payload.intentId, mid });
}

interface BookedAnew {
  readonly fill: Fill;
  readonly before: FillBooking;
  readonly intentId: string | null;
  readonly mid: string | null;
}

function bookAnew(durable: Durable, market: DurableMarket, { fill, before, intentId: id, mid }: BookedAnew): void {
  const { books } = durable;
  const checked = bookable(fill);
  invariant(checked.ok, () => `A correction of the journal is not bookable: ${checked.ok ? '' : checked.error}`);
  // The owner stays, even after its order was dropped from memory.
  const isStill = before.origin === 'strategy' && before.fill.orderId === checked.value.orderId;
  const after: FillBooking = { fill: checked.value, origin: id === null && !isStill ? 'manual' : 'strategy' };
  books.ledger = post(books.ledger, correctionEntry(before, after, keepsOf(durable)));
  books.booked = bookTrade(books.booked, after);
  if (after.origin === 'strategy') {
    value(market, { kind: 'fill', fill: after.fill, mid });
    addToLots(market, fill);
    tally(market, after.fill, { by: 1, isTaker: fill.liquidity === 'taker' });
  }
  changeFilled(durable, after.fill, fill.quantity);
  const { recent } = market.tally;
  const shown = recent.findIndex((row) => row.fill.tradeId === fill.tradeId && row.fill.side === fill.side);
  if (shown >= 0) recent[shown] = { ...recent[shown], fill, ours: after.origin === 'strategy' };
}

function takeBack(durable: Durable, market: DurableMarket, before: FillBooking): void {
  const { books } = durable;
  const name = before.fill;
  books.ledger = post(books.ledger, correctionEntry(before, null, keepsOf(durable)));
  books.booked = takeBackTrade(books.booked, name);
  const isIt = (mark: Omit<TradeName, 'symbol'>): boolean => mark.tradeId === name.tradeId && mark.side === name.side;
  market.bookedLately = market.bookedLately.filter((mark) => !isIt(mark));
  const { recent } = market.tally;
  const shown = recent.findIndex((row) => isIt(row.fill));
  if (shown >= 0) recent.splice(shown, 1);
  if (market.cursor === null || compareTradeIds(market.cursor.tradeId, name.tradeId) !== 0) return;
  // A page is proved by the last known trade: it must be one that the exchange still shows.
  const last = market.bookedLately.at(-1) ?? market.openingCursor;
  market.cursor = last && { tradeId: last.tradeId, venueTime: last.venueTime };
}

interface TakenOut {
  readonly mid: string | null;
  /** Taken from the replacing row; null if there is none, and the recent fills decide. */
  readonly liquidity: Fill['liquidity'] | null;
}

/** Takes the booking out of profit, tally and order; returns it for the ledger. */
function takeOut(durable: Durable, market: DurableMarket, name: TradeName, { mid, liquidity }: TakenOut): FillBooking {
  const before = bookedAs(durable.books.booked, name);
  invariant(before !== null, () => `Trade ${name.tradeId} of ${name.symbol} is corrected but was never booked.`);
  if (before.origin === 'strategy') {
    value(market, { kind: 'fill-reversed', fill: before.fill, mid });
    takeFromLots(market, name);
    const shown = market.tally.recent.find(
      ({ fill }) => compareTradeIds(fill.tradeId, name.tradeId) === 0 && fill.side === name.side,
    );
    tally(market, before.fill, { by: -1, isTaker: (shown?.fill.liquidity ?? liquidity) === 'taker' });
    // A fill booked as the owner's counted for no order, whatever its order belongs to since.
    changeFilled(durable, before.fill, amountDecimal(before.fill.quantity).neg());
  }
  return before;
}

function value(
  market: DurableMarket,
  { kind, fill, mid }: { kind: 'fill' | 'fill-reversed'; fill: BookableFill; mid: string | null },
): void {
  const at = mid === null ? (market.pnl.mid ?? fill.price) : journalAmount(mid);
  market.pnl = applyPnl(market.pnl, { kind, fill, mid: at });
}

function tally(
  { tally: sums }: DurableMarket,
  fill: BookableFill,
  { by, isTaker }: { readonly by: 1 | -1; readonly isTaker: boolean },
): void {
  if (fill.side === 'buy') sums.buys += by;
  else sums.sells += by;
  if (isTaker) sums.takers += by;
  if (isTaker && fill.side === 'buy') sums.takerBuys += by;
  sums.quoteVolume = sums.quoteVolume.add(decimal(amountDecimal(fill.quoteQuantity).mul(by).toFixed()));
}

/** Changes the filled quantity of the trade's order, and what it still reserves. */
function changeFilled({ orders, books }: Durable, fill: BookableFill, by: Decimal): void {
  const id = orders.byOrderId.get(fill.orderId);
  if (id === undefined) return;
  const live = orders.intents.get(id);
  const intent = live ?? orders.closed.get(id);
  if (!intent) return;
  const changed = { ...intent, filled: intent.filled.add(by) };
  (live ? orders.intents : orders.closed).set(id, changed);
  if (!live) return;
  const amount = reserveLeft(intent, intent.quantity.sub(changed.filled));
  books.ledger = post(
    books.ledger,
    reserveEntry(books.ledger, { intentId: intentId(id), asset: intent.reserve.asset, amount }),
  );
}
