// Why a bot ends, in one sentence: it need not have been told to.
import type { StatusSnapshot } from '../../trader/status/snapshot.ts';

export interface Ending {
  /** Null where somebody told it to, by a signal or a command. */
  because: string | null;
}

/** Its trader takes nothing any more: what that shows is of before. */
export const HAS_FAILED =
  'The bot has failed and ends, as its log says: it cancels its orders from memory, and verifies nothing.';

/** Null while it goes on. */
export function whyItEnds(
  { phase, latched }: Pick<StatusSnapshot, 'phase' | 'latched'>,
  { because, isBroken }: Ending & { readonly isBroken: boolean },
): string | null {
  if (isBroken) return HAS_FAILED;
  if (phase !== 'stopping' && phase !== 'stopped') return null;
  return latched ?? because ?? 'The bot was told to stop.';
}
