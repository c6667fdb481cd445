// One life of the bot: from a start on what is durable to a stop, a crash, or an error that ends the process.
import type { DurationMs } from '../../src/domain/time.ts';
import { JournalError } from '../../src/journal/journal-error.ts';
import type { PrivatePass } from '../../src/loop/loop.ts';
import { startTrading, type Trading, type TradingSettings } from '../../src/loop/start-trading.ts';
import type { Clock } from '../../src/ports/clock.ts';
import type { JournalRecord, JournalStorage } from '../../src/ports/journal-storage.ts';
import type { KillLatch } from '../../src/ports/kill-latch.ts';
import type { Random } from '../../src/ports/random.ts';
import type { Transport } from '../../src/ports/transport.ts';
import type { Notice } from '../../src/trader/fold/turn.ts';
import { DiskError, type FakedDisk } from './storage-disk.ts';
import { openLogStorage } from './storage-log.ts';

/**
 * Where a life may end without a word, of the next intent: before and after its record is durable, before and after its
 * create has left, and when its answer has come and no record says so. The last three lie in the journal's upkeep:
 * around a snapshot, and after a step that retired records behind one. `now` is between two events. `power` cuts the
 * power while the record is written or synced.
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

/** What ends a life at a crash point: caught by the bot as any error of its storage would be, and by nobody else. */
class LifeEnded extends Error {
  override readonly name = 'LifeEnded';
}

/**
 * What stands beside a life of a bot that is watched: its lease, its file of own orders, its last look at the latch.
 */
export interface LifeGuard {
  transport(inner: Transport, isOver: () => boolean): Transport;
  storage(inner: JournalStorage): JournalStorage;
  begun(trading: Trading): void;
  passed(pass: PrivatePass): void;
  ended(why: LifeEnd): void;
}

export interface LifeParts {
  /** Null where nobody watches. */
  readonly guard: LifeGuard | null;
  readonly settings: TradingSettings;
  readonly clock: Clock;
  readonly random: Random;
  readonly killLatch: KillLatch;
  readonly disk: FakedDisk;
  readonly transport: (isOver: () => boolean) => Transport;
  /** What the start found on the disk. */
  readonly onFound: (records: readonly JournalRecord[]) => void;
  /** What is about to be written. */
  readonly onAttempt: (records: readonly JournalRecord[]) => void;
  readonly onRecord: (record: JournalRecord) => void;
  /** A step of the journal's upkeep is done. */
  readonly onUpkeep: (what: 'snapshot' | 'records retired') => void;
  readonly onNotice: (notice: Notice) => void;
  readonly onEnd: (why: LifeEnd) => void;
  /** Which operation of an append the power goes in: 1 is the write, 2 the sync. */
  readonly powerGoesAt: () => number;
}

export type LifeEnd =
  | { readonly kind: 'crashed'; readonly at: CrashPoint }
  | { readonly kind: 'write-failed' }
  | { readonly kind: 'bug'; readonly error: unknown }
  /** The start was refused. */
  | { readonly kind: 'refused'; readonly sentence: string };

export interface Life {
  /** Null where the start was refused. */
  readonly trading: Trading | null;
  isOver(): boolean;
  /** False once a write has failed: no record tells what it does from then on. */
  canWrite(): boolean;
  /** Ends the life the next time that it passes this point; at once for `now`. `onPassed` is told of it then. */
  crashAt(point: CrashPoint, onPassed?: () => void): void;
  /** The next write, or the next sync, fails once. */
  failNext(operation: 'write' | 'sync'): void;
  /** Passes a point; ends the life where that was asked for. */
  pass(point: CrashPoint): void;
  armed(): CrashPoint | null;
  /** Nothing ends it any more that was to. */
  disarm(): void;
}

/** Every other error of the disk comes in the journal's words. */
const isPowerCut = (error: unknown): boolean => error instanceof DiskError && error.code === 'power';

const isIntent = ({ type }: JournalRecord): boolean => type === 'intent';
const LAST_CANCELS_MS: DurationMs = 15_000;

interface LifeState extends LifeParts {
  over: boolean;
  armed: CrashPoint | null;
  /** Told that it ends at the armed point. */
  passed: (() => void) | null;
  /** The disk was asked to fail. */
  mayFail: boolean;
  canWrite: boolean;
  trading: Trading | null;
}

export function startLife(parts: LifeParts): Life {
  const life: LifeState = {
    ...parts,
    over: false,
    armed: null,
    passed: null,
    mayFail: false,
    canWrite: true,
    trading: null,
  };
  try {
    start(life);
  } catch (error) {
    // A power cut that was to befall the life before, which ended by another fault (seed 4450).
    if (isPowerCut(error)) crashed(life, 'power');
    else if (error instanceof JournalError) end(life, { kind: 'refused', sentence: error.message });
    else if (!(error instanceof LifeEnded)) end(life, { kind: 'bug', error });
  }
  return {
    trading: life.trading,
    isOver: () => life.over,
    canWrite: () => life.canWrite,
    crashAt(point, onPassed) {
      life.armed = point;
      life.passed = onPassed ?? null;
      if (point === 'now') pass(life, 'now');
    },
    failNext(operation) {
      life.mayFail = true;
      life.disk.failNext(operation);
    },
    pass: (point) => pass(life, point),
    armed: () => life.armed,
    disarm: () => {
      life.armed = null;
    },
  };
}

function end(life: LifeState, why: LifeEnd): void {
  if (life.over) return;
  life.over = true;
  // What the lanes hold of this life must not run on; that they never come to an end is what dying means.
  void life.trading?.lanes.public.stop();
  void life.trading?.lanes.private.stop();
  life.guard?.ended(why);
  life.onEnd(why);
}

function pass(life: LifeState, point: CrashPoint): void {
  if (life.armed === point) crashed(life, point);
}

function crashed(life: LifeState, at: CrashPoint): void {
  if (life.armed === at && !life.over) life.passed?.();
  life.armed = null;
  end(life, { kind: 'crashed', at });
}

function alive(life: LifeState): void {
  if (life.over) throw new LifeEnded('This life is over.');
}

/** An error that this run did not ask for is a bug. */
function fatal(life: LifeState, error: unknown): void {
  if (life.over || error instanceof LifeEnded) return;
  if (isPowerCut(error)) return crashed(life, 'power');
  if (!(error instanceof JournalError && life.mayFail)) return end(life, { kind: 'bug', error });
  // As the program does: cancel from memory what is known by name, then exit.
  void life.trading?.cancelKnown(LAST_CANCELS_MS).then(() => end(life, { kind: 'write-failed' }));
}

/** After an operation that failed the program writes no more. */
function onDisk<T>(life: LifeState, operation: () => T): T {
  try {
    return operation();
  } catch (error) {
    life.canWrite = false;
    throw error;
  }
}

function written(life: LifeState, log: JournalStorage, records: readonly JournalRecord[]): void {
  alive(life);
  const intent = records.some(isIntent);
  if (intent) pass(life, 'before-durable');
  alive(life);
  if (intent && life.armed === 'power') life.disk.cutPowerAt(life.disk.operations() + life.powerGoesAt());
  life.onAttempt(records);
  try {
    onDisk(life, () => log.append(records));
  } catch (error) {
    if (!isPowerCut(error)) throw error;
    crashed(life, 'power');
    throw new LifeEnded('The power went.');
  }
  for (const record of records) life.onRecord(record);
  if (intent) pass(life, 'after-durable');
  alive(life);
}

function storageOn(life: LifeState, log: JournalStorage): JournalStorage {
  const { snapshots } = log;
  return {
    ...log,
    append: (records) => written(life, log, records),
    ...(snapshots && {
      snapshots: {
        latest: snapshots.latest,
        write: (snapshot) => {
          alive(life);
          pass(life, 'before-snapshot');
          alive(life);
          onDisk(life, () => snapshots.write(snapshot));
          life.onUpkeep('snapshot');
          pass(life, 'after-snapshot');
          alive(life);
        },
        retire: (through) => {
          alive(life);
          const done = onDisk(life, () => snapshots.retire(through));
          life.onUpkeep('records retired');
          pass(life, 'after-retire');
          alive(life);
          return done;
        },
      },
    }),
  };
}

function start(life: LifeState): void {
  const log = openLogStorage(life.disk);
  life.onFound([...log.read()]);
  const { guard, clock, random, killLatch } = life;
  const network = life.transport(() => life.over);
  const ports = {
    ...{ clock, random, killLatch },
    storage: guard?.storage(storageOn(life, log)) ?? storageOn(life, log),
    transport: guard?.transport(network, () => life.over) ?? network,
  };
  const notice = (told: Notice): void => {
    if (!life.over) life.onNotice(told);
  };
  const passed = guard === null ? {} : { passed: guard.passed };
  const started = startTrading(life.settings, ports, {
    notice,
    completed: () => {},
    fatal: (error) => fatal(life, error),
    ...passed,
  });
  if (started.ok) {
    life.trading = started.value;
    guard?.begun(life.trading);
  } else end(life, { kind: 'refused', sentence: started.error });
}
