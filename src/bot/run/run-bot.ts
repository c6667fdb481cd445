// `run`: from the first check to the exit code.
import cron from 'node-cron';
import { invariant } from '../../domain/invariant.ts';
import type { DurationMs } from '../../domain/time.ts';
import { JournalError } from '../../journal/chain.ts';
import type { Loop } from '../../loop/loop.ts';
import type { Trading } from '../../loop/start-trading.ts';
import { realClock } from '../../ports/clock.ts';
import { stopResult } from '../../trader/observe/stopping.ts';
import type { With } from '../../trader/state/state.ts';
import { stopsAll } from '../../venue/refusals.ts';
import { EXIT, type ExitCode, StartError } from '../base/exit-codes.ts';
import type { LogEvent } from '../base/log.ts';
import { logSignalsTo, stopSignal } from '../base/signals.ts';
import { framesOf } from '../base/system-error.ts';
import { awaitRearm, isRearmAwaited } from '../dead-man/rearm.ts';
import type { CommandIo } from '../io/command-io.ts';
import { openBotLog } from '../io/open-bot-log.ts';
import { paperKeys, readKeys } from '../keys/keys.ts';
import { openChannels } from '../notify/channels.ts';
import { listenTo } from '../notify/notifier.ts';
import { ensurePaperProcess, type PaperProcess } from '../paper/paper-process.ts';
import { journalSecrets, takeJournal } from '../postgres/journal-of.ts';
import type { Settings } from '../settings/types.ts';
import type { BotJournal } from '../state-folder/bot-journal.ts';
import { recordConfiguration } from '../state-folder/configuration-note.ts';
import { journalExitCode } from '../state-folder/state-folder.ts';
import { botTraits, type Seen } from './bot-notifier.ts';
import { claimAsStandby } from './standby.ts';
import { type RunningBot, type StartChoices, startBot } from './start-bot.ts';
import { assertMayStart } from './start-checks.ts';
import { watchStopDeadline } from './stop-deadline.ts';
import { dailyPresence, greet, summarize, tellMoney, tellRenewed, tellStatus, tellStopping } from './tell-run.ts';

/** By then the first quotes are live. */
const FIRST_STATUS_MS = 3_000;
const STATUS_EVERY_MS = 10_000;
const STOPPING_EVERY_MS = 5_000;
const JOURNAL_LOOK_MS = 2_000;
const LATCHED_LOOK_MS = 500;
const KEY_LOOK_MS = 250;
const RECORDING_LOOK_MS = 1_000;
/** Time limit for the final messages; the watchdog or the next start sends the rest. */
const LAST_MESSAGES_MS = 3_000;
/** Time limit for the cancels after a fatal error. */
const EMERGENCY_MS = 15_000;

/**
 * Runs until told to stop; resolves with the exit code. `isStandby`: waits first while another host has the account.
 * Throws `StartError` if it can't start.
 */
export async function runBot(
  settings: Settings,
  io: CommandIo,
  choices: StartChoices,
  isStandby = false,
): Promise<ExitCode> {
  // From here on, a signal during the start is a stop like any other.
  let bot: RunningBot | null = null;
  // If the bot is ended at once (in an outage, say), tells which orders may be open.
  const told = stopSignal(EXIT.unknownRemains, () => bot !== null && summarize(bot, EXIT.unknownRemains, io));
  await awaitRearm(settings, told, io.err);
  const claim = () => claimStart(settings, io);
  const claimed = isStandby ? await claimAsStandby(settings, io, { told, claim }) : { held: await claim(), from: null };
  if (claimed === null) return EXIT.done;
  const { held, from } = claimed;
  const ownKeys = settings.keys === null ? null : readKeys(settings.keys, io.environment);
  const channels = openChannels(settings, io.environment, 'bot');
  recordConfiguration(settings.stateFolder, settings.files);
  const look = (): Seen | null => bot && seenOf(bot);
  const listener = { process: 'bot', channels, traits: botTraits(look) } as const;
  const { log, notifier } = listenTo(openBotLog(settings, io), settings, listener);
  logSignalsTo(log);
  for (const secret of journalSecrets(settings, io.environment)) log.registerSecret(secret);
  let paper: PaperProcess | null = null;
  try {
    paper = settings.mode === 'paper' ? await ensurePaperProcess(settings) : null;
    const keys = ownKeys ?? paperKeys(settings.stateFolder);
    bot = await startBot({ settings, choices, held, log, channels, notifier, paper, keys });
    if (from !== null) log.logEvent({ op: 'standby', level: 'error', message: tookOver(from) });
    return await live(bot, told, io);
  } finally {
    // While the folder is held: the next bot has its own messages to send.
    await notifier.close(LAST_MESSAGES_MS);
    await paper?.stop();
    // Last, so that the next holder of the folder finds the exchange stopped, not stopping. A failed journal may fail
    // to close, too.
    await bot?.trading.close().catch(() => undefined);
    bot?.deadMan.close();
    await log.close();
  }
}

const seenOf = ({ trading, deadMan }: RunningBot): Seen => ({
  state: trading.loop.state(),
  deadMan: deadMan.status(),
  now: realClock.now(),
});

const tookOver = (from: string): string =>
  `This standby has taken over: ${from} has not renewed its lease. What it sent last is found out first.`;

/** Takes the state folder's journal if nothing prevents the start. Otherwise throws the first `StartError`. */
async function claimStart(settings: Settings, { environment }: CommandIo): Promise<BotJournal> {
  let held: BotJournal | null = null;
  const claim = (): void => {
    held = takeJournal(settings, environment);
  };
  try {
    await assertMayStart(settings, { environment, claim });
  } catch (error) {
    (held as BotJournal | null)?.close();
    throw error;
  }
  invariant(held !== null, 'The start was not refused, and the state folder is not held.');
  return held;
}

/** What ended the quoting. */
type Cause = {
  readonly kind: 'told' | 'key-refused' | 'latched' | 'recording-ended' | 'stopped' | 'journal-moved';
  /** Logged as the stop begins; null if the reason was logged already. */
  readonly event: LogEvent | null;
  /** For the status; null if somebody told it to stop, or the status shows the reason by itself. */
  readonly because: string | null;
  /** What is wrong with a journal that was moved. */
  readonly error?: JournalError;
};

const toldBy = (by: string): Cause => ({
  kind: 'told',
  event: { op: 'told-to-stop', message: `${by}: stopping.` },
  because: null,
});

/** It stops by itself, within the same bound. */
const byItself = (kind: 'latched' | 'stopped'): Cause => ({ kind, event: null, because: null });

const failing = (kind: 'key-refused' | 'journal-moved', message: string): Cause => ({
  ...{ kind, event: { op: kind, level: 'error', message }, because: message },
});

const RECORDING_ENDED: Cause = {
  kind: 'recording-ended',
  event: { op: 'told-to-stop', message: 'The recording has ended: stopping. With --loop it begins again instead.' },
  because: 'The recording has ended.',
};

async function live(bot: RunningBot, told: Promise<string>, io: CommandIo): Promise<ExitCode> {
  failOnUnexpectedErrors(bot.trading.loop);
  greet(bot, io);
  const duties = startDuties(bot);
  const cause = await Promise.race([
    told.then(toldBy),
    bot.toldToStop.then(toldBy),
    ...duties.watches.map(({ seen }) => seen),
    bot.trading.loop.stopped.then(() => byItself('stopped')),
    bot.fatal.then((fatal) => ({ fatal })),
  ]);
  duties.end();
  const code = 'fatal' in cause ? await endFatally(bot, cause.fatal) : await stop(bot, cause);
  await bot.control.close();
  bot.fleetDuty?.end();
  bot.markouts.end();
  bot.memory.end();
  summarize(bot, code, io);
  await Promise.all([bot.chat?.end(LAST_MESSAGES_MS), bot.web.close()]);
  // No order can be open, and none can be placed.
  if ('kind' in cause && cause.kind === 'key-refused' && code === EXIT.done)
    throw new StartError(EXIT.configurationInvalid, cause.because ?? '');
  return code;
}

/**
 * An uncaught error is a bug like any other: nothing more is sent, orders are canceled, the process ends. Further
 * errors do not end it sooner.
 */
function failOnUnexpectedErrors(loop: Loop): void {
  for (const event of ['uncaughtException', 'unhandledRejection'] as const) {
    process.on(event, (error: unknown) => loop.fail(error));
  }
}

/** Status lines, the calendar, and other reasons to end the run. */
function startDuties(bot: RunningBot) {
  const { loop } = bot.trading;
  const tellPresence = dailyPresence(bot);
  const inMoney = new Set<string>();
  const tell = (): void => {
    tellMoney(bot, inMoney);
    tellStatus(bot, 'status');
  };
  const first = setTimeout(tell, FIRST_STATUS_MS);
  const status = setInterval(tell, STATUS_EVERY_MS);
  const watches = watchesOf(bot);
  const endDay = (): void => {
    tellStatus(bot, 'day-ended');
    tellPresence();
  };
  const { timeZone: timezone } = bot.settings.statement;
  const calendar = [
    cron.schedule('*/10 * * * *', () => loop.tell({ kind: 'reconcile-due' }), { timezone }),
    cron.schedule('0 0 * * *', endDay, { timezone }),
  ];
  const end = (): void => {
    clearTimeout(first);
    clearInterval(status);
    for (const each of [...watches, bot.listing, bot.reference]) each.end();
    for (const task of calendar) void task.stop();
  };
  return { watches, end };
}

function watchesOf({ trading, storage, settings, paper }: RunningBot): readonly Watch[] {
  const state = trading.loop.state;
  const refused = (): Cause | null => {
    const sentence = refusedForGood(state());
    return sentence === null ? null : failing('key-refused', sentence);
  };
  const isTape = settings.paper?.crowd.kind === 'tape';
  return [
    watchFor(JOURNAL_LOOK_MS, () => movedJournal(storage)),
    watchFor(KEY_LOOK_MS, refused),
    // The loop reads the latch itself; this makes sure that its stop has a deadline.
    watchFor(LATCHED_LOOK_MS, () => (state().holds.latched === null ? null : byItself('latched'))),
    // Once a recording has ended, nothing would ever trade with the bot's quotes.
    watchFor(RECORDING_LOOK_MS, async () => (isTape && (await paper?.hasEnded()) ? RECORDING_ENDED : null)),
  ];
}

/** A journal that was moved away is lost: the bot stops while everything is still known (F95). */
function movedJournal(storage: BotJournal): Cause | null {
  try {
    storage.assertInPlace();
    return null;
  } catch (error) {
    const isOurs = error instanceof JournalError;
    const moved = isOurs ? error : new JournalError('moved', 'The journal cannot be looked at.');
    return { ...failing('journal-moved', moved.message), error: moved };
  }
}

/** Before the account is free for a standby. */
function latchAccount({ log, storage, trading }: RunningBot): void {
  const reason = trading.loop.state().holds.latched;
  if (reason === null || storage.latched?.() !== null) return;
  try {
    storage.latch?.(reason);
  } catch (error) {
    const why = error instanceof Error ? error.message : '';
    log.logEvent({
      op: 'latched',
      level: 'error',
      message: `A standby may quote: the latch is on this host alone. ${why}`,
    });
  }
}

/**
 * Cancels and verifies within the computed bound, which counts while the exchange answers; reports honestly what is
 * left.
 */
async function stop(bot: RunningBot, cause: Cause): Promise<ExitCode> {
  const { loop } = bot.trading;
  bot.ending.because = cause.because;
  latchAccount(bot);
  if (cause.event !== null) bot.log.logEvent(cause.event);
  loop.tell({ kind: 'stop' });
  const deadline = watchStopDeadline(loop, {
    clock: realClock,
    createDeadlineMs: bot.settings.venue.timeoutMs,
    renewed: (boundMs) => tellRenewed(bot, boundMs),
  });
  bot.ending.leftMs = deadline.leftMs;
  tellStopping(bot, deadline.leftMs());
  const telling = setInterval(() => tellStopping(bot, deadline.leftMs()), STOPPING_EVERY_MS);
  const ended = await Promise.race([loop.stopped, bot.fatal.then((error) => ({ error }))]);
  deadline.end();
  clearInterval(telling);
  if (ended !== undefined) return endFatally(bot, ended.error);
  const { flat } = stopResult(loop.state().durable);
  if (!flat) return EXIT.unknownRemains;
  bot.deadMan.endedFlat();
  bot.held.endedFlat?.();
  if (cause.error !== undefined) return journalExitCode(cause.error);
  if (loop.state().holds.latched === null) return EXIT.done;
  return isRearmAwaited(bot.settings) ? EXIT.rearmAwaited : EXIT.killLatched;
}

/**
 * A bug, or a failed disk: nothing is written any more, and orders known by name are canceled from memory. Messages of
 * our own errors are sentences without secrets; of others only the name is logged.
 */
async function endFatally({ log, trading, storage }: RunningBot, error: unknown): Promise<ExitCode> {
  const ours = error instanceof JournalError || (error instanceof Error && error.name === 'InvariantViolation');
  const name = error instanceof Error ? error.name : typeof error;
  const frames = framesOf(error).map((line) => line.trim());
  log.logEvent({ op: 'fatal', level: 'fatal', message: ours ? error.message : `An unexpected ${name}.`, frames });
  log.logEvent({ op: 'summary', level: 'fatal', message: await leaveOrders(trading, storage, error) });
  return error instanceof JournalError ? journalExitCode(error) : EXIT.internalError;
}

/** Returns what became of the orders. Whoever has taken the journal over knows all of them, and goes on with them. */
async function leaveOrders(trading: Trading, { leaseLeftMs }: BotJournal, error: unknown): Promise<string> {
  if (error instanceof JournalError && error.kind === 'taken')
    return 'Own orders are left to the instance that has taken over.';
  // Whole symbols only while no other host can have orders in them.
  const leftMs = leaseLeftMs?.() ?? EMERGENCY_MS;
  const isLost = leftMs <= 0;
  const withinMs = isLost ? EMERGENCY_MS : Math.min(EMERGENCY_MS, leftMs);
  const { known, acknowledged } = await trading.cancelKnown(withinMs, isLost);
  const done = `${acknowledged} of ${known} own orders were canceled from memory`;
  return `${done}; the next start finds out what became of them.`;
}

// A key refused ever since the start, while no order can be open: there is nothing to wait for, and nothing to cancel.

/**
 * The sentence of the refusal; null while there is something to wait for: an answer, or orders that may be open. A key
 * that was accepted once is retried at the pace of refusals.
 */
function refusedForGood({
  refusal,
  contact,
  session,
  durable,
}: With<'session' | 'durable' | 'refusal' | 'contact'>): string | null {
  if (refusal?.kind !== 'keys' || contact.private.usedAt !== null) return null;
  if (!session.beganFlat || durable.orders.intents.size > 0) return null;
  return stopsAll(refusal.about) ? `The exchange refuses the key: ${refusal.message}` : null;
}

// Polls until a condition holds.

type Watch = ReturnType<typeof watchFor>;

/** `seen` resolves with the first answer that is not null. */
function watchFor(everyMs: DurationMs, look: () => Cause | null | Promise<Cause | null>) {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let isOver = false;
  const seen = new Promise<Cause>((resolve) => {
    const again = async (): Promise<void> => {
      const found = await look();
      if (found !== null) resolve(found);
      else if (!isOver) timer = setTimeout(() => void again(), everyMs);
    };
    timer = setTimeout(() => void again(), everyMs);
  });
  const end = (): void => {
    isOver = true;
    clearTimeout(timer);
  };
  return { seen, end };
}
