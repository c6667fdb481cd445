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

export function startLife(parts: LifeParts): Life {
  const { clock, random, killLatch, disk } = parts;
  let over = false;
  let armed: CrashPoint | null = null;
  let passed: (() => void) | null = null;
  let mayFail = false;
  let canWrite = true;
  let trading: Trading | null = null;

  function end(why: LifeEnd): void {
    if (over) return;
    over = true;
    // What the lanes hold of this life must not run on; that they never come to an end is what dying means.
    void trading?.lanes.public.stop();
    void trading?.lanes.private.stop();
    parts.guard?.ended(why);
    parts.onEnd(why);
  }

  function pass(point: CrashPoint): void {
    if (armed === point) crashed(point);
  }

  function crashed(at: CrashPoint): void {
    if (armed === at && !over) passed?.();
    armed = null;
    end({ kind: 'crashed', at });
  }

  function alive(): void {
    if (over) throw new LifeEnded('This life is over.');
  }

  /** An error that this run did not ask for is a bug. */
  function fatal(error: unknown): void {
    if (over || error instanceof LifeEnded) return;
    if (isPowerCut(error)) return crashed('power');
    if (!(error instanceof JournalError && mayFail)) return end({ kind: 'bug', error });
    // As the program does: cancel from memory what is known by name, then exit.
    void trading?.cancelKnown(LAST_CANCELS_MS).then(() => end({ kind: 'write-failed' }));
  }

  /** After an operation that failed the program writes no more. */
  function onDisk<T>(operation: () => T): T {
    try {
      return operation();
    } catch (error) {
      canWrite = false;
      throw error;
    }
  }

  function written(log: JournalStorage, records: readonly JournalRecord[]): void {
    alive();
    const intent = records.some(isIntent);
    if (intent) pass('before-durable');
    alive();
    if (intent && armed === 'power') disk.cutPowerAt(disk.operations() + parts.powerGoesAt());
    parts.onAttempt(records);
    try {
      onDisk(() => log.append(records));
    } catch (error) {
      if (!isPowerCut(error)) throw error;
      crashed('power');
      throw new LifeEnded('The power went.');
    }
    for (const record of records) parts.onRecord(record);
    if (intent) pass('after-durable');
    alive();
  }

  function storageOn(log: JournalStorage): JournalStorage {
    const { snapshots } = log;
    return {
      ...log,
      append: (records) => written(log, records),
      ...(snapshots && {
        snapshots: {
          latest: snapshots.latest,
          write: (snapshot) => {
            alive();
            pass('before-snapshot');
            alive();
            onDisk(() => snapshots.write(snapshot));
            parts.onUpkeep('snapshot');
            pass('after-snapshot');
            alive();
          },
          retire: (through) => {
            alive();
            const done = onDisk(() => snapshots.retire(through));
            parts.onUpkeep('records retired');
            pass('after-retire');
            alive();
            return done;
          },
        },
      }),
    };
  }

  function start(): void {
    const log = openLogStorage(disk);
    parts.onFound([...log.read()]);
    const { guard } = parts;
    const network = parts.transport(() => over);
    const ports = {
      ...{ clock, random, killLatch },
      storage: guard?.storage(storageOn(log)) ?? storageOn(log),
      transport: guard?.transport(network, () => over) ?? network,
    };
    const notice = (told: Notice): void => {
      if (!over) parts.onNotice(told);
    };
    const passed = guard === null ? {} : { passed: guard.passed };
    const started = startTrading(parts.settings, ports, { notice, completed: () => {}, fatal, ...passed });
    if (started.ok) {
      trading = started.value;
      guard?.begun(trading);
    } else end({ kind: 'refused', sentence: started.error });
  }

  try {
    start();
  } catch (error) {
    // A power cut that was to befall the life before, which ended by another fault (seed 4450).
    if (isPowerCut(error)) crashed('power');
    else if (error instanceof JournalError) end({ kind: 'refused', sentence: error.message });
    else if (!(error instanceof LifeEnded)) end({ kind: 'bug', error });
  }
  return {
    trading,
    isOver: () => over,
    canWrite: () => canWrite,
    crashAt(point, onPassed) {
      armed = point;
      passed = onPassed ?? null;
      if (point === 'now') pass('now');
    },
    failNext(operation) {
      mayFail = true;
      disk.failNext(operation);
    },
    pass,
    armed: () => armed,
    disarm: () => {
      armed = null;
    },
  };
}
