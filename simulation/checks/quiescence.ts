// Whether a run came to rest: a stop is not responsible for what it does not wait for.
import type { EpochMs } from '../../src/domain/time.ts';
import type { Answered, CheckContext } from './context.ts';
import type { Told } from './journal-model.ts';

export interface Quiescence {
  answered(message: Answered): void;
  recorded(context: CheckContext, told: Told): void;
  /** The stop was proved, and left nothing that is not yet visible or that happened after the bot had ended. */
  isSettled(context: CheckContext): boolean;
}

export function createQuiescence(): Quiescence {
  /** The last session ended by itself, before the run stopped it: it could not learn of later events. */
  let endedEarlyAt: EpochMs | null = null;
  const readAt: ReadAt = { trades: new Map(), wallet: null };
  return {
    answered({ endpoint, status, query, sentAt }) {
      if (status !== 200) return;
      if (endpoint === 'spot-trades') readAt.trades.set(query.get('symbol') ?? '', sentAt);
      if (endpoint === 'wallet') readAt.wallet = sentAt;
    },
    recorded(context, { type }) {
      if (type === 'session-started') {
        endedEarlyAt = null;
        readAt.trades.clear();
        readAt.wallet = null;
      }
      if (type === 'session-ended' && context.phase() !== 'stopping') endedEarlyAt = context.now();
    },
    isSettled(context) {
      const { ended, openedAt } = context.journal;
      const trader = context.trader();
      if (trader === null || openedAt === null || ended?.flat !== true) return false;
      // A stop waits for orders, not for the owner's late trades: a difference younger than the lag does not count yet.
      // Only the bot knows since when it has known of it; M2 covers what it does not know.
      const { differsSince, standing } = trader.reconciliation;
      const lag = context.settings.assumptions.readLagBoundMs;
      const youngest = Math.max(differsSince ?? 0, ...[...standing.values()].map(({ since }) => since));
      const isYoung = differsSince !== null && ended.at - youngest <= lag;
      // The owner continues to trade after the kill latch has ended the last session.
      const isUntold = endedEarlyAt !== null && context.hadEffectsAfter('funds', endedEarlyAt);
      return !isYoung && !isUntold && !hasLateTrade(context, readAt);
    },
  };
}

/** When the last answered one of these reads left, by the bot's clock. */
interface ReadAt {
  readonly trades: Map<string, EpochMs>;
  wallet: EpochMs | null;
}

/** Whether an order that is not the bot's traded so late that the last read of own trades need not show it. */
function hasLateTrade({ journal, oracle, settings, clockError }: CheckContext, { trades, wallet }: ReadAt): boolean {
  const traded = new Set(settings.runs.map(({ instrument }) => instrument.symbol));
  return [...oracle.fills].some(([key, { orderId, symbol, time }]) => {
    // A market without a run is read when the wallet shows that something happened.
    const readAt = traded.has(symbol) ? (trades.get(symbol) ?? null) : wallet;
    const isSeen = readAt !== null && time <= readAt - clockError() - settings.assumptions.readLagBoundMs;
    return !isSeen && !journal.fills.has(key) && !journal.byOrder.has(orderId) && time >= (journal.openedAt ?? 0);
  });
}
