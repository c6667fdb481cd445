// A watchdog's view of the bot's process: its lease, whether it runs, signals; and the hang that suspends it.
import type { DurationMs, EpochMs } from '../../src/domain/time.ts';
import { latchedTransport } from '../../src/loop/latched-transport.ts';
import { leaseKeeper } from '../../src/loop/lease-keeper.ts';
import type { PrivatePass } from '../../src/loop/loop.ts';
import type { Trading } from '../../src/loop/start-trading.ts';
import type { Clock } from '../../src/ports/clock.ts';
import type { JournalStorage } from '../../src/ports/journal-storage.ts';
import type { Lease } from '../../src/ports/lease.ts';
import type { HttpRequest, HttpResult, Transport } from '../../src/ports/transport.ts';
import { ENDPOINTS } from '../../src/venue/endpoints.ts';
import { type LeaseWriter, writeLease } from '../../src/watchdog/lease-writer.ts';
import type { BotSight } from '../../src/watchdog/watch-state.ts';
import type { ProcessEnd, ProcessGuard } from '../machine/bot-process.ts';
import type { OwnFile } from './own-file.ts';

export interface WatchedProcessParts {
  /** The machine's, shared by bot and watchdog. */
  readonly clock: Clock;
  /** True time. */
  readonly now: () => EpochMs;
  readonly sleep: (ms: DurationMs) => Promise<void>;
  readonly ttlMs: DurationMs;
  readonly deadlineMs: DurationMs;
  readonly ownFile: OwnFile;
  /** Why the kill latch is set; null while it is not. */
  readonly latched: () => string | null;
  /** Ends the running process. */
  readonly kill: () => void;
}

export interface Hang {
  readonly ms: DurationMs;
  /** The loop's timers stop with it; otherwise only its answers are delayed, and the loop waits for them. */
  readonly isWhole: boolean;
  /** No signal gets through. */
  readonly isDeaf: boolean;
}

export interface WatchedProcess {
  guard(pid: number): ProcessGuard;
  lease(): Lease | null;
  sight(): BotSight;
  signal(name: 'SIGTERM' | 'SIGKILL'): void;
  hang(hang: Hang): void;
  wake(): void;
  isHung(): boolean;
  /** True time of the last renewal; null before the first. */
  renewedAt(): EpochMs | null;
  /** True time at which a hang was last active; null without one. */
  hungAt(): EpochMs | null;
  /** When SIGKILL was first sent to this process; null before. */
  killedAt(): EpochMs | null;
}

interface Present {
  readonly pid: number;
  readonly writer: LeaseWriter;
  trading: Trading | null;
  hasExited: boolean;
}

const NEVER = new Promise<never>(() => {});

interface Watched extends WatchedProcessParts {
  lease: Lease | null;
  present: Present | null;
  hung: Hang | null;
  waking: (() => void)[];
  isToldToStop: boolean;
  renewedAt: EpochMs | null;
  hungAt: EpochMs | null;
  killedAt: EpochMs | null;
}

export function watchProcess(parts: WatchedProcessParts): WatchedProcess {
  const watched: Watched = {
    ...parts,
    lease: null,
    present: null,
    hung: null,
    waking: [],
    isToldToStop: false,
    renewedAt: null,
    hungAt: null,
    killedAt: null,
  };
  return {
    guard: (pid) => guard(watched, pid),
    lease: () => watched.lease,
    sight: () => sight(watched),
    signal: (name) => signal(watched, name),
    hang: (next) => hang(watched, next),
    wake: () => wake(watched),
    isHung: () => watched.hung !== null,
    renewedAt: () => watched.renewedAt,
    hungAt: () => (watched.hung === null ? watched.hungAt : parts.now()),
    killedAt: () => watched.killedAt,
  };
}

function begin(watched: Watched, pid: number): Present {
  const put = (next: Lease): void => {
    watched.lease = next;
  };
  const process = { pid, startedAt: String(pid), bootId: 'simulated' };
  const writer = writeLease({ clock: watched.clock, process, seq: watched.lease?.seq ?? 0, put });
  watched.present = { pid, writer, trading: null, hasExited: false };
  watched.isToldToStop = false;
  watched.killedAt = null;
  return watched.present;
}

function keeperOf(watched: Watched, { writer }: Present) {
  return leaseKeeper({
    clock: watched.clock,
    ttlMs: watched.ttlMs,
    deadlineMs: watched.deadlineMs,
    sharesKey: true,
    agree: watched.ownFile.agree,
    renew(renewal) {
      writer.renew(renewal);
      watched.renewedAt = watched.now();
    },
    withhold: writer.withhold,
    failed: () => {},
  });
}

function stop(watched: Watched): void {
  watched.isToldToStop = false;
  if (isRunning(watched)) watched.present?.trading?.loop.tell({ kind: 'stop' });
}

const isRunning = ({ present }: Watched): boolean => present !== null && !present.hasExited;

function sight(watched: Watched): BotSight {
  const { lease, present } = watched;
  const isSeen = lease !== null && isRunning(watched) && lease.process.pid === present?.pid;
  return { process: isSeen ? 'running' : 'gone', folderHeld: isRunning(watched) };
}

function signal(watched: Watched, name: 'SIGTERM' | 'SIGKILL'): void {
  if (name === 'SIGKILL') watched.killedAt ??= watched.now();
  if (!isRunning(watched) || watched.hung?.isDeaf === true) return;
  if (name === 'SIGKILL') return watched.kill();
  if (watched.hung === null) stop(watched);
  else watched.isToldToStop = true;
}

function hang(watched: Watched, hung: Hang): void {
  if (!isRunning(watched) || watched.hung !== null) return;
  watched.hung = hung;
  const own = watched.present;
  void watched.sleep(hung.ms).then(() => {
    if (watched.present === own && watched.hung === hung) wake(watched);
  });
}

function wake(watched: Watched): void {
  if (watched.hung === null) return;
  watched.hung = null;
  watched.hungAt = watched.now();
  const waiting = watched.waking;
  watched.waking = [];
  for (const resolve of waiting) resolve();
  if (watched.isToldToStop) stop(watched);
}

const awake = (watched: Watched): Promise<void> =>
  new Promise((resolve) => {
    watched.waking.push(resolve);
  });

/** A suspended process sends and receives nothing; its deadlines expire before it does anything else. */
function standing(watched: Watched, inner: Transport, isOver: () => boolean): Transport {
  const { clock } = watched;
  async function send(request: HttpRequest): Promise<HttpResult> {
    const sentAt = clock.now();
    if (watched.hung !== null) {
      await awake(watched);
      if (isOver()) return NEVER;
      // Under the latch the worst case is allowed: it was suspended right before its last check.
      if (!isCreate(request) || watched.latched() === null) return { ...STOOD_STILL, sentAt, receivedAt: clock.now() };
    }
    const result = await inner.send(request);
    if (watched.hung === null) return result;
    await awake(watched);
    if (isOver()) return NEVER;
    const { deadlineMs } = request;
    return clock.now() - sentAt > deadlineMs ? { ...overdue(deadlineMs), sentAt, receivedAt: clock.now() } : result;
  }
  return { send, close: () => inner.close() };
}

const STOOD_STILL = {
  kind: 'fault',
  fault: { sent: false, reason: 'aborted', detail: 'The process stood still.' },
} as const;

const overdue = (deadlineMs: DurationMs) =>
  ({
    kind: 'fault',
    fault: { sent: true, reason: 'timeout', detail: `No complete answer within ${deadlineMs} ms.` },
  }) as const;

function guard(watched: Watched, pid: number): ProcessGuard {
  const own = begin(watched, pid);
  const keep = keeperOf(watched, own);
  const isPresent = (): boolean => watched.present === own && !own.hasExited;
  return {
    transport: (inner, isOver) => standing(watched, latchedTransport(inner, watched.latched, watched.clock), isOver),
    storage: (inner: JournalStorage) => watched.ownFile.over(inner),
    begun(trading) {
      own.trading = trading;
      watched.ownFile.begin(trading.loop.state().durable);
      void trading.loop.stopped.then(() => {
        if (!isPresent()) return;
        own.hasExited = true;
        if (trading.loop.state().durable.journal.endedFlat) own.writer.end();
      });
    },
    passed(pass: PrivatePass) {
      const isStill = watched.hung?.isWhole === true;
      if (isPresent() && own.trading !== null && !isStill) keep(pass, own.trading);
    },
    ended(why: ProcessEnd) {
      own.hasExited = true;
      watched.hung = null;
      watched.waking = [];
      if (why.kind === 'crashed' && why.at === 'power') watched.ownFile.powerCut();
    },
  };
}

const isCreate = ({ method, url }: HttpRequest): boolean =>
  method === ENDPOINTS.create.method && new URL(url).pathname.endsWith(ENDPOINTS.create.path);
