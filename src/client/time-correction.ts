// Keeps what is known of the venue's time fields while the client runs, and corrects the rows of each answer by it.
import type { DurationMs, EpochMs } from '../domain/time.ts';
import type { Clock } from '../ports/clock.ts';
import type { AnswerFacts, CreateOutcome, ReadOutcome } from '../venue/outcomes.ts';
import type { ReadKind, ReadRequest, ReadTable } from '../venue/requests.ts';
import { ANSWER_TIMES, type AnswerTimes, TIMED_KINDS, type TimedKind } from './answer-times.ts';
import { observeDate, observeOrderMade, observeTimes } from './observe-times.ts';
import {
  appliedOffsetMs,
  fieldTimeOf,
  startTimeOffsets,
  TIME_OFFSET_DEFAULTS,
  type TimeOffset,
  timeOffsetOf,
} from './time-offsets.ts';

export interface TimeCorrection {
  /** Learns from the rows of a read and gives them back with corrected times. Call once per answer. */
  corrected<K extends ReadKind>(
    request: ReadRequest<K>,
    outcome: ReadOutcome<ReadTable[K]['answer']>,
    facts: AnswerFacts,
  ): ReadOutcome<ReadTable[K]['answer']>;
  /** An accepted create: the time of its order is known, and will be compared with what the list says. */
  noteCreate(outcome: CreateOutcome, facts: AnswerFacts): void;
  offsets(): readonly TimeOffset[];
  fieldTime(kind: TimedKind, venueTime: EpochMs): EpochMs;
}

/** Throws for a configured shift that is none. */
export function createTimeCorrection(
  configured: Partial<Readonly<Record<TimedKind, DurationMs>>>,
  clock: Clock,
): TimeCorrection {
  let state = startTimeOffsets({ ...TIME_OFFSET_DEFAULTS, configured });

  /** The answer's `Date`, where it can be believed. */
  function trustedDate({ venueDate, receivedAt }: AnswerFacts): EpochMs | null {
    if (venueDate === undefined) return null;
    // Both clocks of one moment: this code may run long after the answer came.
    const seen = observeDate(state, venueDate, clock.monotonic() - (clock.now() - receivedAt));
    state = seen.state;
    return seen.trusted ? venueDate : null;
  }

  function corrected<K extends ReadKind>(
    request: ReadRequest<K>,
    outcome: ReadOutcome<ReadTable[K]['answer']>,
    facts: AnswerFacts,
  ): ReadOutcome<ReadTable[K]['answer']> {
    const { kind } = request;
    const venueDate = trustedDate(facts);
    const times: AnswerTimes<ReadTable[K]['answer']> | null = ANSWER_TIMES[kind];
    if (outcome.kind !== 'read' || times === null) return outcome;
    const { rows, complete } = outcome.read;
    if (venueDate !== null) {
      const seen = {
        kind,
        list: questionOf(request),
        shape: times.shape,
        times: times.read(rows),
        complete,
        venueDate,
      };
      state = observeTimes(state, seen);
    }
    const offsetMs = appliedOffsetMs(state, kind);
    return offsetMs === 0 ? outcome : { kind: 'read', read: { ...outcome.read, rows: times.earlier(rows, offsetMs) } };
  }

  function noteCreate(outcome: CreateOutcome, facts: AnswerFacts): void {
    const venueDate = trustedDate(facts);
    if (outcome.kind !== 'accepted' || venueDate === null) return;
    const roundTripMs = facts.receivedAt - facts.sentAt;
    state = observeOrderMade(state, { name: outcome.orderId, venueDate, roundTripMs });
  }

  return {
    corrected,
    noteCreate,
    offsets: () => TIMED_KINDS.map((kind) => timeOffsetOf(state, kind)),
    fieldTime: (kind, venueTime) => fieldTimeOf(state, kind, venueTime),
  };
}

/** The parameters without the stamp: the same question asked again has the same text. */
function questionOf(request: object): string {
  return JSON.stringify(request, (name, value: unknown) => (name === 'stamp' ? undefined : value));
}
