// One process of the bot: from a start on durable state to a stop, a crash, or a fatal error.
import type { DurationMs } from '../../src/domain/time.ts';
import { JournalError } from '../../src/journal/chain.ts';
import type { PrivatePass } from '../../src/loop/loop.ts';
import { startTrading, type Trading, type TradingSettings } from '../../src/loop/start-trading.ts';
import type { Clock } from '../../src/ports/clock.ts';
import type { JournalRecord, JournalStorage } from '../../src/ports/journal-storage.ts';
import type { KillLatch } from '../../src/ports/lease.ts';
import type { Random } from '../../src/ports/random.ts';
import type { Transport } from '../../src/ports/transport.ts';
import type { Notice } from '../../src/trader/state/turn.ts';
import { DiskError, type FakedDisk } from './storage-disk.ts';
import { openLogStorage } from './storage-log.ts';

/**
 * Points where a process may crash. For the next intent: before and after its record is durable, before and after its
 * create has left, and when its answer has come but is not recorded. The last three are in the journal's upkeep: around
 * a snapshot, and after a step that retired records behind one. `now` is between two events. `power` cuts the power
 * while the record is written or synced.
 */
export const CRASH_POINTS = [
  'now',
  'before-durable',
  'after-durable',
  'before-send',
  'after-send',
  'after-answer',
  'power',
  'before-snapshot',
  'after-snapshot',
  'after-retire',
] as const;
export type CrashPoint = (typeof CRASH_POINTS)[number];

/** Ends a process at a crash point: the bot catches it like any error of its storage, and nothing else does. */
class ProcessEnded extends Error {
  override readonly name = 'ProcessEnded';
}

/** The companions of a watched bot's process: its lease, its file of own orders, its last check of the latch. */
export interface ProcessGuard {
  transport(inner: Transport, isOver: () => boolean): Transport;
  storage(inner: JournalStorage): JournalStorage;
  begun(trading: Trading): void;
  passed(pass: PrivatePass): void;
  ended(why: ProcessEnd): void;
}

export interface BotProcessParts {
  /** Null without a watchdog. */
  readonly guard: ProcessGuard | null;
  readonly settings: TradingSettings;
  readonly clock: Clock;
  readonly random: Random;
  readonly killLatch: KillLatch;
  readonly disk: FakedDisk;
  readonly transport: (isOver: () => boolean) => Transport;
  /** The records that the start found on the disk. */
  readonly onFound: (records: readonly JournalRecord[]) => void;
  /** The records about to be written. */
  readonly onAttempt: (records: readonly JournalRecord[]) => void;
  readonly onRecord: (record: JournalRecord) => void;
  /** A step of the journal's upkeep is done. */
  readonly onUpkeep: (what: 'snapshot' | 'records retired') => void;
  readonly onNotice: (notice: Notice) => void;
  readonly onEnd: (why: ProcessEnd) => void;
  /** The operation of an append at which the power goes: 1 is the write, 2 the sync. */
  readonly powerGoesAt: () => number;
}

export type ProcessEnd =
  | { readonly kind: 'crashed'; readonly at: CrashPoint }
  | { readonly kind: 'write-failed' }
  | { readonly kind: 'bug'; readonly error: unknown }
  /** The start was refused. */
  | { readonly kind: 'refused'; readonly sentence: string };

export interface BotProcess {
  /** Null if the start was refused. */
  readonly trading: Trading | null;
  isOver(): boolean;
  /** False once a write has failed: no record shows its later actions. */
  canWrite(): boolean;
  /** Ends the process the next time it passes this point; at once for `now`. `onPassed` is called then. */
  crashAt(point: CrashPoint, onPassed?: () => void): void;
  /** The next write, or the next sync, fails once. */
  failNext(operation: 'write' | 'sync'): void;
  /** Passes a point; ends the process if that was planned. */
  pass(point: CrashPoint): void;
  armed(): CrashPoint | null;
  /** Cancels a planned end of the process. */
  disarm(): void;
}

/** Any other disk error comes as a journal error. */
const isPowerCut = (error: unknown): boolean => error instanceof DiskError && error.code === 'power';

const isIntent = ({ type }: JournalRecord): boolean => type === 'intent';
const LAST_CANCELS_MS: DurationMs = 15_000;

interface BotProcessState extends BotProcessParts {
  over: boolean;
  armed: CrashPoint | null;
  /** Called when it ends at the armed point. */
  passed: (() => void) | null;
  /** The disk was set to fail. */
  mayFail: boolean;
  canWrite: boolean;
  trading: Trading | null;
}

export function startBotProcess(parts: BotProcessParts): BotProcess {
  const bot: BotProcessState = {
    ...parts,
    over: false,
    armed: null,
    passed: null,
    mayFail: false,
    canWrite: true,
    trading: null,
  };
  try {
    start(bot);
  } catch (error) {
    // A power cut planned for the previous process, which ended by another fault.
    if (isPowerCut(error)) crashed(bot, 'power');
    else if (error instanceof JournalError) end(bot, { kind: 'refused', sentence: error.message });
    else if (!(error instanceof ProcessEnded)) end(bot, { kind: 'bug', error });
  }
  return {
    trading: bot.trading,
    isOver: () => bot.over,
    canWrite: () => bot.canWrite,
    crashAt(point, onPassed) {
      bot.armed = point;
      bot.passed = onPassed ?? null;
      if (point === 'now') pass(bot, 'now');
    },
    failNext(operation) {
      bot.mayFail = true;
      bot.disk.failNext(operation);
    },
    pass: (point) => pass(bot, point),
    armed: () => bot.armed,
    disarm: () => {
      bot.armed = null;
    },
  };
}

function end(bot: BotProcessState, why: ProcessEnd): void {
  if (bot.over) return;
  bot.over = true;
  // The lanes' work of this process must not continue; a dead process never finishes it.
  void bot.trading?.lanes.public.stop();
  void bot.trading?.lanes.private.stop();
  bot.guard?.ended(why);
  bot.onEnd(why);
}

function pass(bot: BotProcessState, point: CrashPoint): void {
  if (bot.armed === point) crashed(bot, point);
}

function crashed(bot: BotProcessState, at: CrashPoint): void {
  if (bot.armed === at && !bot.over) bot.passed?.();
  bot.armed = null;
  end(bot, { kind: 'crashed', at });
}

function alive(bot: BotProcessState): void {
  if (bot.over) throw new ProcessEnded('This process is over.');
}

/** An error that this run did not cause is a bug. */
function fatal(bot: BotProcessState, error: unknown): void {
  if (bot.over || error instanceof ProcessEnded) return;
  if (isPowerCut(error)) return crashed(bot, 'power');
  if (!(error instanceof JournalError && bot.mayFail)) return end(bot, { kind: 'bug', error });
  // Like the program: cancel from memory the orders with known ids, then exit.
  void bot.trading?.cancelKnown(LAST_CANCELS_MS).then(() => end(bot, { kind: 'write-failed' }));
}

/** After a failed operation the program writes no more. */
function onDisk<T>(bot: BotProcessState, operation: () => T): T {
  try {
    return operation();
  } catch (error) {
    bot.canWrite = false;
    throw error;
  }
}

function written(bot: BotProcessState, log: JournalStorage, records: readonly JournalRecord[]): void {
  alive(bot);
  const intent = records.some(isIntent);
  if (intent) pass(bot, 'before-durable');
  alive(bot);
  if (intent && bot.armed === 'power') bot.disk.cutPowerAt(bot.disk.operations() + bot.powerGoesAt());
  bot.onAttempt(records);
  try {
    onDisk(bot, () => log.append(records));
  } catch (error) {
    if (!isPowerCut(error)) throw error;
    crashed(bot, 'power');
    throw new ProcessEnded('The power went.');
  }
  for (const record of records) bot.onRecord(record);
  if (intent) pass(bot, 'after-durable');
  alive(bot);
}

function storageOn(bot: BotProcessState, log: JournalStorage): JournalStorage {
  const { snapshots } = log;
  return {
    ...log,
    append: (records) => written(bot, log, records),
    ...(snapshots && {
      snapshots: {
        latest: snapshots.latest,
        write: (snapshot) => {
          alive(bot);
          pass(bot, 'before-snapshot');
          alive(bot);
          onDisk(bot, () => snapshots.write(snapshot));
          bot.onUpkeep('snapshot');
          pass(bot, 'after-snapshot');
          alive(bot);
        },
        retire: (through) => {
          alive(bot);
          const done = onDisk(bot, () => snapshots.retire(through));
          bot.onUpkeep('records retired');
          pass(bot, 'after-retire');
          alive(bot);
          return done;
        },
      },
    }),
  };
}

function start(bot: BotProcessState): void {
  const log = openLogStorage(bot.disk);
  bot.onFound([...log.read()]);
  const { guard, clock, random, killLatch } = bot;
  const network = bot.transport(() => bot.over);
  const ports = {
    ...{ clock, random, killLatch },
    storage: guard?.storage(storageOn(bot, log)) ?? storageOn(bot, log),
    transport: guard?.transport(network, () => bot.over) ?? network,
  };
  const notice = (told: Notice): void => {
    if (!bot.over) bot.onNotice(told);
  };
  const passed = guard === null ? {} : { passed: guard.passed };
  const started = startTrading(bot.settings, ports, {
    notice,
    completed: () => {},
    fatal: (error) => fatal(bot, error),
    ...passed,
  });
  if (started.ok) {
    bot.trading = started.value;
    guard?.begun(bot.trading);
  } else end(bot, { kind: 'refused', sentence: started.error });
}
