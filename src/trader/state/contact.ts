// Whether one lane of the exchange answers: what the last answers and the first unanswered request tell. Pure
// transitions; `responsive.ts` decides what counts as an answer and asks the questions.
import type { DurationMs, EpochMs } from '../../domain/time.ts';
import type { Chosen } from '../durable/chosen.ts';

/**
 * The two lanes fail apart: public and private requests may go to different addresses, and each has its own rate limit.
 */
export type ContactLane = 'public' | 'private';

/** Why a symbol rests whose creates did not leave this machine: not its own fault. */
export const NOTHING_LEFT = 'nothing left this machine';

export interface Contact {
  /** When the last answer came that the trader used; null before the first. */
  readonly usedAt: EpochMs | null;
  /** When the first request left that was not answered since then; null while the lane answers. */
  readonly silentSince: EpochMs | null;
  /** How many requests have come to nothing since then. */
  readonly probes: number;
  /** What became of the last of them, one sentence; null while the lane answers. */
  readonly because: string | null;
  /** The exchange itself answered the last of them: too many requests, or a failure with a code of its own. */
  readonly refuses: boolean;
  /** When the lane answered again after its last silence; null before the first. */
  readonly againAt: EpochMs | null;
  /** Reads wait until then: a 503 or 504 named it. */
  readonly readsFrom: EpochMs;
  /** When the last read was answered, and the first of the row of reads without a long gap between two. */
  readonly readAt: EpochMs;
  readonly readSince: EpochMs;
}

/** A request that is on its way. */
export interface InFlight {
  readonly chosen: Chosen;
  readonly lane: ContactLane;
  readonly leftAt: EpochMs;
}

export function startContact(now: EpochMs): Contact {
  return {
    usedAt: null,
    silentSince: null,
    probes: 0,
    because: null,
    refuses: false,
    againAt: null,
    readsFrom: 0,
    readAt: now,
    readSince: now,
  };
}

/** It was answered, whatever the answer says. `used`: the answer tells what was asked. */
export function withAnswer(contact: Contact, { used, arrivedAt }: { used: boolean; arrivedAt: EpochMs }): Contact {
  const usedAt = used ? arrivedAt : contact.usedAt;
  return { ...contact, usedAt, silentSince: null, probes: 0, because: null, refuses: false, readsFrom: 0 };
}

export interface Unanswered {
  readonly leftAt: EpochMs;
  readonly because: string;
  readonly refuses?: boolean;
  /** What the answer of a gateway names for reads. */
  readonly readsFrom?: EpochMs;
}

/** A request that left before the last answer came tells nothing of the time after that. */
export function withoutAnswer(before: Contact, unanswered: Unanswered): Contact {
  const { leftAt, because, refuses = false, readsFrom = 0 } = unanswered;
  const contact = { ...before, readsFrom: Math.max(before.readsFrom, readsFrom) };
  if (contact.silentSince !== null) return { ...contact, because, refuses, probes: contact.probes + 1 };
  if (contact.usedAt !== null && leftAt < contact.usedAt) return contact;
  return { ...contact, silentSince: leftAt, probes: 1, because, refuses };
}

/** A silence is over. */
export const withEndOfSilence = (contact: Contact, againAt: EpochMs): Contact => ({ ...contact, againAt });

/** A read was answered; `gapMs` is the longest time between two of them that is no gap. */
export function withRead(contact: Contact, { arrivedAt, gapMs }: { arrivedAt: EpochMs; gapMs: DurationMs }): Contact {
  const readSince = arrivedAt - contact.readAt > gapMs ? arrivedAt : contact.readSince;
  return { ...contact, readAt: arrivedAt, readSince };
}
