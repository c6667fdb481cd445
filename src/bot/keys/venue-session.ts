// A short exchange of requests outside the loop: one at a time at the configured pace, with an estimate of the
// exchange's clock.
import { createStamper } from '../../client/clock/stamper.ts';
import { createExchangeClient } from '../../client/exchange-client.ts';
import { learnedFacts } from '../../client/outcomes/rate-limit-headers.ts';
import { createGotTransport } from '../../client/transport/got-transport.ts';
import type { DurationMs } from '../../domain/time.ts';
import { realClock } from '../../ports/clock.ts';
import type { Transport, Venue } from '../../ports/transport.ts';
import { ENDPOINTS } from '../../venue/endpoints.ts';
import type { AnswerFacts, Completed } from '../../venue/outcomes.ts';
import type { VenueRequest } from '../../venue/requests.ts';
import { type StampedVenue, stampedVenue } from '../../watchdog/run-sweep.ts';
import type { Settings } from '../settings/types.ts';
import { type ApiKeys, clientSettings } from './keys.ts';

export type VenueSession = ReturnType<typeof openVenueSession>;

export function openVenueSession(settings: Settings, keys: ApiKeys, transport?: Transport) {
  const venue = openClient(settings, keys, transport);
  const stamper = createStamper(realClock, settings.trader.assumptions.recvWindowMs);
  const freeAt = { public: 0, private: 0 };

  /** Waits for the lane's turn, stamps private requests, sends, and learns from the answer's `Date`. */
  async function ask(request: VenueRequest): Promise<Completed> {
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

  return {
    ask,
    /** The estimate from the answers so far; null before the first. */
    clock: stamper.estimate,
    /** For private requests: the estimated time of the exchange, or our own while nothing is known. */
    stamp: stamper.stamp,
    /** Resolves when each lane may send again, since the next sender does not know what was sent here. */
    rest: () => sleep(Math.max(0, Math.max(freeAt.public, freeAt.private) - realClock.monotonic())),
    close: () => venue.close(),
  };
}

/** The wait that an answer demands: the window is used up, or the limit was exceeded. */
function askedToWait({ rateLimit, receivedAt }: AnswerFacts): DurationMs {
  const { remaining, resetAt, retryAfter = 0 } = rateLimit ?? {};
  const untilReset = remaining === 0 && resetAt !== undefined ? resetAt - receivedAt : 0;
  return Math.max(retryAfter, untilReset);
}

const sleep = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

/** A client without a loop's pacing. */
function openClient(
  settings: Settings,
  keys: ApiKeys,
  transport: Transport = createGotTransport({ baseUrls: [settings.venue.baseUrl] }, realClock),
): Venue {
  return createExchangeClient({ settings: clientSettings(settings, keys), transport, clock: realClock });
}

/** The same for commands that only cancel and list. */
export const openStampedVenue = (settings: Settings, keys: ApiKeys): StampedVenue =>
  stampedVenue(openClient(settings, keys), realClock, settings.trader.assumptions.recvWindowMs);
