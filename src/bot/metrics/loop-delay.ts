// How late timers of this process fire: what the event loop was held up for.
import type { Histogram } from 'prom-client';
import { realClock } from '../../ports/clock.ts';

const EVERY_MS = 20;

/**
 * Observes the lateness of a timer, in seconds. A histogram and not the runtime's own monitor, which must be reset at
 * each scrape to show a new maximum, and loses what happens around the reset. Returns what ends it; does not keep the
 * process alive.
 */
export function watchLoopDelay(delay: Histogram): () => void {
  let before = realClock.monotonic();
  const timer = setInterval(() => {
    const now = realClock.monotonic();
    delay.observe(Math.max(0, now - before - EVERY_MS) / 1_000);
    before = now;
  }, EVERY_MS);
  timer.unref();
  return () => clearInterval(timer);
}
