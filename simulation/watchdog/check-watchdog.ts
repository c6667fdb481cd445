// The dead man's switch (order-truth §5; S10, D1 to D5), judged by the exchange's truth, the wire, the latch and the
// lease.
import type { InstrumentSymbol } from '../../src/domain/instrument.ts';
import { type DurationMs, type EpochMs, MINUTE, SECOND } from '../../src/domain/time.ts';
import type { TradingSettings } from '../../src/loop/start-trading.ts';
import { KILL_SETTLES_MS, type KillBound } from '../../src/watchdog/kill-bound.ts';
import type { OwnOrders } from '../../src/watchdog/own-orders.ts';
import { horizonMsOf, killBoundOf } from '../../src/watchdog/watch-settings.ts';
import type { Answered, CheckContext, Checker, Outgoing } from '../checks/context.ts';
import type { TrueOrder } from '../checks/oracle.ts';
import type { Plan } from '../plan/plan.ts';
import { createSweepLog, type SweepLog } from './sweep-log.ts';
import type { Sweeper } from './sweepers.ts';
import { createTakenCancels, type TakenCancels } from './taken-cancels.ts';
import { TTL_MS, watchConfiguration } from './watch-configuration.ts';
import type { WatchedProcess } from './watched-process.ts';

export interface WatchdogChecks extends Checker {
  watching(process: WatchedProcess | null): void;
  latching(context: CheckContext, who: Sweeper, reason: string): void;
  swept(context: CheckContext, who: Sweeper, message: Outgoing): void;
  sweepAnswered(context: CheckContext, who: Sweeper, message: Answered): void;
  /** `orders`: its basis. */
  flat(context: CheckContext, who: Sweeper, orders: OwnOrders): void;
}

interface Sweep {
  readonly who: Sweeper;
  readonly log: SweepLog;
  /** The start of its bound: the last renewal; for `cancel-all`, which waits for a running bot, the bot's end. */
  from: EpochMs;
  readonly isPressed: boolean;
  /** It had to cancel next to a bot that no signal ended. */
  wasBeside: boolean;
  flatAt: EpochMs | null;
}

/** A proved flat state, which must hold until the latch is off. */
interface Flat {
  readonly who: Sweeper;
  readonly latchedAt: EpochMs;
  readonly mayStay: (order: TrueOrder) => boolean;
}

const CANCELS: ReadonlySet<string> = new Set(['cancel', 'cancel-symbol', 'cancel-all']);
/** For timers, and the two kinds of clocks. */
const SLACK_MS: DurationMs = 50;
/** In calm even a sweep that met every obstacle ends within this many of its bounds. */
const MOST_BOUNDS = 3;

interface SweptMessage {
  readonly who: Sweeper;
  readonly message: Outgoing;
}

interface Judged {
  readonly bound: KillBound;
  /** The configured pace. */
  readonly intervalMs: DurationMs;
  readonly horizonMs: DurationMs;
  readonly readLagBoundMs: DurationMs;
  readonly taken: TakenCancels;
  /** Whether the account is the bot's alone. */
  readonly isAlone: boolean;
  readonly symbols: readonly InstrumentSymbol[];
  readonly sweeps: Map<Sweeper, Sweep>;
  process: WatchedProcess | null;
  createdAt: EpochMs;
  flat: Flat | null;
  lookedAt: EpochMs;
  missedAt: EpochMs;
}

export function watchdogChecks(plan: Plan, trading: TradingSettings): WatchdogChecks {
  const configuration = watchConfiguration(trading);
  const judged: Judged = {
    bound: killBoundOf(configuration),
    intervalMs: 1_000 / configuration.watchdog.requestsPerSecond,
    horizonMs: horizonMsOf(configuration),
    readLagBoundMs: trading.trader.assumptions.readLagBoundMs,
    taken: createTakenCancels(),
    isAlone: plan.foreignOrders === 'refuse',
    symbols: trading.trader.runs.map(({ instrument }) => instrument.symbol),
    sweeps: new Map(),
    process: null,
    createdAt: Number.NEGATIVE_INFINITY,
    flat: null,
    lookedAt: 0,
    missedAt: Number.NEGATIVE_INFINITY,
  };
  return {
    watching(watched) {
      judged.process = watched;
    },
    latching(context, who) {
      context.counters.add(who.startsWith('cancel-all') ? 'latched by cancel-all' : 'latched by the watchdog');
      needless(judged, context, who);
      sweepOf(judged, context, who);
    },
    swept(context, who, message) {
      const sweep = sweepOf(judged, context, who);
      if (CANCELS.has(message.endpoint)) {
        tooEarly(judged, context, { who, message });
        foreign(judged, context, { who, message });
      }
      sweep.log.sent(context, message);
    },
    sweepAnswered(context, who, message) {
      sweepOf(judged, context, who).log.answered(context, message);
      judged.taken.answered(context, message);
    },
    flat(context, who, orders) {
      const sweep = sweepOf(judged, context, who);
      sweep.flatAt = context.now();
      context.counters.add(`proved flat by ${who.startsWith('cancel-all') ? 'cancel-all' : 'the watchdog'}`);
      const mayStay = ({ orderId }: TrueOrder): boolean =>
        !judged.isAlone && [...orders.questioned].some((each) => each === orderId);
      judged.flat = { who, latchedAt: context.latchedSince() ?? context.now(), mayStay };
      unproved(judged, context, judged.flat);
      late(judged, context, sweep);
    },
    sent(context, { endpoint }) {
      if (endpoint === 'create') judged.createdAt = context.now();
    },
    answered: judged.taken.answered,
    event(context) {
      if (context.now() - judged.lookedAt > 5 * SECOND && judged.lookedAt > 0) judged.missedAt = context.now();
      judged.lookedAt = context.now();
      if (judged.process?.sight().folderHeld === true)
        for (const sweep of judged.sweeps.values()) if (sweep.isPressed && !isBusy(sweep)) sweep.from = context.now();
      stillFlat(judged, context);
    },
    sampled: (context) => endless(judged, context),
  };
}

function sweepOf(judged: Judged, context: CheckContext, who: Sweeper): Sweep {
  const known = judged.sweeps.get(who);
  if (known !== undefined) return known;
  const isPressed = who.startsWith('cancel-all');
  const from = isPressed ? context.now() : (judged.process?.renewedAt() ?? context.now());
  const begun = { who, log: createSweepLog(), from, isPressed, wasBeside: false, flatAt: null };
  judged.sweeps.set(who, begun);
  return begun;
}

/** A watchdog sends one request to check its key; it acts from its latch, or its first cancel, on. */
const isBusy = (sweep: Sweep): boolean => sweep.flatAt === null && sweep.log.cancelsSent() > 0;

/** D5: the bot is up, its loop makes progress, and nothing shows that it waits in vain. */
function needless(judged: Judged, context: CheckContext, who: Sweeper): void {
  if (judged.process === null || who.startsWith('cancel-all') || judged.process.sight().process !== 'running') return;
  const renewedAt = judged.process.renewedAt() ?? Number.NEGATIVE_INFINITY;
  const hungAt = judged.process.hungAt() ?? Number.NEGATIVE_INFINITY;
  const silentMs = context.now() - renewedAt;
  const isWithheld = judged.process.lease()?.withheld !== undefined;
  const seconds = (silentMs / SECOND).toFixed(1);
  if (silentMs <= TTL_MS) context.violated('D5', `The ${who} ends a bot that showed life ${seconds} s ago.`);
  else if (context.now() - hungAt > TTL_MS && !isWithheld && judged.process.lease()?.cycles !== 0)
    context.violated('D5', `The ${who} ends a bot that neither hangs nor says why it does not renew its lease.`);
}

/** S10: first the latch, then the bot's end, then cancels. */
function tooEarly(judged: Judged, context: CheckContext, { who, message }: SweptMessage): void {
  const { endpoint } = message;
  if (context.latchedSince() === null)
    return context.violated('S10', `A ${endpoint} of the ${who} left without the kill latch.`);
  const { folderHeld } = judged.process?.sight() ?? { folderHeld: false };
  if (!folderHeld) return;
  sweepOf(judged, context, who).wasBeside = true;
  const silentMs = context.now() - (judged.process?.renewedAt() ?? 0);
  // `cancel-all` waits for a bot that shows progress, and continues without one that does not.
  if (who.startsWith('cancel-all')) {
    if (silentMs < TTL_MS - SLACK_MS)
      context.violated('S10', `A ${endpoint} of the ${who} left while the bot shows life.`);
    return;
  }
  const killedAt = judged.process?.killedAt() ?? null;
  if (killedAt === null || context.now() - killedAt < KILL_SETTLES_MS - SLACK_MS)
    context.violated('S10', `A ${endpoint} of the ${who} left before the bot was seen to be gone.`);
}

/** D1: on a shared account no order of the owner is canceled. */
function foreign({ isAlone }: Judged, context: CheckContext, { who, message }: SweptMessage): void {
  const { endpoint, body } = message;
  if (endpoint !== 'cancel') {
    if (!isAlone) context.violated('D1', `A ${endpoint} of the ${who} left on an account that is not the bot's alone.`);
    return;
  }
  const order = context.oracle.orders.get(body.order_id ?? '');
  if (order?.maker.kind === 'owner')
    context.violated('D1', `A cancel of the ${who} left for the owner's order ${order.orderId}.`);
}

/**
 * D3: two whole lists of each symbol that left when no create could be accepted any more, without an order of the bot.
 * For an order that no cancel is sure to have reached, they leave as far apart as lists may trail.
 */
function unproved(judged: Judged, context: CheckContext, { who, mayStay }: Flat): void {
  const from = judged.createdAt + judged.horizonMs - SLACK_MS;
  const isOurs = (orderId: string): boolean => {
    const order = context.oracle.orders.get(orderId);
    return order === undefined ? judged.isAlone : !mayStay(order) && (judged.isAlone || order.maker.kind === 'bot');
  };
  const { log } = sweepOf(judged, context, who);
  const short = judged.symbols.filter((symbol) => log.cleanLists(symbol, from, isOurs).length < 2);
  if (short.length > 0)
    return context.violated(
      'D3',
      `The ${who} says that nothing is open, without two whole lists of ${short.join(', ')}.`,
    );
  if (context.excused('second-order')) return;
  for (const { symbol, orderId } of notReached(judged, context, { log, mayStay })) {
    context.counters.add('proved flat without a cancel');
    const lists = log.cleanLists(symbol, from, isOurs);
    const apartMs = (lists.at(-1) ?? 0) - (lists[0] ?? 0);
    if (apartMs >= judged.readLagBoundMs - SLACK_MS) continue;
    context.violated(
      'D3',
      `The ${who} says that nothing is open by lists of ${symbol} that are ${(apartMs / SECOND).toFixed(1)} s apart, ` +
        `and no cancel is sure to have reached ${orderId}.`,
    );
  }
}

/** Orders of the bot that rested when this sweep began, or since, and that no cancel is sure to have reached. */
function notReached(
  { taken }: Judged,
  context: CheckContext,
  { log, mayStay }: { readonly log: SweepLog; readonly mayStay: (order: TrueOrder) => boolean },
): readonly TrueOrder[] {
  const begunAt = log.firstSentAt() ?? context.now();
  return [...context.oracle.orders.values()].filter(
    (order) =>
      order.maker.kind === 'bot' && (order.live || order.endedAfter >= begunAt) && !mayStay(order) && !taken.has(order),
  );
}

/** D4: within the program's stated bound, if the exchange answered at once and nothing else was in the way. */
function late(judged: Judged, context: CheckContext, sweep: Sweep): void {
  const { provedMs, detectedMs } = judged.bound;
  const bound = sweep.isPressed ? provedMs - detectedMs : provedMs;
  const tookMs = context.now() - sweep.from;
  const lease = judged.process?.lease();
  const isSlowed = (lease?.pace?.intervalMs ?? 0) > judged.intervalMs + 1;
  const isPaused = (lease?.pace?.pausedUntil ?? null) !== null;
  const wasHeldUp = sweep.log.troubles() > 0 || isSlowed || isPaused || judged.missedAt >= sweep.from;
  if (wasHeldUp || sweep.wasBeside || !isFirst(judged, sweep)) return context.counters.add('kill that was held up');
  context.counters.add('kill within its bound');
  if (tookMs <= bound + SLACK_MS) return;
  const [took, most] = [tookMs, bound].map((ms) => (ms / SECOND).toFixed(1));
  context.violated('D4', `The ${sweep.who} took ${took} s, and says that it takes ${most} s at the most.`);
}

/**
 * D2: the proved state is true, and stays so while the latch is set. An order that lists lack may still be on its way
 * out: the exchange acknowledged its cancel, and carries it out later.
 */
function stillFlat(judged: Judged, context: CheckContext): void {
  if (judged.flat === null) return;
  if (context.latchedSince() !== judged.flat.latchedAt) {
    judged.flat = null;
    return;
  }
  const { who, mayStay } = judged.flat;
  const isGoing = (order: TrueOrder): boolean => context.excused('hole') && judged.taken.has(order);
  const left = context.oracle
    .live()
    .filter((order) => order.maker.kind === 'bot' && !mayStay(order) && !isGoing(order));
  if (left.length > 0 && !context.excused('second-order') && !context.excused('trailing'))
    context.violated('D2', `The ${who} said that nothing is open, and ${left[0]?.orderId} of the bot's is.`);
}

/**
 * A sweeper that continues another's work is late by the time that one took; one that died right after its latch has
 * sent nothing (seed 70009).
 */
function isFirst({ sweeps }: Judged, sweep: Sweep): boolean {
  const others = [...sweeps.values()].filter((other) => other !== sweep && other.from >= sweep.from);
  return others.every((other) => !isBusy(other) && other.from > sweep.from);
}

/** D4, despite any obstacle: in calm every sweep comes to an end. */
function endless(judged: Judged, context: CheckContext): void {
  if (context.phase() !== 'calm') return;
  const bound = MOST_BOUNDS * judged.bound.provedMs + 5 * MINUTE;
  for (const sweep of judged.sweeps.values()) {
    const last = sweep.log.lastSentAt();
    const isAtWork = isBusy(sweep) && last !== null && context.now() - last < 2 * MINUTE;
    const ms = context.now() - Math.max(context.calmSince(), sweep.log.firstCancelAt() ?? context.now());
    if (isAtWork && ms > bound)
      context.violated('D4', `The ${sweep.who} has been at work for ${(ms / SECOND).toFixed(0)} s of calm.`);
  }
}
