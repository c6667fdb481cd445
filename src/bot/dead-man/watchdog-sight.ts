// What the bot sees of the watchdog: whether its sign of life changes. A file that was there before is none.
import type { Clock } from '../../ports/clock.ts';
import { readLease, watchdogFile } from '../state-folder/lease-file.ts';

export interface WatchdogSight {
  /** As of the last look. */
  isAlive(): boolean;
  /** Looks; true when the answer is another one than before. */
  look(): boolean;
  /** When the last sign of life was seen, by the bot's clock; null before the first. */
  seenAt(): number | null;
}

/** `patienceMs`: without a change for so long it counts as dead. */
export function watchdogSight(stateFolder: string, patienceMs: number, clock: Clock): WatchdogSight {
  const file = watchdogFile(stateFolder);
  let last = readLease(file)?.seq ?? null;
  let changedAt: number | null = null;
  let seenAt: number | null = null;
  let alive = false;
  return {
    isAlive: () => alive,
    seenAt: () => seenAt,
    look() {
      const lease = readLease(file);
      if (lease !== null && lease.seq !== last) {
        last = lease.seq;
        changedAt = lease.ended ? null : clock.monotonic();
        seenAt = clock.now();
      }
      const before = alive;
      alive = changedAt !== null && clock.monotonic() - changedAt <= patienceMs;
      return alive !== before;
    },
  };
}
