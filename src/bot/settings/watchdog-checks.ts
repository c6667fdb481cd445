// Whether a bot that is well can show it in time.
import { complain, type Judged } from './judged.ts';
import type { Complaint } from './located.ts';
import type { Settings } from './types.ts';

const ROUND_TRIP_MS = 1_000;
/** One cycle may fail before silence means something. */
const CYCLES = 2;

/**
 * The least time to live with which a bot that is well is never taken for dead: two cycles at the pace of the private lane; or one,
 * whose read had to wait for requests that were answered at their last moment, and was so itself.
 */
export function leastTtlMs({ trader, venue }: Pick<Settings, 'trader' | 'venue'>): number {
  const { polling, runs, readShareRatio, requestsPerSecond } = trader;
  const perSecond = (intervalMs: number): number => 1_000 / intervalMs;
  const wanted =
    runs.length * (perSecond(polling.openOrdersMs) + perSecond(polling.tradesMs)) + perSecond(polling.walletMs);
  const stretch = Math.max(1, wanted / (requestsPerSecond.private * readShareRatio));
  const cycle = Math.min(polling.openOrdersMs, polling.walletMs) * stretch;
  const { readMs, createMs, cancelMs } = venue.deadlines;
  const slow = cycle + Math.max(createMs, cancelMs) + readMs;
  return Math.ceil(Math.max(CYCLES * cycle + ROUND_TRIP_MS, slow) + 1_000 / requestsPerSecond.private);
}

export function watchdogComplaints(judged: Judged): readonly Complaint[] {
  const { mode, watchdog } = judged.configuration;
  const complaints: Complaint[] = [];
  if (mode === 'paper' && watchdog.keys) {
    complaints.push(
      complain(judged, ['watchdog', 'keys'], 'stand here by mistake: in paper mode the program makes its own keys.'),
    );
  }
  const least = leastTtlMs(judged.settings);
  if (watchdog.mode === 'required' && watchdog.ttlMs < least) {
    const words = `${watchdog.ttlMs} ms is too short: a bot that is well may need ${least} ms for a cycle at this pace and with these deadlines. Set it to at least that, or poll own orders more often.`;
    complaints.push(complain(judged, ['watchdog', 'ttlMs'], words));
  }
  return complaints;
}
