// The clock of the machine was set: the moments that the journal holds, by the clock as it is now (decision 0016).
import type { DurationMs, EpochMs } from '../../../domain/time.ts';
import type { Lock } from '../../../quoting/lock.ts';
import type { Durable } from '../durable.ts';
import type { PayloadOf } from '../events.ts';
import type { Intent } from '../intent.ts';
import type { ProtectionMemory } from '../remembered/protections.ts';

/**
 * What is measured from these moments is how long ago an order left, or changed: by a clock that was set it would be
 * another time. A create that the start found without an answer is unknown since the start, and what was
 * canceled before the clocks were compared is so since then, by the clock as it is now. An older moment that falls
 * there by chance is taken for one of now: it is waited longer for.
 */
export function moveClock(
  durable: Durable,
  { byMs, startedAt = Number.POSITIVE_INFINITY, journalEnd, at }: PayloadOf<'clock-moved'>,
): void {
  const newest = newestOf(durable);
  const moved = movedBy(byMs, { from: newest?.sentAt ?? Number.NEGATIVE_INFINITY, at });
  for (const [id, intent] of durable.orders.intents) {
    const leftByMs = newest !== undefined && hasNewClock(intent, newest, byMs) ? 0 : byMs;
    const isOfNow = intent.since >= startedAt && intent.since <= at;
    // What a start between noted that no answer came to has the new clock as well: moved once more it would lie ahead.
    const since = isOfNow ? intent.since : moved(intent.since);
    const { sentAt, horizon } = intent;
    durable.orders.intents.set(id, { ...intent, sentAt: sentAt + leftByMs, since, horizon: horizon + leftByMs });
  }
  const { differences, journal } = durable;
  if (journalEnd !== undefined) journal.staleFrom = journalEnd;
  if (differences.unexplainedSince !== null) differences.unexplainedSince = moved(differences.unexplainedSince);
  if (differences.accountedTo !== null) differences.accountedTo = moved(differences.accountedTo);
  for (const market of durable.markets.values()) {
    if (market.waitingSince !== null) market.waitingSince = moved(market.waitingSince);
    market.locks = market.locks.map((lock) => movedLock(lock, moved(lock.since)));
    market.risk.protections = movedMemory(market.risk.protections, moved);
    market.breaches = market.breaches.map((breach) => ({ ...breach, at: moved(breach.at) }));
  }
}

/** It lasts as long as it was to. */
const movedLock = (lock: Lock, since: EpochMs): Lock => ({
  ...lock,
  since,
  until: lock.until === null ? null : since + (lock.until - lock.since),
});

const movedMemory = (memory: ProtectionMemory, moved: (moment: EpochMs) => EpochMs): ProtectionMemory => ({
  ...memory,
  refusals: memory.refusals.map(moved),
  peaks: memory.peaks.map((peak) => ({ ...peak, at: moved(peak.at) })),
});

/**
 * A moment by the clock as it is at `at`. By what the clock was set is known of the newest create alone, at `from`:
 * what was noted after that may have the new clock already (a machine that slept, and whose process died afterwards),
 * and made older it would be proved too early. It is as young as it may be.
 */
const movedBy =
  (byMs: DurationMs, { from, at }: { readonly from: EpochMs; readonly at: EpochMs }) =>
  (moment: EpochMs): EpochMs =>
    Math.min(byMs < 0 && moment > from ? moment : moment + byMs, at);

/**
 * Whether a create left by the new clock already: its own stamp is in the exchange's time, and says by which of the two
 * its moment was noted. One that was set back further than that would not be waited for.
 */
function hasNewClock({ timestamp, sentAt }: Intent, newest: Intent, byMs: DurationMs): boolean {
  const offsetMs = newest.timestamp - newest.sentAt - byMs;
  return Math.abs(timestamp - offsetMs - sentAt) < Math.abs(byMs) / 2;
}

/** The create by which clocks are compared. Of an order that the exchange named the stamp was taken, too. */
export function newestOf(durable: Durable): Intent | undefined {
  const newestFirst = [...durable.orders.intents.values()].toSorted((a, b) => b.timestamp - a.timestamp);
  return newestFirst.find(({ orderId }) => orderId !== null) ?? newestFirst[0];
}
