// The course of a run as lines and as one hash: two runs of one seed must have the same.
import { createHash } from 'node:crypto';
import type { DurationMs } from '../domain/time.ts';

export interface Trace {
  add(at: DurationMs, line: string): void;
  hash(): string;
}

/** `print` sees every line; null prints nothing. */
export function createTrace(print: ((line: string) => void) | null): Trace {
  const hash = createHash('sha256');
  return {
    add(at, line) {
      const whole = `${(at / 1_000).toFixed(3).padStart(10)} ${line}`;
      hash.update(`${whole}\n`);
      print?.(whole);
    },
    hash: () => hash.copy().digest('hex'),
  };
}
