// After a fatal error nothing leaves, also not what was chosen in the same breath; and a clock that is no longer told
// ages.
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { memoryStorage } from '../../../src/backtest/memory-storage.ts';
import { startVirtualTime, type VirtualTime } from '../../../src/backtest/virtual-time.ts';
import { createLane } from '../../../src/client/pace/lane.ts';
import type { EpochMs } from '../../../src/domain/time.ts';
import { type Loop, startLoop } from '../../../src/loop/loop.ts';
import { openTraderJournal } from '../../../src/loop/trader-journal.ts';
import type { Venue } from '../../../src/ports/transport.ts';
import type { Strategy } from '../../../src/quoting/strategy.ts';
import { recover } from '../../../src/trader/observe/recover.ts';
import type { TraderSettings } from '../../../src/trader/state/settings.ts';
import type { Completed } from '../../../src/venue/outcomes.ts';
import type { VenueRequest } from '../../../src/venue/requests.ts';
import { BTC, deskSettings } from '../trader/desk-settings.ts';
import { type Desk, readyDesk, START } from '../trader/trader-kit.ts';

let time: VirtualTime;
beforeEach(() => {
  time = startVirtualTime(START);
});
afterEach(() => time.end());

interface Sent {
  readonly request: VenueRequest;
  readonly sentAt: EpochMs;
  readonly broken: boolean;
  readonly clockKnownTo: number;
}

interface Run {
  readonly exchange: Desk;
  readonly loop: () => Loop;
  readonly sent: Sent[];
  readonly fatal: unknown[];
  dates: boolean;
  /** What every answer asks for. */
  retryAfterMs: number | null;
}

function start(settings: TraderSettings): Run {
  const exchange: Desk = readyDesk();
  let loop: Loop | null = null;
  const run: Run = {
    exchange,
    loop: () => {
      if (loop === null) throw new Error('The loop has not begun.');
      return loop;
    },
    sent: [],
    fatal: [],
    dates: true,
    retryAfterMs: null,
  };
  const { clock } = time;
  const opened = openTraderJournal(memoryStorage(), clock);
  if (!opened.ok) throw opened.error;
  const { journal, state } = opened.value;
  const session = { now: clock.now(), epoch: journal.epoch, program: 'test', paperInstance: null, resume: [] };
  const recovered = recover(settings, state, session);
  if (!recovered.ok) throw new Error(recovered.error);
  const lane = () => createLane({ requestsPerSecond: 10, maxInFlight: 2 }, { clock, random: { next: () => 0.5 } });
  const venue: Venue = {
    perform: async (request) => {
      const sentAt = clock.now();
      const clockKnownTo = loop?.state().clock?.uncertaintyMs ?? Number.NaN;
      run.sent.push({ request, sentAt, broken: run.fatal.length > 0, clockKnownTo });
      // Round trips differ, so that some answers come right after a whole second of the exchange's.
      await time.sleep(10 + (run.sent.length % 8) * 40);
      exchange.pass(clock.now() - exchange.now());
      const outcome = exchange.answerTo(request, sentAt);
      const venueDate = Math.floor(clock.now() / 1_000) * 1_000;
      const { retryAfterMs } = run;
      const status = retryAfterMs === null ? 200 : 429;
      const told = {
        ...(run.dates && { venueDate }),
        ...(retryAfterMs !== null && { rateLimit: { retryAfter: retryAfterMs } }),
      };
      const facts = { sentAt, receivedAt: clock.now(), status, ...told };
      return { kind: request.kind, request, outcome, facts } as Completed;
    },
    close: () => {},
  };
  const parts = {
    clock,
    venue,
    lanes: { public: lane(), private: lane() },
    journal,
    killLatch: { reason: () => null, set: () => {} },
    before: recovered.value.effects,
  };
  const listener = { notice: () => {}, completed: () => {}, fatal: (error: unknown) => run.fatal.push(error) };
  loop = startLoop(recovered.value.state, parts, listener);
  return run;
}

const pass = (seconds: number): Promise<void> => time.run(time.clock.now() + seconds * 1_000);

describe('the loop', () => {
  test('sends no create after the error that it reported as fatal', async () => {
    const settings = deskSettings();
    const [run0] = settings.runs;
    if (run0 === undefined) throw new Error('There is no run.');
    // A bug of the program's own that shows as soon as something of ours is reserved; a strategy's is no such thing.
    let isReserved = false;
    const strategy: Strategy = {
      ...run0.strategy,
      quote: (view, params) => {
        isReserved ||= view.quote.free.lt(view.quote.total);
        return run0.strategy.quote(view, params, undefined);
      },
    };
    const broken = {
      ...run0,
      strategy,
      get refresh() {
        if (isReserved) throw new Error('A bug of the program.');
        return run0.refresh;
      },
    };
    const run = start({ ...settings, runs: [broken] });
    await pass(10);
    expect(run.fatal).toHaveLength(1);
    expect(run.sent.filter(({ broken }) => broken).map(({ request }) => request.kind)).toEqual([]);
  });

  test('knows the clock less and less exactly while no answer tells the time, and stops creating (S12)', async () => {
    const run = start(deskSettings({ assumptions: { maxClockUncertaintyMs: 200 } }));
    const creates = () => run.sent.filter(({ request }) => request.kind === 'create').length;
    const moveMarket = (ask: number): Promise<void> => {
      run.exchange.shows.books[BTC] = [ask - 2_000, ask];
      return pass(10);
    };
    await moveMarket(101_000);
    run.dates = false;
    // 250 ppm are 15 ms in a minute.
    await pass(300);
    expect(run.loop().snapshot().blockers).toEqual([]);
    const before = creates();
    await moveMarket(111_000);
    expect(creates()).toBeGreaterThan(before);
    await pass(300);
    expect(run.loop().snapshot().blockers).toEqual([
      expect.stringMatching(/^The exchange's clock is known to 2\d\d ms/),
    ]);
    const last = creates();
    await moveMarket(121_000);
    expect(creates()).toBe(last);
  });

  test('stamps the first request after a pause by the newest estimate of the clock (seed 21419)', async () => {
    const run = start(deskSettings());
    await pass(60);
    const before = run.loop().state().clock?.uncertaintyMs ?? Number.NaN;
    run.retryAfterMs = 600_000;
    await pass(5);
    run.retryAfterMs = null;
    await pass(700);
    const first = run.sent.find(({ sentAt }) => sentAt > START + 600_000);
    // 250 ppm of ten minutes.
    expect(first?.clockKnownTo).toBeGreaterThan(before + 145);
  });
});
