// Where no bot answers: which living process has the state folder all the same. One that hangs is not gone.
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

/** Leases are renewed every few seconds: a bot that hangs has not been seen for longer. */
const ALIVE_MS = 10_000;

/** What to do about it, some sentences; null where no process has the folder. */
export function silentHolder({ stateFolder, files, now }: Question): string | null {
  const lease = readLease(leaseFile(stateFolder));
  const known = [lease?.process, readConfigurationNote(stateFolder)?.process].find(
    (process) => process !== undefined && stateOf(process) === 'running',
  );
  if (known === undefined && !isFolderHeld(stateFolder)) return null;
  const who = known === undefined ? 'A process' : `Process ${known.pid}`;
  const end = known === undefined ? 'end it with `kill -KILL`' : `end it with \`kill -KILL ${known.pid}\``;
  const own = lease !== null && lease.process.pid === known?.pid ? lease : null;
  if (own !== null && own.cycles > 0 && own.withheld === undefined && now - own.at < ALIVE_MS)
    return (
      `${who} has ${stateFolder} and works: its last sign of life was ${secondsSince(own, now)} s ago. It does not ` +
      `answer at its socket: its log says why; \`kill -TERM ${own.process.pid}\` stops it clean.`
    );
  const life = own === null ? '' : lifeWords(own, now);
  return [
    `${who} has ${stateFolder} and does not answer: it is starting, was stopped (frozen), or hangs.${life}`,
    `If it stays so: \`quotekeeper cancel-all ${files.join(' ')}\`, then ${end}.`,
    '`pm2 list` may still call it online.',
  ].join(' ');
}

function lifeWords({ cycles, at }: Lease, now: EpochMs): string {
  if (cycles === 0) return ' Its loop has shown no sign of life yet.';
  return ` Its last sign of life was ${secondsSince({ at }, now)} s ago.`;
}

const secondsSince = ({ at }: Pick<Lease, 'at'>, now: EpochMs): string => Math.max(0, (now - at) / 1_000).toFixed(1);
