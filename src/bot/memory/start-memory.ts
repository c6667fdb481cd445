// What the running bot remembers of itself: looked at each second, written by a thread of its own every ten. It only
// reads the trader, and whatever happens to its file costs the bot one line in the log.

import { type Calendar, calendarOf } from '../../books/local-time.ts';
import { MINUTE, SECOND } from '../../domain/time.ts';
import type { Batch } from '../../memory/batch.ts';
import { type Collector, createCollector } from '../../memory/collector.ts';
import type { History, HistoryQuery } from '../../memory/history.ts';
import type { Clock } from '../../ports/clock.ts';
import type { JournalRecord } from '../../ports/journal-storage.ts';
import type { Chosen } from '../../trader/durable/chosen.ts';
import { presenceView, type TimeShares } from '../../trader/presence/presence.ts';
import { symbolsOf, type TraderState } from '../../trader/state/state.ts';
import type { Notice } from '../../trader/state/turn.ts';
import { ENDPOINTS } from '../../venue/endpoints.ts';
import { isThrottled } from '../../venue/error-codes.ts';
import type { Completed } from '../../venue/outcomes.ts';
import type { Log } from '../base/log.ts';
import { framesOf } from '../base/system-error.ts';
import type { Markout } from '../metrics/markouts.ts';
import type { Settings } from '../settings/types.ts';
import type { SqliteJournal } from '../state-folder/sqlite-journal.ts';
import { rememberRecords } from './journal-rows.ts';
import { bytesFor, putAside } from './memory-file.ts';
import { asidePath, memoryPath } from './memory-schema.ts';
import { type MemoryThread, startMemoryThread } from './memory-thread.ts';
import { sampleMarkets } from './sample-markets.ts';

export interface Memory {
  /** Counts it, and keeps its words where the log has them. */
  notice(notice: Notice, isLogged: boolean): void;
  completed(chosen: Pick<Chosen, 'purpose'>, completed: Completed): void;
  markout(symbol: string, markout: Markout): void;
  /** The journal, whose records are remembered once they are durable. */
  storage(storage: SqliteJournal): SqliteJournal;
  /** Looks at the trader from now on, and puts what the journal knows of before into a file that begins. */
  begin(state: () => TraderState, journal: SqliteJournal): void;
  /** Null while there is nothing to ask. */
  history(query: HistoryQuery): Promise<History | null>;
  /** Writes what is left, within a second. */
  end(): Promise<void>;
}

export interface MemoryParts {
  readonly settings: Pick<Settings, 'stateFolder' | 'statement' | 'trader'>;
  readonly clock: Clock;
  readonly log: Pick<Log, 'logEvent'>;
  /** The journal begins anew: what is remembered is of another exchange. */
  readonly afresh: boolean;
}

const LOOK_EVERY_MS = SECOND;
const WRITE_EVERY_MS = 10 * SECOND;
/** In looks; once a minute is as good as at once. */
const THIN_EVERY_WRITES = (5 * MINUTE) / WRITE_EVERY_MS;
const END_WITHIN_MS = SECOND;
/** So often in a row somebody else may have the file before it is said. */
const BUSY_TOLD = 6;

export function startMemory({ settings, clock, log, afresh }: MemoryParts): Memory {
  const file = memoryPath(settings.stateFolder);
  if (afresh) putAside(file);
  const maxBytes = bytesFor(settings.trader.runs.length);
  const thread = startMemoryThread({ file, maxBytes });
  const calendar = calendarOf(settings.statement.timeZone);
  const collector = createCollector(calendar);
  const requests = requestCounter(collector, clock);
  const failed = failureTeller(log);
  const safely = (work: () => void): void => {
    try {
      work();
    } catch (error) {
      failed(error);
    }
  };
  const writing = writer({ thread, collector, clock, tell: teller(file, log) });
  const timers: ReturnType<typeof setInterval>[] = [];
  let isOver = false;
  return {
    notice: (notice, isLogged) =>
      safely(() => {
        collector.count(notice.symbol ?? null, { kind: 'notice', a: notice.level, b: notice.op }, clock.now());
        if (isLogged) rememberNotice(notice, collector, clock.now());
      }),
    completed: (chosen, completed) => safely(() => requests(chosen, completed)),
    markout: (symbol, markout) => safely(() => rememberMarkout(markout, symbol, { collector, at: clock.now() })),
    storage: (storage) => ({
      ...storage,
      append(records) {
        storage.append(records);
        safely(() => rememberRecords(records, collector));
      },
    }),
    begin(state, journal) {
      const presence = presenceCounter(collector);
      const look = (): void => safely(() => lookAt(state(), collector, clock.now()));
      const write = async (): Promise<void> => {
        if (isOver) return;
        safely(() => presence(state(), clock.now()));
        const lacksPast = await writing.write();
        if (!lacksPast || isOver) return;
        await writing.alone(() => rebuild({ journal, thread, calendar, now: clock.now, isOver: () => isOver }));
      };
      look();
      timers.push(
        setInterval(look, LOOK_EVERY_MS),
        setInterval(() => void write(), WRITE_EVERY_MS),
      );
      for (const timer of timers) timer.unref();
      void write();
    },
    history: (query) => thread.ask(query),
    async end() {
      isOver = true;
      for (const timer of timers) clearInterval(timer);
      writing.sendLeft();
      await thread.close(collector.take(clock.now()), END_WITHIN_MS);
    },
  };
}

/** A bug of the memory's, or a thread that can't be had, must not be one of the bot's: it is said once. */
function failureTeller(log: MemoryParts['log']): (error: unknown) => void {
  let isSaid = false;
  return (error) => {
    const name = error instanceof Error ? error.name : typeof error;
    const message = `Something of what happens is not remembered: an unexpected ${name}.`;
    if (!isSaid) log.logEvent({ op: 'state-folder', level: 'error', message, frames: framesOf(error) });
    isSaid = true;
  };
}

function rememberNotice(notice: Notice, collector: Collector, now: number): void {
  const { level, op, message } = notice;
  if (level !== 'warn' && level !== 'page') return;
  collector.notice({ at: Math.floor(now), level, op, symbol: notice.symbol ?? null, message, seq: null });
}

function rememberMarkout(
  { side, horizon, gained, filled }: Markout,
  symbol: string,
  { collector, at }: { readonly collector: Collector; readonly at: number },
): void {
  const parts = { gained, filled, fills: 1 } as const;
  for (const [c, n] of Object.entries(parts) as [keyof typeof parts, number][])
    collector.count(symbol, { kind: 'markout', a: side, b: horizon, c, n }, at);
}

function lookAt(state: TraderState, collector: Collector, now: number): void {
  const at = Math.floor(now);
  for (const { symbol, sample, decided } of sampleMarkets(state, now)) {
    collector.sample(symbol, sample, at);
    for (const side of ['buy', 'sell'] as const) collector.decided(symbol, side, { text: decided[side], at });
  }
}

const TRACKS = ['buy', 'sell', 'both'] as const;

/** What was counted of the time in the market since the last call. Time that turned out to be lost comes off. */
function presenceCounter(collector: Collector): (state: TraderState, now: number) => void {
  const before = new Map<string, number>();
  return (state, now) => {
    for (const symbol of symbolsOf(state)) {
      const shares: TimeShares = presenceView(state, symbol, now).sinceStart;
      for (const track of TRACKS) {
        const { freshMs, lost } = shares[track];
        for (const { reason, ms } of [{ reason: 'fresh', ms: freshMs }, ...lost]) {
          const name = `${symbol} ${track} ${reason}`;
          collector.count(symbol, { kind: 'presence', a: track, b: reason, ms: ms - (before.get(name) ?? 0) }, now);
          before.set(name, ms);
        }
      }
    }
  };
}

/** Purposes are sentences of the program; some hold a number. So many different ones are told apart. */
const MOST_PURPOSES = 50;

function requestCounter(collector: Collector, clock: Clock): Memory['completed'] {
  const purposes = new Set<string>();
  const purposeOf = (text: string): string => {
    const purpose = text.replaceAll(/\d+(?:\.\d+)?/g, '#').slice(0, 80);
    if (purposes.size < MOST_PURPOSES) purposes.add(purpose);
    return purposes.has(purpose) ? purpose : 'other';
  };
  return ({ purpose }, { kind, outcome, facts: { status } }) => {
    const lane = ENDPOINTS[kind].lane === 'private' ? 'private' : 'public';
    const at = clock.now();
    collector.count(null, { kind: 'request', a: lane, b: kind, c: outcome.kind }, at);
    collector.count(null, { kind: 'purpose', a: lane, b: purposeOf(purpose) }, at);
    if (isThrottled(status)) collector.count(null, { kind: 'throttled', a: lane, b: String(status) }, at);
  };
}

interface Writing {
  /** Whether the journal is still to be read for what was before the file. */
  write(): Promise<boolean>;
  /** Sends what could not be written, once more. */
  sendLeft(): void;
  /** Nothing else runs meanwhile but writing. */
  alone(work: () => Promise<boolean>): Promise<void>;
}

interface WritingParts {
  readonly thread: MemoryThread;
  readonly collector: Collector;
  readonly clock: Clock;
  readonly tell: Teller;
}

function writer({ thread, collector, clock, tell }: WritingParts): Writing {
  /** Could not be written, as somebody else had the file, or by the disk. */
  let unwritten: Batch | null = null;
  let isSending = false;
  let writes = 0;
  let isWorking = false;
  return {
    async write() {
      // The disk is slow: what comes meanwhile is gathered, up to a bound.
      if (!thread.isIdle()) return false;
      const batch = unwritten ?? collector.take(clock.now());
      isSending = true;
      const written = await thread.do({ kind: 'write', batch });
      isSending = false;
      unwritten = written.kind === 'busy' || (written.kind === 'failed' && written.again) ? batch : null;
      tell(written);
      writes += 1;
      if (writes % THIN_EVERY_WRITES === 1) await thread.do({ kind: 'thin', now: clock.now() });
      return written.kind === 'written' && written.lacksPast;
    },
    sendLeft() {
      if (unwritten !== null && !isSending) void thread.do({ kind: 'write', batch: unwritten });
    },
    async alone(work) {
      if (isWorking) return;
      isWorking = true;
      try {
        await work();
      } finally {
        isWorking = false;
      }
    },
  };
}

type Teller = (written: Awaited<ReturnType<MemoryThread['do']>>) => void;

/** One sentence when something is wrong with the file, and one when it is over. */
function teller(file: string, log: Pick<Log, 'logEvent'>): Teller {
  let busy = 0;
  let troubled = false;
  const trouble = (message: string): void => {
    if (troubled) return;
    troubled = true;
    log.logEvent({ op: 'state-folder', level: 'warn', message });
  };
  return (written) => {
    busy = written.kind === 'busy' ? busy + 1 : 0;
    if (written.kind === 'failed')
      return trouble(`What happens is not remembered: ${file} can't be written (${written.why}). It is tried again.`);
    if (busy >= BUSY_TOLD) trouble(`What happens is not remembered: another process holds ${file}. It is tried again.`);
    if (written.kind !== 'written') return;
    if (troubled) log.logEvent({ op: 'state-folder', message: `${file} is written again.` });
    troubled = false;
    if (written.putAside === null) return;
    const kept = `It is kept as ${asidePath(file)}, and one is begun anew`;
    const known = 'prices, decisions and requests are known from now on, fills and locks from the journal';
    const message = `${file} could not be gone on with (${written.putAside}). ${kept}: ${known}.`;
    log.logEvent({ op: 'state-folder', level: 'warn', message });
  };
}

// What the journal knows of the time before the memory's file began: put into it beside the work, in small steps.

/** Read at once, which holds the program up for some milliseconds. */
const STEP_RECORDS = 500;
const REST_MS = 20;

interface Rebuilding {
  readonly journal: Pick<SqliteJournal, 'read' | 'books'>;
  readonly thread: Pick<MemoryThread, 'do'>;
  readonly calendar: Calendar;
  readonly now: () => number;
  readonly isOver: () => boolean;
}

/** Whether it came to its end; else it is to be tried again: what is there already is not doubled. */
async function rebuild(from: Rebuilding): Promise<boolean> {
  const { journal, thread, now, isOver } = from;
  // What leaves the journal meanwhile has come to the books by the second look at them.
  for (const part of [() => journal.books(), () => journal.read(), () => journal.books()])
    for (const records of inSteps(part())) {
      if (isOver()) return false;
      const collector = createCollector(from.calendar);
      rememberRecords(records, collector);
      const batch = collector.take(now());
      if (batch.fills.length + batch.notices.length > 0) {
        const { kind } = await thread.do({ kind: 'write', batch });
        if (kind !== 'written') return false;
      }
      await rest();
    }
  return (await thread.do({ kind: 'rebuilt', at: now() })).kind === 'written';
}

function* inSteps(records: Iterable<JournalRecord>): Generator<readonly JournalRecord[]> {
  let step: JournalRecord[] = [];
  for (const record of records) {
    step.push(record);
    if (step.length < STEP_RECORDS) continue;
    yield step;
    step = [];
  }
  if (step.length > 0) yield step;
}

/** Does not keep the process alive. */
const rest = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, REST_MS).unref());
