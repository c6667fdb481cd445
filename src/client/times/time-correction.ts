// Keeps what is known of the venue's time fields while the client runs, and corrects the rows of each answer by it.
import { type DurationMs, type EpochMs, SECOND } from '../../domain/time.ts';
import type { Clock } from '../../ports/clock.ts';
import type { AnswerFacts, Completed, CreateOutcome, ReadOutcome } from '../../venue/outcomes.ts';
import type { CreateRequest, ReadKind, ReadRequest, ReadTable } from '../../venue/requests.ts';
import { stampOf } from '../clock/stamper.ts';
import { ANSWER_TIMES, type AnswerTimes, TIMED_KINDS, type TimedKind } from './answer-times.ts';
import { type DatedAnswer, observeDate, observeOrderMade, observeTimes } from './observe-times.ts';
import {
  appliedOffsetMs,
  fieldTimeOf,
  startTimeOffsets,
  TIME_OFFSET_DEFAULTS,
  type TimeOffset,
  timeOffsetOf,
} from './time-offsets.ts';

interface TimeCorrection {
  /** Learns from the rows of a read and gives them back with corrected times. Call once for each answer. */
  corrected<K extends ReadKind>(
    request: ReadRequest<K>,
    outcome: ReadOutcome<ReadTable[K]['answer']>,
    facts: AnswerFacts,
  ): ReadOutcome<ReadTable[K]['answer']>;
  /** An accepted create: the time of its order is known, and will be compared with what the list says. */
  noteCreate(request: CreateRequest, outcome: CreateOutcome, facts: AnswerFacts): void;
  offsets(): readonly TimeOffset[];
  fieldTime(kind: TimedKind, venueTime: EpochMs): EpochMs;
}

/** Throws for a configured shift that is none. */
export function createTimeCorrection(
  configured: Partial<Readonly<Record<TimedKind, DurationMs>>>,
  clock: Clock,
): TimeCorrection {
  let state = startTimeOffsets({ ...TIME_OFFSET_DEFAULTS, configured });

  /** When the answer was given by the exchange's clock, where that can be believed. */
  function answeredAt(answer: Completed): EpochMs | null {
    const dated = dateOf(answer);
    if (dated === null) return null;
    // Both clocks of one moment: this code may run long after the answer came.
    const mono = clock.monotonic() - (clock.now() - answer.facts.receivedAt);
    const seen = observeDate(state, { ...dated, mono });
    state = seen.state;
    return seen.trusted ? dated.at : null;
  }

  function corrected<K extends ReadKind>(
    request: ReadRequest<K>,
    outcome: ReadOutcome<ReadTable[K]['answer']>,
    facts: AnswerFacts,
  ): ReadOutcome<ReadTable[K]['answer']> {
    const { kind } = request;
    const venueDate = answeredAt({ kind, request, outcome, facts } as Completed);
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

  function noteCreate(request: CreateRequest, outcome: CreateOutcome, facts: AnswerFacts): void {
    const venueDate = answeredAt({ kind: 'create', request, outcome, facts });
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

/**
 * The answer's `Date`, or where a signed request was taken that contradicts it, that request's timestamp: the
 * exchange's clock was within its window then (docs/decisions/0021).
 */
function dateOf(answer: Completed): Pick<DatedAnswer, 'at' | 'proved'> | null {
  const { venueDate, sentAt, receivedAt } = answer.facts;
  const stamp = stampOf(answer);
  if (stamp?.verdict !== 'taken') return venueDate === undefined ? null : { at: venueDate, proved: false };
  const slackMs = stamp.recvWindow + (receivedAt - sentAt) + SECOND;
  const agrees = venueDate !== undefined && Math.abs(venueDate - stamp.timestamp) <= slackMs;
  return { at: agrees ? venueDate : stamp.timestamp, proved: true };
}

/** The parameters without the stamp: the same question asked again has the same text. */
function questionOf(request: object): string {
  return JSON.stringify(request, (name, value: unknown) => (name === 'stamp' ? undefined : value));
}
