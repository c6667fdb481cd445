// The fold of a correction: what was booked of a trade is reversed, and booked anew where the trade still stands (F50).
import { type Decimal, decimal } from '../../domain/decimal.ts';
import type { Fill } from '../../domain/fill.ts';
import { compareTradeIds, intentId, tradeId } from '../../domain/ids.ts';
import { invariant } from '../../domain/invariant.ts';
import { amountDecimal } from '../../ledger/amount.ts';
import { type BookableFill, bookable } from '../../ledger/bookable-fill.ts';
import { bookedAs, bookTrade, type TradeName, takeBackTrade } from '../../ledger/booked-trades.ts';
import { correctionEntry, type FillBooking } from '../../ledger/fill-entries.ts';
import { post } from '../../ledger/ledger.ts';
import { applyPnl, EMPTY_PNL } from '../../ledger/pnl.ts';
import { reserveEntry } from '../../ledger/reservation-entries.ts';
import type { Durable } from '../durable/durable.ts';
import type { TraderEvent } from '../durable/events.ts';
import { exact } from '../durable/exact.ts';
import { reserveLeft } from '../durable/reserve.ts';
import { keepsOf } from './assets.ts';
import { fromFillRecord } from './fill-record.ts';

type Payload<Type extends TraderEvent['type']> = Extract<TraderEvent, { type: Type }>['payload'];

export function correctFill(durable: Durable, payload: Payload<'fill-corrected'>): void {
  const fill = fromFillRecord(payload.fill);
  const checked = bookable(fill);
  invariant(checked.ok, () => `A correction of the journal is not bookable: ${checked.ok ? '' : checked.error}`);
  const before = takeOut(durable, checked.value, { mid: payload.mid, liquidity: fill.liquidity });
  // Whose it was it stays, though its order is not remembered any more.
  const isStill = before.origin === 'strategy' && before.fill.orderId === checked.value.orderId;
  const origin = payload.intentId === null && !isStill ? 'manual' : 'strategy';
  const after: FillBooking = { fill: checked.value, origin };
  durable.ledger = post(durable.ledger, correctionEntry(before, after, keepsOf(durable)));
  durable.booked = bookTrade(durable.booked, after);
  if (after.origin === 'strategy') {
    value(durable, { kind: 'fill', fill: after.fill, mid: payload.mid });
    tally(durable, after.fill, { by: 1, isTaker: fill.liquidity === 'taker' });
  }
  changeFilled(durable, after.fill, fill.quantity);
  const recent = durable.tallies.get(fill.symbol)?.recent;
  const shown = recent?.findIndex((row) => row.fill.tradeId === fill.tradeId && row.fill.side === fill.side) ?? -1;
  if (recent && shown >= 0) recent[shown] = { fill, ours: after.origin === 'strategy' };
}

export function reverseFill(durable: Durable, payload: Payload<'fill-reversed'>): void {
  const name: TradeName = { symbol: payload.symbol, tradeId: tradeId(payload.tradeId), side: payload.side };
  const before = takeOut(durable, name, { mid: payload.mid, liquidity: null });
  durable.ledger = post(durable.ledger, correctionEntry(before, null, keepsOf(durable)));
  durable.booked = takeBackTrade(durable.booked, name);
  const { symbol } = name;
  const isIt = (mark: Omit<TradeName, 'symbol'>): boolean => mark.tradeId === name.tradeId && mark.side === name.side;
  const marks = (durable.lookBack.get(symbol) ?? []).filter((mark) => !isIt(mark));
  durable.lookBack.set(symbol, marks);
  const recent = durable.tallies.get(symbol)?.recent;
  const shown = recent?.findIndex((row) => isIt(row.fill)) ?? -1;
  if (shown >= 0) recent?.splice(shown, 1);
  const cursor = durable.cursors.get(symbol);
  if (cursor === undefined || compareTradeIds(cursor.tradeId, name.tradeId) !== 0) return;
  // A page is proved by the last trade that is known: that must be one which the exchange still shows.
  const last = marks.at(-1) ?? durable.opening.get(symbol);
  if (last === undefined) durable.cursors.delete(symbol);
  else durable.cursors.set(symbol, { tradeId: last.tradeId, venueTime: last.venueTime });
}

interface TakenOut {
  readonly mid: string | null;
  /** As the row says that takes its place; null where none does, and the fills last booked tell. */
  readonly liquidity: Fill['liquidity'] | null;
}

/** Takes what is booked out of profit, tally and order; returns it for the ledger. */
function takeOut(durable: Durable, name: TradeName, { mid, liquidity }: TakenOut): FillBooking {
  const before = bookedAs(durable.booked, name);
  invariant(before !== null, () => `Trade ${name.tradeId} of ${name.symbol} is corrected and was not booked.`);
  if (before.origin === 'strategy') {
    value(durable, { kind: 'fill-reversed', fill: before.fill, mid });
    const shown = durable.tallies
      .get(name.symbol)
      ?.recent.find(({ fill }) => compareTradeIds(fill.tradeId, name.tradeId) === 0 && fill.side === name.side);
    tally(durable, before.fill, { by: -1, isTaker: (shown?.fill.liquidity ?? liquidity) === 'taker' });
    // What was booked as the owner's counted for no order, whatever the order is known for since.
    changeFilled(durable, before.fill, amountDecimal(before.fill.quantity).neg());
  }
  return before;
}

function value(
  durable: Durable,
  { kind, fill, mid }: { kind: 'fill' | 'fill-reversed'; fill: BookableFill; mid: string | null },
): void {
  const pnl = durable.pnl.get(fill.symbol) ?? EMPTY_PNL;
  const at = mid === null ? (pnl.mid ?? fill.price) : exact(mid);
  durable.pnl.set(fill.symbol, applyPnl(pnl, { kind, fill, mid: at }));
}

function tally(
  durable: Durable,
  fill: BookableFill,
  { by, isTaker }: { readonly by: 1 | -1; readonly isTaker: boolean },
): void {
  const sums = durable.tallies.get(fill.symbol);
  if (!sums) return;
  if (fill.side === 'buy') sums.buys += by;
  else sums.sells += by;
  if (isTaker) sums.takers += by;
  if (isTaker && fill.side === 'buy') sums.takerBuys += by;
  sums.quoteVolume = sums.quoteVolume.add(decimal(amountDecimal(fill.quoteQuantity).mul(by).toFixed()));
}

/** Of the order that the trade was of: how much is filled, and what it still reserves. */
function changeFilled(durable: Durable, fill: BookableFill, by: Decimal): void {
  const id = durable.orders.get(fill.orderId);
  if (id === undefined) return;
  const live = durable.intents.get(id);
  const intent = live ?? durable.closed.get(id);
  if (!intent) return;
  const changed = { ...intent, filled: intent.filled.add(by) };
  (live ? durable.intents : durable.closed).set(id, changed);
  if (!live) return;
  const amount = reserveLeft(intent, intent.quantity.sub(changed.filled));
  durable.ledger = post(
    durable.ledger,
    reserveEntry(durable.ledger, { intentId: intentId(id), asset: intent.reserve.asset, amount }),
  );
}
