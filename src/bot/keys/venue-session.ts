// A short exchange of requests outside the loop: one at a time at the configured pace, with an estimate of the
// exchange's clock.

import type { ClockEstimate } from '../../client/clock/server-clock.ts';
import { createStamper } from '../../client/clock/stamper.ts';
import { createExchangeClient } from '../../client/exchange-client.ts';
import { learnedFacts } from '../../client/outcomes/rate-limit-headers.ts';
import { createGotTransport } from '../../client/transport/got-transport.ts';
import type { DurationMs } from '../../domain/time.ts';
import { realClock } from '../../ports/clock.ts';
import { ENDPOINTS } from '../../venue/endpoints.ts';
import { errorCode } from '../../venue/error-codes.ts';
import type { AnswerFacts, Completed } from '../../venue/outcomes.ts';
import type { Stamp, VenueRequest } from '../../venue/requests.ts';
import { type StampedVenue, stampedVenue } from '../../watchdog/run-sweep.ts';
import type { Settings } from '../settings/types.ts';
import { type ApiKeys, clientSettings } from './keys.ts';

export interface VenueSession {
  /** Waits for the lane's turn, stamps private requests, sends, and learns from the answer's `Date`. */
  ask(request: VenueRequest): Promise<Completed>;
  /** The estimate from the answers so far; null before the first. */
  clock(): ClockEstimate | null;
  /** For private requests: the estimated time of the exchange, or our own while nothing is known. */
  stamp(): Stamp;
  /** Resolves when each lane may send again, since the next sender does not know what was sent here. */
  rest(): Promise<void>;
  close(): void;
}

export function openVenueSession(settings: Settings, keys: ApiKeys): VenueSession {
  const venue = openClient(settings, keys);
  const stamper = createStamper(realClock, settings.trader.assumptions.recvWindowMs);
  const freeAt = { public: 0, private: 0 };

  async function ask(request: VenueRequest): Promise<Completed> {
    // Whether the exchange counts legacy requests separately is unknown (Q18): they share the public lane.
    const lane = ENDPOINTS[request.kind].lane === 'private' ? 'private' : 'public';
    const wait = freeAt[lane] - realClock.monotonic();
    if (wait > 0) await sleep(wait);
    freeAt[lane] = realClock.monotonic() + 1_000 / settings.lanes[lane].requestsPerSecond;
    // Stamped as it leaves: it may have waited longer than a stamp is valid.
    const completed = await venue.perform('stamp' in request ? { ...request, stamp: stamper.stamp() } : request);
    const facts = learnedFacts(stamper, completed);
    freeAt[lane] = Math.max(freeAt[lane], realClock.monotonic() + askedToWait(facts));
    return completed;
  }

  const rest = (): Promise<void> => sleep(Math.max(0, Math.max(freeAt.public, freeAt.private) - realClock.monotonic()));
  return { ask, clock: stamper.estimate, stamp: stamper.stamp, rest, close: () => venue.close() };
}

/** The wait that an answer demands: the window is used up, or the limit was exceeded. */
function askedToWait({ rateLimit, receivedAt }: AnswerFacts): DurationMs {
  const { remaining, resetAt, retryAfter = 0 } = rateLimit ?? {};
  const untilReset = remaining === 0 && resetAt !== undefined ? resetAt - receivedAt : 0;
  return Math.max(retryAfter, untilReset);
}

const sleep = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

/** A client without a loop's pacing. */
function openClient(settings: Settings, keys: ApiKeys): ReturnType<typeof createExchangeClient> {
  const transport = createGotTransport({ baseUrls: baseUrlsOf(settings) }, realClock);
  return createExchangeClient({ settings: clientSettings(settings, keys), transport, clock: realClock });
}

/** The same for commands that only cancel and list. */
export const openStampedVenue = (settings: Settings, keys: ApiKeys): StampedVenue =>
  stampedVenue(openClient(settings, keys), realClock, settings.trader.assumptions.recvWindowMs);

export function baseUrlsOf({ venue }: Settings): string[] {
  return venue.legacyBaseUrl === null ? [venue.baseUrl] : [venue.baseUrl, venue.legacyBaseUrl];
}

// A refused key may have been replaced on disk: commands that cancel read it again instead of retrying the old one for
// hours.

export interface KeyedVenueParts {
  readonly keys: ApiKeys;
  /** Reads them again. If it throws, the old ones stay in use: the file may be mid-write. */
  readonly read: () => ApiKeys;
  readonly open: (keys: ApiKeys) => StampedVenue;
  /** Called when new keys were found; nothing has been signed with them yet. */
  readonly replaced: (keys: ApiKeys) => void;
}

/** Signs with the keys read last, and reads them again after each refusal. */
export function venueWithRereadKeys({ keys: first, read, open, replaced }: KeyedVenueParts): StampedVenue {
  let keys = first;
  let venue = open(keys);

  function reread(): void {
    const found = readOrNull(read);
    if (found === null || isSame(found, keys)) return;
    replaced(found);
    venue.close();
    keys = found;
    venue = open(keys);
  }

  return {
    perform: async (request) => {
      const completed = await venue.perform(request);
      if (refusesKeys(completed)) reread();
      return completed;
    },
    close: () => venue.close(),
  };
}

function readOrNull(read: () => ApiKeys): ApiKeys | null {
  try {
    return read();
  } catch {
    return null;
  }
}

const isSame = (a: ApiKeys, b: ApiKeys): boolean =>
  a.key.reveal() === b.key.reveal() && a.secret.reveal() === b.secret.reveal();

const UNAUTHORIZED = 401;

/** In doubt it says yes: reading a file once more costs nothing. */
function refusesKeys({ outcome, facts }: Completed): boolean {
  const answered = 'fault' in outcome ? outcome.fault : outcome;
  const code = 'code' in answered ? answered.code : undefined;
  return facts.status === UNAUTHORIZED || (code !== undefined && errorCode(code)?.remedy === 'stop-all');
}
