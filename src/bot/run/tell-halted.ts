// What a start finds halted. Whoever was told of it may have been told that it is over since, as its market was taken
// out of the configuration meanwhile; or nobody was, as the state folder is a restored one or a channel is new.
import type { Durable } from '../../trader/durable/durable.ts';
import { marketIn } from '../../trader/durable/market.ts';
import { symbolsOf, type TraderState } from '../../trader/state/state.ts';
import type { Log } from '../base/log.ts';

/** `before`: what the journal held before the start; what halts by the start itself is told by the trader. */
export function tellHalted(before: Durable | null, state: TraderState, log: Pick<Log, 'logEvent'>): void {
  if (before === null) return;
  for (const symbol of symbolsOf(state)) {
    const was = marketIn(before, symbol).halt;
    const halt = marketIn(state.durable, symbol).halt;
    if (was === null || halt === null || halt.reason !== was.reason) continue;
    const message = `${symbol} is halted: ${halt.reason}`;
    log.logEvent({ op: 'symbol-halted', level: 'error', symbol, message });
  }
}
