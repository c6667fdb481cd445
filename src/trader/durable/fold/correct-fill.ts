// The fold of a correction: what was booked of a trade is reversed, and booked anew where the trade still stands (F50).
import { type Decimal, decimal } from '../../../domain/decimal.ts';
import type { Fill } from '../../../domain/fill.ts';
import { compareTradeIds, intentId, tradeId } from '../../../domain/ids.ts';
import { invariant } from '../../../domain/invariant.ts';
import { amountDecimal } from '../../../ledger/amount.ts';
import { bookedAs, bookTrade, type TradeName, takeBackTrade } from '../../../ledger/booked-trades.ts';
import {
  type BookableFill,
  bookable,
  correctionEntry,
  type FillBooking,
  reserveEntry,
} from '../../../ledger/fill-entries.ts';
import { post } from '../../../ledger/ledger.ts';
import { applyPnl } from '../../../ledger/pnl.ts';
import type { Durable } from '../durable.ts';
import type { PayloadOf } from '../events.ts';
import { journalAmount } from '../journal-amount.ts';
import { type DurableMarket, marketToChange } from '../market.ts';
import { reserveLeft } from '../reserve.ts';
import { fromFillRecord } from './fill-record.ts';
import { keepsOf } from './keeps.ts';
import { addToLots, takeFromLots } from './own-lots.ts';

export function correctFill(durable: Durable, payload: PayloadOf<'fill-corrected'>): void {
  const { books } = durable;
  const fill = fromFillRecord(payload.fill);
  const checked = bookable(fill);
  invariant(checked.ok, () => `A correction of the journal is not bookable: ${checked.ok ? '' : checked.error}`);
  const market = marketToChange(durable, fill.symbol);
  const before = takeOut(durable, market, checked.value, { mid: payload.mid, liquidity: fill.liquidity });
  // Whose it was it stays, though its order is not remembered any more.
  const isStill = before.origin === 'strategy' && before.fill.orderId === checked.value.orderId;
  const origin = payload.intentId === null && !isStill ? 'manual' : 'strategy';
  const after: FillBooking = { fill: checked.value, origin };
  books.ledger = post(books.ledger, correctionEntry(before, after, keepsOf(durable)));
  books.booked = bookTrade(books.booked, after);
  if (after.origin === 'strategy') {
    value(market, { kind: 'fill', fill: after.fill, mid: payload.mid });
    addToLots(market, fill);
    tally(market, after.fill, { by: 1, isTaker: fill.liquidity === 'taker' });
  }
  changeFilled(durable, after.fill, fill.quantity);
  const { recent } = market.tally;
  const shown = recent.findIndex((row) => row.fill.tradeId === fill.tradeId && row.fill.side === fill.side);
  if (shown >= 0) recent[shown] = { ...recent[shown], fill, ours: after.origin === 'strategy' };
}

export function reverseFill(durable: Durable, payload: PayloadOf<'fill-reversed'>): void {
  const name: TradeName = { symbol: payload.symbol, tradeId: tradeId(payload.tradeId), side: payload.side };
  const { books } = durable;
  const market = marketToChange(durable, name.symbol);
  const before = takeOut(durable, market, name, { mid: payload.mid, liquidity: null });
  books.ledger = post(books.ledger, correctionEntry(before, null, keepsOf(durable)));
  books.booked = takeBackTrade(books.booked, name);
  const isIt = (mark: Omit<TradeName, 'symbol'>): boolean => mark.tradeId === name.tradeId && mark.side === name.side;
  market.bookedLately = market.bookedLately.filter((mark) => !isIt(mark));
  const { recent } = market.tally;
  const shown = recent.findIndex((row) => isIt(row.fill));
  if (shown >= 0) recent.splice(shown, 1);
  if (market.cursor === null || compareTradeIds(market.cursor.tradeId, name.tradeId) !== 0) return;
  // A page is proved by the last trade that is known: that must be one which the exchange still shows.
  const last = market.bookedLately.at(-1) ?? market.openingCursor;
  market.cursor = last && { tradeId: last.tradeId, venueTime: last.venueTime };
}

interface TakenOut {
  readonly mid: string | null;
  /** As the row says that takes its place; null where none does, and the fills last booked tell. */
  readonly liquidity: Fill['liquidity'] | null;
}

/** Takes what is booked out of profit, tally and order; returns it for the ledger. */
function takeOut(durable: Durable, market: DurableMarket, name: TradeName, { mid, liquidity }: TakenOut): FillBooking {
  const before = bookedAs(durable.books.booked, name);
  invariant(before !== null, () => `Trade ${name.tradeId} of ${name.symbol} is corrected and was not booked.`);
  if (before.origin === 'strategy') {
    value(market, { kind: 'fill-reversed', fill: before.fill, mid });
    takeFromLots(market, name);
    const shown = market.tally.recent.find(
      ({ fill }) => compareTradeIds(fill.tradeId, name.tradeId) === 0 && fill.side === name.side,
    );
    tally(market, before.fill, { by: -1, isTaker: (shown?.fill.liquidity ?? liquidity) === 'taker' });
    // What was booked as the owner's counted for no order, whatever the order is known for since.
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

/** Of the order that the trade was of: how much is filled, and what it still reserves. */
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
