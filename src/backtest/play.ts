// Plays a configuration in virtual time: the whole bot above an HTTP message against the paper exchange, in one
// process.
import { randomStream, uniform } from '../crowd/random.ts';
import { fail, ok, type Result } from '../domain/result.ts';
import type { DurationMs, EpochMs } from '../domain/time.ts';
import { startTrading, type TradingSettings } from '../loop/start-trading.ts';
import { type AccountTruth, truth } from '../paper/control/truth.ts';
import { advance, hasEnded } from '../paper/engine/advance.ts';
import { createExchange } from '../paper/exchange.ts';
import type { PaperSettings } from '../paper/state/settings.ts';
import type { ExchangeState } from '../paper/state/state.ts';
import type { JournalRecord, JournalStorage } from '../ports/journal-storage.ts';
import type { KillLatch } from '../ports/lease.ts';
import type { Transport } from '../ports/transport.ts';
import type { TraderInput } from '../trader/observe/observe.ts';
import type { TraderState } from '../trader/state/state.ts';
import type { Notice } from '../trader/state/turn.ts';
import type { StatusSnapshot } from '../trader/status/snapshot.ts';
import { createExchangeTransport, type Latency } from './exchange-transport.ts';
import { memoryStorage } from './memory-storage.ts';
import { startVirtualTime, type VirtualTime } from './virtual-time.ts';

export interface PlaySettings {
  readonly trading: TradingSettings;
  readonly paper: PaperSettings;
  readonly seed: number | string;
  readonly startAt: EpochMs;
  /** Longest duration; shorter when the recorded crowd ends. */
  readonly durationMs: DurationMs;
  readonly latency: Latency;
  /** How long the stop at the end may take. */
  readonly stopWithinMs: DurationMs;
  /** The journal's storage, closed by the caller; absent, the journal ends with the run. */
  readonly storage?: JournalStorage;
  readonly onNotice?: (notice: Notice, at: EpochMs) => void;
  /** Wraps the network between bot and exchange, with access to the exchange. */
  readonly transport?: (network: Transport, place: TransportPlace) => Transport;
  /** A caller outside the bot that sends it inputs in virtual time, until the run ends. */
  readonly outside?: (tell: (input: TraderInput) => void, place: Pick<VirtualTime, 'clock' | 'sleep'>) => Promise<void>;
  /** Inspects everything between any two timers, and must change nothing. An exception ends the run. */
  readonly watch?: (world: World) => void;
}

/** What a caller's own transport may use. */
export interface TransportPlace extends Pick<VirtualTime, 'clock' | 'sleep'> {
  readonly exchange: () => ExchangeState;
}

/** Both sides of the wire at one moment, for checks only. */
export interface World {
  readonly exchange: ExchangeState;
  readonly trader: TraderState;
  readonly now: EpochMs;
}

export interface PlayReport {
  readonly snapshot: StatusSnapshot;
  /** Whether every own order was proved gone at the end. */
  readonly flat: boolean;
  readonly virtualMs: DurationMs;
  /** The exchange's own account data at the end. */
  readonly truth: readonly AccountTruth[];
  /** The journal's remaining records, until it is closed: a given storage may have retired older ones. */
  readonly records: Iterable<JournalRecord>;
  /** Number of records written. */
  readonly journalRecords: number;
  /** Hash of the last journal record: equal for equal runs. */
  readonly journalHash: string;
}

/** Runs for the duration, then stops the bot clean. Throws a bug of the bot. */
export async function play(settings: PlaySettings): Promise<Result<PlayReport>> {
  const time = startVirtualTime(settings.startAt);
  try {
    return await playIn(time, settings);
  } finally {
    time.end();
  }
}

async function playIn(time: VirtualTime, settings: PlaySettings): Promise<Result<PlayReport>> {
  const { clock, sleep } = time;
  const network = randomStream(settings.seed, 'network');
  const jitter = randomStream(settings.seed, 'jitter');
  const exchange = createExchangeTransport({
    exchange: createExchange(settings.paper, settings.startAt),
    clock,
    sleep,
    latency: settings.latency,
    random: { next: () => uniform(network) },
  });
  const transport = settings.transport?.(exchange, { clock, sleep, exchange: exchange.state }) ?? exchange;
  const storage = settings.storage ?? memoryStorage();
  const written = { count: 0, hash: '' };
  let bug: unknown = null;
  const ports = {
    clock,
    random: { next: () => uniform(jitter) },
    transport,
    storage: noting(storage, written),
    killLatch: memoryLatch(),
  };
  const started = startTrading(settings.trading, ports, {
    notice: (notice) => settings.onNotice?.(notice, clock.now()),
    completed: () => {},
    fatal: (error) => {
      bug = error;
    },
  });
  if (!started.ok) return fail(started.error);
  const { loop } = started.value;
  void keepActing(exchange, time).catch((error: unknown) => {
    bug = error;
  });
  void settings.outside?.((input) => loop.tell(input), { clock, sleep });
  const watched = (): boolean => {
    settings.watch?.({ exchange: exchange.state(), trader: loop.state(), now: clock.now() });
    return bug !== null;
  };
  await time.run(settings.startAt + settings.durationMs, () => watched() || hasEnded(exchange.state()));
  loop.tell({ kind: 'stop' });
  const over = (): boolean => watched() || loop.state().phase === 'stopped';
  await time.run(clock.now() + settings.stopWithinMs, over);
  if (bug !== null) throw bug;
  if (!over()) loop.tell({ kind: 'stop-deadline' });
  const snapshot = loop.snapshot();
  return ok({
    snapshot,
    flat: loop.state().durable.journal.endedFlat,
    virtualMs: clock.now() - settings.startAt,
    truth: truth(exchange.state(), { others: false, fills: true }).accounts,
    records: storage.read(),
    journalRecords: written.count,
    journalHash: written.hash,
  });
}

/** As a server does now and then: after a long time without requests the exchange assumes that the machine slept. */
const ACT_EVERY_MS: DurationMs = 1_000;

/** Lets the crowd act even while the bot sends nothing, until the run ends. */
async function keepActing(exchange: { state(): ExchangeState }, { clock, sleep }: VirtualTime): Promise<void> {
  for (;;) {
    await sleep(ACT_EVERY_MS);
    advance(exchange.state(), clock.now());
  }
}

/** Counts the records written; the caller closes the storage. */
const noting = (storage: JournalStorage, written: { count: number; hash: string }): JournalStorage => ({
  ...storage,
  append(records) {
    storage.append(records);
    written.count += records.length;
    written.hash = records.at(-1)?.hash ?? written.hash;
  },
  close: () => {},
});

function memoryLatch(): KillLatch {
  let reason: string | null = null;
  return {
    reason: () => reason,
    set: (why) => {
      reason ??= why;
    },
  };
}
