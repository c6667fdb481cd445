// The asynchronous shell around the reducer: takes events of the log, keeps the outbox, sends. Never blocks its caller
// and never throws: failures become log lines and counts.
import { randomBytes } from 'node:crypto';
import { plainText } from '../../domain/text.ts';
import { type DurationMs, type EpochMs, SECOND } from '../../domain/time.ts';
import { type Clock, realClock } from '../../ports/clock.ts';
import type { Log, LogEvent } from '../base/log.ts';
import type { Severity, Speaker } from '../base/message.ts';
import { framesOf, systemCode } from '../base/system-error.ts';
import type { Settings } from '../settings/types.ts';
import { type Channel, type Channels, rulesOf } from './channels.ts';
import { emptyOutbox, isSameOutbox, outboxFile, readOutbox, writeOutbox } from './outbox.ts';
import { type NotifyInput, type NotifyStep, nextFor, notify, startNotify } from './reducer.ts';
import { ATTEMPT_MS } from './senders/http-sender.ts';
import type { Delivery, NotifyRules, NotifyState, Outcome, Problem, SendResult } from './state.ts';

/** How an op is notified; without traits, by its level and as something that does not last. */
export interface OpTraits {
  /** Replaces the level's severity; null: no notice. */
  readonly severity?: Severity | null | undefined;
  /** A warning becomes a page once it has lasted this long. */
  readonly pageAfterMs?: DurationMs | null;
  /** Whether it is over; without this, it does not last. False if unknown. */
  readonly isOver?: (problem: Problem) => boolean;
}

/** An event's op and text. */
export type Told = Pick<Problem, 'op' | 'text'>;

export interface NotifierParts {
  readonly rules: NotifyRules;
  readonly channels: readonly Channel[];
  readonly outboxFile: string;
  readonly traits: (what: Told) => OpTraits;
  readonly clock: Clock;
  /** The plain log: a failing channel must not send notices about itself. */
  readonly log: Pick<Log, 'logEvent' | 'scrub'>;
}

/** A channel in the status, the page and the metrics. */
export interface ChannelStatus {
  readonly name: string;
  readonly form: Channel['form'];
  readonly waiting: number;
  /** Time of the oldest waiting message; null if none waits. */
  readonly oldestAt: EpochMs | null;
  /** Null while each message reaches all its recipients. */
  readonly failingSince: EpochMs | null;
  readonly because: string | null;
  /** Since the start of the process. */
  readonly counts: Readonly<Partial<Record<Outcome, number>>>;
}

export type Notifier = ReturnType<typeof startNotifier>;

const TICK_MS: DurationMs = SECOND / 2;
const LOOK_MS: DurationMs = 50;
/** DNS lookups run in threads, of which there are four: leaves one free. */
const MOST_IN_FLIGHT = 3;

/** For a bot without channels. */
const NO_NOTIFIER: Notifier = {
  take: () => undefined,
  inherit: () => undefined,
  leave: () => undefined,
  status: () => [],
  isDrained: () => true,
  close: async () => undefined,
};

interface Listener extends Pick<NotifierParts, 'traits'> {
  readonly process: Speaker['process'];
  readonly channels: Channels;
}

/** Sends notices from the log of a process: events logged to the returned `log` are sent as notices, too. */
export function listenTo(
  log: Log,
  settings: Settings,
  { process, channels, traits }: Listener,
): { readonly notifier: Notifier; readonly log: Log } {
  if (settings.notify === null) return { notifier: NO_NOTIFIER, log };
  for (const secret of channels.secrets) log.registerSecret(secret);
  const notifier = startNotifier({
    rules: rulesOf(settings.notify),
    channels: channels.channels,
    outboxFile: outboxFile(settings.stateFolder, process),
    traits,
    clock: realClock,
    log,
  });
  const logEvent = (event: LogEvent): void => {
    log.logEvent(event);
    notifier.take(event);
  };
  return { notifier, log: { ...log, logEvent } };
}

export function startNotifier(parts: NotifierParts) {
  const kept = keptBy(parts);
  const running: Running = {
    ...{ ...parts, state: kept, written: kept, inFlight: new Set(), counts: new Map() },
    ...{ diskFails: false, isBroken: false, isClosed: false },
  };
  guarded(running, () => settle(running, startNotify(running.rules, kept, running.clock.now())));
  const timer = setInterval(() => guarded(running, () => tick(running)), TICK_MS);
  timer.unref();
  guarded(running, () => pump(running));
  return {
    /** Call with every event of the log. */
    take: (event: LogEvent): void => guarded(running, () => take(running, event)),
    /** Takes over what an ended process left unsent. */
    inherit: (file: string): void => guarded(running, () => inherit(running, file)),
    /** Queues a text for one channel, whatever that takes otherwise. */
    leave: (channel: string, text: string): void => guarded(running, () => leave(running, channel, text)),
    status: (): readonly ChannelStatus[] => running.channels.map((each) => statusOf(running, each)),
    /** Whether nothing waits. */
    isDrained: (): boolean => running.state.waiting.size === 0,
    /** Sends what it can now, for at most `withinMs`; the rest stays in the outbox. */
    async close(withinMs: DurationMs): Promise<void> {
      if (running.isClosed) return;
      guarded(running, () => {
        feed(running, { kind: 'ending' });
        pump(running);
      });
      await until(() => running.inFlight.size === 0 && !isDue(running), withinMs);
      clearInterval(timer);
      if (running.isClosed) return;
      running.isClosed = true;
      for (const { sender } of running.channels) sender.close();
    },
  };
}

interface Running extends NotifierParts {
  state: NotifyState;
  /** As in the outbox. */
  written: NotifyState;
  /** Channels with an attempt in flight. */
  readonly inFlight: Set<string>;
  readonly counts: Map<string, Partial<Record<Outcome, number>>>;
  diskFails: boolean;
  /** An error of its own has been logged. */
  isBroken: boolean;
  isClosed: boolean;
}

/** A bug here must end neither the bot nor the watchdog: the caller is in the middle of something important. */
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

function keptBy({ outboxFile, log }: NotifierParts): NotifyState {
  const say = (message: string): void => log.logEvent({ op: 'notify-outbox', level: 'error', message });
  const empty = emptyOutbox(randomBytes(4).toString('hex'));
  try {
    const damaged = (aside: string): void =>
      say(`The outbox ${outboxFile} is damaged: it is kept as ${aside}, and a new one begun.`);
    return readOutbox(outboxFile, damaged) ?? empty;
  } catch (error) {
    say(
      `The outbox ${outboxFile} cannot be used (${systemCode(error)}): messages that wait are lost with the process.`,
    );
    return empty;
  }
}

function tick(running: Running): void {
  const { state, traits } = running;
  const over = [...state.problems].filter(([, each]) => each.lasts && isOver(traits(each), each));
  feed(running, { kind: 'tick', over: over.map(([key]) => key) });
  pump(running);
}

/** The source of the answer may not be there yet, or no longer. */
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
  if (!running.isClosed) settle(running, notify(rules, state, { input, now: clock.now() }));
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

/** A failing disk costs what a restart would restore, but no message. */
function keep(running: Running, state: NotifyState): void {
  const { outboxFile, log, diskFails, written } = running;
  if (isSameOutbox(state, written)) return;
  try {
    writeOutbox(outboxFile, state);
    running.written = state;
    running.diskFails = false;
  } catch (error) {
    running.diskFails = true;
    if (diskFails) return;
    const message = `The outbox cannot be written (${systemCode(error)}): what waits is lost with the process.`;
    log.logEvent({ op: 'notify-outbox', level: 'error', message });
  }
}

/** Starts one attempt per channel that has something to send, working channels first. */
function pump(running: Running): void {
  const { state, clock, inFlight } = running;
  if (running.isClosed) return;
  const fails = ({ name }: Channel): boolean => (running.state.channels.get(name)?.failingSince ?? null) !== null;
  const inOrder = [...running.channels].sort((one, other) => Number(fails(one)) - Number(fails(other)));
  for (const channel of inOrder) {
    if (inFlight.size >= MOST_IN_FLIGHT || inFlight.has(channel.name)) continue;
    // At most one failing channel at a time, since it may hang until its timeout and take a working one's slot.
    if (fails(channel) && running.channels.some((each) => inFlight.has(each.name) && fails(each))) continue;
    const next = nextFor(state, channel.name, clock.now());
    if (next !== null) void attempt(running, channel, next);
  }
}

const isDue = ({ state, channels, clock }: Running): boolean =>
  channels.some(({ name }) => nextFor(state, name, clock.now()) !== null);

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

/** Senders have their own timeouts, but their libraries may hang. */
const tooLate = (): Promise<SendResult> =>
  new Promise((resolve) => setTimeout(() => resolve(NO_ANSWER), ATTEMPT_MS + 2 * SECOND).unref());

/** This order loses nothing: after a crash in between, both hold the same message with the same id. */
function inherit(running: Running, file: string): void {
  const theirs = running.isClosed ? null : readOutbox(file, () => undefined);
  if (theirs === null) return;
  const { rules, clock } = running;
  // A killed process could not send the summary of what its rate held back.
  const ended = notify(rules, theirs, { input: { kind: 'ending' }, now: clock.now() }).state;
  // If an id was not written, another message could get it.
  const left = isWritten(file, ended) ? ended : theirs;
  if (left.waiting.size === 0) return;
  feed(running, { kind: 'inherited', deliveries: [...left.waiting.values()] });
  // Messages stored nowhere else stay in their outbox: sent twice, if need be.
  if (!running.diskFails) isWritten(file, { ...left, waiting: new Map() });
  pump(running);
}

function leave(running: Running, channel: string, text: string): void {
  const now = running.clock.now();
  const about = { kind: 'event', severity: 'info', op: 'steering', symbol: null, since: now, at: now } as const;
  const message = { ...about, id: `left-${randomBytes(4).toString('hex')}`, text };
  feed(running, { kind: 'inherited', deliveries: [{ channel, message, refusals: 0, retryAt: null }] });
  pump(running);
}

function isWritten(file: string, state: NotifyState): boolean {
  try {
    writeOutbox(file, state);
    return true;
  } catch {
    return false;
  }
}

function statusOf({ state, counts }: Running, { name, form }: Channel): ChannelStatus {
  const waiting = [...state.waiting.values()].filter(({ channel }) => channel === name);
  const oldestAt = waiting.length === 0 ? null : Math.min(...waiting.map(({ message }) => message.at));
  const { failingSince = null, because = null } = state.channels.get(name) ?? {};
  return { name, form, waiting: waiting.length, oldestAt, failingSince, because, counts: counts.get(name) ?? {} };
}
