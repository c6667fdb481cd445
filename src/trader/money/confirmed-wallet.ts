// Which wallets confirm the ledger, and their contents.
import { type Balance, totalOf } from '../../domain/balance.ts';
import type { Fill } from '../../domain/fill.ts';
import { compareTradeIds } from '../../domain/ids.ts';
import type { Asset } from '../../domain/instrument.ts';
import type { EpochMs } from '../../domain/time.ts';
import { type Amount, add, amountOf, NO_AMOUNT } from '../../ledger/amount.ts';
import { bookable } from '../../ledger/fill-entries.ts';
import { among, type Changes, changesOfFill } from '../durable/external-flow.ts';
import { policyOf } from '../policy/policy-of.ts';
import type { Market } from '../state/market.ts';
import type { RunSettings } from '../state/settings.ts';
import { lagBoundMs, openedMarkets, venueTimeAt, type With } from '../state/state.ts';
import { need } from '../state/surfaces.ts';
import { notice, type Step } from '../state/turn.ts';

/**
 * Send time of the last wallet that confirms the bookings of an order that may have filled since then; null if there is
 * none. It matches the ledger, or differs only by the confirmed difference. That one must be older than any fill of the
 * order, by more than a list may trail, or in assets where no fill of it can be.
 */
export function confirmedSentAt(
  state: With<'settings' | 'durable' | 'reconciliation'>,
  { run }: Market,
  since: EpochMs,
): EpochMs | null {
  const { equalSentAt, steadySentAt } = state.reconciliation;
  const { unexplainedSince } = state.durable.differences;
  if (unexplainedSince === null) return equalSentAt;
  if (since < unexplainedSince && mayHoldFill(state, run)) return null;
  return Math.max(equalSentAt ?? 0, steadySentAt ?? 0);
}

/** A fill moves both assets; a trade with the owner's own order only takes fees and tax in the quote asset (F51). */
function mayHoldFill(
  { settings, durable: { differences } }: With<'settings' | 'durable'>,
  { instrument: { base, quote } }: RunSettings,
): boolean {
  return differences.byAsset.has(quote) && (differences.byAsset.has(base) || policyOf(settings).ownerTrades);
}

// A wallet that trails while trades go on: it never matches the current ledger, and proves as much if it matches an
// earlier ledger.

/**
 * Whether a wallet requested at `sentAt` matches, to the last digit and in these assets, the ledger from before the
 * last trades, none of them older than a list may trail. Everything older is in both, so nothing is missing from the
 * ledger: this wallet proves as much as one that matches the current ledger. `differs`: by how much it differs.
 */
export function equalsEarlier(
  state: With<'settings' | 'durable' | 'clock'>,
  { differs, assets: known }: { readonly differs: Changes; readonly assets: ReadonlySet<Asset> },
  sentAt: EpochMs,
): boolean {
  const lacks = new Map(differs);
  for (const fill of tradesSince(state, venueTimeAt(state, sentAt) - lagBoundMs(state.settings))) {
    const checked = bookable(fill);
    if (!checked.ok) return false;
    for (const [asset, by] of among(known, changesOfFill(checked.value)))
      lacks.set(asset, add(lacks.get(asset) ?? NO_AMOUNT, by));
    if ([...lacks.values()].every((amount) => amount === NO_AMOUNT)) return true;
  }
  return false;
}

/** Booked trades of every market since `from`, by the exchange's clock, newest first. */
function tradesSince({ durable }: With<'durable'>, from: EpochMs): Fill[] {
  return [...durable.markets.values()]
    .flatMap(({ recent }) => recent.map(({ fill }) => fill))
    .filter(({ venueTime }) => venueTime >= from)
    .sort((a, b) => b.venueTime - a.venueTime || compareTradeIds(b.tradeId, a.tradeId));
}

// A wallet as totals per asset, and the trades that must be read after it before it proves anything.

/** The totals of `assets`; an absent one counts as zero. Null, with a notice, if one of them is not exact. */
export function totalsOf(
  turn: Step<'settings'>,
  rows: readonly Balance[],
  assets: ReadonlySet<Asset>,
): Map<Asset, Amount> | null {
  const totals = new Map<Asset, Amount>([...assets].map((asset) => [asset, NO_AMOUNT]));
  for (const row of rows) {
    if (!totals.has(row.asset)) continue;
    const total = amountOf(totalOf(row, turn.state.settings.assumptions.lockedIncludesStakingAndOtc));
    if (!total.ok) {
      notice(turn, { level: 'warn', op: 'read-failed', message: `The wallet's ${row.asset}: ${total.error}` });
      return null;
    }
    totals.set(row.asset, total.value);
  }
  return totals;
}

export function isSameTotals(a: ReadonlyMap<Asset, Amount>, b: ReadonlyMap<Asset, Amount>): boolean {
  return a.size === b.size && [...a].every(([asset, total]) => b.get(asset) === total);
}

/**
 * The opened markets whose own trades must be read to judge a wallet. A market that the exchange neither lists nor
 * shows trades of is left out: otherwise nothing would ever be judged.
 */
export const judgedMarkets = (state: With<'durable' | 'markets'>): Market[] =>
  openedMarkets(state).filter(({ unavailable, trades }) => unavailable === null || !trades.isRefused);

export function needTradesAfter(markets: readonly Market[], receivedAt: EpochMs): void {
  for (const { trades } of markets) need(trades, receivedAt);
}

/** Whether the own trades of all of them were read to their end in requests that left since then. */
export const tradesReadSince = (markets: readonly Market[], moment: EpochMs): boolean =>
  markets.every(({ trades }) => trades.sentAt !== null && trades.sentAt >= moment && !trades.morePages);
