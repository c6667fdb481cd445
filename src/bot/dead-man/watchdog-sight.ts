// What the bot sees of the watchdog: whether its sign of life changes, and whether it goes by the same configuration. A
// file that was there before is no sign of life.
import type { Clock } from '../../ports/clock.ts';
import { readStateFile } from '../base/private-file.ts';
import { readLease, watchdogFile } from '../state-folder/lease-file.ts';
import { otherTerms, type WatchTerms } from './watch-terms.ts';

export interface WatchdogSight {
  /** As of the last look: it lives, and goes by what the bot goes by. */
  isAlive(): boolean;
  /** By what else one goes that lives, one sentence; null where there is none such. */
  other(): string | null;
  /** Looks; true when an answer is another one than before. */
  look(): boolean;
  /** When the last sign of life was seen, by the bot's clock; null before the first. */
  seenAt(): number | null;
}

export interface SightParts {
  readonly stateFolder: string;
  /** Those of the bot. */
  readonly terms: WatchTerms;
  /** Without a change for so long it counts as dead. */
  readonly patienceMs: number;
  readonly clock: Clock;
}

export function watchdogSight({ stateFolder, terms, patienceMs, clock }: SightParts): WatchdogSight {
  const file = watchdogFile(stateFolder);
  let last = readLease(file)?.seq ?? null;
  let changedAt: number | null = null;
  let seenAt: number | null = null;
  let lives = false;
  let other: string | null = null;
  return {
    isAlive: () => lives && other === null,
    other: () => other,
    seenAt: () => seenAt,
    look() {
      const lease = readLease(file);
      if (lease !== null && lease.seq !== last) {
        last = lease.seq;
        changedAt = lease.ended ? null : clock.monotonic();
        seenAt = clock.now();
      }
      const before = { lives, other };
      lives = changedAt !== null && clock.monotonic() - changedAt <= patienceMs;
      other = lives ? otherWords(file, terms) : null;
      return lives !== before.lives || other !== before.other;
    },
  };
}

function otherWords(file: string, terms: WatchTerms): string | null {
  const differ = otherTerms(contentOf(file), terms);
  if (differ.length === 0) return null;
  return `One does that goes by another configuration (${differ.join(', ')}): start it again.`;
}

function contentOf(file: string): unknown {
  try {
    return JSON.parse(readStateFile('sign of life', file));
  } catch {
    return null;
  }
}
