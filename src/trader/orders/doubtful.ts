// A create that has no answer, and that a first look did not find: its level need not wait for the proof.
import type { EpochMs } from '../../domain/time.ts';
import { liveIntents } from '../durable/durable.ts';
import type { Intent } from '../durable/intent.ts';
import { isUnresolved } from '../policy/attribution/match.ts';
import { marketOf, runOf, type TraderState } from '../state/state.ts';

/**
 * Whether another order may stand in for it (`refresh.whileUnknown`): a complete list of orders and own trades, both
 * asked for after the answer was given up on, do not show it. That proves nothing, and it counts as live until it is
 * resolved. One of a level at a time: where the other one is not answered either, the level waits.
 */
export function isDoubtful(state: TraderState, intent: Intent): boolean {
  if (!isUnresolved(intent)) return false;
  const { symbol, slot, since } = intent;
  if (runOf(state, symbol).refresh.whileUnknown === 'freeze') return false;
  const { openOrders, trades } = marketOf(state, symbol);
  const hasLeft = (sentAt: EpochMs | null): boolean => sentAt !== null && sentAt >= since;
  if (!hasLeft(openOrders.sentAt)) return false;
  if (!hasLeft(trades.sentAt) || trades.morePages) return false;
  return liveIntents(state.durable, symbol).find((each) => each.slot === slot && isUnresolved(each)) === intent;
}
