// A bot that starts under a latch which the watchdog takes off after its proof waits for that instead of ending.
import { type DurationMs, MINUTE } from '../../domain/time.ts';
import { realClock } from '../../ports/clock.ts';
import type { Settings } from '../settings/types.ts';
import { readKillLatch } from '../state-folder/kill-latch.ts';

const LOOK_EVERY_MS: DurationMs = 250;
const SAY_EVERY_MS: DurationMs = MINUTE;

/** Whether the latch that is set now goes by itself; false where none is set. */
export function isRearmAwaited({ stateFolder, watchdog }: Settings): boolean {
  return watchdog.rearm === 'after-proof' && readKillLatch(stateFolder)?.rearm === 'after-proof';
}

/**
 * Ends when the latch is off, when it has become a person's, or when the bot is told to stop. Holds nothing
 * meanwhile.
 */
export async function awaitRearm(
  settings: Settings,
  told: Promise<unknown>,
  say: (line: string) => void,
): Promise<void> {
  let isTold = false;
  void told.then(() => {
    isTold = true;
  });
  if (!isRearmAwaited(settings)) return;
  let saidAt = Number.NEGATIVE_INFINITY;
  while (!isTold && isRearmAwaited(settings)) {
    if (realClock.monotonic() - saidAt >= SAY_EVERY_MS) {
      saidAt = realClock.monotonic();
      const reason = readKillLatch(settings.stateFolder)?.reason ?? '';
      say(`Waiting for the watchdog to prove that no order is open and to re-arm (watchdog.rearm). ${reason}`);
    }
    await new Promise((resolve) => setTimeout(resolve, LOOK_EVERY_MS));
  }
  // The last request of the watchdog's proof may have left with the same key a moment ago.
  if (!isTold) await new Promise((resolve) => setTimeout(resolve, 1_000 / settings.watchdog.requestsPerSecond));
}
