// S12 for resting orders: if the last book or list of own orders of a symbol is too old, a cancel leaves for each of
// its orders, as soon as the lane allows.
import { type DurationMs, type EpochMs, MINUTE, SECOND } from '../../src/domain/time.ts';
import { type Answered, type CheckContext, type Checker, isPrivate, SAMPLE_MS } from '../checks/context.ts';
import type { JournalIntent } from '../checks/journal-model.ts';
import { createLaneHealth } from '../checks/lane-health.ts';
import { forgetReads, noReads, rememberRead } from './last-reads.ts';

/** Time for other orders' cancels to have their turn, and for a refused one to be sent again. */
const PATIENCE_MS: DurationMs = MINUTE;

export function staleReadChecks(): Checker {
  const reads = noReads();
  const lane = createCancelLane();
  /** Since when a symbol's data has been too old while cancels could leave, by true time. */
  const staleSince = new Map<string, EpochMs>();
  /** When a cancel last left, by order or symbol; a cancel for the whole account has none. */
  const canceledAt = new Map<string, EpochMs>();
  const tooOld = (context: CheckContext, symbol: string): string | null => {
    const { bookMs, openOrdersMs } = context.settings.ageLimits;
    const now = context.now() + context.clockError();
    const limits = [['order-book', bookMs] as const, ['open-orders', openOrdersMs] as const];
    for (const [endpoint, limit] of limits) {
      const age = now - (reads.at.get(`${endpoint} ${symbol}`) ?? now);
      if (age > limit) return `${endpoint} was last read ${(age / SECOND).toFixed(0)} s ago`;
    }
    return null;
  };

  function judge(context: CheckContext, symbol: string, words: string): void {
    for (const intent of context.journal.live.values()) {
      if (intent.symbol !== symbol || intent.state !== 'open') continue;
      const since = Math.max(intent.since - context.clockError(), staleSince.get(symbol) ?? context.now());
      const canceled = Math.max(at(intent.orderId), at(symbol), at('all'));
      if (context.now() - Math.max(since, canceled) <= PATIENCE_MS) continue;
      context.violated('S12', `Intent ${nameOf(intent)} rests without a cancel, and ${words}.`);
    }
  }

  const at = (key: string | null): EpochMs => canceledAt.get(key ?? '') ?? Number.NEGATIVE_INFINITY;

  return {
    sent(context, { endpoint, body, query }) {
      if (endpoint === 'cancel') canceledAt.set(body.order_id ?? '', context.now());
      if (endpoint === 'cancel-symbol') canceledAt.set(body.symbol ?? query.get('symbol') ?? '', context.now());
      if (endpoint === 'cancel-all') canceledAt.set('all', context.now());
    },
    answered(context, message) {
      lane.answered(context, message);
      rememberRead(reads, context, message);
    },
    recorded: lane.recorded,
    crashed() {
      forgetReads(reads);
      staleSince.clear();
    },
    sampled(context) {
      const judged = lane.isOpen(context);
      for (const { instrument } of context.settings.runs) {
        const { symbol } = instrument;
        const words = judged ? tooOld(context, symbol) : null;
        if (words === null) {
          staleSince.delete(symbol);
          continue;
        }
        if (!staleSince.has(symbol)) staleSince.set(symbol, context.now());
        context.counters.add('stood on what is too old');
        judge(context, symbol, words);
      }
    },
  };
}

interface CancelLane extends Required<Pick<Checker, 'answered' | 'recorded'>> {
  /**
   * Whether a cancel can leave: not while the lane is silent, refused or held back, nor while the machine is suspended.
   * Records the call.
   */
  isOpen(context: CheckContext): boolean;
}

function createCancelLane(): CancelLane {
  const health = createLaneHealth();
  let askedAt: EpochMs = Number.NEGATIVE_INFINITY;
  /** When a request with a key last got no proper answer: a proxy's page with status 200 is none. */
  let refusedAt: EpochMs = Number.NEGATIVE_INFINITY;
  return {
    answered(context, message) {
      health.answered(context, message);
      if (isPrivate(message) && !isGood(message)) refusedAt = context.now();
    },
    recorded: (context, told) => health.recorded(context, told),
    isOpen(context) {
      const passed = context.now() - askedAt;
      askedAt = context.now();
      const isQuick = context.now() > Math.max(health.since(), health.fastSince(), refusedAt) + PATIENCE_MS;
      return context.isUp() && passed < 2 * SAMPLE_MS && isQuick && !health.isHeldBack(context);
    },
  };
}

const isGood = ({ status, text }: Answered): boolean => status === 200 && !text.startsWith('<');

const nameOf = ({ intentId, symbol, orderId }: JournalIntent): string => `${intentId} (${symbol}, order ${orderId})`;
