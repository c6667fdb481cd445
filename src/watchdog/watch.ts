// The watchdog's decisions: `apply(state, input, now)`. Pure, so that processes, tests and virtual time drive the same
// one. The order matters: latch, end the bot and see that it is gone, cancel, cancel again, prove, alert (order-truth
// §5).
import { assertNever } from '../domain/invariant.ts';
import type { Lease } from '../ports/lease.ts';
import { clearing, ending } from './watch-kill.ts';
import {
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
  type WatchSettings,
  type WatchState,
} from './watch-state.ts';

export const startWatch = (settings: WatchSettings, { mono }: Moment): WatchState => ({
  ...{ settings, phase: 'starting', lease: undefined, lived: false },
  ...{ beatAt: mono, lookedAt: mono, silentSince: null, kill: null },
});

/** Takes over the state; returns the next state, and the effects to carry out in order. */
export function apply(state: WatchState, input: WatchInput, now: Moment): Turn {
  switch (state.phase) {
    case 'starting':
      return starting(state, input, now);
    case 'watching':
      return input.kind === 'look' ? watching(state, input.lease, now) : turnOf(state, now);
    case 'deciding':
      return input.kind === 'evidence' ? deciding(state, input.evidence, now) : turnOf(state, now);
    case 'latching':
    case 'ending':
      return ending(state, input, now);
    case 'clearing':
      return clearing(state, input, now);
    case 'rearming':
      return rearming(state, input, now);
    case 'done':
      return turnOf(state, now);
    default:
      return assertNever(state.phase);
  }
}

function watching(before: WatchState, lease: Lease | null, now: Moment): Turn {
  const { settings, lookedAt } = before;
  const effects: WatchEffect[] = [];
  let state = seen(before, lease, now, effects);
  if (now.mono - lookedAt > settings.ttlMs / 2) {
    // Without looking, silence is no evidence: this process, or the machine, stood still.
    const message = `The watchdog itself did not look for ${seconds(now.mono - lookedAt)}: the bot's time starts over.`;
    effects.push(tell('warn', 'watching', message));
    state = { ...state, beatAt: now.mono };
  }
  state = { ...state, lookedAt: now.mono };
  if (now.mono - state.beatAt <= settings.ttlMs) return turnOf(state, now, effects);
  return turnOf({ ...state, phase: 'deciding' }, now, [...effects, { kind: 'gather' }]);
}

/** Records a renewal. The lease from before the first look is a baseline, not a sign of life. */
function seen(state: WatchState, lease: Lease | null, now: Moment, effects: WatchEffect[]): WatchState {
  const { lease: last } = state;
  if (last === undefined || lease === null) return { ...state, lease: last === undefined ? lease : last };
  if (last !== null && sameWriting(last, lease)) return last.withheld === lease.withheld ? state : { ...state, lease };
  if (lease.ended) {
    effects.push(tell('info', 'bot-ended', 'The bot has ended, and none of its orders is open.'));
    return { ...state, lease, lived: false, beatAt: now.mono };
  }
  // A bot that has just started has shown nothing yet: orders left by the previous one are still unwatched.
  if (lease.cycles === 0) return { ...state, lease };
  if (!state.lived) {
    const every = seconds(state.settings.ttlMs);
    const message = `The bot lives (process ${lease.process.pid}); from now on it must show progress every ${every}.`;
    effects.push(tell('info', 'bot-lives', message));
  }
  return withContact({ ...state, lease, lived: true, beatAt: now.mono }, now, effects);
}

/** If the exchange does not answer, the bot is not at fault and keeps trying: leave it running, and alert a person. */
function withContact(state: WatchState, now: Moment, effects: WatchEffect[]): WatchState {
  const contact = state.lease?.contact;
  const since = contact?.silentSince ?? null;
  if (since === null && state.silentSince !== null) {
    const message = `The exchange answers the bot again, after ${seconds(now.wall - state.silentSince)}.`;
    effects.push(tell('info', 'exchange-answers', message));
  }
  if (since === null) return { ...state, silentSince: null };
  if (state.silentSince !== null || now.wall - since < state.settings.ttlMs / 2) return state;
  const because = contact?.because ? ` ${contact.because}` : '';
  const message = [
    `The bot lives and goes on trying; the exchange has not answered it for ${seconds(now.wall - since)}.${because}`,
    'Its orders may rest at prices that cannot be moved.',
  ].join(' ');
  effects.push(tell('error', 'exchange-silent', message));
  return { ...state, silentSince: since };
}

const sameWriting = (a: Lease, b: Lease): boolean =>
  a.seq === b.seq &&
  a.process.pid === b.process.pid &&
  a.process.startedAt === b.process.startedAt &&
  a.ended === b.ended;

/** A watchdog started after a latch finishes any unfinished work of the one before it. */
function starting(state: WatchState, input: WatchInput, now: Moment): Turn {
  if (input.kind === 'look') return turnOf({ ...state, lease: input.lease }, now, [{ kind: 'gather' }]);
  if (input.kind !== 'evidence') return turnOf(state, now);
  const { evidence } = input;
  const begun: WatchState = { ...state, phase: 'watching', lookedAt: now.mono };
  if (evidence.latched === null || isThere(evidence)) return turnOf(begun, now);
  if (!mayBeOpen(evidence) && !isToRearm(state, evidence)) return nothingOpen(state, evidence.latched, now);
  return act(state, { evidence, why: `The kill latch is set (${evidence.latched}) and no bot is running.` }, now);
}

const mayBeOpen = ({ orders, damaged }: Evidence): boolean => orders.open.size > 0 || damaged !== null;
/** This latch needs a proof before it is removed: how far the previous watchdog came is unknown. */
const isToRearm = ({ settings }: WatchState, { mayRearm }: Evidence): boolean =>
  settings.rearm === 'after-proof' && mayRearm;

/** The latch is off: a bot may start, and is watched like a new one. */
function rearming(state: WatchState, input: WatchInput, now: Moment): Turn {
  if (input.kind === 'kept') {
    const message = `The kill latch is left to \`quotekeeper rearm\`: ${input.why}`;
    const left: WatchEffect = { kind: 'leave-to-person', why: input.why };
    return lastTurn(state, now, [left, tell('error', 'not-rearmed', message)], true);
  }
  if (input.kind !== 'rearmed') return turnOf(state, now);
  const times = `${input.today} of at most ${input.mostPerDay} times today`;
  const message = `Re-armed, ${times}: the kill latch is off, the bot may start.`;
  const begun: WatchState = { ...startWatch(state.settings, now), phase: 'watching', lease: state.lease };
  return turnOf(begun, now, [tell('info', 'rearmed', message)]);
}

const isThere = ({ bot }: Evidence): boolean => bot.process === 'running' || bot.folderHeld;

function nothingOpen(state: WatchState, latch: string, now: Moment): Turn {
  const message = `The kill latch is set (${latch}) and no order of the bot is open: there is nothing to do.`;
  return lastTurn(state, now, [tell('info', 'watching', message)], true);
}

/** The lease has expired. Acts unless nothing can be open and no process is left that could open something. */
function deciding(state: WatchState, evidence: Evidence, now: Moment): Turn {
  const { settings, lived, beatAt } = state;
  if (mayBeOpen(evidence) || (lived && isThere(evidence))) {
    const silent = seconds(now.mono - beatAt);
    const because = state.lease?.withheld ? ` Its reason: ${state.lease.withheld}` : '';
    const why = `The bot has shown no progress for ${silent} (at most ${seconds(settings.ttlMs)}).${because}`;
    return act(state, { evidence, why }, now);
  }
  if (evidence.latched !== null && isToRearm(state, evidence))
    return act(state, { evidence, why: `The kill latch is set (${evidence.latched}) and no bot is running.` }, now);
  if (evidence.latched !== null) return nothingOpen(state, evidence.latched, now);
  const message = 'The bot is gone without notice, but none of its orders is open: waiting for it.';
  const effects = lived ? [tell('warn', 'bot-gone', message)] : [];
  return turnOf({ ...state, phase: 'watching', lived: false, beatAt: now.mono }, now, effects);
}

function act(state: WatchState, { evidence, why }: { evidence: Evidence; why: string }, now: Moment): Turn {
  const { orders, damaged } = evidence;
  const open = damaged === null ? `${orders.open.size} of its orders may be open.` : damaged;
  const reason = `${why} ${open}`;
  const kill: KillState = {
    ...{ reason, orders, damaged, isLatched: false, end: null, sweep: null },
    ...{ actedAt: now.mono, latchTriedAt: now.mono },
  };
  return turnOf({ ...state, phase: 'latching', kill }, now, [
    tell('error', 'lease-expired', reason),
    { kind: 'latch', reason: `${BY_WATCHDOG}${reason}` },
  ]);
}
