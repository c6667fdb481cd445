// `run`: from the first check to the exit code.
import { invariant } from '../../domain/invariant.ts';
import { JournalError } from '../../journal/chain.ts';
import type { Loop } from '../../loop/loop.ts';
import { realClock } from '../../ports/clock.ts';
import type { Resumed } from '../../trader/observe/resume.ts';
import { stopResult } from '../../trader/observe/stopping.ts';
import type { Answer } from '../../trader/observe/take-over.ts';
import { EXIT, type ExitCode, StartError } from '../base/exit-codes.ts';
import { logSignalsTo, stopSignal } from '../base/signals.ts';
import { framesOf } from '../base/system-error.ts';
import { awaitRearm, isRearmAwaited } from '../dead-man/rearm.ts';
import type { CommandIo } from '../io/command-io.ts';
import { openBotLog } from '../io/open-bot-log.ts';
import { paperKeys, readKeys } from '../keys/keys.ts';
import { openChannels } from '../notify/channels.ts';
import { listenTo } from '../notify/notifier.ts';
import { ensurePaperProcess, type PaperProcess } from '../paper/paper-process.ts';
import type { Settings } from '../settings/types.ts';
import { recordConfiguration } from '../state-folder/configuration-note.ts';
import type { SqliteJournal } from '../state-folder/sqlite-journal.ts';
import { journalExitCode, takeStateFolder } from '../state-folder/state-folder.ts';
import { botTraits, type Seen } from './bot-notifier.ts';
import { refusedForGood, startCalendar, type Watch, watchFor } from './duties.ts';
import { type RunningBot, startBot } from './start-bot.ts';
import { assertMayStart } from './start-checks.ts';
import { watchStopDeadline } from './stop-deadline.ts';
import { dailyPresence, greet, summarize, tellMoney, tellRenewed, tellStatus, tellStopping } from './tell-run.ts';

/** Options of the command line. */
export interface RunOptions {
  /** Halted symbols to trade again. */
  readonly resume?: readonly Resumed[];
  /** Books the current differences between wallet and ledger as the owner's own doing. */
  readonly acceptDifferences?: boolean;
  /** Whether the questioned orders are the bot's. */
  readonly answer?: Answer | null;
}

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

/** Runs until told to stop; resolves with the exit code. Throws `StartError` if it can't start. */
export async function runBot(settings: Settings, io: CommandIo, options: RunOptions = {}): Promise<ExitCode> {
  // From here on, a signal during the start is a stop like any other.
  let bot: RunningBot | null = null;
  // If the bot is ended at once (in an outage, say), tells which orders may be open.
  const told = stopSignal(EXIT.unknownRemains, () => bot !== null && summarize(bot, EXIT.unknownRemains, io));
  await awaitRearm(settings, told, io.err);
  const held = await claimStart(settings, io);
  const ownKeys = settings.keys === null ? null : readKeys(settings.keys, io.environment);
  const channels = openChannels(settings, io.environment, 'bot');
  recordConfiguration(settings.stateFolder, settings.files);
  const look = (): Seen | null => bot && seenOf(bot);
  const listener = { process: 'bot', channels, traits: botTraits(look) } as const;
  const { log, notifier } = listenTo(openBotLog(settings, io), settings, listener);
  logSignalsTo(log);
  let paper: PaperProcess | null = null;
  try {
    paper = settings.mode === 'paper' ? await ensurePaperProcess(settings) : null;
    const keys = ownKeys ?? paperKeys(settings.stateFolder);
    const { resume = [], acceptDifferences = false, answer = null } = options;
    bot = await startBot({ settings, resume, acceptDifferences, answer, held, log, notifier, paper, keys });
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

/** Takes the state folder's journal if nothing prevents the start. Otherwise throws the first `StartError`. */
async function claimStart(settings: Settings, { environment }: CommandIo): Promise<SqliteJournal> {
  let held: SqliteJournal | null = null;
  const claim = (): void => {
    held = takeStateFolder(settings.stateFolder);
  };
  try {
    await assertMayStart(settings, { environment, claim });
  } catch (error) {
    (held as SqliteJournal | null)?.close();
    throw error;
  }
  invariant(held !== null, 'The start was not refused, and the state folder is not held.');
  return held;
}

/** What ended the quoting. */
type Cause =
  | { readonly kind: 'told'; readonly by: string }
  | { readonly kind: 'journal-moved'; readonly error: JournalError }
  /** No order can be open, and none can be placed. */
  | { readonly kind: 'key-refused'; readonly sentence: string }
  /** It stops by itself, within the same bound. */
  | { readonly kind: 'latched' }
  | { readonly kind: 'recording-ended' }
  | { readonly kind: 'stopped' }
  | { readonly kind: 'fatal'; readonly error: unknown };

async function live(bot: RunningBot, told: Promise<string>, io: CommandIo): Promise<ExitCode> {
  failOnUnexpectedErrors(bot.trading.loop);
  greet(bot, io);
  const duties = startDuties(bot);
  const cause = await Promise.race([
    told.then((by): Cause => ({ kind: 'told', by })),
    bot.toldToStop.then((by): Cause => ({ kind: 'told', by })),
    ...duties.watches.map(({ seen }) => seen),
    bot.trading.loop.stopped.then((): Cause => ({ kind: 'stopped' })),
    bot.fatal.then((error): Cause => ({ kind: 'fatal', error })),
  ]);
  duties.end();
  const code = cause.kind === 'fatal' ? await endFatally(bot, cause.error) : await stop(bot, cause);
  await bot.control.close();
  bot.markouts.end();
  bot.memory.end();
  summarize(bot, code, io);
  await bot.web.close();
  if (cause.kind === 'key-refused' && code === EXIT.done)
    throw new StartError(EXIT.configurationInvalid, cause.sentence);
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
  const endCalendar = startCalendar(bot.settings.statement.timeZone, {
    reconcileDue: () => loop.tell({ kind: 'reconcile-due' }),
    dayEnded: () => {
      tellStatus(bot, 'day-ended');
      tellPresence();
    },
  });
  const end = (): void => {
    clearTimeout(first);
    clearInterval(status);
    for (const each of [...watches, bot.listing, bot.reference]) each.end();
    endCalendar();
  };
  return { watches, end };
}

function watchesOf({ trading, storage, settings, paper }: RunningBot): readonly Watch<Cause>[] {
  const state = trading.loop.state;
  const refused = (): Cause | null => {
    const sentence = refusedForGood(state());
    return sentence === null ? null : { kind: 'key-refused', sentence };
  };
  const isTape = settings.paper?.crowd.kind === 'tape';
  return [
    watchFor(JOURNAL_LOOK_MS, () => movedJournal(storage)),
    watchFor(KEY_LOOK_MS, refused),
    // The loop reads the latch itself; this makes sure that its stop has a deadline.
    watchFor(LATCHED_LOOK_MS, (): Cause | null => (state().holds.latched === null ? null : { kind: 'latched' })),
    // Once a recording has ended, nothing would ever trade with the bot's quotes.
    watchFor(
      RECORDING_LOOK_MS,
      async (): Promise<Cause | null> => (isTape && (await paper?.hasEnded()) ? { kind: 'recording-ended' } : null),
    ),
  ];
}

/** A journal that was moved away is lost: the bot stops while everything is still known (F95). */
function movedJournal(storage: SqliteJournal): Cause | null {
  try {
    storage.assertInPlace();
    return null;
  } catch (error) {
    const isOurs = error instanceof JournalError;
    return {
      kind: 'journal-moved',
      error: isOurs ? error : new JournalError('moved', 'The journal cannot be looked at.'),
    };
  }
}

/**
 * Cancels and verifies within the computed bound, which counts while the exchange answers; reports honestly what is
 * left.
 */
async function stop(bot: RunningBot, cause: Cause): Promise<ExitCode> {
  const { loop } = bot.trading;
  bot.ending.because = becauseOf(cause);
  if (cause.kind === 'told') {
    bot.log.logEvent({ op: 'told-to-stop', message: `${cause.by}: stopping.` });
  } else if (cause.kind === 'recording-ended') {
    const message = 'The recording has ended: stopping. With --loop it begins again instead.';
    bot.log.logEvent({ op: 'told-to-stop', message });
  } else if (cause.kind === 'journal-moved') {
    bot.log.logEvent({ op: 'journal-moved', level: 'error', message: cause.error.message });
  } else if (cause.kind === 'key-refused') {
    bot.log.logEvent({ op: 'key-refused', level: 'error', message: cause.sentence });
  }
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
  if (cause.kind === 'journal-moved') return journalExitCode(cause.error);
  if (loop.state().holds.latched === null) return EXIT.done;
  return isRearmAwaited(bot.settings) ? EXIT.rearmAwaited : EXIT.killLatched;
}

/** Null if somebody told it to stop, or the status shows the reason by itself. */
function becauseOf(cause: Cause): string | null {
  switch (cause.kind) {
    case 'recording-ended':
      return 'The recording has ended.';
    case 'journal-moved':
      return cause.error.message;
    case 'key-refused':
      return cause.sentence;
    default:
      return null;
  }
}

/**
 * A bug, or a failed disk: nothing is written any more, and orders known by name are canceled from memory. Messages of
 * our own errors are sentences without secrets; of others only the name is logged.
 */
async function endFatally({ log, trading }: RunningBot, error: unknown): Promise<ExitCode> {
  const ours = error instanceof JournalError || (error instanceof Error && error.name === 'InvariantViolation');
  const name = error instanceof Error ? error.name : typeof error;
  const frames = framesOf(error).map((line) => line.trim());
  log.logEvent({ op: 'fatal', level: 'fatal', message: ours ? error.message : `An unexpected ${name}.`, frames });
  const { known, acknowledged } = await trading.cancelKnown(EMERGENCY_MS);
  const message =
    `${acknowledged} of ${known} own orders were canceled from memory; the next start finds out what became ` +
    'of them.';
  log.logEvent({ op: 'summary', level: 'fatal', message });
  return error instanceof JournalError ? journalExitCode(error) : EXIT.internalError;
}
