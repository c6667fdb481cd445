// A wallet that trails, while trades go on: it never equals the ledger of now, and proves as much when it equals the
// ledger of a moment before.
import type { Fill } from '../../domain/fill.ts';
import { compareTradeIds } from '../../domain/ids.ts';
import type { Asset } from '../../domain/instrument.ts';
import type { EpochMs } from '../../domain/time.ts';
import { type Amount, add, NO_AMOUNT } from '../../ledger/amount.ts';
import { bookable } from '../../ledger/fill-entries.ts';
import type { Difference } from '../../ledger/ledger.ts';
import { among } from '../durable/explain.ts';
import { changesOfFill } from '../durable/external-flow.ts';
import { assetsOf } from '../state/assets.ts';
import { lagBoundMs, type TraderState, venueTimeAt } from '../state/state.ts';
import { tradesThatWait } from './trades-that-wait.ts';

/**
 * Whether a wallet that was asked for at `sentAt` is, to the last digit and in every asset that the ledger answers for,
 * what the ledger was before the last trades, none of them older than a list may trail. Everything that is older is in
 * both, so nothing is missing from the ledger: what a wallet proves that equals it now, this one proves as well. Never
 * beside a confirmed difference.
 */
export function equalsEarlier(state: TraderState, differences: readonly Difference[], sentAt: EpochMs): boolean {
  if (state.durable.differences.unexplainedSince !== null || state.durable.differences.byAsset.size > 0) return false;
  const known = assetsOf(state);
  const lacks = new Map(differences.map(({ asset, difference }): [Asset, Amount] => [asset, difference]));
  // What waits to be booked is expected of the wallet as what is booked.
  for (const fill of tradesSince(state, venueTimeAt(state, sentAt) - lagBoundMs(state))) {
    const checked = bookable(fill);
    if (!checked.ok) return false;
    for (const [asset, by] of among(known, changesOfFill(checked.value)))
      lacks.set(asset, add(lacks.get(asset) ?? NO_AMOUNT, by));
    if ([...lacks.values()].every((amount) => amount === NO_AMOUNT)) return true;
  }
  return false;
}

/** Known trades of every market since `from`, by the exchange's clock, the newest first. */
function tradesSince(state: TraderState, from: EpochMs): Fill[] {
  const booked = [...state.durable.markets.values()].flatMap(({ tally }) => tally.recent.map(({ fill }) => fill));
  return [...booked, ...tradesThatWait(state)]
    .filter(({ venueTime }) => venueTime >= from)
    .sort((a, b) => b.venueTime - a.venueTime || compareTradeIds(b.tradeId, a.tradeId));
}
