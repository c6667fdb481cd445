// After a fatal error nothing leaves, also not what was chosen in the same breath; and a clock that is no longer told
// ages.
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { createLane } from '../../../src/client/pace/lane.ts';
import { type Loop, startLoop } from '../../../src/loop/loop.ts';
import { openTraderJournal } from '../../../src/loop/trader-journal.ts';
import type { Venue } from '../../../src/ports/venue.ts';
import type { Strategy } from '../../../src/quoting/strategy.ts';
import { memoryStorage } from '../../../src/sim/machine/memory-storage.ts';
import { startVirtualTime, type VirtualTime } from '../../../src/sim/machine/virtual-time.ts';
import { recover } from '../../../src/trader/observe/recover.ts';
import type { TraderSettings } from '../../../src/trader/state/settings.ts';
import type { Completed } from '../../../src/venue/outcomes.ts';
import type { VenueRequest } from '../../../src/venue/requests.ts';
import { deskSettings } from '../trader/desk-settings.ts';
import { type Desk, readyDesk, START } from '../trader/trader-kit.ts';

let time: VirtualTime;
beforeEach(() => {
  time = startVirtualTime(START);
});
afterEach(() => time.end());

interface Run {
  readonly loop: () => Loop;
  readonly sent: { readonly request: VenueRequest; readonly broken: boolean }[];
  readonly fatal: unknown[];
  dates: boolean;
}

function start(settings: TraderSettings): Run {
  const exchange: Desk = readyDesk();
  let loop: Loop | null = null;
  const run: Run = {
    loop: () => {
      if (loop === null) throw new Error('The loop has not begun.');
      return loop;
    },
    sent: [],
    fatal: [],
    dates: true,
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
      run.sent.push({ request, broken: run.fatal.length > 0 });
      const sentAt = clock.now();
      await time.sleep(10);
      exchange.pass(clock.now() - exchange.now());
      const outcome = exchange.answerTo(request, sentAt);
      const venueDate = Math.floor(clock.now() / 1_000) * 1_000;
      const facts = { sentAt, receivedAt: clock.now(), status: 200, ...(run.dates && { venueDate }) };
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
  test('sends no create after the error that it told as fatal', async () => {
    const settings = deskSettings();
    const [run0] = settings.runs;
    if (run0 === undefined) throw new Error('There is no run.');
    // A bug of the program's own that shows as soon as something of ours is reserved; a strategy's is no such thing.
    let isReserved = false;
    const strategy: Strategy = {
      ...run0.strategy,
      quote: (view, params) => {
        isReserved ||= view.quote.free.lt(view.quote.total);
        return run0.strategy.quote(view, params);
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
    const run = start(deskSettings());
    await pass(10);
    const before = run.loop().state().clock?.uncertaintyMs ?? 0;
    run.dates = false;
    // 250 ppm are 900 ms in an hour; the desk allows 1,000 ms in all.
    await pass(2 * 3_600);
    expect(run.loop().state().clock?.uncertaintyMs ?? 0).toBeGreaterThan(before + 500);
  });
});
