// What the wallet's locked funds prove about an order that the lists lack: an order that rests has its funds locked.
import { Decimal, ZERO } from '../../domain/decimal.ts';
import type { Asset, Instrument } from '../../domain/instrument.ts';
import type { OpenOrder } from '../../domain/order.ts';
import type { DurationMs, EpochMs } from '../../domain/time.ts';
import { amountDecimal } from '../../ledger/amount.ts';
import { type Intent, remainingOf } from '../durable/intent.ts';
import { marketIn } from '../durable/market.ts';
import { reserveLeft } from '../durable/reserve.ts';
import { liveOrderOf, liveOrderToChange } from '../state/live-order.ts';
import { lagBoundMs, marketOf, runOf, symbolsOf, type TraderState } from '../state/state.ts';
import { type LockedAt, need } from '../state/surfaces.ts';

/** Exchanges round what they lock to fewer digits than we do. */
const ROUNDING = new Decimal('0.000001');

/**
 * So long the lists must lack an order whose funds may still be locked. Two lists may lack it by chance (F34, F38), and
 * owners lock funds of their own, so neither witness may have the last word at once.
 */
export function doubtMs({ settings }: TraderState): DurationMs {
  return Math.max(settings.assumptions.readLagBoundMs, settings.assumptions.resolutionDeadlineMs);
}

/** A list that left at `missedFrom` lacked the order; what is read from `from` on shows what was so then. */
export interface Missed {
  readonly missedFrom: EpochMs;
  readonly from: EpochMs;
}

/**
 * From when on trades and wallet say how an order ended that lists lack; null while it may rest. Where the wallet's
 * locks leave it open, lists must lack it for long, and until the first one that then still does it may have rested,
 * and filled: they count a lag after that. Call `noteLacked` with each list before.
 */
export function countsFrom(state: TraderState, intent: Intent, missed: Missed): EpochMs | null {
  if (locksTooLittle(state, intent, missed.from)) return missed.from;
  const { lackedAt } = liveOrderOf(state, intent.intentId);
  return lackedAt !== null && lackedAt >= doubtedUntil(state, intent, missed) ? lackedAt + lagBoundMs(state) : null;
}

/**
 * While nothing was answered nobody looked, nor while no list of own orders came, whatever else did: lists before such
 * a gap and after it are two looks, and no long one.
 */
function doubtedUntil(state: TraderState, { symbol }: Intent, { missedFrom }: Missed): EpochMs {
  const { readSince } = marketOf(state, symbol).openOrders;
  return Math.max(missedFrom, state.contact.private.readSince, readSince ?? 0) + doubtMs(state);
}

/**
 * Notes the first list that lacked the order for long enough, where the wallet's locks leave it open whether it rests,
 * and asks for the trades and the wallet that count then.
 */
export function noteLacked(state: TraderState, intent: Intent, missed: Missed): void {
  const { openOrders, trades } = marketOf(state, intent.symbol);
  const { sentAt } = openOrders;
  if (sentAt === null || sentAt < doubtedUntil(state, intent, missed)) return;
  if (countsFrom(state, intent, missed) !== null) return;
  liveOrderToChange(state, intent.intentId).lackedAt = sentAt;
  for (const surface of [trades, state.wallet]) need(surface, sentAt + lagBoundMs(state));
}

/**
 * Whether a wallet that confirmed the ledger, sent at or after `from`, locks too little for the intent to rest: less
 * than it needs beside the orders that surely were locked then, or just what others need and no more. False where it
 * may rest, where the owner has locked something that no list shows, and where there is no such wallet.
 */
export function locksTooLittle(state: TraderState, intent: Intent, from: EpochMs): boolean {
  return tooLittleAt(state, intent, from) !== undefined;
}

/** When the first such wallet left. */
function tooLittleAt(state: TraderState, intent: Intent, from: EpochMs): EpochMs | undefined {
  const wallets = state.wallet.lockedLately.filter(({ sentAt }) => sentAt >= from);
  return wallets.find((wallet) => isTooLittle(state, intent, wallet))?.sentAt;
}

/**
 * When what settled the doubt left: a wallet that locked too little, or the list that lacked the order for long enough.
 */
export function doubtSettledBy(
  state: TraderState,
  intent: Intent,
  from: EpochMs,
): { readonly locks?: EpochMs; readonly lacked?: EpochMs } {
  const locks = tooLittleAt(state, intent, from);
  const { lackedAt: lacked } = liveOrderOf(state, intent.intentId);
  if (locks !== undefined) return { locks };
  return lacked === null ? {} : { lacked };
}

function isTooLittle(state: TraderState, intent: Intent, { locked, sentAt }: LockedAt): boolean {
  const { asset } = intent.reserve;
  const held = locked.get(asset) ?? ZERO;
  const own = { ...lockOf(intent), least: leastLock(intent, mayRemain(state, intent)) };
  const { sure, maybe } = otherLocks(state, intent, { asset, lockedSentAt: sentAt });
  // Less than what is listed needs: locks are not what they are taken for, and prove nothing.
  if (held.lt(sure.least)) return false;
  if (held.lt(sure.least.add(own.least))) return true;
  if (maybe.length > MOST_DOUBTFUL) return false;
  const sums = subsetsOf(maybe).map((some) => together([sure, ...some]));
  const isExplained = sums.some(({ most }) => held.sub(most).abs().lte(ROUNDING));
  return isExplained && !sums.some((sum) => isBetween(held, together([sum, own])));
}

/** What an order may lock: at the least, and with the dearest fee on a purchase. */
interface Lock {
  readonly least: Decimal;
  readonly most: Decimal;
}

/** Of more orders than that, of which a wallet may have locked any, not every combination is tried. */
const MOST_DOUBTFUL = 6;

const isBetween = (held: Decimal, { least, most }: Lock): boolean =>
  held.gte(least.sub(ROUNDING)) && held.lte(most.add(ROUNDING));

const together = (locks: readonly Lock[]): Lock =>
  locks.reduce((sum, { least, most }) => ({ least: sum.least.add(least), most: sum.most.add(most) }), NOTHING);

const NOTHING: Lock = { least: ZERO, most: ZERO };

function subsetsOf<T>(items: readonly T[]): T[][] {
  const subsets: T[][] = [[]];
  for (const item of items) subsets.push(...subsets.map((subset) => [...subset, item]));
  return subsets;
}

/** The wallet in question. */
interface Looked {
  readonly asset: Asset;
  readonly lockedSentAt: EpochMs;
}

/**
 * What the wallet surely locked for other orders, and what it may have locked. Sure is what was there for longer than a
 * wallet may trail when it was asked for, and was listed after that: one that was placed later is not in it,
 * one listed before may have ended. Others cancel their orders at any time, and a list may trail: theirs must be
 * in one that left a lag after the wallet. A stop order may lock nothing until it is triggered.
 */
function otherLocks(
  state: TraderState,
  intent: Intent,
  { asset, lockedSentAt }: Looked,
): { readonly sure: Lock; readonly maybe: readonly Lock[] } {
  const { readLagBoundMs: assumedMs } = state.settings.assumptions;
  const shownFor = lockedSentAt - assumedMs;
  const sure: Lock[] = [];
  const maybe: Lock[] = [];
  for (const order of state.durable.orders.intents.values()) {
    if (order.intentId === intent.intentId || order.state === 'closed' || order.reserve.asset !== asset) continue;
    const isListed = order.state === 'open' && (liveOrderOf(state, order.intentId).listedAt ?? 0) >= lockedSentAt;
    (isListed && order.horizon <= shownFor ? sure : maybe).push(lockOf(order));
  }
  for (const symbol of symbolsOf(state)) {
    const { instrument, costs } = runOf(state, symbol);
    const { unmatchedRows, unmatched, sentAt } = marketOf(state, symbol).openOrders;
    for (const row of unmatchedRows) {
      if (lockedAsset(row, instrument) !== asset) continue;
      const least = leastLock(row, row.remainingQuantity);
      const most = row.side === 'sell' ? least : least.mul(costs.takerFeeRatio.add(1));
      const seenAt = unmatched.get(row.orderId)?.firstReceivedAt ?? Number.POSITIVE_INFINITY;
      const isListed = sentAt !== null && sentAt >= lockedSentAt + assumedMs;
      (isListed && row.type === 'limit' && seenAt <= shownFor ? sure : maybe).push({ least, most });
    }
  }
  return { sure: together(sure), maybe };
}

/** What is left of a create without an answer if the fills at its price that were booked as the owner's are its own. */
function mayRemain({ durable, settings }: TraderState, intent: Intent): Decimal {
  const remaining = remainingOf(intent);
  if (intent.orderId !== null) return remaining;
  const { readLagBoundMs: assumedMs, maxClockUncertaintyMs } = settings.assumptions;
  const from = intent.timestamp - assumedMs - maxClockUncertaintyMs;
  const filled = marketIn(durable, intent.symbol)
    .tally.recent.filter(
      ({ ours, fill }) => !ours && fill.side === intent.side && fill.price.eq(intent.price) && fill.venueTime >= from,
    )
    .reduce((sum, { fill }) => sum.add(fill.quantity), ZERO);
  return filled.lt(remaining) ? remaining.sub(filled) : ZERO;
}

/** An intent is replaced where it changes: what it locks is asked at every event, and worked out once. */
const lockOfIntent = new WeakMap<Intent, Lock>();

function lockOf(order: Intent): Lock {
  const known = lockOfIntent.get(order);
  if (known !== undefined) return known;
  const remaining = remainingOf(order);
  const lock = { least: leastLock(order, remaining), most: amountDecimal(reserveLeft(order, remaining)) };
  lockOfIntent.set(order, lock);
  return lock;
}

const lockedAsset = ({ side }: Pick<OpenOrder, 'side'>, { base, quote }: Instrument): Asset =>
  side === 'sell' ? base : quote;

/** Base of a sale, price × quantity of a purchase; a fee may come on top. */
function leastLock({ side, price }: Pick<OpenOrder, 'side' | 'price'>, remaining: Decimal): Decimal {
  return side === 'sell' ? remaining : remaining.mul(price);
}
