// Signs of life in the state folder: small files, written under a temporary name and renamed, so that a reader never
// sees half of one. Not synced: they show that a process is alive now, and mean nothing after a reboot.
import path from 'node:path';
import { z } from 'zod';
import type { Clock } from '../../ports/clock.ts';
import type { Lease } from '../../ports/lease.ts';
import { type LeaseWriter, writeLease } from '../../watchdog/lease-writer.ts';
import { makeFolder, writeWhole } from '../base/durable-file.ts';
import { readStateJson } from '../base/private-file.ts';
import { identityOf } from '../base/process-identity.ts';

export const leaseFile = (stateFolder: string): string => path.join(stateFolder, 'lease.json');
export const watchdogFile = (stateFolder: string): string => path.join(stateFolder, 'watchdog.json');

/** The process that wrote a file. */
export const processSchema = z.object({
  pid: z.int().min(1),
  startedAt: z.string().nullable(),
  bootId: z.string().nullable(),
});

const whole = z.int().min(0);
const leaseSchema = z.object({
  seq: whole,
  cycles: whole,
  at: z.number(),
  process: processSchema,
  ended: z.boolean(),
  contact: z
    .object({ usedAt: z.number().nullable(), silentSince: z.number().nullable(), because: z.string().nullable() })
    .optional()
    .catch(undefined),
  pace: z.object({ intervalMs: z.number().positive(), pausedUntil: z.number().nullable() }).optional().catch(undefined),
  withheld: z.string().optional().catch(undefined),
});

/** Null if it is missing or unreadable: no sign of life either way. */
export const readLease = (file: string): Lease | null => readStateJson('sign of life', file, leaseSchema);

/** Writes at once that the process is there, which does not count as a renewal. Throws system errors. */
export function openLease(file: string, clock: Clock): LeaseWriter {
  makeFolder(path.dirname(file));
  const put = (lease: Lease): void => writeWhole(file, `${JSON.stringify(lease)}\n`);
  const process = identityOf(globalThis.process.pid);
  return writeLease({ clock, process, seq: readLease(file)?.seq ?? 0, put });
}
