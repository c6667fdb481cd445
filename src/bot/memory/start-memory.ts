// Records the running bot: samples it each second, writes every ten. Only reads the trader, and any trouble with the
// file costs the bot one line in the log.
import { MINUTE, SECOND } from '../../domain/time.ts';
import type { Clock } from '../../ports/clock.ts';
import type { Chosen } from '../../trader/state/session.ts';
import { TRACKS } from '../../trader/state/time-account.ts';
import type { Notice } from '../../trader/state/turn.ts';
import type { StatusSnapshot } from '../../trader/status/snapshot.ts';
import { ENDPOINTS } from '../../venue/endpoints.ts';
import type { Completed } from '../../venue/outcomes.ts';
import { isThrottled } from '../../venue/refusals.ts';
import type { Log } from '../base/log.ts';
import { framesOf } from '../base/system-error.ts';
import { calendarOf } from '../books/local-time.ts';
import type { Markout } from '../metrics/markouts.ts';
import type { Settings } from '../settings/types.ts';
import type { BotJournal } from '../state-folder/bot-journal.ts';
import { type Collector, createCollector } from './collector.ts';
import type { History, HistoryQuery } from './history.ts';
import {
  asidePath,
  isUseless,
  type MemoryFile,
  mayPass,
  memoryPath,
  memoryTrouble,
  openMemory,
  putAside,
} from './memory-file.ts';
import { type MemoryReader, readMemory } from './read-memory.ts';
import { type Batch, fillRowsOf, HOLD_OPS } from './rows.ts';
import { sampleMarkets } from './sample-markets.ts';

export type Memory = ReturnType<typeof startMemory>;

export interface MemoryParts {
  readonly settings: Pick<Settings, 'stateFolder' | 'statement'>;
  readonly clock: Clock;
  readonly log: Pick<Log, 'logEvent'>;
  /** The journal starts fresh, so the recorded history is another exchange's. */
  readonly afresh: boolean;
}

const LOOK_EVERY_MS = SECOND;
const WRITE_EVERY_MS = 10 * SECOND;
const THIN_EVERY_WRITES = (5 * MINUTE) / WRITE_EVERY_MS;

export function startMemory({ settings, clock, log, afresh }: MemoryParts) {
  const file = memoryPath(settings.stateFolder);
  if (afresh) putAside(file);
  const collector = createCollector(calendarOf(settings.statement.timeZone));
  const kept = keptIn(file, log);
  const requests = requestCounter(collector, clock);
  const presence = presenceCounter(collector);
  const safely = safelyTelling(log);
  const write = (): void => kept.write(() => collector.take(clock.now()));
  const timers: ReturnType<typeof setInterval>[] = [];
  return {
    /** Counts it, and keeps its text if the log has it. */
    notice: (notice: Notice, isLogged: boolean): void =>
      safely(() => {
        const { level, op, message, symbol = null } = notice;
        const at = clock.now();
        collector.count(symbol, { kind: 'notice', a: level, b: op }, at);
        const isGrave = level === 'warn' || level === 'page';
        if (isLogged && (isGrave || HOLD_OPS.has(op)))
          collector.notice({ at: Math.floor(at), level: isGrave ? level : 'info', op, symbol, message });
      }),
    completed: (chosen: Pick<Chosen, 'purpose'>, completed: Completed): void =>
      safely(() => requests(chosen, completed)),
    markout: (symbol: string, { side, horizon, gained, filled }: Markout): void =>
      safely(() => {
        const parts = { gained, filled, fills: 1 } as const;
        for (const c of ['gained', 'filled', 'fills'] as const)
          collector.count(symbol, { kind: 'markout', a: side, b: horizon, c, n: parts[c] }, clock.now());
      }),
    /** Wraps the journal: records its executions once they are durable. */
    storage: (storage: BotJournal): BotJournal => ({
      ...storage,
      append(records) {
        storage.append(records);
        safely(() => fillRowsOf(records).forEach(collector.fill));
      },
    }),
    /** Starts sampling the trader. */
    begin(snapshot: () => StatusSnapshot): void {
      const look = (): void =>
        safely(() => {
          const seen = snapshot();
          for (const { symbol, sample } of sampleMarkets(seen)) collector.sample(symbol, sample, Math.floor(seen.at));
          presence(seen);
        });
      const keep = (): void => safely(write);
      look();
      keep();
      timers.push(setInterval(look, LOOK_EVERY_MS), setInterval(keep, WRITE_EVERY_MS));
      for (const timer of timers) timer.unref();
    },
    history: (query: HistoryQuery): History | null => kept.read((memory) => memory.history(query)),
    profitBefore: (...asked: Parameters<MemoryReader['profitBefore']>) =>
      kept.read((memory) => memory.profitBefore(...asked)),
    /** Writes the rest. */
    end(): void {
      for (const timer of timers) clearInterval(timer);
      safely(write);
      kept.close();
    },
  };
}

/** A bug in this recorder must not become the bot's: it is logged once. */
function safelyTelling(log: MemoryParts['log']): (work: () => void) => void {
  let isSaid = false;
  return (work) => {
    try {
      work();
    } catch (error) {
      const name = error instanceof Error ? error.name : typeof error;
      const message = `Something of what happens is not remembered: an unexpected ${name}.`;
      if (!isSaid) log.logEvent({ op: 'state-folder', level: 'error', message, frames: framesOf(error) });
      isSaid = true;
    }
  };
}

/** The file, opened on the first write and again after each failure. Logs when trouble begins and ends. */
function keptIn(file: string, log: MemoryParts['log']) {
  let open: MemoryFile | null = null;
  let reader: MemoryReader | null = null;
  /** A batch that failed for a reason that may pass: retried before anything else. */
  let unwritten: Batch | null = null;
  let writes = 0;
  let isTroubled = false;
  const close = (): void => {
    reader?.close();
    open?.close();
    [reader, open] = [null, null];
  };
  const tellAside = (why: string): void => {
    const kept = `It is kept as ${asidePath(file)}, and a new one is created`;
    const message = `${file} could not be used (${why}). ${kept}: prices, requests and fills are known from now on.`;
    log.logEvent({ op: 'state-folder', level: 'warn', message });
  };
  const failed = (error: unknown, batch: Batch): void => {
    close();
    unwritten = mayPass(error) ? batch : null;
    if (isUseless(error)) putAside(file);
    else if (unwritten === null) throw error;
    const why = `${file} can't be written (${memoryTrouble(error)})`;
    const message = `The history is not recorded: ${why}. It is tried again.`;
    if (!isTroubled) log.logEvent({ op: 'state-folder', level: 'warn', message });
    isTroubled = true;
  };
  const isPut = (batch: Batch): boolean => {
    try {
      open ??= openMemory(file, { at: batch.at, putAside: tellAside });
      open.write(batch);
      if (writes % THIN_EVERY_WRITES === 0) open.thin(batch.at);
      writes += 1;
      return true;
    } catch (error) {
      failed(error, batch);
      return false;
    }
  };
  return {
    close,
    write(take: () => Batch): void {
      if (unwritten !== null && !isPut(unwritten)) return;
      unwritten = null;
      if (!isPut(take())) return;
      if (isTroubled) log.logEvent({ op: 'state-folder', message: `${file} is written again.` });
      isTroubled = false;
    },
    /** Null while nothing is recorded. */
    read<T>(work: (memory: MemoryReader) => T): T | null {
      try {
        reader ??= readMemory(file);
        return reader === null ? null : work(reader);
      } catch {
        // The next write finds out what is wrong with the file.
        return null;
      }
    },
  };
}

/** Counts time in the market since the last call. Subtracts time that later turns out to be lost. */
function presenceCounter(collector: Collector): (snapshot: StatusSnapshot) => void {
  const before = new Map<string, number>();
  return ({ symbols, at }) => {
    for (const { symbol, presence } of symbols) {
      for (const track of TRACKS) {
        const { freshMs, lost } = presence.sinceStart[track];
        for (const { reason, ms } of [{ reason: 'fresh', ms: freshMs }, ...lost]) {
          const name = `${symbol} ${track} ${reason}`;
          collector.count(symbol, { kind: 'presence', a: track, b: reason, n: ms - (before.get(name) ?? 0) }, at);
          before.set(name, ms);
        }
      }
    }
  };
}

/** Most purposes counted separately. They are sentences of the program; some contain a number. */
const MOST_PURPOSES = 50;

function requestCounter(collector: Collector, clock: Clock) {
  const purposes = new Set<string>();
  const purposeOf = (text: string): string => {
    const purpose = text.replaceAll(/\d+(?:\.\d+)?/g, '#').slice(0, 80);
    if (purposes.size < MOST_PURPOSES) purposes.add(purpose);
    return purposes.has(purpose) ? purpose : 'other';
  };
  return ({ purpose }: Pick<Chosen, 'purpose'>, { kind, outcome, facts: { status } }: Completed): void => {
    const lane = ENDPOINTS[kind].lane === 'private' ? 'private' : 'public';
    const at = clock.now();
    collector.count(null, { kind: 'request', a: lane, b: kind, c: outcome.kind }, at);
    collector.count(null, { kind: 'purpose', a: lane, b: purposeOf(purpose) }, at);
    if (isThrottled(status)) collector.count(null, { kind: 'throttled', a: lane, b: String(status) }, at);
  };
}
