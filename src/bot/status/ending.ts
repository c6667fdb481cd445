// Why a bot ends, in one sentence: it need not have been told to.
import type { DurationMs } from '../../domain/time.ts';
import type { StatusSnapshot } from '../../trader/status/snapshot.ts';
import { duration, ended } from './status-words.ts';

export interface Ending {
  /** Null where somebody told it to, by a signal or a command. */
  because: string | null;
  /** How long the stop may still take; null before it begins. */
  leftMs: (() => DurationMs) | null;
}

/** At the pace that the exchange lets the bot have, which may be slower than configured. */
export const stopTakes = (leftMs: DurationMs): string => `The stop takes ${duration(leftMs)} more at most.`;

/** Its trader takes nothing any more: what that shows is of before. */
export const HAS_FAILED =
  'The bot has failed and ends, as its log says: it cancels its orders from memory, and verifies nothing.';

/** Null while it goes on. */
export function whyItEnds(
  { phase, latched }: Pick<StatusSnapshot, 'phase' | 'latched'>,
  { because, leftMs, isBroken }: Ending & { readonly isBroken: boolean },
): string | null {
  if (isBroken) return HAS_FAILED;
  if (phase !== 'stopping' && phase !== 'stopped') return null;
  const why = latched ?? because ?? 'The bot was told to stop.';
  return phase === 'stopped' || leftMs === null ? why : `${ended(why)} ${stopTakes(leftMs())}`;
}
