// A bot, its watchdog and an exchange whose control interface is open, with a short time to live: what the tests of the
// kill have in common.
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { z } from 'zod';
import { loadSettings } from '../../src/bot/settings/settings.ts';
import type { KillBound } from '../../src/watchdog/kill-bound.ts';
import { killBoundOf } from '../../src/watchdog/watch-settings.ts';
import type { Changes } from './bot-process.ts';
import { ControlledProject, controlledParts } from './controlled-project.ts';
import type { Program } from './start-program.ts';

/** What a bot that is well may be late on a busy machine is less: it shows life three times a second. */
export const SHORT_TTL_MS = 6_000;

/** Some seconds of silence are too long here. */
export const SHORT: Changes = {
  advanced: { timeoutMs: 1_200, giveUpMs: 60_000 },
  'watchdog.ttlMs': SHORT_TTL_MS,
};

export class WatchedProject extends ControlledProject {
  watchdog(): Program {
    return this.project.start(['watchdog', this.project.config]);
  }

  /** Watching, not only started. */
  async readyWatchdog(): Promise<Program> {
    const watchdog = this.watchdog();
    await watchdog.said('"op":"bot-lives"');
    return watchdog;
  }

  /** When the kill latch was set, by the wall clock, and why. */
  latch(): { at: number; reason: string } {
    const text = readFileSync(path.join(this.project.stateFolder, 'kill-latch.json'), 'utf8');
    const { at, reason } = z.object({ at: z.string(), reason: z.string() }).parse(JSON.parse(text));
    return { at: Date.parse(at), reason };
  }

  async bound(): Promise<KillBound> {
    return killBoundOf(await loadSettings([path.join(this.project.folder, this.project.config)]));
  }
}

export async function watchedProject(changes: Changes = {}): Promise<WatchedProject> {
  const { project, controlPort } = await controlledParts({ ...SHORT, ...changes });
  return new WatchedProject(project, controlPort);
}
