// A wallet as totals per asset, and the trades that must be read after it before it proves anything.
import type { Balance } from '../../domain/balance.ts';
import { totalOf } from '../../domain/balance.ts';
import type { Asset, InstrumentSymbol } from '../../domain/instrument.ts';
import type { EpochMs } from '../../domain/time.ts';
import { type Amount, amountOf, NO_AMOUNT } from '../../ledger/amount.ts';
import { openedMarkets } from '../state/markets.ts';
import { marketOf, type TraderState } from '../state/state.ts';
import { need } from '../state/surfaces.ts';
import { notice, type Turn } from '../state/turn.ts';

/** The totals of `assets`; an absent one counts as zero. Null, with a notice, where one of them is not exact. */
export function totalsOf(turn: Turn, rows: readonly Balance[], assets: ReadonlySet<Asset>): Map<Asset, Amount> | null {
  const totals = new Map<Asset, Amount>([...assets].map((asset) => [asset, NO_AMOUNT]));
  for (const row of rows) {
    if (!totals.has(row.asset)) continue;
    const total = amountOf(totalOf(row, turn.state.settings.assumptions.lockedIncludesStakingAndOtc));
    if (!total.ok) {
      notice(turn, { level: 'warn', op: 'wallet-inexact', message: `The wallet's ${row.asset}: ${total.error}` });
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
 * The opened markets whose own trades say whether something moved beside a wallet. One that the exchange neither lists
 * nor shows trades of is not waited for: nothing would ever be judged.
 */
export const judgedMarkets = (state: TraderState): InstrumentSymbol[] =>
  openedMarkets(state).filter((symbol) => {
    const { unavailable, trades } = marketOf(state, symbol);
    return unavailable === null || !trades.isRefused;
  });

export function needTradesAfter(state: TraderState, symbols: readonly InstrumentSymbol[], receivedAt: EpochMs): void {
  for (const symbol of symbols) {
    const trades = state.markets.get(symbol)?.trades;
    if (trades) need(trades, receivedAt);
  }
}

/** Whether the own trades of all of them were read to their end in requests that left since then. */
export function tradesReadSince(state: TraderState, symbols: readonly InstrumentSymbol[], moment: EpochMs): boolean {
  return symbols.every((symbol) => {
    const trades = state.markets.get(symbol)?.trades;
    return trades !== undefined && trades.sentAt !== null && trades.sentAt >= moment && !trades.morePages;
  });
}
