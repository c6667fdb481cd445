// The trace of a run as lines and as one hash: two runs of the same seed must have the same.
import { createHash } from 'node:crypto';
import type { DurationMs } from '../../src/domain/time.ts';

/** In characters. */
const MOST_WAITING = 65_536;

export interface Trace {
  add(at: DurationMs, line: string): void;
  hash(): string;
}

/** `print` receives every line; null prints nothing. */
export function createTrace(print: ((line: string) => void) | null): Trace {
  const hash = createHash('sha256');
  /** Lines not hashed yet, to hash many in one call. */
  let waiting = '';
  function take(): void {
    hash.update(waiting);
    waiting = '';
  }
  return {
    add(at, line) {
      const whole = `${(at / 1_000).toFixed(3).padStart(10)} ${line}`;
      waiting += `${whole}\n`;
      if (waiting.length > MOST_WAITING) take();
      print?.(whole);
    },
    hash() {
      take();
      return hash.copy().digest('hex');
    },
  };
}
