// Takes the watchdog's own latch off after its proof, so often a day and no more. What a person has set stays.
import { renameSync, rmSync } from 'node:fs';
import path from 'node:path';
import { z } from 'zod';
import { type DurationMs, type EpochMs, MINUTE } from '../../domain/time.ts';
import { realClock } from '../../ports/clock.ts';
import type { Rearmed } from '../../watchdog/watch-state.ts';
import { syncFolder, writeDurably } from '../base/durable-file.ts';
import { readStateFile } from '../base/private-file.ts';
import { systemCode } from '../base/system-error.ts';
import type { Settings } from '../settings/types.ts';
import { killLatchFile, leaveTrail, readKillLatch, readLatchAt, setKillLatch } from '../state-folder/kill-latch.ts';

export const rearmsFile = (stateFolder: string): string => path.join(stateFolder, 'rearms.json');

const rearmsSchema = z.object({
  /** UTC, `2026-01-31`. */
  day: z.string(),
  count: z.int().min(0),
  at: z.string(),
  reason: z.string(),
  /** Whether a bot that started since has told a person. */
  isTold: z.boolean(),
});
type Rearms = z.output<typeof rearmsSchema>;

export interface RearmSettings {
  readonly stateFolder: string;
  readonly mostPerDay: number;
}

/** Counted on the disk before the latch goes. Whatever is not as it should be keeps it. */
export function rearmAfterProof({ stateFolder, mostPerDay }: RearmSettings, now: EpochMs): Rearmed {
  try {
    const latch = readKillLatch(stateFolder);
    if (latch === null) return kept('The kill latch was taken off meanwhile.');
    if (latch.rearm !== 'after-proof') return kept('A person has set the kill latch, too.');
    const before = readRearms(stateFolder);
    if (before === 'unreadable')
      return kept(`${rearmsFile(stateFolder)} does not say how often it was re-armed today.`);
    const day = new Date(now).toISOString().slice(0, 10);
    // A clock that was set back does not give the day's room a second time.
    const today = before !== null && before.day >= day ? before.count : 0;
    if (today >= mostPerDay) return kept(`It was re-armed ${today} times today, and the limit is ${mostPerDay}.`);
    const { reason } = latch;
    const counted = before !== null && before.day > day ? before.day : day;
    const at = new Date(now).toISOString();
    writeRearms(stateFolder, { day: counted, count: today + 1, at, reason, isTold: false });
    if (!takeOff(stateFolder)) return kept('A person has set the kill latch, too.');
    leaveTrail(stateFolder, { at, op: 'rearmed', reason });
    return { kind: 'rearmed', today: today + 1, mostPerDay };
  } catch (error) {
    return kept(`The state folder can't be written (${systemCode(error)}).`);
  }
}

const kept = (why: string): Rearmed => ({ kind: 'kept', why });

/**
 * False where the latch is not one to be taken off: who sets one at this moment finds it there, or sets his own
 * behind it. The file is looked at once it has another name, where nobody writes to it.
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

/** A latch that the watchdog would take off is a person's from now on: no bot waits for a re-arming any more. */
export function leaveToPerson(stateFolder: string, why: string, now: EpochMs): void {
  try {
    if (readKillLatch(stateFolder) !== null) setKillLatch(stateFolder, `Not re-armed: ${why}`, now);
  } catch {
    // It stays a latch.
  }
}

function readRearms(stateFolder: string): Rearms | null | 'unreadable' {
  try {
    const parsed = rearmsSchema.safeParse(JSON.parse(readStateFile('count', rearmsFile(stateFolder))));
    return parsed.success ? parsed.data : 'unreadable';
  } catch (error) {
    return systemCode(error) === 'ENOENT' ? null : 'unreadable';
  }
}

const writeRearms = (stateFolder: string, rearms: Rearms): void =>
  writeDurably(rearmsFile(stateFolder), JSON.stringify(rearms));

/** What a person must hear of the last re-arming, once: by the bot that starts after it. Null where nothing is new. */
export function takeRearmNews(stateFolder: string): string | null {
  const rearms = readRearms(stateFolder);
  if (rearms === null || rearms === 'unreadable' || rearms.isTold) return null;
  try {
    writeRearms(stateFolder, { ...rearms, isTold: true });
  } catch {
    // Told twice rather than never.
  }
  const { at, count, day, reason } = rearms;
  const when = `at ${at} (number ${count} of ${day})`;
  return `The watchdog ended the bot, proved that no order of it is open, and re-armed it ${when}. ${reason}`;
}

// A bot that starts under a latch which the watchdog takes off after its proof waits for that instead of ending.

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
