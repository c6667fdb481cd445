// Gives a live bot time to see the latch, cancel and end; does not wait for one that hangs.
import type { DurationMs } from '../../domain/time.ts';
import { realClock } from '../../ports/clock.ts';
import { stateOf } from '../base/process-identity.ts';
import type { Settings } from '../settings/types.ts';
import { readKillLatch } from '../state-folder/kill-latch.ts';
import { leaseFile, readLease } from '../state-folder/lease-file.ts';
import { isFolderHeld } from '../state-folder/state-folder.ts';

export interface BotWait {
  readonly isGone: boolean;
  /** It is alive, and its latch was removed: somebody wants it to go on. */
  readonly goesOn: boolean;
  /** For a person; null if there was nothing to wait for. */
  readonly message: string | null;
}

const LOOK_EVERY_MS: DurationMs = 250;

/**
 * Ends when the bot is gone, when the latch is removed, when the bot shows no sign of life for as long as a watchdog
 * would wait, or after `withinMs`. `isLatched`: the latch could be set.
 */
export async function waitForBot(settings: Settings, withinMs: DurationMs, isLatched: boolean): Promise<BotWait> {
  const { stateFolder, watchdog } = settings;
  const deadline = realClock.monotonic() + withinMs;
  let seq = readLease(leaseFile(stateFolder))?.seq;
  let beatAt = realClock.monotonic();
  let beats = 0;
  for (;;) {
    const lease = readLease(leaseFile(stateFolder));
    const isRunning = lease !== null && stateOf(lease.process) === 'running';
    if (!isRunning && !isFolderHeld(stateFolder)) return { isGone: true, goesOn: false, message: null };
    const now = realClock.monotonic();
    if (lease?.seq !== seq) {
      seq = lease?.seq;
      beatAt = now;
      beats += 1;
    }
    const who = lease === null ? 'A process' : `The bot (process ${lease.process.pid})`;
    const stays = (how: string): BotWait => ({
      ...{ isGone: false, goesOn: false },
      message: `${who} holds ${stateFolder} and ${how} Its orders are canceled without it.`,
    });
    // If the latch could not be set, a live bot goes on.
    if (readKillLatch(stateFolder) === null && (isLatched || beats > 0)) {
      const why = isLatched ? 'was removed during the wait' : 'could not be set';
      const advice = isLatched ? 'press again' : 'send it SIGTERM, then press again';
      const latch = `the kill latch ${why}: nothing is canceled under it. To end it, ${advice}.`;
      return { isGone: false, goesOn: true, message: `${who} holds ${stateFolder}, and ${latch}` };
    }
    if (now - beatAt > watchdog.ttlMs) return stays(`shows no life: ${isLatched ? 'it is latched; ' : ''}end it.`);
    if (now > deadline) return stays(`did not stop within ${Math.ceil(withinMs / 1_000)} s.`);
    await new Promise((resolve) => setTimeout(resolve, LOOK_EVERY_MS));
  }
}
