// The clock of the machine was set: the moments that the journal holds, by the clock as it is now (decision 0016).
import type { DurationMs, EpochMs } from '../../domain/time.ts';
import type { Durable } from '../durable/durable.ts';
import type { TraderEvent } from '../durable/events.ts';
import type { Intent } from '../durable/intent.ts';

/**
 * What is measured from these moments is how long ago an order left, or changed: by a clock that was set it would be
 * another time. A create that the start found without an answer is unknown since the start (seed 7017), and what was
 * canceled before the clocks were compared is so since then, by the clock as it is now. An older moment that falls
 * there by chance is taken for one of now: it is waited longer for.
 */
export function moveClock(
  durable: Durable,
  { byMs, startedAt = Number.POSITIVE_INFINITY, at }: Extract<TraderEvent, { type: 'clock-moved' }>['payload'],
): void {
  const moved = movedBy(byMs, { from: newestOf(durable)?.sentAt ?? Number.NEGATIVE_INFINITY, at });
  for (const [id, intent] of durable.intents) {
    const { sentAt, horizon } = intent;
    const isOfNow = intent.since >= startedAt && intent.since <= at;
    // What a start between noted that no answer came to has the new clock as well: moved once more it would lie ahead.
    const since = isOfNow ? intent.since : moved(intent.since);
    durable.intents.set(id, { ...intent, sentAt: sentAt + byMs, since, horizon: horizon + byMs });
  }
  if (durable.unexplainedSince !== null) durable.unexplainedSince = moved(durable.unexplainedSince);
  for (const [symbol, since] of durable.added) durable.added.set(symbol, moved(since));
  for (const [symbol, breaches] of durable.breaches) {
    const byNewClock = breaches.map((breach) => ({ ...breach, at: moved(breach.at) }));
    durable.breaches.set(symbol, byNewClock);
  }
}

/**
 * A moment by the clock as it is at `at`. By what the clock was set is known of the newest create alone, at `from`:
 * what was noted after that may have the new clock already (a machine that slept, and whose process died afterwards),
 * and made older it would be proved too early. It is as young as it may be.
 */
const movedBy =
  (byMs: DurationMs, { from, at }: { readonly from: EpochMs; readonly at: EpochMs }) =>
  (moment: EpochMs): EpochMs =>
    Math.min(byMs < 0 && moment > from ? moment : moment + byMs, at);

/** The create by which clocks are compared. Of an order that the exchange named the stamp was taken, too. */
export function newestOf(durable: Durable): Intent | undefined {
  const newestFirst = [...durable.intents.values()].toSorted((a, b) => b.timestamp - a.timestamp);
  return newestFirst.find(({ orderId }) => orderId !== null) ?? newestFirst[0];
}
