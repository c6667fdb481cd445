// Renews the lease; the caller stores it.
import type { Clock } from '../ports/clock.ts';
import type { Lease, ProcessIdentity } from '../ports/lease.ts';

export interface LeaseWriter {
  /** Records progress once more. Throws any file system error. `more` is written next to it, for people. */
  renew(more?: object): void;
  /** Writes why it is not renewed: no progress. Throws any file system error. */
  withhold(why: string): void;
  /** The process ends, and nothing is left to watch. */
  end(more?: object): void;
  /** When it was last renewed; null before the first progress. */
  renewedAt(): number | null;
}

interface LeaseWriterParts {
  readonly clock: Clock;
  readonly process: ProcessIdentity;
  /** Sequence number of the existing lease. */
  readonly seq: number;
  readonly put: (lease: Lease) => void;
}

/** Writes at once that the process exists, which is no renewal. */
export function writeLease({ clock, process, seq: before, put }: LeaseWriterParts): LeaseWriter {
  let seq = before;
  let cycles = 0;
  let renewedAt: number | null = null;
  let last: Lease = { seq, cycles, at: clock.now(), process, ended: false };
  const keep = (lease: Lease): void => {
    last = lease;
    put(lease);
  };
  const write = (ended: boolean, more: object = {}): void => {
    seq += 1;
    keep({ seq, cycles, at: clock.now(), process, ended, ...more });
  };
  write(false);
  return {
    renew: (more) => {
      cycles += 1;
      write(false, more);
      renewedAt = clock.now();
    },
    withhold: (withheld) => keep({ ...last, withheld }),
    end: (more) => write(true, more),
    renewedAt: () => renewedAt,
  };
}
