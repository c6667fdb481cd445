// The whole bot above an HTTP message against the paper exchange in virtual time, with `Date` headers and clocks that
// are wrong on demand.
import { paperSettings, tradingSettings } from '../../../../simulation/plan/configuration.ts';
import { drawPlan } from '../../../../simulation/plan/plan.ts';
import { createExchangeTransport } from '../../../../src/backtest/exchange-transport.ts';
import { memoryStorage } from '../../../../src/backtest/memory-storage.ts';
import { startVirtualTime, type VirtualTime } from '../../../../src/backtest/virtual-time.ts';
import type { DurationMs, EpochMs } from '../../../../src/domain/time.ts';
import { startTrading, type Trading } from '../../../../src/loop/start-trading.ts';
import { truth } from '../../../../src/paper/control/truth.ts';
import { control, createExchange } from '../../../../src/paper/exchange.ts';
import { httpDate } from '../../../../src/paper/wire/messages.ts';
import type { HttpRequest, HttpResult, Transport } from '../../../../src/ports/transport.ts';

const START: EpochMs = Date.UTC(2026, 0, 5, 9);

/** What is wrong at the moment. */
export interface Wrong {
  /** By how much the `Date` of the nth answer since `since` is off; `null` leaves the header out. */
  date: ((nth: number) => DurationMs | null) | null;
  /** Our wall clock less true time. */
  wallMs: DurationMs;
}

export interface ClockRun {
  readonly time: VirtualTime;
  readonly trading: Trading;
  readonly wrong: Wrong;
  /** Signed requests that were answered: when, what, and whether the stamp was taken. */
  readonly signed: { readonly at: EpochMs; readonly what: string; readonly taken: boolean }[];
  pass(ms: DurationMs): Promise<void>;
  /** Own orders that rest on the exchange. */
  resting(): number;
  /** The exchange's clock less true time. */
  setExchangeClock(offsetMs: DurationMs): void;
  end(): void;
}

export function startClockRun(requestsPerSecond = 5): ClockRun {
  const time = startVirtualTime(START);
  const plan = { ...drawPlan('clock', { faults: [] }), requestsPerSecond, clockErrorMs: 0, quickUpkeep: false };
  const wrong: Wrong = { date: null, wallMs: 0 };
  const signed: ClockRun['signed'][number][] = [];
  let nth = 0;
  const clock = { now: () => time.clock.now() + wrong.wallMs, monotonic: () => time.clock.monotonic() };
  const inner = createExchangeTransport({
    exchange: createExchange(paperSettings(plan), START),
    clock: time.clock,
    sleep: time.sleep,
    latency: { leastMs: 20, spreadMs: 10 },
    random: { next: () => 0.5 },
  });
  const transport: Transport = {
    async send(request: HttpRequest): Promise<HttpResult> {
      const sentAt = clock.now();
      const result = await inner.send(request);
      if (result.kind === 'fault') return result;
      const url = new URL(request.url);
      const stamped = url.searchParams.has('signature');
      const taken = !(result.status === 400 && result.body.includes('-1021'));
      if (stamped) signed.push({ at: time.clock.now(), what: `${request.method} ${url.pathname}`, taken });
      return { ...result, headers: dated(result.headers), sentAt, receivedAt: clock.now() };
    },
    close: () => {},
  };
  function dated({ date, ...others }: Readonly<Record<string, string>>): Record<string, string> {
    if (date === undefined) return others;
    const by = wrong.date === null ? 0 : wrong.date(nth++);
    return by === null ? others : { ...others, date: httpDate(Date.parse(date) + by) };
  }
  const started = startTrading(
    tradingSettings(plan),
    {
      clock,
      random: { next: () => 0.5 },
      transport,
      storage: memoryStorage(),
      killLatch: { reason: () => null, set: () => {} },
    },
    {
      notice: () => {},
      completed: () => {},
      fatal: (error) => {
        throw error;
      },
    },
  );
  if (!started.ok) throw new Error(started.error);
  return {
    time,
    trading: started.value,
    wrong,
    signed,
    pass: (ms) => time.run(time.clock.now() + ms),
    resting: () =>
      truth(inner.state(), { others: false, fills: false }).accounts.reduce(
        (sum, { orders }) => sum + orders.length,
        0,
      ),
    setExchangeClock: (clockOffsetMs) => control(inner.state(), { clockOffsetMs }),
    end: () => time.end(),
  };
}
