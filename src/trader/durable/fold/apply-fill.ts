// The fold of one execution: ledger, profit, lots, cursor, tally, and the filled quantity of its order; and of its
// correction: a booked trade is reversed, and booked anew if it still stands (F50).
import { type Decimal, decimal, ZERO } from '../../../domain/decimal.ts';
import type { Fill } from '../../../domain/fill.ts';
import { compareTradeIds, type OrderId, tradeId } from '../../../domain/ids.ts';
import { invariant } from '../../../domain/invariant.ts';
import { amountDecimal, exactAmount } from '../../../ledger/amount.ts';
import { addTrade, bookedAs, removeTrade, type TradeName } from '../../../ledger/booked-trades.ts';
import { type BookableFill, correctionEntry, type FillBooking, fillEntry } from '../../../ledger/fill-entries.ts';
import { post } from '../../../ledger/ledger.ts';
import { bookPnl } from '../../../ledger/pnl.ts';
import { type Durable, keepsOf } from '../durable.ts';
import type { PayloadOf } from '../events.ts';
import { type DurableMarket, FILLS_REMEMBERED, marketToChange, type RecentFill } from '../market.ts';
import { feeWorth, type OwnLot } from '../remembered.ts';
import { bookableOf, fromFillRecord } from './fill-record.ts';

export function applyFill(durable: Durable, payload: PayloadOf<'fill'>): void {
  const { books } = durable;
  const fill = fromFillRecord(payload.fill);
  const ours = payload.intentId !== null;
  const booking: FillBooking = { fill: bookableOf(payload.fill), origin: ours ? 'strategy' : 'manual' };
  const market = marketToChange(durable, fill.symbol);
  books.ledger = post(books.ledger, fillEntry(booking, keepsOf(durable)));
  addTrade(books.booked, booking);
  if (ours) {
    changeFilled(durable, fill.orderId, fill.quantity);
    countOwn(market, fill, { booked: booking.fill, mid: payload.mid });
  }
  advanceCursor(market, fill);
  remember(market, { fill, ours });
}

interface OwnFill {
  readonly booked: BookableFill;
  readonly mid: string | null;
}

function countOwn(market: DurableMarket, fill: Fill, { booked, mid }: OwnFill): void {
  addToPnl(market, { booked, mid }, 1);
  addToLots(market, fill);
  addToTally(market, booked, { by: 1, isTaker: fill.liquidity === 'taker' });
}

function addToPnl(market: DurableMarket, { booked, mid }: OwnFill, by: 1 | -1): void {
  const at = mid === null ? (market.pnl.mid ?? booked.price) : exactAmount(mid);
  market.pnl = bookPnl(market.pnl, { fill: booked, mid: at }, by);
}

function addToTally(
  { tally }: DurableMarket,
  fill: BookableFill,
  { by, isTaker }: { readonly by: 1 | -1; readonly isTaker: boolean },
): void {
  if (fill.side === 'buy') tally.buys += by;
  else tally.sells += by;
  if (isTaker) tally.takers += by;
  if (isTaker && fill.side === 'buy') tally.takerBuys += by;
  tally.quoteVolume = tally.quoteVolume.add(decimal(amountDecimal(fill.quoteQuantity).mul(by).toFixed()));
}

/** Changes the filled quantity of an order of ours, live or closed. */
function changeFilled({ orders }: Durable, orderId: OrderId, by: Decimal): void {
  const id = orders.byOrderId.get(orderId);
  if (id === undefined) return;
  const map = orders.intents.has(id) ? orders.intents : orders.closed;
  const intent = map.get(id);
  if (intent) map.set(id, { ...intent, filled: intent.filled.add(by) });
}

function advanceCursor(market: DurableMarket, fill: Fill): void {
  // After an accepted gap there is no cursor, and late bookings from before the gap are no place to read on from.
  const before = market.cursor ?? market.recent.at(-1)?.fill;
  if (before && compareTradeIds(before.tradeId, fill.tradeId) >= 0) return;
  market.cursor = { tradeId: fill.tradeId, venueTime: fill.venueTime };
}

/** Sorted by id: late rows go to their place. */
function remember({ recent }: DurableMarket, row: RecentFill): void {
  const last = recent.at(-1);
  recent.push(row);
  if (last && compareTradeIds(last.fill.tradeId, row.fill.tradeId) > 0)
    recent.sort((a, b) => compareTradeIds(a.fill.tradeId, b.fill.tradeId));
  if (recent.length > FILLS_REMEMBERED) recent.shift();
}

export function correctFill(durable: Durable, payload: PayloadOf<'fill-corrected'>): void {
  const { books } = durable;
  const { symbol, side, fill: record, mid } = payload;
  const name: TradeName = { symbol, tradeId: tradeId(payload.tradeId), side };
  const market = marketToChange(durable, symbol);
  const fill = record === null ? null : fromFillRecord(record);
  const before = bookedAs(books.booked, name);
  invariant(before !== null, () => `Trade ${name.tradeId} of ${symbol} is corrected but was never booked.`);
  const at = market.recent.findIndex((row) => isOf(row.fill, name));
  // A fill booked as the owner's counted for no order, whatever its order belongs to since.
  if (before.origin === 'strategy') {
    addToPnl(market, { booked: before.fill, mid }, -1);
    takeFromLots(market, name);
    const { liquidity } = market.recent[at]?.fill ?? fill ?? { liquidity: 'maker' };
    addToTally(market, before.fill, { by: -1, isTaker: liquidity === 'taker' });
    changeFilled(durable, before.fill.orderId, amountDecimal(before.fill.quantity).neg());
  }
  const after = record === null ? null : bookedAnew(before, bookableOf(record), payload.intentId !== null);
  books.ledger = post(books.ledger, correctionEntry(before, after, keepsOf(durable)));
  if (fill === null || after === null) {
    removeTrade(books.booked, name);
    if (at >= 0) market.recent.splice(at, 1);
    return moveBack(market, name);
  }
  addTrade(books.booked, after);
  const ours = after.origin === 'strategy';
  if (ours) countOwn(market, fill, { booked: after.fill, mid });
  changeFilled(durable, fill.orderId, fill.quantity);
  if (at >= 0) market.recent[at] = { fill, ours };
}

const isOf = ({ tradeId: id, side }: Fill, name: TradeName): boolean =>
  side === name.side && compareTradeIds(id, name.tradeId) === 0;

/** The owner stays, even after its order was dropped from memory. */
function bookedAnew(before: FillBooking, fill: BookableFill, isOfIntent: boolean): FillBooking {
  const isStill = before.origin === 'strategy' && before.fill.orderId === fill.orderId;
  return { fill, origin: isOfIntent || isStill ? 'strategy' : 'manual' };
}

/** A page is proved by the last known trade: it must be one that the exchange still shows. */
function moveBack(market: DurableMarket, taken: TradeName): void {
  if (market.cursor === null || compareTradeIds(market.cursor.tradeId, taken.tradeId) !== 0) return;
  const last = market.recent.at(-1)?.fill ?? market.openingCursor;
  market.cursor = last && { tradeId: last.tradeId, venueTime: last.venueTime };
}

// The lots of own purchases: as many as the holdings need, oldest first by trade.

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
