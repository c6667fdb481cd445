// The bot's orders that count in its limits, from the exchange's truth and the wire alone: those that rest, may still
// come to rest, or can't have been proved closed yet. The bot's own view plays no part, except where it holds an order
// for closed that is gone: E1 and E2 judge each such proof.
import { Decimal } from '../../src/domain/decimal.ts';
import type { DurationMs, EpochMs } from '../../src/domain/time.ts';
import { reader } from '../../src/matching/engine.ts';
import type { HttpRequest } from '../../src/ports/transport.ts';
import type { RunSettings } from '../../src/trader/state/settings.ts';
import type { Answered, CheckContext, Outgoing } from '../checks/context.ts';
import type { JournalIntent } from '../checks/journal-model.ts';

/**
 * - `rests`: it is in the exchange's book.
 * - `on-its-way`: its create has left, has made no order so far, and no answer or list proves that it never will.
 * - `leaving`: it is gone from the book, and the reads since can't prove that nothing more of it fills.
 */
export type Whereabouts = 'rests' | 'on-its-way' | 'leaving';

export interface Exposed {
  readonly intentId: string;
  readonly run: RunSettings;
  readonly side: 'buy' | 'sell';
  readonly slot: string;
  /** In whole ticks and lots: sums are exact. */
  readonly ticks: bigint;
  readonly lots: bigint;
  readonly where: Whereabouts;
}

/** Of an order that is gone from the book. */
const isSettled = (intent: JournalIntent | undefined): boolean => intent?.state === 'closed';

interface Tracked extends Omit<Exposed, 'lots' | 'where'> {
  readonly quantity: bigint;
  /** From then on the exchange accepts no copy of the create. */
  readonly horizon: EpochMs;
  isRefused: boolean;
  /**
   * When a cancel was last acknowledged while it rested: the bound holds from then on, whatever causes delay. Null
   * before that.
   */
  canceledAt: Moment | null;
  /** When the order was first seen to be gone; null before that. */
  goneAt: Moment | null;
  /** Its unfilled quantity then: a trade undone later (F50) does not make it an order again. */
  left: bigint;
}

/** The bot's clock may stall or be set: a proof by either clock counts. */
interface Moment {
  readonly real: EpochMs;
  readonly bot: EpochMs;
}

/** When the newest answered ones of these left. */
interface Shown {
  orders: Moment;
  trades: Moment;
}

const NEVER: Moment = { real: Number.NEGATIVE_INFINITY, bot: Number.NEGATIVE_INFINITY };
const later = (a: Moment, b: Moment): Moment => ({ real: Math.max(a.real, b.real), bot: Math.max(a.bot, b.bot) });
const isAfter = (shown: Moment, at: Moment, byMs: DurationMs): boolean =>
  shown.real >= at.real + byMs || shown.bot >= at.bot + byMs;

export interface MayBeLive {
  sent(context: CheckContext, message: Outgoing): void;
  answered(context: CheckContext, message: Answered): void;
  /** All orders that count now. */
  all(context: CheckContext): readonly Exposed[];
}

interface Tracking {
  readonly tracked: Map<string, Tracked>;
  readonly shown: Map<string, Shown>;
  readonly leftAt: WeakMap<HttpRequest, EpochMs>;
  wallet: Moment;
}

export function createMayBeLive(): MayBeLive {
  const tracking: Tracking = {
    tracked: new Map(),
    shown: new Map(),
    leftAt: new WeakMap(),
    wallet: NEVER,
  };
  return {
    sent(context, { intent, request }) {
      tracking.leftAt.set(request, context.now());
      const run = intent === null ? undefined : runOf(context, intent.symbol);
      if (intent !== null && run !== undefined)
        tracking.tracked.set(intent.intentId, track(run, intent, context.settings.assumptions.recvWindowMs));
    },
    answered(context, { endpoint, status, query, body, intent, request, sentAt }) {
      if (endpoint === 'create') markRefused(tracking.tracked.get(intent?.intentId ?? ''), status);
      if (status !== 200) return;
      if (endpoint === 'cancel') markCanceled(tracking, context, body.order_id ?? '');
      const left: Moment = { real: tracking.leftAt.get(request) ?? NEVER.real, bot: sentAt };
      if (endpoint === 'wallet') tracking.wallet = later(tracking.wallet, left);
      if (endpoint !== 'open-orders' && endpoint !== 'spot-trades') return;
      const symbol = query.get('symbol');
      const symbols = symbol === null ? context.settings.runs.map(({ instrument }) => instrument.symbol) : [symbol];
      const what = endpoint === 'open-orders' ? 'orders' : 'trades';
      for (const each of symbols) shownOf(tracking, each)[what] = later(shownOf(tracking, each)[what], left);
    },
    all(context) {
      const counted: Exposed[] = [];
      for (const each of tracking.tracked.values()) {
        const part = partOf(tracking, context, each);
        if (part !== null) counted.push(part);
        else if (each.isRefused || each.goneAt !== null) tracking.tracked.delete(each.intentId);
      }
      return counted;
    },
  };
}

const shownOf = (tracking: Tracking, symbol: string): Shown => {
  const known = tracking.shown.get(symbol) ?? { orders: NEVER, trades: NEVER };
  tracking.shown.set(symbol, known);
  return known;
};

function isProved(tracking: Tracking, context: CheckContext, symbol: string, goneAt: Moment): boolean {
  const { orders, trades } = shownOf(tracking, symbol);
  const { readLagBoundMs: boundMs } = context.settings.assumptions;
  return [orders, trades, tracking.wallet].every((each) => isAfter(each, goneAt, boundMs));
}

function markCanceled(tracking: Tracking, context: CheckContext, orderId: string): void {
  const maker = context.oracle.orders.get(orderId)?.maker;
  const each = maker?.kind === 'bot' ? tracking.tracked.get(maker.intentId) : undefined;
  if (each?.goneAt === null) each.canceledAt = { real: context.now(), bot: context.now() + context.clockError() };
}

/** The part that counts; null for good once the exchange and the wire have settled it. */
function partOf(tracking: Tracking, context: CheckContext, each: Tracked): Exposed | null {
  const { intentId, run, side, slot, ticks, quantity } = each;
  const counts = (lots: bigint, where: Whereabouts): Exposed => ({ intentId, run, side, slot, ticks, lots, where });
  // A limit can't know of a second order of one create (F11).
  const [order] = context.oracle.ordersOf(intentId);
  const { symbol } = run.instrument;
  if (order === undefined) {
    const isOver = each.isRefused || shownOf(tracking, symbol).orders.real >= each.horizon;
    return isOver ? null : counts(quantity, 'on-its-way');
  }
  const row = order.live ? reader(context.exchange().engine).order(order.orderId) : undefined;
  if (row !== undefined) {
    each.goneAt = null;
    return counts(BigInt(row.remaining), 'rests');
  }
  // The exchange does nothing between two messages: the order ended after the last message that found it open.
  each.goneAt ??= { real: order.endedAfter, bot: order.endedAfter + context.clockError() };
  const left = quantity - BigInt(order.filled.div(run.instrument.lotSize).toFixed(0));
  each.left = left < each.left ? left : each.left;
  const proofs = [each.goneAt, each.canceledAt].filter((at) => at !== null);
  if (
    each.left <= 0n ||
    isSettled(context.journal.intents.get(intentId)) ||
    proofs.some((at) => isProved(tracking, context, symbol, at))
  )
    return null;
  return counts(each.left, 'leaving');
}

/** A refusal proves that the order was never processed, or never placed. */
function markRefused(each: Tracked | undefined, status: number | null): void {
  if (each !== undefined && status !== null && status >= 400 && status < 500 && status !== 429) each.isRefused = true;
}

function track(
  run: RunSettings,
  { intentId, side, slot, price, quantity, timestamp }: JournalIntent,
  windowMs: DurationMs,
): Tracked {
  const { tickSize, lotSize } = run.instrument;
  const steps = (text: string, step: Decimal): bigint => BigInt(new Decimal(text).div(step).toFixed(0));
  const lots = steps(quantity, lotSize);
  return {
    intentId,
    run,
    side,
    slot,
    ticks: steps(price, tickSize),
    quantity: lots,
    horizon: timestamp + windowMs,
    isRefused: false,
    canceledAt: null,
    goneAt: null,
    left: lots,
  };
}

const runOf = ({ settings }: CheckContext, symbol: string): RunSettings | undefined =>
  settings.runs.find(({ instrument }) => instrument.symbol === symbol);
