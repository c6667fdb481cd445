// The machine's clock was set: converts the journal's times to the current clock (decision 0016).
import type { DurationMs, EpochMs } from '../../../domain/time.ts';
import type { Lock } from '../../../quoting/protection-settings.ts';
import type { Durable, Stamp } from '../durable.ts';
import type { PayloadOf } from '../events.ts';
import type { Counted, MessageLog, ProtectionMemory } from '../remembered.ts';

/**
 * These times measure how long ago an order left, or something happened: by a clock that was set the result would
 * differ.
 */
export function moveClock(durable: Durable, payload: PayloadOf<'clock-moved'>): void {
  const { byMs, startedAt, journalEnd, stamp: newest, at } = payload;
  const moved = movedBy(byMs, { from: newest.sentAt, startedAt, at });
  const leftByMs = (stamp: Stamp): DurationMs => (hasNewClock(stamp, newest, byMs) ? 0 : byMs);
  const { orders, differences, journal, messages } = durable;
  for (const [id, intent] of orders.intents) {
    const { sentAt, since, horizon } = intent;
    const by = leftByMs(intent);
    orders.intents.set(id, { ...intent, sentAt: sentAt + by, since: moved(since), horizon: horizon + by });
  }
  const { newestStamp } = journal;
  if (newestStamp !== null)
    journal.newestStamp = { ...newestStamp, sentAt: newestStamp.sentAt + leftByMs(newestStamp) };
  if (journalEnd !== undefined) journal.staleFrom = journalEnd;
  const step = { byMs, startedAt, at };
  journal.knownTo = movedEnd(journal.knownTo, step);
  if (journal.answeredAt > 0) journal.answeredAt = movedEnd(journal.answeredAt, step);
  if (differences.unexplainedSince !== null) differences.unexplainedSince = moved(differences.unexplainedSince);
  moveMessages(messages, moved);
  for (const market of durable.markets.values()) {
    if (market.halt !== null) market.halt = { ...market.halt, since: moved(market.halt.since) };
    market.locks = market.locks.map((lock) => movedLock(lock, moved(lock.since)));
    market.risk.protections = movedMemory(market.risk.protections, moved);
    market.breaches = movedAll(market.breaches, moved);
  }
}

type Moved = (moment: EpochMs) => EpochMs;

/**
 * Messages sent before the clocks were compared have the new clock already: they are in order only once all have it.
 */
function moveMessages(messages: MessageLog, moved: Moved): void {
  messages.recent = movedAll(messages.recent, moved);
  const { throttled } = messages;
  if (throttled !== null) messages.throttled = { ...throttled, at: moved(throttled.at) };
}

/** Keeps the lock's duration. */
const movedLock = (lock: Lock, since: EpochMs): Lock => ({
  ...lock,
  since,
  until: lock.until === null ? null : since + (lock.until - lock.since),
});

/** Losing sales use the exchange's clock. */
const movedMemory = ({ peaks, ...rest }: ProtectionMemory, moved: Moved): ProtectionMemory => ({
  ...rest,
  peaks: movedAll(peaks, moved),
});

const movedAll = <T extends Counted>(events: readonly T[], moved: Moved): T[] =>
  events.map((event) => ({ ...event, at: moved(event.at) })).sort((a, b) => a.at - b.at);

/**
 * The end of a journal by the current clock; times recorded in this session have it already. If the clock was set back,
 * the end stays as old as it may be: the person is asked about anything later.
 */
export const movedEnd = (
  endedAt: EpochMs,
  { byMs, startedAt, at }: { readonly byMs: DurationMs; readonly startedAt: EpochMs; readonly at: EpochMs },
): EpochMs => (endedAt >= startedAt && endedAt <= at ? endedAt : Math.min(endedAt + byMs, at));

interface Step {
  readonly from: EpochMs;
  readonly startedAt: EpochMs;
  readonly at: EpochMs;
}

/**
 * A time by the clock as of `at`. Times recorded in this session, from `startedAt` on, have it already: a create that
 * the start found unanswered is unknown since the start. An older time that falls there by chance counts as one of
 * this session: the bot only waits longer for it. By how much the clock was set is known for the newest create only,
 * at `from`: later times may have the new clock already (a machine that slept, and whose process died afterward), and
 * moved to be older, their orders would be proved too early. So these are as young as they may be.
 */
const movedBy =
  (byMs: DurationMs, { from, startedAt, at }: Step): Moved =>
  (moment) => {
    if (moment >= startedAt && moment <= at) return moment;
    return Math.min(byMs < 0 && moment > from ? moment : moment + byMs, at);
  };

/**
 * Whether a create left by the new clock already: its own stamp is in the exchange's time, and reveals which clock
 * recorded the time. If the clock was set back further than that, the bot would not wait long enough.
 */
function hasNewClock({ timestamp, sentAt }: Stamp, newest: Stamp, byMs: DurationMs): boolean {
  const offsetMs = newest.timestamp - newest.sentAt - byMs;
  return Math.abs(timestamp - offsetMs - sentAt) < Math.abs(byMs) / 2;
}

/** The create for comparing clocks: if none was named, the newest that may be live. */
export const stampToCompare = (durable: Durable): Stamp | null => durable.journal.newestStamp ?? newestLive(durable);

/** If the exchange named the order, it accepted the stamp. */
function newestLive({ orders }: Durable): Stamp | null {
  const newestFirst = [...orders.intents.values()].toSorted((a, b) => b.timestamp - a.timestamp);
  return newestFirst.find(({ orderId }) => orderId !== null) ?? newestFirst[0] ?? null;
}
