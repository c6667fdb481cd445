// What a run watches apart from its loop: the calendar, a refused key, and other reasons to end.
import cron from 'node-cron';
import type { DurationMs } from '../../domain/time.ts';
import type { With } from '../../trader/state/state.ts';
import { stopsAll } from '../../venue/refusals.ts';

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

// A key refused ever since the start, while no order can be open: there is nothing to wait for, and nothing to cancel.

/**
 * The sentence of the refusal; null while there is something to wait for: an answer, or orders that may be open. A key
 * that was accepted once is retried at the pace of refusals.
 */
export function refusedForGood({
  refusal,
  contact,
  session,
  durable,
}: With<'session' | 'durable' | 'refusal' | 'contact'>): string | null {
  if (refusal?.kind !== 'keys' || contact.private.usedAt !== null) return null;
  if (!session.beganFlat || durable.orders.intents.size > 0) return null;
  return stopsAll(refusal.about) ? `The exchange refuses the key: ${refusal.message}` : null;
}

// Polls until a condition holds.

export interface Watch<T> {
  readonly seen: Promise<T>;
  end(): void;
}

/** `seen` resolves with the first answer that is not null. */
export function watchFor<T>(everyMs: DurationMs, look: () => T | null | Promise<T | null>): Watch<T> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let isOver = false;
  const seen = new Promise<T>((resolve) => {
    const again = async (): Promise<void> => {
      const found = await look();
      if (found !== null) resolve(found);
      else if (!isOver) timer = setTimeout(() => void again(), everyMs);
    };
    timer = setTimeout(() => void again(), everyMs);
  });
  const end = (): void => {
    isOver = true;
    clearTimeout(timer);
  };
  return { seen, end };
}
