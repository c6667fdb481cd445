// Removes the watchdog's own latch after its proof, a limited number of times a day. A latch that a person has set
// stays.
import { renameSync, rmSync } from 'node:fs';
import { type DurationMs, type EpochMs, MINUTE } from '../../domain/time.ts';
import { realClock } from '../../ports/clock.ts';
import type { Rearmed } from '../../watchdog/watch-state.ts';
import { syncFolder } from '../base/durable-file.ts';
import { NotPrivate } from '../base/private-file.ts';
import { hasCome } from '../base/signals.ts';
import { quietly, systemCode } from '../base/system-error.ts';
import type { Settings } from '../settings/types.ts';
import {
  addToTrail,
  killLatchFile,
  leaveTrail,
  readKillLatch,
  readLatchAt,
  readTrail,
  setKillLatch,
  trailOf,
} from '../state-folder/kill-latch.ts';

/** Counts on disk, in the latch's trail, before removing the latch. Any irregularity keeps it. */
export function rearmAfterProof(
  { stateFolder, mostPerDay }: Readonly<{ stateFolder: string; mostPerDay: number }>,
  now: EpochMs,
): Rearmed {
  try {
    const latch = readKillLatch(stateFolder);
    if (latch === null) return kept('The kill latch was removed meanwhile.');
    if (latch.rearm !== 'after-proof') return kept('A person has set the kill latch, too.');
    const at = new Date(now).toISOString();
    const today = rearmsSince(readTrail(stateFolder), at.slice(0, 10));
    if (today >= mostPerDay) return kept(`It was re-armed ${today} times today, and the limit is ${mostPerDay}.`);
    addToTrail(stateFolder, { at, op: 'rearmed', reason: latch.reason });
    if (takeOff(stateFolder)) return { kind: 'rearmed', today: today + 1, mostPerDay };
    addToTrail(stateFolder, { at, op: 'kept', reason: null });
    return kept('A person has set the kill latch, too.');
  } catch (error) {
    return kept(error instanceof NotPrivate ? error.message : `The state folder can't be used (${systemCode(error)}).`);
  }
}

/** Counts later days as well: setting the clock back does not reset the day's count. */
const rearmsSince = (trail: ReturnType<typeof readTrail>, day: string): number =>
  // An unreadable line may be one.
  trail.filter(({ op, at }) => op === 'unreadable' || (op === 'rearmed' && at >= day)).length;

const kept = (why: string): Rearmed => ({ kind: 'kept', why });

/**
 * Returns false if the latch must stay. Renames the file first and then reads it, because nobody writes to the new
 * name: a latch set at this moment is either in this file or a new one.
 */
function takeOff(stateFolder: string): boolean {
  const file = killLatchFile(stateFolder);
  const aside = `${file}.rearmed`;
  renameSync(file, aside);
  const isOurs = readLatchAt(aside)?.rearm === 'after-proof';
  if (!isOurs && readKillLatch(stateFolder) === null) renameSync(aside, file);
  else rmSync(aside, { force: true });
  syncFolder(stateFolder);
  return isOurs;
}

/** Turns a latch that the watchdog would have removed into a person's: no bot waits for a re-arm any more. */
export function leaveToPerson(stateFolder: string, why: string, now: EpochMs): void {
  // If it can't be written, it stays a latch.
  quietly(() => {
    if (readKillLatch(stateFolder) !== null) setKillLatch(stateFolder, `Not re-armed: ${why}`, now);
  });
}

/** News of the last re-arm, given once, to the bot that starts after it. Null if there is nothing new. */
export function takeRearmNews(stateFolder: string): string | null {
  const last = trailOf(stateFolder).findLast(({ op }) => op === 'rearmed' || op === 'kept' || op === 'told');
  if (last?.op !== 'rearmed') return null;
  // If this can't be recorded, it is reported twice rather than never.
  leaveTrail(stateFolder, { at: new Date(realClock.now()).toISOString(), op: 'told', reason: null });
  const { at, reason } = last;
  return `The watchdog ended the bot, proved that no order of it is open, and re-armed it at ${at}. ${reason}`;
}

// A bot that starts under a latch that the watchdog will remove after its proof waits instead of ending.

const LOOK_EVERY_MS: DurationMs = 250;
const SAY_EVERY_MS: DurationMs = MINUTE;

/** Whether the current latch will be removed automatically; false if none is set. */
export function isRearmAwaited({ stateFolder, watchdog }: Settings): boolean {
  return watchdog.rearm === 'after-proof' && readKillLatch(stateFolder)?.rearm === 'after-proof';
}

/**
 * Ends when the latch is removed, when it has become a person's, or when the bot is told to stop. Holds nothing
 * meanwhile.
 */
export async function awaitRearm(
  settings: Settings,
  told: Promise<unknown>,
  say: (line: string) => void,
): Promise<void> {
  const isTold = hasCome(told);
  if (!isRearmAwaited(settings)) return;
  let saidAt = Number.NEGATIVE_INFINITY;
  while (!isTold() && isRearmAwaited(settings)) {
    if (realClock.monotonic() - saidAt >= SAY_EVERY_MS) {
      saidAt = realClock.monotonic();
      const reason = readKillLatch(settings.stateFolder)?.reason ?? '';
      say(`Waiting for the watchdog to prove that no order is open and to re-arm (watchdog.rearm). ${reason}`);
    }
    await new Promise((resolve) => setTimeout(resolve, LOOK_EVERY_MS));
  }
  // The last request of the watchdog's proof may just have used the same key.
  if (!isTold()) await new Promise((resolve) => setTimeout(resolve, 1_000 / settings.watchdog.requestsPerSecond));
}
