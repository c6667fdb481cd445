// Trades that the exchange shows differently from their booking, or no longer shows (F50): always with a notice.
import type { Fill } from '../../domain/fill.ts';
import { compareTradeIds } from '../../domain/ids.ts';
import type { InstrumentSymbol } from '../../domain/instrument.ts';
import type { EpochMs } from '../../domain/time.ts';
import { negate } from '../../ledger/amount.ts';
import { bookedAs, type TradeName } from '../../ledger/booked-trades.ts';
import type { BookableFill } from '../../ledger/fill-entries.ts';
import type { TradeWindow } from '../../venue/bounds.ts';
import type { Read } from '../../venue/outcomes.ts';
import { among, changesOfFill, type Listed } from '../durable/external-flow.ts';
import { toFillRecord } from '../durable/fold/fill-record.ts';
import { marketIn, type TradesCursor } from '../durable/market.ts';
import type { Missing } from '../durable/missing.ts';
import { assetsOf, marketOf, touch, type With } from '../state/state.ts';
import { need } from '../state/surfaces.ts';
import { emit, haltSymbol, notice, type Step } from '../state/turn.ts';
import { fillPriceText } from './trusted-price.ts';

/**
 * Books a trade anew. Fee and tax may be settled late, which is only a notice; any other change means that the exchange
 * takes trades back, and a person must know before there are more of them.
 */
export function correctTrade(turn: Step<'session' | 'wallet'>, fill: Fill, checked: BookableFill): void {
  const { state, now } = turn;
  const booked = bookedAs(state.durable.books.booked, checked);
  if (booked === null) return;
  const { fill: before, origin } = booked;
  const intentId = state.durable.orders.byOrderId.get(fill.orderId) ?? null;
  const mid = fillPriceText(marketOf(state, fill.symbol));
  const attributed = intentId !== null && origin === 'manual' ? { attributed: true as const } : {};
  const { symbol, tradeId, side } = fill;
  const corrected = { symbol, tradeId, side, fill: toFillRecord(fill), intentId, mid };
  emit(turn, { type: 'fill-corrected', payload: { ...corrected, ...attributed, at: now } });
  need(state.wallet, now);
  touch(state);
  const message = `Trade ${fill.tradeId} was booked with other content: the exchange corrected it; it is booked anew.`;
  const minor =
    before.price === checked.price &&
    before.quantity === checked.quantity &&
    before.quoteQuantity === checked.quoteQuantity &&
    before.orderId === checked.orderId;
  notice(turn, { level: minor ? 'warn' : 'page', op: 'trade-changed', symbol: fill.symbol, message });
  if (!minor) haltSymbol(turn, fill.symbol, message, 'answers-untrue');
}

const keyOf = ({ symbol, tradeId, side }: TradeName): string => `${symbol} ${tradeId} ${side}`;

/**
 * Compares a late-trade scan, on a page that can't be cut, with the booked trades. A missed trade is read once more,
 * after the lists' lag.
 */
export function recordMissing(
  turn: Step<'settings' | 'missing'>,
  symbol: InstrumentSymbol,
  { window, read }: { window: TradeWindow; read: Read<readonly Fill[]> },
): void {
  const { state } = turn;
  const { readLagBoundMs } = state.settings.assumptions;
  if (!read.complete) return;
  const surface = marketOf(state, symbol).trades;
  for (const { tradeId, side, venueTime } of toBeListed(state, symbol)) {
    if (venueTime < window.startTime || venueTime > window.endTime) continue;
    const name = { symbol, tradeId, side, venueTime };
    const key = keyOf(name);
    const before = state.missing.get(key);
    if (read.rows.some((row) => compareTradeIds(row.tradeId, tradeId) === 0 && row.side === side)) {
      state.missing.delete(key);
      continue;
    }
    const firstMissedAt = before?.firstMissedAt ?? read.sentAt;
    const confirmed = read.sentAt >= firstMissedAt + readLagBoundMs;
    state.missing.set(key, { ...name, firstMissedAt, confirmed });
    if (!confirmed) surface.lateScanFrom = Math.max(turn.now, firstMissedAt + readLagBoundMs);
    if (before) continue;
    const message = `Trade ${tradeId} is booked, but the exchange no longer shows it.`;
    notice(turn, { level: 'page', op: 'trade-missing', symbol, message });
  }
}

type Mark = TradeName & TradesCursor;

/** The last booked trades, and every trade that was missed before: many newer ones may have come since. */
function toBeListed({ durable, missing }: With<'durable' | 'missing'>, symbol: InstrumentSymbol): Iterable<Mark> {
  const marks = marketIn(durable, symbol).recent.map(({ fill }): Mark => fill);
  const missed = [...missing.values()].filter((each) => each.symbol === symbol);
  return new Map([...missed, ...marks].map((each) => [keyOf(each), each])).values();
}

/**
 * Complete pages have lacked the last known trade for longer than any list may trail: newer trades are then proved by
 * the trade before it, or by all trades since the opening. False if the last known trade was not booked.
 */
export function leanOnEarlier(turn: Step<'missing'>, symbol: InstrumentSymbol, firstMissedAt: EpochMs): boolean {
  const { state } = turn;
  const cursor = cursorOf(state, symbol);
  const booked = marketIn(state.durable, symbol).recent.map(({ fill }) => fill);
  const lost = booked.filter(({ tradeId }) => cursor !== null && compareTradeIds(tradeId, cursor.tradeId) === 0);
  if (lost.length === 0) return false;
  for (const { tradeId, side, venueTime } of lost) {
    const name = { symbol, tradeId, side, venueTime };
    state.missing.set(keyOf(name), { ...name, firstMissedAt, confirmed: true });
    const message = `Trade ${tradeId} is booked, but the exchange no longer shows it.`;
    notice(turn, { level: 'page', op: 'trade-missing', symbol, message });
  }
  return true;
}

/**
 * The newest trade that the exchange is not known to have dropped, among the booked ones and then those before the
 * opening; null if none is known (the only one was taken back).
 */
export function cursorOf(
  { durable, missing }: With<'durable' | 'missing'>,
  symbol: InstrumentSymbol,
): TradesCursor | null {
  const { cursor, recent, openingCursor } = marketIn(durable, symbol);
  if (missing.size === 0) return cursor;
  const lost = [...missing.values()].filter((each) => each.symbol === symbol && each.confirmed);
  if (cursor === null || lost.length === 0) return cursor;
  const isLost = (mark: TradesCursor): boolean =>
    lost.some(({ tradeId }) => compareTradeIds(tradeId, mark.tradeId) === 0);
  if (!isLost(cursor)) return cursor;
  return recent.findLast(({ fill }) => !isLost(fill))?.fill ?? openingCursor;
}

/** A trade that is shown again is not missing. */
export function clearShown({ missing }: With<'missing'>, rows: readonly Fill[]): void {
  if (missing.size === 0) return;
  for (const row of rows) missing.delete(keyOf(row));
}

/**
 * Trades that the list has lacked for longer than it may trail: as they are booked, or taken back if the wallet agrees.
 * Only in assets that the ledger covers: no wallet is compared in the asset of another fee.
 */
export function possibleReversals(state: With<'settings' | 'durable' | 'markets' | 'missing'>): Listed<Missing>[] {
  const { durable, missing } = state;
  const known = assetsOf(state);
  return [...missing.values()].flatMap((what) => {
    const booking = what.confirmed ? bookedAs(durable.books.booked, what) : null;
    if (booking === null) return [];
    const back = [...changesOfFill(booking.fill)].map(([asset, by]) => [asset, negate(by)] as const);
    return [{ what, readings: [new Map(), among(known, new Map(back))] }];
  });
}

/** List and wallet agree that the trade was taken back: the ledger follows, and the symbol halts. */
export function reverseTrade(turn: Step<'session' | 'missing'>, { symbol, tradeId, side }: Missing): void {
  const { state, now } = turn;
  const mid = fillPriceText(marketOf(state, symbol));
  const payload = { symbol, tradeId, side, fill: null, intentId: null, mid, at: now };
  emit(turn, { type: 'fill-corrected', payload });
  state.missing.delete(keyOf({ symbol, tradeId, side }));
  const message = `Trade ${tradeId} was taken back by the exchange: its list and the wallet agree, and it is reversed.`;
  notice(turn, { level: 'page', op: 'trade-changed', symbol, message });
  haltSymbol(turn, symbol, message, 'answers-untrue');
}
