// What a run watches beside its loop: the calendar, a refused key, and the end of a recording.
import cron from 'node-cron';
import type { DurationMs } from '../../domain/time.ts';
import type { TraderState } from '../../trader/state/state.ts';
import { errorCode } from '../../venue/error-codes.ts';
import type { PaperProcess } from '../paper/paper-process.ts';

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

// A key that the exchange has refused since the start, while no order can rest: there is nothing to wait for, and
// nothing to cancel.

const KEY_LOOK_MS = 250;

/** The sentence of the refusal; null while there is something to wait for: an answer, or orders that may rest. */
function refusedForGood({ refusal, contact, session, durable }: TraderState): string | null {
  if (refusal?.kind !== 'keys' || contact.private.usedAt !== null) return null;
  if (!session.beganFlat || durable.orders.intents.size > 0) return null;
  const known = errorCode(refusal.code);
  return known?.remedy === 'stop-all' ? `The exchange refuses the key: ${known.code} ${known.meaning}` : null;
}

/**
 * Resolves with the sentence. A key that was taken once, or that orders wait for, is asked for again at the pace of
 * refusals.
 */
export function watchKey(state: () => TraderState): { refused: Promise<string>; end(): void } {
  let looking: ReturnType<typeof setInterval> | undefined;
  const refused = new Promise<string>((resolve) => {
    looking = setInterval(() => {
      const sentence = refusedForGood(state());
      if (sentence !== null) resolve(sentence);
    }, KEY_LOOK_MS);
  });
  return { refused, end: () => clearInterval(looking) };
}

// A recorded market comes to its end while a bot trades in it: from then on nobody would ever meet its quotes.

const LOOK_MS: DurationMs = 1_000;

/** `seen` resolves when the exchange's recording is over; never where there is none, or where it begins again. */
export function watchRecording(paper: PaperProcess | null): { readonly seen: Promise<void>; end(): void } {
  let looking: ReturnType<typeof setTimeout> | undefined;
  let isOver = false;
  const seen = new Promise<void>((resolve) => {
    const look = async (): Promise<void> => {
      if (await paper?.hasEnded()) return resolve();
      if (!isOver) looking = setTimeout(() => void look(), LOOK_MS);
    };
    if (paper !== null) looking = setTimeout(() => void look(), LOOK_MS);
  });
  const end = (): void => {
    isOver = true;
    clearTimeout(looking);
  };
  return { seen, end };
}
