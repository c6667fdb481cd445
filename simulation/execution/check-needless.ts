// L9: no needless requests. A cancel that the exchange has acknowledged is not sent again unless a later list shows the
// order, nor one for an order that whole lists no longer show.
import { type DurationMs, type EpochMs, SECOND } from '../../src/domain/time.ts';
import type { CheckContext, Checker } from '../checks/context.ts';

/** A cancel may be chosen just before the answer that makes it unnecessary. */
const CHOSEN_BEFORE_MS: DurationMs = SECOND;

/** One order's cancel, by the bot's clock. */
interface Canceled {
  /** When the exchange last acknowledged a cancel of it; null before that. */
  acknowledgedAt: EpochMs | null;
  /** When the last list that showed it left. */
  shownAt: EpochMs;
}

/** Order ids are among the quoted texts of a list. */
const QUOTED = /"([^"]*)"/g;

/** By order. */
type Cancels = Map<string, Canceled>;

export function needlessChecks(): Checker {
  const cancels: Cancels = new Map();
  return {
    sent(context, message) {
      if (message.endpoint === 'cancel') canceling(cancels, context, message.body.order_id ?? '');
    },
    answered(context, message) {
      const { endpoint, status, text, sentAt, body } = message;
      if (status !== 200) return;
      const now = context.now() + context.clockError();
      if (endpoint === 'cancel' && text.includes('"msg"') && !text.includes('"code"')) {
        const orderId = body.order_id ?? '';
        const known = cancels.get(orderId) ?? { acknowledgedAt: null, shownAt: 0 };
        cancels.set(orderId, known);
        known.acknowledgedAt ??= now;
      }
      if (endpoint !== 'open-orders') return;
      for (const [, orderId = ''] of text.matchAll(QUOTED)) {
        const known = cancels.get(orderId);
        if (known !== undefined) known.shownAt = Math.max(known.shownAt, sentAt);
      }
    },
    // The bot did not read an answer that came after it had given up on the request, as in a process that was
    // suspended.
    recorded(context, { type, payload }) {
      if (type !== 'cancel-outcome' || payload.outcome !== 'unknown') return;
      const orderId = context.journal.intents.get(String(payload.intentId))?.orderId ?? '';
      const known = cancels.get(orderId);
      if (known !== undefined) known.acknowledgedAt = null;
    },
    // A new process does not know of earlier acknowledgments.
    crashed: () => cancels.clear(),
  };
}

function canceling(cancels: Cancels, context: CheckContext, orderId: string): void {
  const now = context.now() + context.clockError();
  const known = cancels.get(orderId);
  if (known?.acknowledgedAt == null || now - known.acknowledgedAt < CHOSEN_BEFORE_MS) return;
  // After a failed write the bot cancels from memory every order it has ever named.
  if (!context.canWrite()) return;
  const since = known.acknowledgedAt + context.settings.assumptions.readLagBoundMs;
  context.counters.add('canceled again after it was acknowledged');
  if (known.shownAt >= since) return;
  const ago = ((now - known.acknowledgedAt) / SECOND).toFixed(1);
  context.violated(
    'L9',
    `Another cancel of order ${orderId} left ${ago} s after the exchange had acknowledged one, and no list that ` +
      'left a lag bound later has shown it.',
  );
}
