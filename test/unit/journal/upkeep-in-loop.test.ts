// The loop itself does the upkeep: within an hour and some seconds of running, the state is verified and kept.
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { startVirtualTime, type VirtualTime } from '../../../src/backtest/virtual-time.ts';
import { createLane } from '../../../src/client/pace/lane.ts';
import { MINUTE } from '../../../src/domain/time.ts';
import type { UpkeepPace } from '../../../src/journal/upkeep.ts';
import { startLoop } from '../../../src/loop/loop.ts';
import { openTraderJournal, readTraderJournal } from '../../../src/loop/trader-journal.ts';
import type { Durable } from '../../../src/trader/durable/durable.ts';
import { recover } from '../../../src/trader/observe/recover.ts';
import type { Completed } from '../../../src/venue/outcomes.ts';
import { deskSettings } from '../trader/desk-settings.ts';
import { readyDesk, START } from '../trader/trader-kit.ts';
import { type KeepingStorage, keepingStorage } from './fixed-clock.ts';

const HOUR_S = 3_600;
/** An hour of looking once a second would be the same hour four times as long. */
const CALM = {
  polling: {
    ...{ bookMs: 4_000, publicTradesMs: 12_000, openOrdersMs: 10_000, tradesMs: 10_000, walletMs: 20_000 },
    ...{ tradesRescanMs: 60_000, probeMs: 1_000 },
  },
};
let time: VirtualTime;

beforeEach(() => {
  time = startVirtualTime(START);
});
afterEach(() => time.end());

/** A loop over a venue that answers like a desk; `pace` in place of production's. */
function start(storage: KeepingStorage, pace?: UpkeepPace): { fatal: unknown[]; durable(): Durable } {
  const { clock } = time;
  const exchange = readyDesk();
  const opened = openTraderJournal(storage, clock, pace);
  if (!opened.ok) throw opened.error;
  const { journal, state } = opened.value;
  const session = { now: clock.now(), epoch: journal.epoch, program: 'test', paperInstance: null, resume: [] };
  const recovered = recover(deskSettings(CALM), state, session);
  if (!recovered.ok) throw new Error(recovered.error);
  const lane = () => createLane({ requestsPerSecond: 1, maxInFlight: 1 }, { clock, random: { next: () => 0.5 } });
  const parts = {
    clock,
    venue: {
      perform: async (request: Completed['request']) => {
        const sentAt = clock.now();
        await time.sleep(10);
        exchange.pass(clock.now() - exchange.now());
        const outcome = exchange.answerTo(request, sentAt);
        const venueDate = Math.floor(clock.now() / 1_000) * 1_000;
        const facts = { sentAt, receivedAt: clock.now(), venueDate, status: 200 };
        return { kind: request.kind, request, outcome, facts } as Completed;
      },
      close: () => {},
    },
    lanes: { public: lane(), private: lane() },
    journal,
    killLatch: { reason: () => null, set: () => {} },
    before: recovered.value.effects,
  };
  const fatal: unknown[] = [];
  const listener = { notice: () => {}, completed: () => {}, fatal: (error: unknown) => fatal.push(error) };
  const loop = startLoop(recovered.value.state, parts, listener);
  return { fatal, durable: () => loop.state().durable };
}

test('a snapshot an hour, and the next start goes on from it', async () => {
  const storage = keepingStorage();
  const run = start(storage);
  await time.run(START + (HOUR_S - 1) * 1_000);
  expect(storage.kept).toBeNull();
  await time.run(START + (HOUR_S + 60) * 1_000);
  expect([run.fatal, storage.kept === null]).toEqual([[], false]);
  const read = readTraderJournal(storage, time.clock);
  expect(read.ok && read.value).toStrictEqual(run.durable());
});

test('a state that was changed beside the journal ends the loop (R4)', async () => {
  const storage = keepingStorage();
  const run = start(storage, { everyMs: 2 * MINUTE, everyRecords: 20_000, keepRecords: 50_000, stepRecords: 200 });
  await time.run(START + MINUTE);
  run.durable().orders.nextIntentNumber += 1;
  await time.run(START + 3 * MINUTE);
  expect(run.fatal).toEqual([expect.objectContaining({ name: 'InvariantViolation' })]);
  expect(String(run.fatal[0])).toContain('"nextIntentNumber":');
});
