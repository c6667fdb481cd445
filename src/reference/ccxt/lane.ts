// The lane of one other exchange: one request at a time, spaced, each price again when it is due, later each time it
// fails. What it costs cannot hold up the lanes of our own exchange.
import type { DurationMs } from '../../domain/time.ts';
import type { Clock } from '../../ports/clock.ts';
import type { Seen } from '../convert.ts';
import type { ExternalRead } from '../plan.ts';
import { readPrice, unseen } from './exchange.ts';
import type { CcxtExchange } from './library.ts';

export interface LanePace {
  /** Each price is asked for so often. */
  readonly pollMs: DurationMs;
  readonly timeoutMs: DurationMs;
  /** Of one exchange, at the most. */
  readonly requestsPerSecond: number;
}

export interface LaneParts extends LanePace {
  readonly clock: Clock;
  /** Every answer, and every failure. */
  news(read: ExternalRead, seen: Seen): void;
}

/** No price is asked for more rarely, however often it failed. */
const LONGEST_PAUSE_MS: DurationMs = 60_000;
/** A first read asks for the list of markets before, and ccxt may wait for its own limit. */
const REQUESTS_PER_READ = 3;

interface Due {
  readonly read: ExternalRead;
  /** By the monotonic clock. */
  at: DurationMs;
  failures: number;
}

/** Begins at once. After `end` nothing is told and nothing more is asked. */
export function startLane(open: () => CcxtExchange, reads: readonly ExternalRead[], parts: LaneParts): { end(): void } {
  const { clock } = parts;
  const ended = new AbortController();
  let exchange = open();
  const due = reads.map((read): Due => ({ read, at: clock.monotonic(), failures: 0 }));

  async function run(): Promise<void> {
    for (;;) {
      const next = due.reduce((first, each) => (each.at < first.at ? each : first));
      await pause(next.at - clock.monotonic(), ended.signal);
      if (ended.signal.aborted) return;
      const startedAt = clock.monotonic();
      // ccxt asks for its list of markets once, and keeps what became of that: an error, an empty list, no answer.
      const asked = next.failures === 0 || lists(exchange, next.read) ? exchange : open();
      const seen = await inTime(asked, next.read, parts);
      if (ended.signal.aborted) return;
      if (lists(asked, next.read)) exchange = asked;
      next.failures = seen.kind === 'seen' ? 0 : next.failures + 1;
      next.at = startedAt + pauseAfter(next.failures, parts.pollMs);
      parts.news(next.read, seen);
      await pause(startedAt + 1_000 / parts.requestsPerSecond - clock.monotonic(), ended.signal);
    }
  }

  if (due.length > 0) void run();
  return { end: () => ended.abort() };
}

const lists = ({ markets }: CcxtExchange, { symbol }: ExternalRead): boolean => markets?.[symbol] !== undefined;

function pauseAfter(failures: number, pollMs: DurationMs): DurationMs {
  return Math.max(pollMs, Math.min(LONGEST_PAUSE_MS, pollMs * 2 ** Math.min(failures, 10)));
}

/** The limit of ccxt ends with the head of an answer, and does not count what it waits for by itself. */
async function inTime(exchange: CcxtExchange, read: ExternalRead, { clock, timeoutMs }: LaneParts): Promise<Seen> {
  const patience = new AbortController();
  const limitMs = timeoutMs * REQUESTS_PER_READ;
  const late = pause(limitMs, patience.signal).then(() => unseen(read, `no whole answer within ${limitMs} ms`));
  const seen = await Promise.race([readPrice(exchange, read, clock.now()), late]);
  patience.abort();
  return seen;
}

/** Resolves after so long, or at once when it is aborted. */
function pause(ms: DurationMs, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (ms <= 0 || signal.aborted) return resolve();
    const done = (): void => {
      clearTimeout(timer);
      signal.removeEventListener('abort', done);
      resolve();
    };
    const timer = setTimeout(done, ms);
    signal.addEventListener('abort', done);
  });
}
