// E4: a session ends flat once two whole lists of each symbol, sent when nothing of the bot's could come to rest any
// more, and answered when everything was settled, show none of its orders. E5: orders after a start, or after
// maintenance of the exchange, rely on lists, trades and a wallet read since then (order-truth §5, §8 S12).
import type { EpochMs } from '../../src/domain/time.ts';
import type { CheckContext, Outgoing } from '../checks/context.ts';
import type { Told } from '../checks/journal-model.ts';
import { isWaiting } from '../fold/journal-markets.ts';
import { isAlone, lagBoundMs, slackMs } from './bounds.ts';
import type { Evidence } from './closing-proof.ts';
import { type NamedReads, namedReads } from './named-reads.ts';

/** A stop's conditions in one symbol: true time. */
export interface Symbols {
  /** When the last create sent, by any process, can last be accepted. */
  readonly horizon: ReadonlyMap<string, EpochMs>;
  /** When an order's fate was last recorded. */
  readonly settled: ReadonlyMap<string, EpochMs>;
  /** When the run or the kill latch told the bot to stop; 0 otherwise. */
  readonly stopAt: EpochMs;
}

export function whyNotFlat(
  context: CheckContext,
  { payload }: Told,
  symbols: Symbols,
  { log }: Evidence,
): string | null {
  if (context.journal.live.size > 0) return `${context.journal.live.size} intents are not closed`;
  if (log.heardAt() === null) return null;
  const reads = (payload.reads ?? {}) as Readonly<Record<string, unknown>>;
  for (const { instrument } of context.settings.runs) {
    const named = namedReads(log, instrument.symbol, reads[instrument.symbol]);
    const why = named === null ? 'nothing is named' : whyNotEmpty(context, instrument.symbol, named, symbols);
    if (why !== null) return `${instrument.symbol}: ${why}`;
  }
  return null;
}

function whyNotEmpty(context: CheckContext, symbol: string, named: NamedReads, symbols: Symbols): string | null {
  const horizon = symbols.horizon.get(symbol) ?? 0;
  const last = Math.max(horizon, symbols.stopAt) - slackMs(horizon === 0 ? 0 : lagBoundMs(context));
  let from =
    horizon === 0
      ? last
      : Math.max(last, horizon + context.settings.assumptions.readLagBoundMs - slackMs(lagBoundMs(context)));
  if (isAlone(context.settings)) {
    const { fence } = named;
    if (fence === null || fence.takenAt === null) return 'no fence that was acknowledged is named';
    if (fence.sentAt < last) return 'the fence left before the last create could be taken for the last time';
    from = Math.max(last, fence.takenAt - slackMs(0));
  }
  if (named.orders.length !== 2 || named.unknown.length > 0) return 'two lists are not named';
  for (const list of named.orders) {
    if (!list.whole) return 'a list that is named is not whole';
    if (list.sentAt < from) return `a list left ${Math.ceil(from - list.sentAt)} ms too early`;
    if (list.answeredAt < (symbols.settled.get(symbol) ?? 0)) return 'a list came before all was settled';
    const own = list.rows.find(({ orderId }) => context.journal.byOrder.has(orderId));
    if (own !== undefined && own.symbol === symbol) return `a list shows order ${own.orderId}`;
  }
  return null;
}

export function whyNotReady(context: CheckContext, { intent }: Outgoing, { log, wallets }: Evidence): string | null {
  const since = log.maintainedAt() ?? 0;
  const ask = since === 0 ? 'in this life' : 'since the maintenance';
  const unequal = intent?.symbol.split('/').find((asset) => (wallets.equalSentAt(asset) ?? -1) < since);
  if (unequal !== undefined) return `no wallet that equals the ledger in ${unequal} was asked for ${ask}`;
  for (const { instrument } of context.settings.runs) {
    const { symbol } = instrument;
    if (since === 0 && symbol !== intent?.symbol) continue;
    const isOf = (seen: { readonly symbol: string | null; readonly sentAt: EpochMs }): boolean =>
      (seen.symbol === null || seen.symbol === symbol) && seen.sentAt >= since;
    if (!log.orders.some((list) => isOf(list) && list.whole)) return `no whole list of ${symbol} was asked for ${ask}`;
    const isRead = log.trades.some((page) => isOf(page) && page.whole && (page.toTheEnd || page.count < 20));
    if (!isRead && (symbol === intent?.symbol || !mayStayUnread(context, symbol)))
      return `own trades of ${symbol} were not read ${ask}`;
  }
  return null;
}

/** Own trades of a market that waits to be opened, or that a gap in them has halted, may never be read to their end. */
const mayStayUnread = ({ journal }: CheckContext, symbol: string): boolean =>
  isWaiting(journal, symbol) || journal.halts.get(symbol)?.code === 'trades-gap';
