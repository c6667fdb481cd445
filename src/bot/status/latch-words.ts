// A kill latch that is set, in words: when, why, and what was proved since.
import type { KillLatch } from '../state-folder/kill-latch.ts';
import { ended } from './sentence.ts';

/** The reason is of the moment at which it was set. */
export function latchWords({ reason, at, isReadable }: KillLatch): string {
  if (!isReadable) return reason;
  return `The kill latch is set${at === null ? '' : ` since ${at}`}. The reason, as of then: ${ended(reason)}`;
}

/** The way back. `isAwaited`: the watchdog that set it takes it off by itself, and a person would be in its way. */
export const latchNext = (isAwaited: boolean, files: readonly string[]): string =>
  isAwaited
    ? 'Next: nothing, while the watchdog is at work: it takes the latch off once it has proved that no order is open ' +
      '(watchdog.rearm), and a bot that is started waits for that.'
    : `Next: \`quotekeeper rearm ${files.join(' ')}\`.`;
