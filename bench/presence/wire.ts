// What passes between the bot and the exchange, counted.
import type { EpochMs } from '../../src/domain/time.ts';
import type { Clock } from '../../src/ports/clock.ts';
import type { Transport } from '../../src/ports/transport.ts';
import { ENDPOINTS } from '../../src/venue/endpoints.ts';
import { common, type Span } from './spans.ts';

export interface WireCounts {
  /** Answers 429. */
  throttled: number;
  private: number;
  creates: number;
}

const PRIVATE = new Set(
  Object.values(ENDPOINTS)
    .filter(({ lane }) => lane === 'private')
    .map(({ path }) => path),
);
const CREATE = ENDPOINTS.create.path;
const TOO_MANY_REQUESTS = 429;

const isWithin = (span: Span, at: EpochMs): boolean => {
  const { from, until } = common(span, { from: at, until: at + 1 });
  return until > from;
};

/** Counts what leaves within the span; every 429 of the run counts. */
export function countedWire(inner: Transport, parts: { clock: Clock; span: Span; counts: WireCounts }): Transport {
  const { clock, span, counts } = parts;
  return {
    async send(request) {
      const { pathname } = new URL(request.url);
      if (isWithin(span, clock.now())) {
        if (PRIVATE.has(pathname)) counts.private += 1;
        if (pathname === CREATE && request.method === 'POST') counts.creates += 1;
      }
      const result = await inner.send(request);
      if (result.kind === 'response' && result.status === TOO_MANY_REQUESTS) counts.throttled += 1;
      return result;
    },
    close: () => inner.close(),
  };
}
