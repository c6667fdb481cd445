// Trades that the exchange shows differently from their booking, or no longer shows (F50): always with a notice.
import { plain } from '../../domain/decimal.ts';
import type { Fill } from '../../domain/fill.ts';
import { compareTradeIds, type IntentId, type OrderId } from '../../domain/ids.ts';
import type { InstrumentSymbol } from '../../domain/instrument.ts';
import type { EpochMs } from '../../domain/time.ts';
import type { Span } from '../../history/coverage.ts';
import { negate } from '../../ledger/amount.ts';
import { bookedAs, type TradeName } from '../../ledger/booked-trades.ts';
import type { BookableFill } from '../../ledger/fill-entries.ts';
import { among, changesOfFill, type Listed } from '../durable/external-flow.ts';
import { toFillRecord } from '../durable/fold/fill-record.ts';
import type { Intent } from '../durable/intent.ts';
import { marketIn, type TradesCursor } from '../durable/market.ts';
import { bookedBefore } from '../policy/attribution/match.ts';
import type { Market } from '../state/market.ts';
import type { Missing } from '../state/reconciliation.ts';
import { assetsOf, marketOf, touchAll, type With } from '../state/state.ts';
import { need } from '../state/surfaces.ts';
import { emit, haltSymbol, intentNotice, notice, type Step } from '../state/turn.ts';
import { cursorOf } from './known-trades.ts';
import { fillPriceText } from './trusted-price.ts';

/**
 * Books a trade anew. Fee and tax may be settled late, which is only a notice; any other change means that the exchange
 * takes trades back, and a person must know before there are more of them.
 */
export function correctTrade(
  turn: Step<'session' | 'wallet'>,
  market: Market,
  fill: Fill,
  checked: BookableFill,
): void {
  const { state, now } = turn;
  const booked = bookedAs(state.durable.books.booked, checked);
  if (booked === null) return;
  const { fill: before, origin } = booked;
  const intentId = state.durable.orders.byOrderId.get(fill.orderId) ?? null;
  const isAttributed = intentId !== null && origin === 'manual';
  emitCorrected(turn, market, fill, { fill, intentId, ...(isAttributed && { attributed: true }) });
  need(state.wallet, now);
  touchAll(state);
  const message = `Trade ${fill.tradeId} was booked with other content: the exchange corrected it; it is booked anew.`;
  const minor =
    before.price === checked.price &&
    before.quantity === checked.quantity &&
    before.quoteQuantity === checked.quoteQuantity &&
    before.orderId === checked.orderId;
  notice(turn, { level: minor ? 'warn' : 'page', op: 'trade-changed', symbol: fill.symbol, message });
  if (!minor) haltSymbol(turn, market, message, 'answers-untrue');
}

function emitCorrected(
  turn: Step,
  market: Market,
  { symbol, tradeId, side }: TradeName,
  corrected: { readonly fill: Fill | null; readonly intentId: IntentId | null; readonly attributed?: true },
): void {
  const { fill } = corrected;
  const mid = fillPriceText(market);
  const record = fill && toFillRecord(fill);
  const payload = { ...corrected, symbol, tradeId, side, fill: record, mid, at: turn.now };
  emit(turn, { type: 'fill-corrected', payload });
}

const keyOf = ({ symbol, tradeId, side }: TradeName): string => `${symbol} ${tradeId} ${side}`;

/**
 * Compares all trades of a stretch, as a late-trade scan read them, with the booked ones. A missed trade is read once
 * more, after the lists' lag.
 */
export function recordMissing(
  turn: Step<'settings' | 'missing'>,
  market: Market,
  { span, rows, sentAt }: { readonly span: Span; readonly rows: readonly Fill[]; readonly sentAt: EpochMs },
): void {
  const { state } = turn;
  const { symbol, trades: surface } = market;
  const { readLagBoundMs } = state.settings.assumptions;
  for (const { tradeId, side, venueTime } of toBeListed(state, symbol)) {
    if (venueTime < span.from || venueTime > span.to) continue;
    const name = { symbol, tradeId, side, venueTime };
    const key = keyOf(name);
    const before = state.missing.get(key);
    if (rows.some((row) => compareTradeIds(row.tradeId, tradeId) === 0 && row.side === side)) {
      state.missing.delete(key);
      continue;
    }
    const firstMissedAt = before?.firstMissedAt ?? sentAt;
    const confirmed = sentAt >= firstMissedAt + readLagBoundMs;
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

/** A trade that is shown again is not missing. */
export function clearShown({ missing }: With<'missing'>, rows: readonly Fill[]): void {
  if (missing.size === 0) return;
  for (const row of rows) missing.delete(keyOf(row));
}

/**
 * Trades that the list has lacked for longer than it may trail: as they are booked, or taken back if the wallet agrees.
 * Only in assets that the ledger covers: no wallet is compared in the asset of another fee.
 */
export function possibleReversals(state: With<'durable' | 'markets' | 'missing'>): Listed<Missing>[] {
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
  const market = marketOf(turn.state, symbol);
  const name = { symbol, tradeId, side };
  emitCorrected(turn, market, name, { fill: null, intentId: null });
  turn.state.missing.delete(keyOf(name));
  const message = `Trade ${tradeId} was taken back by the exchange: its list and the wallet agree, and it is reversed.`;
  notice(turn, { level: 'page', op: 'trade-changed', symbol, message });
  haltSymbol(turn, market, message, 'answers-untrue');
}

/**
 * Books fills for the intent that their order belongs to. They were booked as the owner's before their order turned out
 * to be ours: lists had lacked it for longer than they trail.
 */
export function attributeBooked(turn: Step, market: Market, intent: Intent, orderId: OrderId): void {
  for (const fill of bookedBefore(turn.state.durable, intent, orderId)) {
    emitCorrected(turn, market, fill, { fill, intentId: intent.intentId, attributed: true });
    const message =
      `Trade ${fill.tradeId} (${plain(fill.quantity)} @ ${plain(fill.price)}) was booked as the owner's, and is of ` +
      `intent ${intent.intentId}.`;
    intentNotice(turn, intent, { level: 'warn', op: 'adopted', message });
  }
}
