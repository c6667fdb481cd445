// Orders that lists lack and whose funds may be locked: they count for a deadline longer (decision 0014).
import type { InstrumentSymbol } from '../../src/domain/instrument.ts';
import type { Side } from '../../src/domain/order.ts';
import type { DurationMs } from '../../src/domain/time.ts';
import type { CheckContext } from '../checks/context.ts';
import type { JournalIntent } from '../checks/journal-model.ts';

/**
 * What the owner locks may be what an order locks. So may the orders of a new process be for one of a process before,
 * which somebody else canceled meanwhile.
 */
export const mayBeLocked = (context: CheckContext, { epoch }: JournalIntent): boolean =>
  context.excused('funds') || epoch !== context.journal.epoch;

/** The side of the orders that are closing and hold their places for that; `ms`: what else lists take to lack them. */
export function sidesHeld(context: CheckContext, symbol: InstrumentSymbol, ms: DurationMs): readonly Side[] {
  const { resolutionDeadlineMs } = context.settings.assumptions;
  return [...context.journal.live.values()]
    .filter((intent) => intent.symbol === symbol && intent.state === 'closing' && mayBeLocked(context, intent))
    .filter(({ since }) => context.now() - since <= resolutionDeadlineMs + ms)
    .map(({ side }) => side);
}
