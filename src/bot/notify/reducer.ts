// Decides what to notify and when: a reducer over occurrences and time. One message per lasting condition, reminders,
// an all-clear at its end; retries, and the next message of each channel. Pure: clock, disk and network are elsewhere.
import { type DurationMs, type EpochMs, MINUTE, SECOND } from '../../domain/time.ts';
import { duration, isGraver, type Occurrence, SEVERITIES } from '../base/message.ts';
import { enqueue, forget, releaseHeld, say, takes, waitingFor, waitOn } from './admit.ts';
import {
  type ChannelState,
  type Counted,
  changeChannel,
  type Delivery,
  freshChannel,
  type Line,
  type NotifyRules,
  type NotifyState,
  type NotifyTurn,
  type Problem,
  problemKey,
  type Saying,
  type SendResult,
} from './state.ts';

export type NotifyInput =
  | {
      readonly kind: 'occurred';
      readonly occurrence: Occurrence;
      /** Whether its end will be reported. */
      readonly lasts: boolean;
      /** A warning that lasts this long becomes a page. */
      readonly pageAfterMs: DurationMs | null;
    }
  /** Comes about once a second. `over`: keys of problems that are over. */
  | { readonly kind: 'tick'; readonly over: readonly string[] }
  /** The process ends: the summary of what was held back joins the waiting messages. */
  | { readonly kind: 'ending' }
  /** Messages that another process could not send. */
  | { readonly kind: 'inherited'; readonly deliveries: readonly Delivery[] }
  | { readonly kind: 'result'; readonly delivery: Delivery; readonly result: SendResult };

export interface NotifyStep {
  readonly state: NotifyState;
  readonly counted: readonly Counted[];
  readonly lines: readonly Line[];
}

/** Occurrences that don't last and recur within this time are summed up in one reminder. */
const GATHER_MS: DurationMs = 5 * MINUTE;
const FIRST_PAUSE_MS: DurationMs = SECOND;
const LONGEST_PAUSE_MS: DurationMs = 30 * SECOND;
/** A channel may request a longer pause, up to this. */
const LONGEST_NAMED_PAUSE_MS: DurationMs = 10 * MINUTE;
/** After this many failures with other messages accepted in between, the message itself is at fault. */
const MOST_REFUSALS = 3;
/** After this many failures in a row, other messages go before the failed one. */
const FAILURES_OF_ONE = 3;
/** After this many in a row, about a minute, the other channels are told. */
const FAILURES_TOLD = 7;

/**
 * Starts with the outbox of an earlier process: everything is tried again at once, since the fault may have been fixed
 * meanwhile. Drops messages of channels that no longer exist, and logs that.
 */
export function startNotify(rules: NotifyRules, kept: NotifyState, now: EpochMs): NotifyStep {
  // The clock may have been set back between the two.
  const past = (at: EpochMs): EpochMs => Math.min(at, now);
  const channels = rules.channels.map((rule): [string, ChannelState] => {
    const { refilledAt, failingSince, ...more } = kept.channels.get(rule.name) ?? freshChannel(rule, now);
    const since = failingSince === null ? null : past(failingSince);
    return [rule.name, { ...more, refilledAt: past(refilledAt), failingSince: since, retryAt: null }];
  });
  const problems = [...kept.problems].map(([key, each]): [string, Problem] => {
    const { since, lastAt, toldAt, pageAt } = each;
    // Nobody watched while no process was running: a warning gets its time again before it becomes a page. Not more: a
    // bot that keeps restarting must page.
    const again = pageAt === null ? null : now + Math.min(pageAt - since, PATIENCE_MOST_MS);
    return [key, { ...each, since: past(since), lastAt: past(lastAt), toldAt: past(toldAt), pageAt: again }];
  });
  const waiting = [...kept.waiting].map(([key, each]) => [key, { ...each, retryAt: null }] as const);
  const maps = { channels: new Map(channels), problems: new Map(problems), waiting: new Map(waiting) };
  const turn = begin(rules, { ...kept, ...maps }, now);
  for (const delivery of kept.waiting.values()) if (!turn.state.channels.has(delivery.channel)) lose(turn, delivery);
  return turn;
}

/** A start has this long to find that a problem is over. */
const PATIENCE_MOST_MS: DurationMs = MINUTE;

interface NotifyMoment {
  readonly input: NotifyInput;
  /** By the wall clock: conditions may outlast the process. */
  readonly now: EpochMs;
}

/** The state after the input, plus counts and log lines. `nextFor` returns what to send. */
export function notify(rules: NotifyRules, state: NotifyState, { input, now }: NotifyMoment): NotifyStep {
  const turn = begin(rules, state, now);
  switch (input.kind) {
    case 'occurred':
      occurred(turn, input);
      break;
    case 'tick':
      tick(turn, input.over);
      break;
    case 'ending':
      for (const rule of rules.channels) releaseHeld(turn, rule, 'whatever the rate');
      break;
    case 'inherited':
      for (const each of input.deliveries) {
        const rule = rules.channels.find(({ name }) => name === each.channel);
        if (rule === undefined) lose(turn, each);
        else enqueue(turn, rule, { ...each, retryAt: null });
      }
      break;
    case 'result':
      settle(turn, input.delivery, input.result);
      break;
  }
  return turn;
}

const begin = (rules: NotifyRules, state: NotifyState, now: EpochMs): NotifyTurn => ({
  ...{ state, rules, now },
  counted: [],
  lines: [],
});

function occurred(turn: NotifyTurn, { occurrence, lasts, pageAfterMs }: Extract<NotifyInput, { kind: 'occurred' }>) {
  const { now } = turn;
  const { severity, op, symbol, text } = occurrence;
  if (severity === 'info') return say(turn, { ...occurrence, kind: 'event', since: now });
  // Not kept if no channel would ever accept it: warnings may come every second.
  const gravest = pageAfterMs === null ? severity : 'page';
  if (!turn.rules.channels.some((rule) => takes(rule, { op, severity: gravest }))) return;
  const known = turn.state.problems.get(problemKey(op, symbol));
  if (known !== undefined && !isGraver(severity, known.severity))
    return keep(turn, { ...known, text, lastAt: now, more: known.more + 1 });
  const since = known?.since ?? now;
  const pageAt = severity === 'page' || pageAfterMs === null ? null : since + pageAfterMs;
  keep(turn, { op, symbol, severity, text, since, lastAt: now, toldAt: now, more: 0, lasts, pageAt });
  say(turn, { ...occurrence, kind: 'problem', since });
}

function keep(turn: NotifyTurn, problem: Problem): void {
  const problems = new Map(turn.state.problems).set(problemKey(problem.op, problem.symbol), problem);
  turn.state = { ...turn.state, problems };
}

function tick(turn: NotifyTurn, over: readonly string[]): void {
  const { now, rules } = turn;
  for (const [key, problem] of turn.state.problems) {
    if (over.includes(key)) end(turn, key, problem);
    else if (problem.pageAt !== null && now >= problem.pageAt) becomePage(turn, problem);
    else if (now - problem.toldAt >= patienceMs(problem, rules)) remind(turn, key, problem);
  }
  for (const rule of rules.channels) releaseHeld(turn, rule, 'by the rate');
}

const patienceMs = ({ lasts }: Problem, { repeatAfterMs }: NotifyRules): DurationMs =>
  lasts ? repeatAfterMs : Math.min(repeatAfterMs, GATHER_MS);

function remove(turn: NotifyTurn, key: string): void {
  const problems = new Map(turn.state.problems);
  problems.delete(key);
  turn.state = { ...turn.state, problems };
}

function end(turn: NotifyTurn, key: string, { op, symbol, severity, since, text: last }: Problem): void {
  remove(turn, key);
  const text = `Over, after ${duration(turn.now - since)}: ${last}`;
  say(turn, { kind: 'all-clear', severity, op, symbol, since, text });
}

function becomePage(turn: NotifyTurn, problem: Problem): void {
  const { op, symbol, since } = problem;
  keep(turn, { ...problem, severity: 'page', pageAt: null, toldAt: turn.now, more: 0 });
  const text = `For ${duration(turn.now - since)} now: ${problem.text}`;
  say(turn, { kind: 'problem', severity: 'page', op, symbol, since, text });
}

/** Drops a problem that does not last and has not recurred. */
function remind(turn: NotifyTurn, key: string, problem: Problem): void {
  const { op, symbol, severity, since, more, lasts } = problem;
  if (!lasts && more === 0) return remove(turn, key);
  keep(turn, { ...problem, toldAt: turn.now, more: 0 });
  const times = more === 0 ? '' : `${more} more of it since. `;
  const text = `${lasts ? `Still so, after ${duration(turn.now - since)}. ` : ''}${times}The last: ${problem.text}`;
  say(turn, { kind: 'reminder', severity, op, symbol, since, text });
}

function settle(turn: NotifyTurn, delivery: Delivery, result: SendResult): void {
  const { now } = turn;
  const { channel } = delivery;
  const before = turn.state.channels.get(channel);
  if (before === undefined) return;
  turn.counted.push({ channel, outcome: result.kind });
  if (result.kind === 'sent') return sent(turn, delivery, { before, without: result.without });
  const { because } = result;
  // The attempt before it succeeded, so the channel works.
  if (before.failures === 0 && delivery.refusals >= MOST_REFUSALS - 1) return giveUp(turn, delivery, because);
  const failures = before.failures + 1;
  const own = now + Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** Math.min(before.failures, 10));
  const isRefusal = result.kind === 'refused';
  const asked = isRefusal ? 0 : Math.min(result.retryAfterMs ?? 0, LONGEST_NAMED_PAUSE_MS);
  if (isRefusal || delivery.refusals > 0 || failures >= FAILURES_OF_ONE) {
    // Moves it behind all others that failed: whichever is at fault, the others get their turn.
    forget(turn, delivery);
    waitOn(turn, { ...delivery, retryAt: own });
  }
  const retryAt = isRefusal ? now + FIRST_PAUSE_MS : Math.max(own, now + asked);
  const failingSince = before.failingSince ?? now;
  changeChannel(turn, channel, { failures, failingSince, because, retryAt });
  if (failures === FAILURES_TOLD) tellOthers(turn, channel, { kind: 'problem', since: failingSince, because });
  if (because === before.because) return;
  const words = `The channel ${channel} does not take messages: ${because} They wait, and are tried again.`;
  turn.lines.push({ level: 'warn', op: 'notify-failed', message: words });
}

const WORKS = { failures: 0, failingSince: null, because: null, retryAt: null } as const;

interface Taken {
  readonly before: ChannelState;
  readonly without: string | undefined;
}

/** A channel that misses a recipient accepts messages, but still counts as failing. */
function sent(turn: NotifyTurn, delivery: Delivery, { before, without }: Taken): void {
  const { channel } = delivery;
  forget(turn, delivery);
  for (const each of waitingFor(turn.state, channel))
    if (each.retryAt !== null) waitOn(turn, { ...each, retryAt: null, refusals: each.refusals + 1 });
  const { failures, because } = before;
  const since = before.failingSince ?? turn.now;
  const failing = without === undefined ? {} : { failingSince: since, because: without };
  changeChannel(turn, channel, { ...WORKS, ...failing });
  if (failures >= FAILURES_TOLD) tellOthers(turn, channel, { kind: 'all-clear', since, because });
  if (without !== undefined) {
    if (without === because) return;
    turn.lines.push({ level: 'error', op: 'notify-refused', message: `The channel ${channel}: ${without}` });
  } else if (before.failingSince !== null) {
    const words = `The channel ${channel} works again, after ${duration(turn.now - since)}.`;
    turn.lines.push({ level: 'info', op: 'notify-works', message: words });
  }
}

/** The message is at fault, not the channel. */
function giveUp(turn: NotifyTurn, delivery: Delivery, because: string): void {
  const { channel, message, refusals } = delivery;
  forget(turn, delivery);
  const words = `The channel ${channel} refused message ${message.id} (${message.op}) ${refusals + 1} times`;
  const line = `${words}, and took others: ${because} It is given up.`;
  turn.lines.push({ level: 'error', op: 'notify-refused', message: line });
}

/** Tells the working channels about a failing one, for people who rely on it. */
function tellOthers(
  turn: NotifyTurn,
  channel: string,
  { kind, since, because }: Pick<Saying, 'kind' | 'since'> & { readonly because: string | null },
): void {
  const lasted = duration(turn.now - since);
  const words = `The channel ${channel} has not taken messages for ${lasted}: ${because ?? ''}`;
  const text = kind === 'all-clear' ? `Over, after ${lasted}: the channel ${channel} takes messages again.` : words;
  say(turn, { kind, severity: 'page', op: 'notify-failed', symbol: null, since, text }, channel);
}

/** Its channel is no longer configured. */
function lose(turn: NotifyTurn, delivery: Delivery): void {
  forget(turn, delivery);
  const { channel, message } = delivery;
  const words = `There is no channel ${channel} any more: message ${message.id} is given up. ${message.text}`;
  turn.lines.push({ level: 'warn', op: 'notify-channel-gone', message: words });
}

/**
 * The channel's next message: the most severe first, then the oldest, and no all-clear before its problem's messages.
 * Failed ones come last, in turn. Null if there is none, or during a pause.
 */
export function nextFor(state: NotifyState, channel: string, now: EpochMs): Delivery | null {
  const known = state.channels.get(channel);
  if (known === undefined || now < (known.retryAt ?? now)) return null;
  const own = waitingFor(state, channel);
  const failed = own.filter(({ retryAt }) => retryAt !== null);
  const untried = own.filter((each) => each.retryAt === null && !isAllClearOf(each, failed)).sort(byAge);
  for (const severity of [...SEVERITIES].reverse()) {
    const oldest = untried.find(({ message }) => message.severity === severity);
    if (oldest?.message.kind === 'all-clear') return untried.find((each) => isOfSame(each, oldest)) ?? oldest;
    if (oldest !== undefined) return oldest;
  }
  return failed.some(({ retryAt }) => now < (retryAt ?? now)) ? null : (failed[0] ?? null);
}

/** Sorts by age, since a message that failed in between has moved. */
const byAge = ({ message: one }: Delivery, { message: other }: Delivery): number =>
  one.at - other.at || one.id.localeCompare(other.id, 'en', { numeric: true });

const isAllClearOf = (each: Delivery, refused: readonly Delivery[]): boolean =>
  each.message.kind === 'all-clear' && refused.some((other) => isOfSame(each, other));

const isOfSame = ({ message: one }: Delivery, { message: other }: Delivery): boolean =>
  one.op === other.op && one.symbol === other.symbol;
