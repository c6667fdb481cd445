// The bot's process as a watchdog sees it: its lease, whether it runs, signals; and the hang that lets it stand still.
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
import type { LifeEnd, LifeGuard } from '../machine/life.ts';
import type { OwnFile } from './own-file.ts';

export interface WatchedProcessParts {
  /** The machine's, for bot and watchdog alike. */
  readonly clock: Clock;
  /** True time. */
  readonly now: () => EpochMs;
  readonly sleep: (ms: DurationMs) => Promise<void>;
  readonly ttlMs: DurationMs;
  readonly deadlineMs: DurationMs;
  readonly ownFile: OwnFile;
  /** Why the kill latch is set; null while it is not. */
  readonly latched: () => string | null;
  /** Ends the life that runs. */
  readonly kill: () => void;
}

export interface Hang {
  readonly ms: DurationMs;
  /** The loop's timers stand still with it; otherwise only what it is answered does, and the loop waits for that. */
  readonly isWhole: boolean;
  /** No signal gets through. */
  readonly isDeaf: boolean;
}

export interface WatchedProcess {
  guard(life: number): LifeGuard;
  lease(): Lease | null;
  sight(): BotSight;
  signal(name: 'SIGTERM' | 'SIGKILL'): void;
  hang(hang: Hang): void;
  wake(): void;
  isHung(): boolean;
  /** True time of the last renewal; null before the first. */
  renewedAt(): EpochMs | null;
  /** True time at which a hang was last on; null where none was. */
  hungAt(): EpochMs | null;
  /** When SIGKILL was first sent to this life; null before. */
  killedAt(): EpochMs | null;
}

interface Present {
  readonly life: number;
  readonly writer: LeaseWriter;
  trading: Trading | null;
  hasExited: boolean;
}

const NEVER = new Promise<never>(() => {});

export function watchProcess(parts: WatchedProcessParts): WatchedProcess {
  const { clock, ownFile } = parts;
  let lease: Lease | null = null;
  let present: Present | null = null;
  let hung: Hang | null = null;
  let waking: (() => void)[] = [];
  let isToldToStop = false;
  let renewedAt: EpochMs | null = null;
  let hungAt: EpochMs | null = null;
  let killedAt: EpochMs | null = null;

  function begin(life: number): Present {
    const put = (next: Lease): void => {
      lease = next;
    };
    const process = { pid: life, startedAt: String(life), bootId: 'simulated' };
    const writer = writeLease({ clock, process, seq: lease?.seq ?? 0, put });
    present = { life, writer, trading: null, hasExited: false };
    isToldToStop = false;
    killedAt = null;
    return present;
  }

  function keeperOf({ writer }: Present) {
    return leaseKeeper({
      clock,
      ttlMs: parts.ttlMs,
      deadlineMs: parts.deadlineMs,
      sharesKey: true,
      agree: ownFile.agree,
      renew(renewal) {
        writer.renew(renewal);
        renewedAt = parts.now();
      },
      withhold: writer.withhold,
      failed: () => {},
    });
  }

  function stop(): void {
    isToldToStop = false;
    if (isRunning()) present?.trading?.loop.tell({ kind: 'stop' });
  }

  const isRunning = (): boolean => present !== null && !present.hasExited;

  function wake(): void {
    if (hung === null) return;
    hung = null;
    hungAt = parts.now();
    const waiting = waking;
    waking = [];
    for (const resolve of waiting) resolve();
    if (isToldToStop) stop();
  }

  const awake = (): Promise<void> =>
    new Promise((resolve) => {
      waking.push(resolve);
    });

  /**
   * A process that stands still sends nothing and hears nothing; its deadlines are over before it does anything else.
   */
  function standing(inner: Transport, isOver: () => boolean): Transport {
    async function send(request: HttpRequest): Promise<HttpResult> {
      const sentAt = clock.now();
      if (hung !== null) {
        await awake();
        if (isOver()) return NEVER;
        // Under the latch the worst is let through: it stood still right before its last look.
        if (!isCreate(request) || parts.latched() === null) return overdue(request, sentAt, false);
      }
      const result = await inner.send(request);
      if (hung === null) return result;
      await awake();
      if (isOver()) return NEVER;
      return clock.now() - sentAt > request.deadlineMs ? overdue(request, sentAt, true) : result;
    }
    return { send, close: () => inner.close() };
  }

  function overdue({ deadlineMs }: HttpRequest, sentAt: EpochMs, sent: boolean): HttpResult {
    const detail = `No complete answer within ${deadlineMs} ms.`;
    const fault = sent
      ? ({ sent, reason: 'timeout', detail } as const)
      : ({ sent, reason: 'aborted', detail: 'The process stood still.' } as const);
    return { kind: 'fault', fault, sentAt, receivedAt: clock.now() };
  }

  function guard(life: number): LifeGuard {
    const own = begin(life);
    const keep = keeperOf(own);
    const isPresent = (): boolean => present === own && !own.hasExited;
    return {
      transport: (inner, isOver) => standing(latchedTransport(inner, parts.latched, clock), isOver),
      storage: (inner: JournalStorage) => ownFile.over(inner),
      begun(trading) {
        own.trading = trading;
        ownFile.begin(trading.loop.state().durable);
        void trading.loop.stopped.then(() => {
          if (!isPresent()) return;
          own.hasExited = true;
          if (trading.loop.state().durable.journal.endedFlat) own.writer.end();
        });
      },
      passed(pass: PrivatePass) {
        const isStill = hung?.isWhole === true;
        if (isPresent() && own.trading !== null && !isStill) keep(pass, own.trading);
      },
      ended(why: LifeEnd) {
        own.hasExited = true;
        hung = null;
        waking = [];
        if (why.kind === 'crashed' && why.at === 'power') ownFile.powerCut();
      },
    };
  }

  return {
    guard,
    lease: () => lease,
    sight: () => ({
      process: lease !== null && isRunning() && lease.process.pid === present?.life ? 'running' : 'gone',
      folderHeld: isRunning(),
    }),
    signal(name) {
      if (name === 'SIGKILL') killedAt ??= parts.now();
      if (!isRunning() || hung?.isDeaf === true) return;
      if (name === 'SIGKILL') return parts.kill();
      if (hung === null) stop();
      else isToldToStop = true;
    },
    hang(next) {
      if (!isRunning() || hung !== null) return;
      hung = next;
      const own = present;
      void parts.sleep(next.ms).then(() => {
        if (present === own && hung === next) wake();
      });
    },
    wake,
    isHung: () => hung !== null,
    renewedAt: () => renewedAt,
    hungAt: () => (hung === null ? hungAt : parts.now()),
    killedAt: () => killedAt,
  };
}

const isCreate = ({ method, url }: HttpRequest): boolean =>
  method === ENDPOINTS.create.method && new URL(url).pathname.endsWith(ENDPOINTS.create.path);
