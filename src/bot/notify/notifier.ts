// The asynchronous shell around the reducer: takes what the log is told, keeps the outbox, sends. It never holds
// anybody up and never throws: what goes wrong is a line in the log and a figure.
import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { plainText } from '../../domain/text.ts';
import { type DurationMs, type EpochMs, SECOND } from '../../domain/time.ts';
import type { Clock } from '../../ports/clock.ts';
import type { Log, LogEvent } from '../base/log.ts';
import type { Severity } from '../base/message.ts';
import { framesOf } from '../base/system-error.ts';
import type { Channel } from './channels.ts';
import { type Outbox, OutboxBusy, openOutbox, outboxTrouble } from './outbox.ts';
import { type NotifyInput, type NotifyStep, nextFor, notify, startNotify } from './reducer.ts';
import { ATTEMPT_MS } from './senders/http-sender.ts';
import type { Delivery, NotifyRules, NotifyState, Outcome, Problem, SendResult } from './state.ts';

/** How an op is told; one without traits as its level says, as something that does not last. */
export interface OpTraits {
  /** Instead of what its level says; null: nobody is told. */
  readonly severity?: Severity | null;
  /** As a warning it becomes a page once it lasts for so long. */
  readonly pageAfterMs?: DurationMs;
  /** Whether it is over; what has none does not last. False where that is not known. */
  readonly isOver?: (problem: Problem) => boolean;
}

/** What happened, by its kind and its words. */
export type Told = Pick<Problem, 'op' | 'text'>;

export interface NotifierParts {
  readonly rules: NotifyRules;
  readonly channels: readonly Channel[];
  readonly outboxFile: string;
  readonly traits: (what: Told) => OpTraits;
  readonly clock: Clock;
  /** Not one that is listened to: a channel that fails must not have itself to tell. */
  readonly log: Pick<Log, 'logEvent' | 'scrub'>;
}

/** A channel as status, page and metrics show it. */
export interface ChannelStatus {
  readonly name: string;
  readonly form: Channel['form'];
  readonly waiting: number;
  /** When the oldest message that waits was said; null where none does. */
  readonly oldestAt: EpochMs | null;
  /** Null while each message reaches all that it is for. */
  readonly failingSince: EpochMs | null;
  readonly because: string | null;
  /** Since the start of the process. */
  readonly counts: Readonly<Partial<Record<Outcome, number>>>;
}

export interface Notifier {
  /** To be called with every event of the log. */
  take(event: LogEvent): void;
  /** Whether a problem of this op is told and not over. */
  isTold(op: string): boolean;
  /**
   * Takes over what a process that has ended left unsent, and says which problems that process had told. Null while
   * it has its outbox, or this one is not open yet.
   */
  inherit(file: string): ReadonlySet<string> | null;
  status(): readonly ChannelStatus[];
  /** Whether nothing waits. */
  isDrained(): boolean;
  /** Sends what can be sent at once, for so long at the most; what is left stays in the outbox. */
  close(withinMs: DurationMs): Promise<void>;
}

const TICK_MS: DurationMs = SECOND / 2;
const LOOK_MS: DurationMs = 50;
/** Names are looked up in threads, of which there are four: one is left to everything else. */
const MOST_IN_FLIGHT = 3;
/** Another process that ends lets the outbox go within this; then it is done without. */
const BUSY_PATIENCE_MS: DurationMs = 30 * SECOND;

/** Of a bot without channels. */
export const NO_NOTIFIER: Notifier = {
  take: () => undefined,
  isTold: () => false,
  inherit: () => new Set(),
  status: () => [],
  isDrained: () => true,
  close: async () => undefined,
};

/** The same log, and the notifier hears what it is told. */
export function heard(log: Log, notifier: Pick<Notifier, 'take'>): Log {
  const logEvent = (event: LogEvent): void => {
    log.logEvent(event);
    notifier.take(event);
  };
  return { ...log, logEvent };
}

export function startNotifier(parts: NotifierParts): Notifier {
  const running: Running = {
    ...parts,
    since: parts.clock.monotonic(),
    outbox: null,
    state: null,
    early: [],
    inFlight: new Set(),
    counts: new Map(),
    diskFails: false,
    isBroken: false,
    isClosed: false,
  };
  guarded(running, () => open(running));
  const timer = setInterval(() => guarded(running, () => tick(running)), TICK_MS);
  timer.unref();
  guarded(running, () => pump(running));
  return {
    take: (event) => guarded(running, () => take(running, event)),
    isTold: (op) => [...(running.state?.problems.values() ?? [])].some((each) => each.op === op),
    inherit: (file) => inherit(running, file),
    status: () => running.channels.map((each) => statusOf(running, each)),
    isDrained: () => running.state?.waiting.size === 0,
    async close(withinMs) {
      if (running.isClosed) return;
      guarded(running, () => {
        feed(running, { kind: 'ending' });
        pump(running);
      });
      await until(() => running.inFlight.size === 0 && !isDue(running), withinMs);
      clearInterval(timer);
      if (running.isClosed) return;
      running.isClosed = true;
      running.outbox?.close();
      for (const { sender } of running.channels) sender.close();
    },
  };
}

interface Running extends NotifierParts {
  /** By the monotonic clock. */
  readonly since: DurationMs;
  outbox: Outbox | null;
  /** Null until the outbox is open. */
  state: NotifyState | null;
  readonly early: NotifyInput[];
  /** Channels with an attempt on its way. */
  readonly inFlight: Set<string>;
  readonly counts: Map<string, Partial<Record<Outcome, number>>>;
  diskFails: boolean;
  /** An error of its own was said. */
  isBroken: boolean;
  isClosed: boolean;
}

/** A bug here must end neither the bot nor the watchdog: whoever calls is in the middle of something that matters. */
function guarded(running: Running, step: () => void): void {
  try {
    step();
  } catch (error) {
    if (running.isBroken) return;
    running.isBroken = true;
    const name = error instanceof Error ? error.name : typeof error;
    const frames = framesOf(error).map((line) => line.trim());
    const message = `Notifications contradicted themselves (${name}): people may not be told.`;
    running.log.logEvent({ op: 'notify-broken', level: 'error', message, frames });
  }
}

async function until(isTrue: () => boolean, withinMs: DurationMs): Promise<void> {
  for (let waited = 0; waited < withinMs && !isTrue(); waited += LOOK_MS)
    await new Promise((resolve) => setTimeout(resolve, LOOK_MS));
}

const newOrigin = (): string => randomBytes(4).toString('hex');

function open(running: Running): void {
  const { outboxFile, clock, since, log } = running;
  const origin = newOrigin();
  const say = (level: 'warn' | 'error', message: string): void => log.logEvent({ op: 'notify-outbox', level, message });
  let kept: NotifyState = {
    origin,
    next: 1,
    problems: new Map(),
    waiting: new Map(),
    channels: new Map(),
    seenAt: null,
  };
  try {
    running.outbox = openOutbox(outboxFile, origin, (aside) =>
      say('error', `The outbox ${outboxFile} is damaged: it is kept as ${aside}, and a new one begun.`),
    );
    kept = running.outbox.kept;
    const { unreadable } = running.outbox;
    if (unreadable > 0) say('warn', `${unreadable} rows of the outbox ${outboxFile} cannot be read.`);
  } catch (error) {
    if (error instanceof OutboxBusy && clock.monotonic() - since < BUSY_PATIENCE_MS) return;
    const why = error instanceof OutboxBusy ? 'another process has it' : outboxTrouble(error);
    const lost = 'messages that wait are lost with the process';
    say('error', `The outbox ${outboxFile} cannot be used (${why}): ${lost}.`);
  }
  settle(running, startNotify(running.rules, kept, clock.now()));
  for (const input of running.early.splice(0)) feed(running, input);
}

function tick(running: Running): void {
  if (running.state === null) open(running);
  const { state, traits } = running;
  if (state === null) return;
  const over = [...state.problems].filter(([, each]) => each.lasts && isOver(traits(each), each));
  feed(running, { kind: 'tick', over: over.map(([key]) => key) });
  pump(running);
}

/** Who is asked may not be there yet, or not any more. */
function isOver({ isOver: ask }: OpTraits, problem: Problem): boolean {
  try {
    return ask?.(problem) ?? true;
  } catch {
    return false;
  }
}

const SEVERITY_OF: Readonly<Record<NonNullable<LogEvent['level']>, Severity | null>> = {
  ...{ fatal: 'page', error: 'page', warn: 'warn', info: 'info', debug: null, trace: null },
};

function take(running: Running, { op, level = 'info', message, symbol }: LogEvent): void {
  if (SEVERITY_OF[level] === null || message === undefined || running.isClosed) return;
  const text = plainText(running.log.scrub(message));
  const { severity = SEVERITY_OF[level], pageAfterMs = null, isOver } = running.traits({ op, text });
  if (severity === null) return;
  const occurrence = { severity, op, symbol: typeof symbol === 'string' ? plainText(symbol) : null, text };
  feed(running, { kind: 'occurred', occurrence, lasts: isOver !== undefined, pageAfterMs });
  pump(running);
}

function feed(running: Running, input: NotifyInput): void {
  const { state, rules, clock } = running;
  if (running.isClosed) return;
  if (state === null) running.early.push(input);
  else settle(running, notify(rules, state, { input, now: clock.now() }));
}

function settle(running: Running, { state, counted, lines }: NotifyStep): void {
  running.state = state;
  for (const { channel, outcome } of counted) {
    const counts = running.counts.get(channel) ?? {};
    running.counts.set(channel, { ...counts, [outcome]: (counts[outcome] ?? 0) + 1 });
  }
  for (const line of lines) running.log.logEvent({ ...line, message: running.log.scrub(line.message) });
  keep(running, state);
}

/** A disk that fails costs what a restart would bring back, no message. */
function keep(running: Running, state: NotifyState): void {
  const { outbox, log, diskFails } = running;
  try {
    outbox?.write(state);
    running.diskFails = false;
  } catch (error) {
    running.diskFails = true;
    if (diskFails) return;
    const message = `The outbox cannot be written (${outboxTrouble(error)}): what waits is lost with the process.`;
    log.logEvent({ op: 'notify-outbox', level: 'error', message });
  }
}

/** One attempt for each channel that has something to send, those that work first. */
function pump(running: Running): void {
  const { state, clock, inFlight } = running;
  if (state === null || running.isClosed) return;
  const fails = ({ name }: Channel): boolean => (running.state?.channels.get(name)?.failingSince ?? null) !== null;
  const inOrder = [...running.channels].sort((one, other) => Number(fails(one)) - Number(fails(other)));
  for (const channel of inOrder) {
    if (inFlight.size >= MOST_IN_FLIGHT || inFlight.has(channel.name)) continue;
    // One that hangs until its time is over leaves room for those that work.
    if (fails(channel) && running.channels.some((each) => inFlight.has(each.name) && fails(each))) continue;
    const next = nextFor(state, channel.name, clock.now());
    if (next !== null) void attempt(running, channel, next);
  }
}

const isDue = ({ state, channels, clock }: Running): boolean =>
  state !== null && channels.some(({ name }) => nextFor(state, name, clock.now()) !== null);

async function attempt(running: Running, { name, sender }: Channel, delivery: Delivery): Promise<void> {
  running.inFlight.add(name);
  const result = await Promise.race([safely(sender.send(delivery.message)), tooLate()]);
  running.inFlight.delete(name);
  guarded(running, () => {
    feed(running, { kind: 'result', delivery, result });
    pump(running);
  });
}

const NO_ANSWER: SendResult = { kind: 'failed', because: 'The attempt did not end in time.', retryAfterMs: null };

async function safely(sent: Promise<SendResult>): Promise<SendResult> {
  try {
    return await sent;
  } catch {
    return { kind: 'failed', because: 'The attempt ended with an error of the program.', retryAfterMs: null };
  }
}

/** Senders end by themselves; whatever they rest on may not. */
const tooLate = (): Promise<SendResult> =>
  new Promise((resolve) => setTimeout(() => resolve(NO_ANSWER), ATTEMPT_MS + 2 * SECOND).unref());

function inherit(running: Running, file: string): ReadonlySet<string> | null {
  if (running.state === null || running.isClosed) return null;
  if (!existsSync(file)) return new Set();
  try {
    const theirs = openOutbox(file, newOrigin(), () => undefined);
    takeOver(running, theirs);
    theirs.close();
    pump(running);
    return new Set([...theirs.kept.problems.values()].map(({ op }) => op));
  } catch (error) {
    return error instanceof OutboxBusy ? null : new Set();
  }
}

/** In this order nothing is lost: a crash in between has both hold the same message, under the same name. */
function takeOver(running: Running, theirs: Outbox): void {
  const { rules, clock } = running;
  // Who was killed could not say what its rate held back.
  const ended = notify(rules, theirs.kept, { input: { kind: 'ending' }, now: clock.now() }).state;
  // A name that was not written would be given to another message.
  const left = isWritten(theirs, ended) ? ended : theirs.kept;
  if (left.waiting.size === 0) return;
  feed(running, { kind: 'inherited', deliveries: [...left.waiting.values()] });
  // What is kept nowhere else stays with them: told twice, if need be.
  if (running.outbox !== null && !running.diskFails) isWritten(theirs, { ...left, waiting: new Map() });
}

function isWritten(outbox: Outbox, state: NotifyState): boolean {
  try {
    outbox.write(state);
    return true;
  } catch {
    return false;
  }
}

function statusOf({ state, counts }: Running, { name, form }: Channel): ChannelStatus {
  const waiting = [...(state?.waiting.values() ?? [])].filter(({ channel }) => channel === name);
  const oldestAt = waiting.length === 0 ? null : Math.min(...waiting.map(({ message }) => message.at));
  const { failingSince = null, because = null } = state?.channels.get(name) ?? {};
  return { name, form, waiting: waiting.length, oldestAt, failingSince, because, counts: counts.get(name) ?? {} };
}
