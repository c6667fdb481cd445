// Calendar work: node-cron says when, the trader and the log do it. Nothing here costs a request by itself.
import cron from 'node-cron';

export interface CalendarWork {
  reconcileDue(): void;
  dayEnded(): void;
}

/** Compares wallet and ledger every ten minutes and ends the day at midnight; the returned function stops both. */
export function startCalendar(timezone: string, work: CalendarWork): () => void {
  const tasks = [
    cron.schedule('*/10 * * * *', () => work.reconcileDue(), { timezone }),
    cron.schedule('0 0 * * *', () => work.dayEnded(), { timezone }),
  ];
  return () => {
    for (const task of tasks) void task.stop();
  };
}
