// The fold of one execution: ledger, profit, cursor, tally, and how much of its intent is filled.
import { decimal, ZERO } from '../../domain/decimal.ts';
import type { Fill } from '../../domain/fill.ts';
import { compareTradeIds, type IntentId, intentId } from '../../domain/ids.ts';
import { invariant } from '../../domain/invariant.ts';
import { type BookableFill, bookable } from '../../ledger/bookable-fill.ts';
import { bookTrade } from '../../ledger/booked-trades.ts';
import type { Reservation } from '../../ledger/entry.ts';
import { type FillBooking, fillEntry } from '../../ledger/fill-entries.ts';
import { post } from '../../ledger/ledger.ts';
import { applyPnl, EMPTY_PNL } from '../../ledger/pnl.ts';
import { type Durable, type FillTally, LOOK_BACK_TRADES, liveIntents, RECENT_FILLS } from '../durable/durable.ts';
import type { TraderEvent } from '../durable/events.ts';
import { exact } from '../durable/exact.ts';
import type { Intent } from '../durable/intent.ts';
import { reserveLeft } from '../durable/reserve.ts';
import { keepsOf } from './assets.ts';
import { fromFillRecord } from './fill-record.ts';

type FillPayload = Extract<TraderEvent, { type: 'fill' }>['payload'];

export function applyFill(durable: Durable, payload: FillPayload): void {
  const fill = fromFillRecord(payload.fill);
  const checked = bookable(fill);
  invariant(checked.ok, () => `A fill of the journal is not bookable: ${checked.ok ? '' : checked.error}`);
  const id = payload.intentId === null ? null : intentId(payload.intentId);
  const booking: FillBooking = { fill: checked.value, origin: id === null ? 'manual' : 'strategy' };
  const left = id === null ? null : fillIntent(durable, id, fill);
  durable.ledger = post(durable.ledger, fillEntry(durable.ledger, { ...booking, keeps: keepsOf(durable) }, left));
  durable.booked = bookTrade(durable.booked, booking);
  if (id !== null) addToPnl(durable, checked.value, payload.mid);
  advanceCursor(durable, fill);
  remember(durable, fill);
  addToTally(durable, fill, id !== null);
}

/** Adds to what is filled of the intent, live or closed, and says what it still reserves. */
function fillIntent(durable: Durable, id: IntentId, fill: Fill): Reservation | null {
  const live = durable.intents.get(id);
  const intent = live ?? durable.closed.get(id);
  if (!intent) return null;
  const filled: Intent = { ...intent, filled: intent.filled.add(fill.quantity) };
  (live ? durable.intents : durable.closed).set(id, filled);
  if (!live) return null;
  return { intentId: id, asset: intent.reserve.asset, amount: reserveLeft(intent, intent.quantity.sub(filled.filled)) };
}

function addToPnl(durable: Durable, fill: BookableFill, mid: string | null): void {
  const before = durable.pnl.get(fill.symbol) ?? EMPTY_PNL;
  const at = mid === null ? (before.mid ?? fill.price) : exact(mid);
  durable.pnl.set(fill.symbol, applyPnl(before, { kind: 'fill', fill, mid: at }));
}

function advanceCursor(durable: Durable, fill: Fill): void {
  // Where a gap was passed there is none, and what is booked later from before the gap is none to read on from.
  const before = durable.cursors.get(fill.symbol) ?? durable.lookBack.get(fill.symbol)?.at(-1);
  if (before && compareTradeIds(before.tradeId, fill.tradeId) >= 0) return;
  durable.cursors.set(fill.symbol, { tradeId: fill.tradeId, venueTime: fill.venueTime });
}

/** By id: rows that came late stand where they belong. */
function remember(durable: Durable, { symbol, tradeId, venueTime, side }: Fill): void {
  const marks = durable.lookBack.get(symbol) ?? [];
  durable.lookBack.set(symbol, marks);
  const last = marks.at(-1);
  marks.push({ tradeId, venueTime, side });
  if (last && compareTradeIds(last.tradeId, tradeId) > 0) marks.sort((a, b) => compareTradeIds(a.tradeId, b.tradeId));
  if (marks.length > LOOK_BACK_TRADES) marks.shift();
}

/** So many fills are kept while they may turn out to be of an order of ours. */
const MOST_DOUBTFUL_FILLS = 500;

/**
 * It was booked as the owner's, and a create of its symbol has no answer: its order may be found to be that one's
 * (`booked-before.ts`).
 */
function mayBeOurs(durable: Durable, { fill, ours }: FillTally['recent'][number]): boolean {
  return !ours && liveIntents(durable, fill.symbol).some(({ orderId }) => orderId === null);
}

export const emptyTally = (): FillTally => ({
  buys: 0,
  sells: 0,
  takers: 0,
  takerBuys: 0,
  quoteVolume: ZERO,
  recent: [],
});

function addToTally(durable: Durable, fill: Fill, ours: boolean): void {
  const tally = durable.tallies.get(fill.symbol) ?? emptyTally();
  durable.tallies.set(fill.symbol, tally);
  tally.recent.unshift({ fill, ours });
  const oldest = tally.recent.at(-1);
  if (tally.recent.length > RECENT_FILLS && oldest && !mayBeOurs(durable, oldest)) tally.recent.pop();
  if (tally.recent.length > MOST_DOUBTFUL_FILLS) tally.recent.pop();
  if (!ours) return;
  if (fill.side === 'buy') tally.buys += 1;
  else tally.sells += 1;
  if (fill.liquidity === 'taker') {
    tally.takers += 1;
    if (fill.side === 'buy') tally.takerBuys += 1;
  }
  tally.quoteVolume = tally.quoteVolume.add(decimal(fill.quoteQuantity.toFixed()));
}
