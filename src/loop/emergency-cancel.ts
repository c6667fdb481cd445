// When the trader can't be trusted any more (a bug, a dead disk): every order that it knows by name is cancelled once, from memory.
import type { Lane } from '../client/lane.ts';
import type { OrderId } from '../domain/ids.ts';
import type { EpochMs } from '../domain/time.ts';
import type { Clock } from '../ports/clock.ts';
import type { Venue } from '../ports/venue.ts';
import type { TraderState } from '../trader/state.ts';

export interface EmergencyParts {
  readonly clock: Clock;
  readonly venue: Venue;
  /** The private lane. */
  readonly lane: Lane;
}

export interface EmergencyResult {
  readonly known: number;
  readonly acknowledged: number;
}

/**
 * Nothing is written down and nothing is verified: an acknowledged cancel proves no state, and the next start finds the truth from
 * the journal. Ends when all are answered or `until` has come.
 */
export async function emergencyCancel(
  state: TraderState,
  parts: EmergencyParts,
  until: EpochMs,
): Promise<EmergencyResult> {
  const { clock, venue, lane } = parts;
  const known = [...state.durable.intents.values()].flatMap(({ orderId }) => (orderId === null ? [] : [orderId]));
  let acknowledged = 0;
  const cancel = async (orderId: OrderId): Promise<void> => {
    const timestamp = Math.round(clock.now() + (state.clock?.offsetMs ?? 0));
    const stamp = { timestamp, recvWindow: state.settings.assumptions.recvWindowMs };
    const { outcome } = await venue.perform({ kind: 'cancel', orderId, stamp });
    if (outcome.kind === 'acknowledged') acknowledged += 1;
  };
  const all = Promise.allSettled(known.map((orderId) => lane.ticket(() => cancel(orderId))));
  let late: ReturnType<typeof setTimeout> | undefined;
  const over = new Promise<void>((resolve) => {
    late = setTimeout(resolve, Math.max(0, until - clock.now()));
  });
  await Promise.race([all, over]);
  clearTimeout(late);
  return { known: known.length, acknowledged };
}
