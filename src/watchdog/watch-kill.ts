// The second half of the watchdog's decisions: from the latch to the proof. Part of `watch.ts`.
import { invariant } from '../domain/invariant.ts';
import type { DurationMs } from '../domain/time.ts';
import { KILL_SETTLES_MS, noCreateFrom } from './kill-bound.ts';
import { together } from './own-orders.ts';
import { type DoubtfulOrders, doubtfulIn, doubtfulWords, nextStep } from './sweep.ts';
import { recordSweepAnswer } from './sweep-answers.ts';
import {
  beginSlowed,
  beginSweep,
  LONGEST_WAIT_MS,
  postpone,
  remainsOf,
  type Sweep,
  takeOrders,
} from './sweep-state.ts';
import {
  type BotSight,
  BY_WATCHDOG,
  type Evidence,
  type KillState,
  lastTurn,
  type Moment,
  seconds,
  type Turn,
  tell,
  turnOf,
  type WatchEffect,
  type WatchInput,
  type WatchState,
} from './watch-state.ts';

/** How often a failed latch write is retried, and a SIGKILL that did not end the bot. */
const AGAIN_MS: DurationMs = 2_000;
/** The latch, then the bot's end, by signals and checks. */
export function ending(state: WatchState, input: WatchInput, now: Moment): Turn {
  const kill = killOf(state);
  switch (input.kind) {
    case 'latched':
      return afterLatch(state, input.failure, now);
    case 'bot':
      return kill.end === null ? turnOf(state, now) : afterSight(state, kill.end, input.bot, now);
    default:
      return turnOf(state, now, kill.end === null ? [] : [{ kind: 'look-at-bot' }]);
  }
}

/** A disk that refuses the latch does not save the bot: its end is the stronger fence. */
function afterLatch(state: WatchState, failure: string | null, now: Moment): Turn {
  const kill = killOf(state);
  const told =
    failure === null
      ? tell('warn', 'latched', 'The kill latch is set: nothing is created any more.')
      : tell('error', 'latch-failed', `${failure} Going on without: the bot is ended.`);
  const next = withKill(state, { isLatched: failure === null, latchTriedAt: now.mono, end: kill.end ?? endFrom(now) });
  const effects: WatchEffect[] = [told, { kind: 'signal', signal: 'SIGTERM' }, { kind: 'look-at-bot' }];
  return turnOf({ ...next, phase: 'ending' }, now, effects);
}

type End = NonNullable<KillState['end']>;

const endFrom = (now: Moment): End => ({ termAt: now.mono, killedAt: null, isGone: false });

const isGone = ({ process, folderHeld }: BotSight): boolean => process !== 'running' && !folderHeld;

function afterSight(state: WatchState, end: End, bot: BotSight, now: Moment): Turn {
  const { settings } = state;
  if (isGone(bot)) {
    const next = withKill(state, { end: { ...end, isGone: true } });
    return toClearing(next, tell('info', 'watching', 'The bot is gone, and the state folder is free.'), now);
  }
  if (end.killedAt === null && now.mono - end.termAt >= settings.termGraceMs) {
    const message = `SIGTERM did not end the bot within ${seconds(settings.termGraceMs)}: SIGKILL.`;
    const next = withKill(state, { end: { ...end, killedAt: now.mono } });
    return turnOf(next, now, [tell('warn', 'watching', message), { kind: 'signal', signal: 'SIGKILL' }]);
  }
  if (end.killedAt !== null && now.mono - end.killedAt >= KILL_SETTLES_MS) {
    const message =
      'The bot cannot be seen to be gone. It is latched, so its orders are canceled all the same; it is flat ' +
      'only when it is gone.';
    return toClearing(state, tell('error', 'bot-stays', message), now);
  }
  // Look again soon: at any moment here, orders may rest that nothing moves.
  return { ...turnOf(state, now), wakeAt: now.mono + Math.min(50, settings.lookEveryMs) };
}

/** Until its end the bot recorded its orders and their names, so the file is read again now. */
function toClearing(state: WatchState, seen: WatchEffect, now: Moment): Turn {
  const { settings } = state;
  const { intervalMs, firstAt } = paceOf(state, now);
  const sweep = beginSweep(settings.sweep, killOf(state).orders, secondFrom(state, now));
  beginSlowed(sweep, intervalMs);
  sweep.paceAt = firstAt;
  const what =
    settings.sweep.whose === 'account' ? 'everything on the account' : `${sweep.targets.size} orders by name`;
  const unnamed = sweep.unnamed.length === 0 ? '' : `, and looking for ${sweep.unnamed.length} without a name`;
  const wait = Math.max(0, sweep.secondFrom - now.mono);
  const message =
    `Canceling ${what}${unnamed}; again in ${seconds(wait)}, after the last create's horizon; then two complete ` +
    `lists. Giving up after ${seconds(settings.giveUpMs)}.`;
  const next: WatchState = { ...withKill(state, { sweep }), phase: 'clearing' };
  return proceed(next, [seen, tell('warn', 'clearing', message), { kind: 'gather' }], now);
}

/**
 * With the bot's key the watchdog continues where the bot stopped: at the bot's learned pace, one interval after its
 * end (its last request may have left then), and not before the end of a pause that the exchange requested.
 */
function paceOf({ settings, lease }: WatchState, now: Moment): { intervalMs: DurationMs; firstAt: DurationMs } {
  const own = settings.sweep.intervalMs;
  if (!settings.sharesKey) return { intervalMs: own, firstAt: now.mono };
  const intervalMs = Math.max(own, lease?.pace?.intervalMs ?? own);
  const pauseMs = Math.min((lease?.pace?.pausedUntil ?? now.wall) - now.wall, LONGEST_WAIT_MS);
  return { intervalMs, firstAt: now.mono + Math.max(intervalMs, pauseMs) };
}

/** The last create may be accepted until then. */
function secondFrom({ settings: { horizonMs }, kill }: WatchState, { wall, mono }: Moment): DurationMs {
  const lastCreate = { horizon: kill?.orders.horizon ?? 0, isKnown: kill?.damaged === null, horizonMs };
  return noCreateFrom(lastCreate, { now: () => wall, monotonic: () => mono });
}

/** Cancels and lists until nothing is left, or until it takes too long. */
export function clearing(state: WatchState, input: WatchInput, now: Moment): Turn {
  const sweep = sweepOf(state);
  switch (input.kind) {
    case 'completed':
      recordSweepAnswer(sweep, input, now.mono);
      return proceed(state, [], now);
    case 'look':
      return chores(state, now);
    case 'bot':
      return stillThere(state, input.bot, now);
    case 'latched':
      return afterLateLatch(state, input.failure === null, now);
    case 'evidence':
      return withEvidence(state, input.evidence, now);
    case 'rearmed':
    case 'kept':
      return proceed(state, [], now);
  }
}

/** Before the latch another bot may have started after the first was gone: its orders are in the file. */
function afterLateLatch(state: WatchState, isLatched: boolean, now: Moment): Turn {
  const next = withKill(state, { isLatched, latchTriedAt: now.mono });
  return isLatched ? turnOf(next, now, [{ kind: 'gather' }]) : proceed(next, [], now);
}

/**
 * Adds the orders that the file names now; if the file is damaged by now, its earlier content holds as well. A running
 * bot must be seen gone again.
 */
function withEvidence(state: WatchState, { orders, damaged, bot }: Evidence, now: Moment): Turn {
  const kill = killOf(state);
  const sweep = sweepOf(state);
  const known = damaged === null ? orders : together(kill.orders, orders);
  const end = kill.end?.isGone && !isGone(bot) ? endFrom(now) : kill.end;
  const next = withKill(state, { orders: known, damaged, end });
  takeOrders(sweep, known);
  const from = secondFrom(next, now);
  if (from > sweep.secondFrom) postpone(sweep, from);
  return proceed(next, [], now);
}

/** Steps that failed at first are retried while the orders are canceled. */
function chores(state: WatchState, now: Moment): Turn {
  const { isLatched, latchTriedAt, end, reason } = killOf(state);
  const effects: WatchEffect[] = [];
  if (!isLatched && now.mono - latchTriedAt >= AGAIN_MS)
    effects.push({ kind: 'latch', reason: `${BY_WATCHDOG}${reason}` });
  if (!end?.isGone) effects.push({ kind: 'look-at-bot' });
  return proceed(state, effects, now);
}

function stillThere(state: WatchState, bot: BotSight, now: Moment): Turn {
  const { end } = killOf(state);
  if (end === null || end.isGone) return proceed(state, [], now);
  if (isGone(bot)) {
    postpone(sweepOf(state), now.mono + state.settings.horizonMs);
    const next = withKill(state, { end: { ...end, isGone: true } });
    return proceed(next, [tell('info', 'watching', 'The bot is gone at last.'), { kind: 'gather' }], now);
  }
  if (now.mono - (end.killedAt ?? end.termAt) < AGAIN_MS) return proceed(state, [], now);
  const next = withKill(state, { end: { ...end, killedAt: now.mono } });
  return proceed(next, [{ kind: 'signal', signal: 'SIGKILL' }], now);
}

function proceed(state: WatchState, before: readonly WatchEffect[], now: Moment): Turn {
  const { settings } = state;
  const kill = killOf(state);
  const sweep = sweepOf(state);
  const effects = [...before];
  for (;;) {
    const step = nextStep(sweep, now.mono);
    if (step.kind === 'send') {
      effects.push(step);
      continue;
    }
    if (step.kind === 'flat' && kill.isLatched && kill.end?.isGone) {
      // Where the account is the bot's alone, an empty list is enough.
      const knew = kill.damaged === null || settings.sweep.whose === 'account';
      return knew ? flat(state, effects, now) : giveUp(state, effects, now);
    }
    if (now.mono - kill.actedAt > settings.giveUpMs) return giveUp(state, effects, now);
    const until = step.kind === 'flat' ? Number.POSITIVE_INFINITY : step.until;
    return { state, effects, wakeAt: Math.min(now.mono + settings.lookEveryMs, until) };
  }
}

function flat(state: WatchState, effects: readonly WatchEffect[], now: Moment): Turn {
  const took = `${seconds(now.mono - killOf(state).actedAt)} after the lease was over`;
  const isAutomatic = state.settings.rearm === 'after-proof';
  const doubtful = doubtfulIn(sweepOf(state), killOf(state).orders.questioned);
  const unsure = unsureOf(state, doubtful);
  const doubt = doubtfulWords(doubtful, took);
  const proved = doubt ?? `No order of the bot is open: proved by two complete lists, ${took}.`;
  const told = (message: string) => tell(doubt === null ? 'info' : 'error', 'flat', message);
  if (isAutomatic && unsure === null) {
    const next: WatchState = { ...state, phase: 'rearming' };
    return turnOf(next, now, [...effects, { kind: 'forget-orders' }, told(proved), { kind: 'rearm' }]);
  }
  // A person may have removed the latch meanwhile: the message is true all the same.
  const message = `${proved} While the kill latch is set no bot starts; \`quotekeeper rearm\` takes it off.`;
  // Before the file drops the doubtful orders: a restarted watchdog would otherwise remove the latch.
  const left: WatchEffect[] = isAutomatic && unsure !== null ? [{ kind: 'leave-to-person', why: unsure }] : [];
  // Where a copy rests, only the file shows which create it belongs to.
  const forget: WatchEffect[] = doubtful.copies.length > 0 ? [] : [{ kind: 'forget-orders' }];
  return lastTurn(state, now, [...effects, ...left, ...forget, told(message)], true);
}

/**
 * Why only a person may remove the latch, whatever is proved: the file must be whole, and no order's owner in doubt.
 */
function unsureOf(state: WatchState, { copies }: DoubtfulOrders): string | null {
  const { damaged, orders } = killOf(state);
  if (damaged !== null) return damaged;
  if (copies.length > 0) return `An order that may be the bot's rests: ${copies.join(', ')}.`;
  return orders.questioned.size > 0 ? 'A person was asked about the owner of an order.' : null;
}

function giveUp(state: WatchState, effects: readonly WatchEffect[], now: Moment): Turn {
  const took = seconds(now.mono - killOf(state).actedAt);
  const why = 'It could not be proved that no order of the bot is open.';
  const left = leftOf(state);
  const message = `Giving up after ${took}. ${left.join(' ') || why} Look at the exchange yourself.`;
  const leaves: WatchEffect[] = state.settings.rearm === 'after-proof' ? [{ kind: 'leave-to-person', why }] : [];
  return lastTurn(state, now, [...effects, ...leaves, tell('error', 'gave-up', message)], false);
}

/** What prevents the proof, one sentence each. */
export function leftOf({ kill }: WatchState): string[] {
  if (kill === null) return [];
  return [
    ...(kill.sweep === null ? [] : remainsOf(kill.sweep)),
    ...(kill.isLatched ? [] : ['The kill latch could not be written.']),
    ...(kill.end?.isGone ? [] : ['The bot cannot be seen to be gone.']),
    ...(kill.damaged === null ? [] : [`${kill.damaged} Orders missing from it were not canceled.`]),
  ];
}

function killOf({ kill }: WatchState): KillState {
  invariant(kill !== null, 'The watchdog acts without a reason.');
  return kill;
}

const withKill = (state: WatchState, change: Partial<KillState>): WatchState => ({
  ...state,
  kill: { ...killOf(state), ...change },
});

function sweepOf(state: WatchState): Sweep {
  const { sweep } = killOf(state);
  invariant(sweep !== null, 'The watchdog clears without having begun to.');
  return sweep;
}
