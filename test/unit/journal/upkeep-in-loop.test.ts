// The loop itself does the upkeep: within an hour and some seconds of running, the state is verified and kept.
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { startVirtualTime, type VirtualTime } from '../../../src/backtest/virtual-time.ts';
import { createLane } from '../../../src/client/pace/lane.ts';
import { startLoop } from '../../../src/loop/loop.ts';
import { openTraderJournal, readTraderJournal } from '../../../src/loop/trader-journal.ts';
import type { Durable } from '../../../src/trader/durable/durable.ts';
import { recover } from '../../../src/trader/observe/recover.ts';
import type { Completed } from '../../../src/venue/outcomes.ts';
import { deskSettings } from '../trader/desk-settings.ts';
import { readyDesk, START } from '../trader/trader-kit.ts';
import { type KeepingStorage, keepingStorage } from './fixed-clock.ts';

const HOUR_S = 3_600;
let time: VirtualTime;

beforeEach(() => {
  time = startVirtualTime(START);
});
afterEach(() => time.end());

/** A loop over a venue that answers like a desk, one request a second on each lane. */
function start(storage: KeepingStorage): { fatal: unknown[]; durable(): Durable } {
  const { clock } = time;
  const exchange = readyDesk();
  const opened = openTraderJournal(storage, clock);
  if (!opened.ok) throw opened.error;
  const { journal, state } = opened.value;
  const session = { now: clock.now(), epoch: journal.epoch, program: 'test', paperInstance: null, resume: [] };
  const recovered = recover(deskSettings(), state, session);
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
}, 60_000);

test('a state that was changed beside the journal ends the loop (R4)', async () => {
  const storage = keepingStorage();
  const run = start(storage);
  await time.run(START + 60_000);
  run.durable().orders.nextIntentNumber += 1;
  await time.run(START + (HOUR_S + 60) * 1_000);
  expect(run.fatal).toEqual([expect.objectContaining({ name: 'InvariantViolation' })]);
  expect(String(run.fatal[0])).toContain('"nextIntentNumber":');
}, 60_000);
