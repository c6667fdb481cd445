// Calendar work: node-cron says when, the trader and the log do it. Nothing here costs a request by itself.
import cron from 'node-cron';
import type { Settings } from '../settings/types.ts';

export interface CalendarWork {
  reconcileDue(): void;
  dayEnded(): void;
}

/** Starts both schedules, each in its own time zone; the returned function ends them. */
export function startCalendar({ reconcile, dailySummary }: Settings, work: CalendarWork): () => void {
  const tasks = [
    cron.schedule(reconcile.cron, () => work.reconcileDue(), { timezone: reconcile.timeZone }),
    cron.schedule(dailySummary.cron, () => work.dayEnded(), { timezone: dailySummary.timeZone }),
  ];
  return () => {
    for (const task of tasks) void task.stop();
  };
}
