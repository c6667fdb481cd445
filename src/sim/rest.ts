// Whether a run came to rest: what a stop does not wait for can't be asked of it.
import type { EpochMs } from '../domain/time.ts';
import type { TraderState } from '../trader/state.ts';
import type { Told } from './claims.ts';
import type { Scene } from './scene.ts';

export interface Rest {
  recorded(scene: Scene, told: Told): void;
  /** The stop was proved, and left nothing that is still on its way to being seen, or that happened when nobody looked any more. */
  isSettled(scene: Scene): boolean;
}

export function createRest(): Rest {
  /** The last session ended of itself, before the run stopped it: of what came after nobody has told it. */
  let endedEarlyAt: EpochMs | null = null;
  return {
    recorded(scene, { type }) {
      if (type === 'session-started') endedEarlyAt = null;
      if (type === 'session-ended' && scene.phase() !== 'stopping') endedEarlyAt = scene.now();
    },
    isSettled(scene) {
      const trader = scene.trader();
      if (trader === null || scene.claims.openedAt === null || !trader.durable.endedFlat) return false;
      // A stop waits for orders, not for the owner's late trades: a difference that is younger than the lag is none yet (seed 1087).
      const { differsSince } = trader.reconciliation;
      const lag = scene.settings.assumptions.readLagBoundMs;
      const isYoung = differsSince !== null && trader.durable.lastEventAt - differsSince <= lag;
      // The owner trades on when the kill latch has ended the last session (seed 8303).
      const isUntold = endedEarlyAt !== null && scene.hadEffectsAfter('funds', endedEarlyAt);
      return !isYoung && !isUntold && !hasLateTrade(scene, trader);
    },
  };
}

/** Whether an order that is not the bot's traded so late that no list had to show it when own trades were last read (seed 1861). */
function hasLateTrade({ claims, oracle, settings, clockError }: Scene, { surfaces }: TraderState): boolean {
  return [...oracle.fills].some(([key, { orderId, symbol, time }]) => {
    // A market that no run has is read where the wallet shows that something happened.
    const readAt = (surfaces.trades.get(symbol) ?? surfaces.wallet).sentAt;
    const isSeen = readAt !== null && time <= readAt - clockError() - settings.assumptions.readLagBoundMs;
    return !isSeen && !claims.fills.has(key) && !claims.byOrder.has(orderId) && time >= (claims.openedAt ?? 0);
  });
}
