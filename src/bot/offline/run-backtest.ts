// `backtest`: the whole bot against its paper exchange in virtual time. The same seed gives the same run, to the last
// digit.
import { existsSync } from 'node:fs';
import path from 'node:path';
import { play } from '../../backtest/play.ts';
import { Secret } from '../../client/wire/secret.ts';
import { type EpochMs, HOUR } from '../../domain/time.ts';
import { timeText } from '../../domain/time-text.ts';
import { realClock } from '../../ports/clock.ts';
import type { JournalRecord, JournalStorage } from '../../ports/journal-storage.ts';
import { stopBoundMs } from '../../trader/observe/stopping.ts';
import type { Notice } from '../../trader/state/turn.ts';
import { assertPageWritable } from '../base/durable-file.ts';
import { EXIT, type ExitCode, StartError } from '../base/exit-codes.ts';
import { PROGRAM, VERSION } from '../base/program.ts';
import { calendarOf } from '../books/local-time.ts';
import { withJournal } from '../books/read-journal.ts';
import { momentOf } from '../books/time-range.ts';
import type { CommandIo } from '../io/command-io.ts';
import { clientSettings } from '../keys/keys.ts';
import { paperSettingsOf } from '../paper/paper-exchange.ts';
import { beginningOf } from '../paper/recordings.ts';
import type { PaperExchangeSettings, Settings } from '../settings/types.ts';
import { journalPath, takeStateFolder } from '../state-folder/state-folder.ts';
import {
  type Backtest,
  backtestData,
  backtestLines,
  haltsOf,
  type RunWatch,
  watchRun,
  writeBacktestPage,
} from './backtest-report.ts';

export interface BacktestOptions {
  /** Virtual hours; null plays a whole recording, or one hour of a synthetic market. */
  readonly hours: number | null;
  readonly seed: string | null;
  readonly json: boolean;
  /** Where to write its page; null writes none. */
  readonly html: string | null;
  /** The day or time at which a synthetic market begins; null is `START_AT`. */
  readonly begin: string | null;
  /** Where to keep the journal; null keeps none. */
  readonly state: string | null;
}

/** When every run in a synthetic market begins, so that equal seeds give equal runs. A recording has its own time. */
const START_AT = Date.UTC(2026, 0, 1);
/** Round trips of at least 10 ms, including outliers, as for a process on the same machine. */
const LATENCY = { leastMs: 5, spreadMs: 5 };
/** A paper bot that finds the journal of a backtest moves it aside, as that of an exchange that is gone. */
const INSTANCE = 'backtest';
const LONGEST_TAPE_HOURS = 24 * 365;

export async function runBacktest(settings: Settings, io: CommandIo, options: BacktestOptions): Promise<ExitCode> {
  const { paper } = settings;
  if (paper === null)
    throw new StartError(EXIT.configurationInvalid, 'A backtest needs a configuration with a section `paper`.');
  const { html } = options;
  if (html !== null) assertPageWritable(html);
  const watch = html === null ? null : watchRun();
  const folder = options.state === null ? null : path.resolve(options.state);
  const backtest = await played(settings, paper, { ...options, watch, folder });
  const write = (records: Iterable<JournalRecord>): void => {
    if (html !== null && watch !== null) writeBacktestPage(html, backtest, { watch, records });
  };
  if (folder === null) write(backtest.report.records);
  else if (html !== null) withJournal(folder, realClock, (reading) => write(reading.records()));
  io.out(options.json ? JSON.stringify(backtestData(backtest)) : backtestLines(backtest).join('\n'));
  if (!backtest.report.flat) return EXIT.unknownRemains;
  const halts = haltsOf(backtest);
  if (halts.some(({ code }) => code === 'strategy')) return EXIT.configurationInvalid;
  return halts.length > 0 ? EXIT.halted : EXIT.done;
}

/**
 * A new journal. Refuses a folder that a bot holds or would continue from, and an end in the future, which no command
 * could read until then.
 */
function journalIn(folder: string, { stateFolder }: Settings, endsAt: EpochMs): JournalStorage {
  if (folder === stateFolder)
    throw new StartError(
      EXIT.usage,
      `--state ${folder} is the state folder of the configuration: a bot would continue from it. Another was ` +
        'expected.',
    );
  if (existsSync(journalPath(folder)))
    throw new StartError(
      EXIT.stateUnusable,
      `--state ${folder} has a journal already: a folder without one was expected.`,
    );
  if (endsAt > realClock.now())
    throw new StartError(
      EXIT.usage,
      `--state ${folder} would be written up to ${timeText(endsAt)}, and nothing reads a journal of times to come. A ` +
        'market that begins earlier (--begin) or fewer --hours were expected.',
    );
  return takeStateFolder(folder);
}

/** `folder`: of the journal. */
type Playing = BacktestOptions & Readonly<{ watch: RunWatch | null; folder: string | null }>;

async function played(settings: Settings, paper: PaperExchangeSettings, playing: Playing): Promise<Backtest> {
  const { hours, seed: given, begin, watch, folder } = playing;
  const keys = { key: new Secret('backtest-key'), secret: new Secret('backtest-secret') };
  const seed = given ?? String(paper.seed);
  const crowd = hours === null ? once(paper.crowd) : paper.crowd;
  const { recordings, ...exchange } = await paperSettingsOf(settings, { ...paper, seed, crowd }, keys);
  const startAt = startOf(begin, beginningOf(recordings), settings);
  const durationMs = (hours ?? (crowd.kind === 'tape' ? LONGEST_TAPE_HOURS : 1)) * HOUR;
  const endsAt = hours === null ? startAt : startAt + durationMs;
  const storage = folder === null ? null : journalIn(folder, settings, endsAt);
  const haltedAt = new Map<string | null, EpochMs>();
  const from = realClock.monotonic();
  const result = await play({
    trading: {
      trader: settings.trader,
      client: clientSettings(settings, keys),
      lanes: settings.lanes,
      program: `${PROGRAM} ${VERSION}`,
      paperInstance: INSTANCE,
      resume: [],
    },
    paper: { ...exchange, instanceId: INSTANCE },
    seed,
    startAt,
    durationMs,
    latency: LATENCY,
    stopWithinMs: stopBoundMs({ trader: settings.trader, deadlineMs: settings.venue.timeoutMs }),
    onNotice: (notice, at) => recordHalt(notice, at, haltedAt),
    ...(watch === null ? {} : { watch: watch.look }),
    ...(storage === null ? {} : { storage }),
  }).finally(() => storage?.close());
  if (!result.ok) throw new StartError(EXIT.internalError, result.error);
  const tookMs = realClock.monotonic() - from;
  return { report: result.value, seed, tookMs, startAt, recordings, haltedAt };
}

function startOf(begin: string | null, recorded: EpochMs | null, { statement }: Settings): EpochMs {
  if (begin === null) return recorded ?? START_AT;
  if (recorded === null) return momentOf('--begin', begin, { calendar: calendarOf(statement.timeZone), isEnd: false });
  throw new StartError(
    EXIT.usage,
    `--begin ${begin} is of a made-up market: a recording has its own times, from ${timeText(recorded)} on.`,
  );
}

/** Without a given number of hours, a looping recording would never end. */
const once = (crowd: PaperExchangeSettings['crowd']): PaperExchangeSettings['crowd'] =>
  crowd.kind === 'tape' ? { ...crowd, loop: false } : crowd;

function recordHalt({ op, symbol }: Notice, at: EpochMs, haltedAt: Map<string | null, EpochMs>): void {
  const halted = { 'symbol-halted': symbol, latched: null }[op];
  if (halted !== undefined && !haltedAt.has(halted)) haltedAt.set(halted, at);
}
