// Whether a bot that is well can show it in time.
import { LONGEST_PASS_MS } from '../../../loop/loop.ts';
import type { Complaint } from '../located.ts';
import { complain, type Judged } from './judged.ts';

/** A look at the disk, a full collection of garbage, a busy machine: so long the loop may be late and be well. */
const SLACK_MS = 500;

/** The least time to live with which a bot that is well is never taken for dead: two passes of its loop. */
export const LEAST_TTL_MS = 2 * LONGEST_PASS_MS + SLACK_MS;

export function watchdogComplaints(judged: Judged): readonly Complaint[] {
  const { mode, watchdog } = judged.configuration;
  const complaints: Complaint[] = [];
  if (mode === 'paper' && watchdog.keys) {
    complaints.push(
      complain(judged, ['watchdog', 'keys'], 'stand here by mistake: in paper mode the program makes its own keys.'),
    );
  }
  if (watchdog.mode === 'required' && watchdog.ttlMs < LEAST_TTL_MS)
    complaints.push(complain(judged, ['watchdog', 'ttlMs'], ttlWords(watchdog.ttlMs)));
  return complaints;
}

export const ttlWords = (ttlMs: number): string =>
  `${ttlMs} ms is too short: the loop of a bot that is well may take ${LEAST_TTL_MS} ms. Set at least that.`;
