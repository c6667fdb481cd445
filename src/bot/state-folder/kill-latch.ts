// The kill latch on disk: while the file exists, nothing is created (order-truth §5). Only a person removes it, or the
// watchdog after its proof.
import { rmSync } from 'node:fs';
import path from 'node:path';
import { z } from 'zod';
import type { EpochMs } from '../../domain/time.ts';
import { timeText } from '../../domain/time-text.ts';
import type { Clock } from '../../ports/clock.ts';
import type { KillLatch as KillLatchPort } from '../../ports/lease.ts';
import { appendLine, makeFolder, syncFolder, writeDurably } from '../base/durable-file.ts';
import { EXIT } from '../base/exit-codes.ts';
import { NotPrivate, readStateFile } from '../base/private-file.ts';
import { quietly, refusing, systemCode } from '../base/system-error.ts';

const latchSchema = z.object({
  /** Why and when (ISO time; null if the file does not say) it was set. */
  ...{ reason: z.string(), at: z.iso.datetime().nullable().catch(null) },
  /** Who removes it: a person, by default; or the watchdog that set it, once it has proved that nothing is open. */
  rearm: z.enum(['by-person', 'after-proof']).catch('by-person'),
});
/** `isReadable` is false if the file can't be read; then `reason` says why, and it counts as set. */
export type KillLatch = Readonly<z.output<typeof latchSchema> & { isReadable: boolean }>;
export type Rearm = KillLatch['rearm'];

/** An unreadable latch counts as set: a damaged file does not mean that the reason is gone. */
const unreadable = (why: string): KillLatch => ({
  reason: `${why} As long as it is there, it counts as set.`,
  at: null,
  rearm: 'by-person',
  isReadable: false,
});

/** One or two sentences. */
export const latchSentence = ({ reason, isReadable }: Pick<KillLatch, 'reason' | 'isReadable'>): string =>
  isReadable ? `The kill latch is set: ${reason}` : reason;

/**
 * Log of every time it was set or removed, one line each, oldest first: several people may have access to the machine.
 */
export const killLatchTrail = (stateFolder: string): string => path.join(stateFolder, 'kill-latch.log');

export const killLatchFile = (stateFolder: string): string => path.join(stateFolder, 'kill-latch.json');

/** The latch as the trading loop's port. */
export function killLatchOf(stateFolder: string, clock: Clock, rearm: Rearm = 'by-person'): KillLatchPort {
  return {
    reason: () => readKillLatch(stateFolder)?.reason ?? null,
    set: (reason) => setKillLatch(stateFolder, reason, clock.now(), rearm),
  };
}

/** `null` only if there is no file. */
export function readKillLatch(stateFolder: string): KillLatch | null {
  return readLatchAt(killLatchFile(stateFolder));
}

/** The same for a renamed latch file. */
export function readLatchAt(file: string): KillLatch | null {
  try {
    return { ...latchSchema.parse(JSON.parse(readStateFile('kill latch', file))), isReadable: true };
  } catch (error) {
    if (systemCode(error) === 'ENOENT') return null;
    return unreadable(error instanceof NotPrivate ? error.message : `The kill latch ${file} is damaged.`);
  }
}

/**
 * On disk when it returns. A latch that is set already keeps its first reason; but a person's latch replaces one that
 * the watchdog would remove. Throws `StartError` (74).
 */
export function setKillLatch(stateFolder: string, reason: string, now: EpochMs, rearm: Rearm = 'by-person'): void {
  const before = readKillLatch(stateFolder);
  if (before !== null && (before.rearm === 'by-person' || rearm === 'after-proof')) return;
  const file = killLatchFile(stateFolder);
  const unwritable = (code: string): string => `The kill latch ${file} cannot be written (${code}).`;
  refusing(EXIT.diskError, unwritable, () => {
    makeFolder(stateFolder);
    const { reason: first, at } = before ?? { reason, at: isoTime(now) };
    writeDurably(file, JSON.stringify({ reason: first, at, rearm }));
    leaveTrail(stateFolder, { at: isoTime(now), op: 'set', reason });
  });
}

/** Throws `StartError` (74) if the file stays. */
export function removeKillLatch(stateFolder: string, now: EpochMs): void {
  const file = killLatchFile(stateFolder);
  const stays = (code: string): string => `The kill latch ${file} cannot be removed (${code}).`;
  refusing(EXIT.diskError, stays, () => {
    const reason = readKillLatch(stateFolder)?.reason ?? null;
    rmSync(file, { force: true });
    syncFolder(stateFolder);
    leaveTrail(stateFolder, { at: isoTime(now), op: 'removed', reason });
  });
}

interface TrailLine {
  readonly at: string;
  /** `proved`: no order of the bot is open, under the latch; `kept`: not re-armed after all; `told`: to a person. */
  readonly op: 'set' | 'removed' | 'rearmed' | 'kept' | 'told' | 'proved';
  readonly reason: string | null;
}

/** On disk when it returns. Throws system errors. */
export const addToTrail = (stateFolder: string, line: TrailLine): void =>
  appendLine(killLatchTrail(stateFolder), JSON.stringify({ ...line, pid: process.pid }));

/** An unwritable trail must not prevent the action itself. */
export const leaveTrail = (stateFolder: string, line: TrailLine): void => quietly(() => addToTrail(stateFolder, line));

const isoTime = (at: EpochMs): string => new Date(at).toISOString();

// The recorded proof that no order of the bot is open: the latch's reason dates from when it was set, and still names
// orders that are gone since.

const lineSchema = z.object({ at: z.iso.datetime(), op: z.string(), reason: z.string().nullable() });

/** Only under the latch: without it a bot may place another order at any time. */
export function recordProof(stateFolder: string, by: 'cancel-all' | 'watchdog', now: EpochMs): void {
  leaveTrail(stateFolder, { at: isoTime(now), op: 'proved', reason: by });
}

/** A sentence about the last proof under the current latch; null without one. */
export function proofUnderLatch(stateFolder: string): string | null {
  const last = trailOf(stateFolder).at(-1);
  if (last?.op !== 'proved') return null;
  return `Proved since, ${timeText(Date.parse(last.at))}, by ${last.reason}: no order of the bot is open.`;
}

type Trail = readonly z.output<typeof lineSchema>[];

/** Oldest first. Throws if it can't be read, or if there is no file. */
export const readTrail = (stateFolder: string): Trail =>
  readStateFile('trail', killLatchTrail(stateFolder)).split('\n').flatMap(lineOf);

/** The same; empty if it can't be read. */
export function trailOf(stateFolder: string): Trail {
  try {
    return readTrail(stateFolder);
  } catch {
    return [];
  }
}

/** An unreadable line proves nothing. */
function lineOf(text: string): z.output<typeof lineSchema>[] {
  if (text === '') return [];
  try {
    return [lineSchema.parse(JSON.parse(text))];
  } catch {
    return [{ at: '', op: 'unreadable', reason: null }];
  }
}
