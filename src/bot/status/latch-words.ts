// A kill latch that is set, in words: when, why, and what was proved since.
import type { KillLatch } from '../state-folder/kill-latch.ts';
import { ended } from './sentence.ts';

/** The reason is of the moment at which it was set. */
export function latchWords({ reason, at }: KillLatch): string {
  return `The kill latch is set${at === null ? '' : ` since ${at}`}. The reason, as of then: ${ended(reason)}`;
}
