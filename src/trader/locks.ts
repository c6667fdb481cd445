// What the wallet's locked amounts say of an order that the lists lack: an order that rests has its funds locked.
import { Decimal, ZERO } from '../domain/decimal.ts';
import type { Asset, Instrument } from '../domain/instrument.ts';
import type { OpenOrder } from '../domain/order.ts';
import type { DurationMs, EpochMs } from '../domain/time.ts';
import { amountDecimal } from '../ledger/amount.ts';
import { type Intent, remainingOf } from './intent.ts';
import { reserveLeft } from './reserve.ts';
import { runOf, surfaceOf, symbolsOf, type TraderState } from './state.ts';

/** Exchanges round what they lock to fewer digits than we do. */
const ROUNDING = new Decimal('0.000001');

/**
 * So long the lists must lack an order whose funds may still be locked. Two lists may lack it by chance (F34, F38), and owners lock
 * funds of their own, so neither witness may have the last word at once.
 */
export function doubtMs({ settings }: TraderState): DurationMs {
  return Math.max(settings.assumptions.readLagBoundMs, settings.assumptions.resolutionDeadlineMs);
}

/**
 * Whether the last wallet that bore out the ledger, sent at or after `from`, locks too little for the intent to rest beside the orders
 * that are listed. False where it may rest, where the owner has locked something that no list shows, and where there is no such wallet.
 */
export function locksTooLittle(state: TraderState, intent: Intent, from: EpochMs): boolean {
  const { locked, lockedSentAt } = state.surfaces.wallet;
  if (lockedSentAt === null || lockedSentAt < from) return false;
  const { instrument } = runOf(state, intent.symbol);
  const asset = intent.side === 'sell' ? instrument.base : instrument.quote;
  const held = locked.get(asset) ?? ZERO;
  const { least, most } = listedLocks(state, asset, from);
  // Less than what is listed needs: locks are not what they are taken for, and prove nothing.
  if (held.lt(least)) return false;
  const amount = leastLock(intent, remainingOf(intent));
  return held.lt(least.add(amount)) || held.sub(most).abs().lte(ROUNDING);
}

/** What the orders that are listed lock of an asset: at the least, and with the dearest fee on purchases. */
function listedLocks(state: TraderState, asset: Asset, from: EpochMs): { least: Decimal; most: Decimal } {
  let least = ZERO;
  let most = ZERO;
  for (const order of state.durable.intents.values()) {
    if (order.state !== 'open' || order.reserve.asset !== asset) continue;
    if ((state.listedAt.get(order.intentId) ?? 0) < from) continue;
    const remaining = remainingOf(order);
    least = least.add(leastLock(order, remaining));
    most = most.add(amountDecimal(reserveLeft(order, remaining)));
  }
  for (const symbol of symbolsOf(state)) {
    const { instrument, costs } = runOf(state, symbol);
    for (const row of surfaceOf(state.surfaces.openOrders, symbol).foreign) {
      if (lockedAsset(row, instrument) !== asset) continue;
      const lock = leastLock(row, row.remainingQuantity);
      least = least.add(lock);
      most = most.add(row.side === 'sell' ? lock : lock.mul(costs.takerFeeRatio.add(1)));
    }
  }
  return { least, most };
}

const lockedAsset = ({ side }: Pick<OpenOrder, 'side'>, { base, quote }: Instrument): Asset =>
  side === 'sell' ? base : quote;

/** Base of a sale, price × quantity of a purchase; a fee may come on top. */
function leastLock({ side, price }: Pick<OpenOrder, 'side' | 'price'>, remaining: Decimal): Decimal {
  return side === 'sell' ? remaining : remaining.mul(price);
}
