// Where no page answers: which living process has the state folder all the same. One that hangs is not gone.
import type { EpochMs } from '../../domain/time.ts';
import type { Lease } from '../../ports/lease.ts';
import { stateOf } from '../base/process-identity.ts';
import { readConfigurationNote } from './configuration-note.ts';
import { isFolderHeld } from './journal-lock.ts';
import { leaseFile, readLease } from './lease-file.ts';

interface Question {
  readonly stateFolder: string;
  /** For the command that is advised. */
  readonly files: readonly string[];
  /** By this machine's clock. */
  readonly now: EpochMs;
}

/** What to do about it, some sentences; null where no process has the folder. */
export function silentHolder({ stateFolder, files, now }: Question): string | null {
  const lease = readLease(leaseFile(stateFolder));
  const known = [lease?.process, readConfigurationNote(stateFolder)?.process].find(
    (process) => process !== undefined && stateOf(process) === 'running',
  );
  if (known === undefined && !isFolderHeld(stateFolder)) return null;
  const who = known === undefined ? 'A process' : `Process ${known.pid}`;
  const end = known === undefined ? 'end it with `kill -KILL`' : `end it with \`kill -KILL ${known.pid}\``;
  const life = lease !== null && lease.process.pid === known?.pid ? lifeWords(lease, now) : '';
  return [
    `${who} has ${stateFolder} and does not answer: it is starting, was stopped (frozen), or hangs.${life}`,
    `If it stays so: \`quotekeeper cancel-all ${files.join(' ')}\`, then ${end}.`,
    '`pm2 list` may still call it online.',
  ].join(' ');
}

function lifeWords({ cycles, at }: Lease, now: EpochMs): string {
  if (cycles === 0) return ' Its loop has shown no sign of life yet.';
  return ` Its last sign of life was ${Math.max(0, (now - at) / 1_000).toFixed(1)} s ago.`;
}
