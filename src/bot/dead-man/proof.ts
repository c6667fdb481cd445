// The proof that no order of the bot is open, as the state folder remembers it: the reason of a latch is of the moment
// at which it was set, and goes on naming orders that are gone since.
import { z } from 'zod';
import type { EpochMs } from '../../domain/time.ts';
import { readStateFile } from '../base/private-file.ts';
import { killLatchTrail, leaveTrail } from '../state-folder/kill-latch.ts';

export type ProvedBy = 'cancel-all' | 'watchdog';

const lineSchema = z.object({ at: z.string(), op: z.string(), reason: z.string().nullable() });

/** Under the latch only: without it a bot may place another order at any time. */
export function noteProof(stateFolder: string, by: ProvedBy, now: EpochMs): void {
  leaveTrail(stateFolder, { at: new Date(now).toISOString(), op: 'proved', reason: by });
}

/** The last proof under the latch that is set now, a sentence; null without one. */
export function proofUnderLatch(stateFolder: string): string | null {
  let proved: string | null = null;
  for (const { at, op, reason } of linesOf(stateFolder))
    proved = op === 'proved' ? `Proved since, ${at}, by ${reason}: no order of the bot is open.` : null;
  return proved;
}

function linesOf(stateFolder: string): z.output<typeof lineSchema>[] {
  try {
    const lines = readStateFile('trail', killLatchTrail(stateFolder)).split('\n');
    return lines.flatMap((line) => lineOf(line));
  } catch {
    return [];
  }
}

/** What can't be read proves nothing. */
function lineOf(text: string): z.output<typeof lineSchema>[] {
  if (text === '') return [];
  try {
    return [lineSchema.parse(JSON.parse(text))];
  } catch {
    return [{ at: '', op: 'unreadable', reason: null }];
  }
}
