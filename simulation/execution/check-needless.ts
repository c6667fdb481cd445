// L9: what nobody needs is not asked for. A cancel that the exchange has acknowledged is not sent again unless a
// later list shows the order, nor one of an order that whole lists no longer show; simple trades that could not be
// read are asked for at their pace.
import { type DurationMs, type EpochMs, MINUTE, SECOND } from '../../src/domain/time.ts';
import type { Answered, CheckContext, Checker, Outgoing } from '../checks/context.ts';

/** A cancel may be chosen just before the answer that makes it needless. */
const CHOSEN_BEFORE_MS: DurationMs = SECOND;

/** Of one order, by the bot's clock. */
interface Canceled {
  /** When the exchange last acknowledged a cancel of it; null before that. */
  acknowledgedAt: EpochMs | null;
  /** When the last list left that showed it. */
  shownAt: EpochMs;
}

/** Of the lists of simple trades of one symbol. */
interface Asked {
  at: EpochMs;
  failures: number;
}

const RETRY_FIRST_MS: DurationMs = SECOND;
const RETRY_LONGEST_MS: DurationMs = MINUTE;

/** Ids of orders stand among what is quoted in a list. */
const QUOTED = /"([^"]*)"/g;

interface Needless {
  /** By order. */
  readonly canceled: Map<string, Canceled>;
  /** By symbol. */
  readonly simple: Map<string, Asked>;
}

export function needlessChecks(): Checker {
  const needless: Needless = { canceled: new Map(), simple: new Map() };
  return {
    sent(context, message) {
      if (message.endpoint === 'cancel') canceling(needless, context, message.body.order_id ?? '');
      if (message.endpoint === 'sbs-trades') asking(needless, context, message);
    },
    answered(context, message) {
      const { endpoint, status, text, sentAt, body } = message;
      if (endpoint === 'sbs-trades') noteSimple(needless, message);
      if (status !== 200) return;
      const now = context.now() + context.clockError();
      if (endpoint === 'cancel' && text.includes('"msg"') && !text.includes('"code"')) {
        const orderId = body.order_id ?? '';
        const known = needless.canceled.get(orderId) ?? { acknowledgedAt: null, shownAt: 0 };
        needless.canceled.set(orderId, known);
        known.acknowledgedAt ??= now;
      }
      if (endpoint !== 'open-orders') return;
      for (const [, orderId = ''] of text.matchAll(QUOTED)) {
        const known = needless.canceled.get(orderId);
        if (known !== undefined) known.shownAt = Math.max(known.shownAt, sentAt);
      }
    },
    // An answer that came after its request was given up on, as to a process that stood still, nobody has read.
    recorded(context, { type, payload }) {
      if (type !== 'cancel-outcome' || payload.outcome !== 'unknown') return;
      const orderId = context.journal.intents.get(String(payload.intentId))?.orderId ?? '';
      const known = needless.canceled.get(orderId);
      if (known !== undefined) known.acknowledgedAt = null;
    },
    // What was acknowledged, and how often a list failed, a new process does not know.
    crashed: () => {
      needless.canceled.clear();
      needless.simple.clear();
    },
  };
}

function canceling(needless: Needless, context: CheckContext, orderId: string): void {
  const now = context.now() + context.clockError();
  const known = needless.canceled.get(orderId);
  if (known?.acknowledgedAt == null || now - known.acknowledgedAt < CHOSEN_BEFORE_MS) return;
  // Once a write has failed the bot cancels from memory all that it has ever named.
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

function asking(needless: Needless, context: CheckContext, { query }: Outgoing): void {
  const symbol = query.get('symbol') ?? '';
  const now = context.now();
  const before = needless.simple.get(symbol);
  if (before === undefined) return void needless.simple.set(symbol, { at: now, failures: 0 });
  const pauseMs = before.failures === 0 ? 0 : Math.min(RETRY_LONGEST_MS, RETRY_FIRST_MS * 2 ** (before.failures - 1));
  const ms = now - before.at;
  before.at = now;
  if (before.failures > 0) context.counters.add('simple trades asked for again');
  if (ms >= pauseMs) return;
  context.violated(
    'L9',
    `Simple trades of ${symbol} were asked for again ${(ms / SECOND).toFixed(1)} s after they could not be read ` +
      `for the ${before.failures}th time; ${(pauseMs / SECOND).toFixed(0)} s is the pace.`,
  );
}

function noteSimple(needless: Needless, { query, status, text }: Answered): void {
  const known = needless.simple.get(query.get('symbol') ?? '');
  if (known !== undefined) known.failures = status === 200 && text.startsWith('[') ? 0 : known.failures + 1;
}
