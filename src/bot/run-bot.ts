// `run`: from the first check to the exit code.
import { JournalError } from '../journal/journal-error.ts';
import { stopBoundMs } from '../trader/stop-bound.ts';
import { stopResult } from '../trader/stopping.ts';
import { startCalendar } from './calendar.ts';
import type { CommandIo } from './command-io.ts';
import { framesOf } from './error-frames.ts';
import { EXIT, EXIT_SENTENCES, type ExitCode, StartError } from './exit-codes.ts';
import { readKeys } from './keys.ts';
import { readKillLatch } from './kill-latch.ts';
import { logFileOf, openBotLog } from './open-bot-log.ts';
import { paperKeys } from './paper-keys.ts';
import { ensurePaperProcess, type PaperProcess } from './paper-process.ts';
import type { Settings } from './settings/types.ts';
import { type RunningBot, startBot } from './start-bot.ts';
import { journalExitCode, takeStateFolder } from './state-folder.ts';
import { symbolLine, walletLine } from './status-words.ts';
import { stopSignal } from './stop-signal.ts';

/** What the command line adds to the configuration. */
export interface RunOptions {
  /** Halted symbols to trade again. */
  readonly resume?: readonly string[];
}

const STATUS_EVERY_MS = 10_000;
const JOURNAL_LOOK_MS = 2_000;
/** How long the cancels after a fatal error may take. */
const EMERGENCY_MS = 15_000;

/** Runs until told to stop; resolves with the exit code. Throws `StartError` for what keeps it from starting. */
export async function runBot(settings: Settings, io: CommandIo, options: RunOptions = {}): Promise<ExitCode> {
  const latch = readKillLatch(settings.stateFolder);
  if (latch !== null) throw new StartError(EXIT.killLatched, `The kill latch is set: ${latch.reason}`);
  const ownKeys = settings.keys === null ? null : readKeys(settings.keys, io.environment);
  const held = takeStateFolder(settings.stateFolder);
  const log = openBotLog(settings, io);
  // From here on: a signal during the start is a stop like any other.
  const told = stopSignal(EXIT.unknownRemains);
  let paper: PaperProcess | null = null;
  let bot: RunningBot | null = null;
  try {
    paper = settings.mode === 'paper' ? await ensurePaperProcess(settings) : null;
    const keys = ownKeys ?? paperKeys(settings.stateFolder);
    bot = await startBot({ settings, resume: options.resume ?? [], held, log, paper, keys });
    return await live(bot, told, io);
  } finally {
    await paper?.stop();
    // Last: whoever holds the folder next finds the exchange stopped, not stopping. A journal that failed may fail to close, too.
    await bot?.trading.close().catch(() => undefined);
    await log.close();
  }
}

/** What ended the quoting. */
type Cause =
  | { readonly kind: 'told'; readonly by: string }
  | { readonly kind: 'journal-moved'; readonly error: JournalError }
  | { readonly kind: 'stopped' }
  | { readonly kind: 'fatal'; readonly error: unknown };

async function live(bot: RunningBot, told: Promise<string>, io: CommandIo): Promise<ExitCode> {
  greet(bot, io);
  const duties = startDuties(bot);
  const cause = await Promise.race([
    told.then((by): Cause => ({ kind: 'told', by })),
    duties.journalMoved.then((error): Cause => ({ kind: 'journal-moved', error })),
    bot.trading.loop.stopped.then((): Cause => ({ kind: 'stopped' })),
    Promise.race([bot.fatal, unexpectedError()]).then((error): Cause => ({ kind: 'fatal', error })),
  ]);
  const code = cause.kind === 'fatal' ? await endFatally(bot, cause.error) : await stop(bot, cause);
  duties.end();
  summarize(bot, code);
  await bot.web.close();
  return code;
}

/** What nobody caught is a bug like any other: orders are cancelled before the process ends. */
function unexpectedError(): Promise<unknown> {
  return new Promise((resolve) => {
    process.once('uncaughtException', resolve);
    process.once('unhandledRejection', resolve);
  });
}

interface Duties {
  /** Resolves when the journal's file is not what was opened any more. */
  readonly journalMoved: Promise<JournalError>;
  end(): void;
}

/** Status lines, a look at the journal's file, and the calendar. */
function startDuties(bot: RunningBot): Duties {
  const { loop } = bot.trading;
  const status = setInterval(() => tellStatus(bot, 'status'), STATUS_EVERY_MS);
  const journal = watchJournal(bot);
  const endCalendar = startCalendar(bot.settings, {
    reconcileDue: () => loop.tell({ kind: 'reconcile-due' }),
    dayEnded: () => tellStatus(bot, 'day-ended'),
  });
  const end = (): void => {
    clearInterval(status);
    journal.end();
    endCalendar();
  };
  return { journalMoved: journal.moved, end };
}

/** A journal that was moved away is no journal: the bot stops while everything is still known (F95). */
function watchJournal({ storage }: RunningBot): { moved: Promise<JournalError>; end(): void } {
  let looking: ReturnType<typeof setInterval> | undefined;
  const moved = new Promise<JournalError>((resolve) => {
    looking = setInterval(() => {
      try {
        storage.assertInPlace();
      } catch (error) {
        clearInterval(looking);
        resolve(error instanceof JournalError ? error : new JournalError('moved', 'The journal can not be looked at.'));
      }
    }, JOURNAL_LOOK_MS);
  });
  return { moved, end: () => clearInterval(looking) };
}

/** Cancels and verifies within the computed bound; says honestly what is left. */
async function stop(bot: RunningBot, cause: Cause): Promise<ExitCode> {
  const { loop } = bot.trading;
  if (cause.kind === 'told') {
    bot.log.logEvent({ op: 'told-to-stop', message: `${cause.by}: stopping.` });
  } else if (cause.kind === 'journal-moved') {
    bot.log.logEvent({ op: 'journal-moved', level: 'error', message: cause.error.message });
  }
  loop.tell({ kind: 'stop' });
  const bound = stopBoundMs({ trader: bot.settings.trader, deadlineMs: bot.settings.venue.deadlines.createMs });
  const late = setTimeout(() => loop.tell({ kind: 'stop-deadline' }), bound);
  const ended = await Promise.race([loop.stopped, bot.fatal.then((error) => ({ error }))]);
  clearTimeout(late);
  if (ended !== undefined) return endFatally(bot, ended.error);
  const { flat } = stopResult(loop.state());
  if (!flat) return EXIT.unknownRemains;
  if (cause.kind === 'journal-moved') return journalExitCode(cause.error);
  return loop.state().latched === null ? EXIT.done : EXIT.killLatched;
}

/**
 * A bug, or a disk that failed: nothing is written any more, and what is known by name is cancelled from memory. The message of our own
 * errors is a sentence without secrets; others only give their name.
 */
async function endFatally({ log, trading }: RunningBot, error: unknown): Promise<ExitCode> {
  const ours = error instanceof JournalError || (error instanceof Error && error.name === 'InvariantViolation');
  const name = error instanceof Error ? error.name : typeof error;
  const frames = framesOf(error).map((line) => line.trim());
  log.logEvent({ op: 'fatal', level: 'fatal', message: ours ? error.message : `An unexpected ${name}.`, frames });
  const { known, acknowledged } = await trading.cancelKnown(EMERGENCY_MS);
  const message = `${acknowledged} of ${known} own orders were cancelled from memory; the next start finds out what became of them.`;
  log.logEvent({ op: 'emergency-cancel', level: 'fatal', message });
  return error instanceof JournalError ? journalExitCode(error) : EXIT.internalError;
}

function greet({ settings, web, paper, log }: RunningBot, io: CommandIo): void {
  const bound = stopBoundMs({ trader: settings.trader, deadlineMs: settings.venue.deadlines.createMs });
  const lines = [
    `quotekeeper quotes ${settings.trader.runs.map((run) => run.instrument.symbol).join(', ')} (${settings.mode}).`,
    `  page      ${web.url}/`,
    `  metrics   ${web.url}/metrics`,
    `  log       ${logFileOf(settings)}`,
    ...(paper ? [`  exchange  ${paper.url} (paper, ${paper.found ? 'was running' : 'started'})`] : []),
    `  stop      Ctrl-C; cancelling and verifying takes ${Math.ceil(bound / 1_000)} s at the most`,
  ];
  if (io.isTerminal) io.out(`${lines.join('\n')}\n`);
  else log.logEvent({ op: 'started', message: lines.join(' ').replace(/\s+/g, ' ') });
}

function tellStatus({ status, log }: RunningBot, op: 'status' | 'day-ended'): void {
  const { trader } = status();
  for (const view of trader.symbols) log.logEvent({ op, symbol: view.symbol, message: symbolLine(view) });
  log.logEvent({ op, message: walletLine(trader) });
}

function summarize({ status, log }: RunningBot, code: ExitCode): void {
  const { trader } = status();
  const orders = trader.symbols.reduce((sum, view) => sum + view.orders.length, 0);
  const requests = trader.requests.reduce((sum, each) => sum + each.count, 0);
  const lines = [
    ...trader.symbols.map(symbolLine),
    walletLine(trader),
    `${requests} requests. Own orders that may be open: ${orders}. ${EXIT_SENTENCES[code]}`,
  ];
  for (const message of lines) log.logEvent({ op: 'summary', message });
}
