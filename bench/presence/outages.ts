// Stretches in which the exchange is in maintenance, or the network is gone, drawn from the seed.
import { createMessageFaults } from '../../simulation/faults/message-faults.ts';
import type { TransportPlace } from '../../src/backtest/play.ts';
import { randomStream, uniform } from '../../src/crowd/random.ts';
import { type DurationMs, HOUR, MINUTE, SECOND } from '../../src/domain/time.ts';
import { control } from '../../src/paper/exchange.ts';
import type { Transport } from '../../src/ports/transport.ts';
import type { Span } from './spans.ts';

export interface Outages {
  readonly maintenance: readonly Span[];
  readonly noNetwork: readonly Span[];
}

/** Of each kind. */
const PER_HOUR = 2;
const LASTS: readonly [DurationMs, DurationMs] = [30 * SECOND, 2 * MINUTE];

/** One of each kind in each part of the span: they may touch. */
export function drawOutages(seed: number, { from, until }: Span): Outages {
  const stream = randomStream(seed, 'outages');
  const parts = Math.max(1, Math.round(((until - from) / HOUR) * PER_HOUR));
  const part = (until - from) / parts;
  const draw = (index: number): Span => {
    const lasts = LASTS[0] + uniform(stream) * (LASTS[1] - LASTS[0]);
    const begins = from + part * index + uniform(stream) * Math.max(0, part - lasts);
    return { from: Math.floor(begins), until: Math.floor(begins + lasts) };
  };
  const spans = (): Span[] => Array.from({ length: parts }, (_, index) => draw(index));
  return { maintenance: spans(), noNetwork: spans() };
}

/** The network in these times. */
export function throughOutages(inner: Transport, place: TransportPlace, outages: Outages): Transport {
  const { clock, sleep, exchange } = place;
  const inject = createMessageFaults({ inner, clock, sleep });
  const isIn = (spans: readonly Span[]): boolean =>
    spans.some(({ from, until }) => from <= clock.now() && clock.now() < until);
  return {
    send(request) {
      control(exchange(), { maintenance: isIn(outages.maintenance) });
      if (isIn(outages.noNetwork)) return inject('not-sent', request, { next: () => 0 });
      return inner.send(request);
    },
    close: () => inner.close(),
  };
}
