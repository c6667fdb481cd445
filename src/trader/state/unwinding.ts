// What a market halted at a loss limit still trades (`limits.unwind`).
import { type EpochMs, SECOND } from '../../domain/time.ts';
import { amountDecimal, exactAmount, negate, subtract } from '../../ledger/amount.ts';
import type { Unwinding } from '../../quoting/block.ts';
import { marketIn } from '../durable/market.ts';
import type { Market } from './market.ts';
import type { With } from './state.ts';

/** Null if the market is not halted, or holds what it has. */
export function unwindingOf(
  { durable }: With<'durable'>,
  { symbol, run, takesFrom }: Market,
  now: EpochMs,
): Unwinding | null {
  const { halt, pnl } = marketIn(durable, symbol);
  const { unwind } = run.limits;
  if (halt?.unwind === undefined || unwind === undefined) return null;
  const { side, until } = halt.unwind;
  const more = subtract(exactAmount(until), pnl.inventory);
  const left = amountDecimal(side === 'buy' ? more : negate(more));
  if (!left.gt(0)) return null;
  return { side, left, takes: now >= Math.max(takesFrom, halt.since + unwind.takeAfterSeconds * SECOND) };
}
