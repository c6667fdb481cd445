// One fill against the pages of own trades and the wallets: when they should have shown it. Pure.
import type { Asset, InstrumentSymbol } from '../../../domain/instrument.ts';
import type { DurationMs, EpochMs } from '../../../domain/time.ts';
import { type Amount, add, NO_AMOUNT } from '../../../ledger/amount.ts';
import type { Changes } from '../../durable/explain.ts';
import type { Happened, Look, Proved } from './watch-orders.ts';

/** The last wrong look, and the first right one after it. */
interface Seen {
  lackedSentAt: EpochMs | null;
  shownAt: EpochMs | null;
}

export interface FillWatch {
  readonly symbol: InstrumentSymbol;
  readonly tradeId: string;
  readonly venueTime: EpochMs;
  readonly happened: Happened;
  /** What it did to the wallet. */
  readonly changes: Changes;
  readonly trades: Seen;
  readonly wallet: Seen;
}

export interface WalletLook extends Look {
  readonly totals: ReadonlyMap<Asset, Amount>;
}

export function lagOf({ lackedSentAt, shownAt }: Seen, { from, to }: Happened): Proved {
  const atLeastMs = lackedSentAt === null ? 0 : Math.max(0, lackedSentAt - to);
  return {
    atLeastMs,
    // What was lacking is known by its number, or to the last digit: no outage looks like that.
    confirmedMs: atLeastMs,
    atMostMs: shownAt === null ? null : shownAt - from,
  };
}

function noteShown(seen: Seen, shown: boolean, look: Look): void {
  if (shown) seen.shownAt ??= look.receivedAt;
  else Object.assign(seen, { lackedSentAt: look.sentAt, shownAt: null });
}

/**
 * A whole page of own trades that was asked for from this trade on. Without it, it is of a server that is behind the
 * one before; longer after the fill than any may trail, the trade has left the list, or the list has a hole.
 */
export function noteInTrades(watch: FillWatch, { shown, look, assumedMs }: Paged): void {
  if (!shown && look.sentAt - watch.happened.to > assumedMs) return;
  noteShown(watch.trades, shown, look);
}

interface Paged {
  readonly shown: boolean;
  readonly look: Look;
  readonly assumedMs: DurationMs;
}

/**
 * All of the fills are in the ledger, whose totals these are. A wallet lacks the newest of them, if it differs from
 * that by exactly what they moved: so may the last one, which equals the ledger of now or of a moment before. Where
 * nothing fits, or more than one number of them does, it says nothing of any.
 */
export function judgeWallets(
  fills: readonly FillWatch[],
  wallets: readonly WalletLook[],
  ledger: WalletLook['totals'],
): void {
  const newestFirst = fills.toSorted((a, b) => b.venueTime - a.venueTime || compareIds(b.tradeId, a.tradeId));
  for (const wallet of wallets) {
    const lacks = lackedBy(wallet, ledger, newestFirst);
    for (const [index, { wallet: seen, happened }] of newestFirst.entries()) {
      if (wallet.receivedAt < happened.from) continue;
      if (lacks === null) seen.shownAt = null;
      else if (index >= lacks) noteShown(seen, true, wallet);
      else if (wallet.sentAt > happened.to) noteShown(seen, false, wallet);
    }
  }
}

function compareIds(a: string, b: string): number {
  return a.length - b.length || (a < b ? -1 : Number(a > b));
}

/** How many of the newest fills the wallet lacks; null where that can't be said. */
function lackedBy(
  { totals }: WalletLook,
  ledger: WalletLook['totals'],
  newestFirst: readonly FillWatch[],
): number | null {
  const missing = new Map<Asset, Amount>();
  const fits = (): boolean =>
    [...ledger].every(
      ([asset, total]) => add(totals.get(asset) ?? NO_AMOUNT, missing.get(asset) ?? NO_AMOUNT) === total,
    );
  let found = fits() ? [0] : [];
  for (const [index, { changes }] of newestFirst.entries()) {
    for (const [asset, by] of changes) missing.set(asset, add(missing.get(asset) ?? NO_AMOUNT, by));
    if (fits()) found = [...found, index + 1];
  }
  return found.length === 1 ? (found[0] ?? null) : null;
}
