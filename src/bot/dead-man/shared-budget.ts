// Bot and watchdog on one key: the exchange counts both together, so they take turns.
import { z } from 'zod';
import { realClock } from '../../ports/clock.ts';
import { sharesKey } from '../../watchdog/watch-settings.ts';
import { readStateFile } from '../base/private-file.ts';
import type { Settings } from '../settings/types.ts';
import { watchdogFile } from '../state-folder/lease-file.ts';

const shownSchema = z.object({ askedAt: z.number().nullable() });

/** When the watchdog last asked while no bot was there; null where it has not, or does not say. */
function watchdogAskedAt(stateFolder: string): number | null {
  try {
    return shownSchema.parse(JSON.parse(readStateFile('sign of life', watchdogFile(stateFolder)))).askedAt;
  } catch {
    return null;
  }
}

/** A bot that starts lets one interval pass after a question of the watchdog's. */
export async function restAfterWatchdog(settings: Settings): Promise<void> {
  const askedAt = sharesKey(settings) ? watchdogAskedAt(settings.stateFolder) : null;
  if (askedAt === null) return;
  const intervalMs = 1_000 / settings.lanes.private.requestsPerSecond;
  const left = askedAt + intervalMs - realClock.now();
  // A clock that was set back meanwhile makes nobody wait for longer than that.
  await new Promise((resolve) => setTimeout(resolve, Math.max(0, Math.min(left, intervalMs))));
}
