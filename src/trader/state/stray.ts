// An order that is listed although it was proved closed: it is canceled again, which is harmless.
import type { OrderId } from '../../domain/ids.ts';
import type { InstrumentSymbol } from '../../domain/instrument.ts';
import type { EpochMs } from '../../domain/time.ts';
import type { CancelOutcome } from '../../venue/outcomes.ts';

export interface Stray {
  readonly symbol: InstrumentSymbol;
  /** When its cancel left; null before. */
  sentAt: EpochMs | null;
  /** When that was acknowledged; lists of before the lag bound after it tell nothing new. */
  takenAt: EpochMs | null;
}

/** One whose cancel was not acknowledged is canceled again as soon as a list shows it. */
export function noteStrayCanceled(
  strays: Map<OrderId, Stray>,
  orderId: OrderId,
  outcome: CancelOutcome,
  now: EpochMs,
): void {
  const stray = strays.get(orderId);
  if (stray === undefined) return;
  if (outcome.kind === 'acknowledged') stray.takenAt = now;
  else strays.delete(orderId);
}
