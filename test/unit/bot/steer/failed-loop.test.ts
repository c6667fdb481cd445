// A bot's answer to a command that it could not record, and to later ones.
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { startVirtualTime, type VirtualTime } from '../../../../src/backtest/virtual-time.ts';
import { createSteering, type Steering } from '../../../../src/bot/steer/steering.ts';
import { createLane, type Lane } from '../../../../src/client/pace/lane.ts';
import { type Loop, startLoop } from '../../../../src/loop/loop.ts';
import { openTraderJournal } from '../../../../src/loop/trader-journal.ts';
import { recover } from '../../../../src/trader/observe/recover.ts';
import { memoryStorage } from '../../journal/fixed-clock.ts';
import { deskSettings } from '../../trader/desk-settings.ts';
import { START } from '../../trader/trader-kit.ts';

let time: VirtualTime;
let storage: ReturnType<typeof memoryStorage>;
let steering: Steering;
let latched: string[];
let stops: string[];
beforeEach(() => {
  time = startVirtualTime(START);
  storage = memoryStorage();
  latched = [];
  stops = [];
  steering = createSteering({
    settings: { texts: new Map(), files: [] } as never,
    loop: loopThatWaits(),
    now: () => time.clock.now(),
    stop: (by) => stops.push(by),
    setKillLatch: (reason) => latched.push(reason),
    performed: () => undefined,
    holdsSecret: () => false,
    log: { logEvent: () => undefined, scrub: (text: string) => text } as never,
  });
});
afterEach(() => time.end());

/** None of its requests is answered. */
function loopThatWaits(): Loop {
  const { clock } = time;
  const opened = openTraderJournal(storage, clock);
  if (!opened.ok) throw opened.error;
  const { journal, state } = opened.value;
  const start = { now: clock.now(), epoch: journal.epoch, program: 'test', paperInstance: null, resume: [] };
  const recovered = recover(deskSettings(), state, start);
  if (!recovered.ok) throw new Error(recovered.error);
  const lane = (): Lane =>
    createLane({ requestsPerSecond: 10, maxInFlight: 2 }, { clock, random: { next: () => 0.5 } });
  return startLoop(
    recovered.value.state,
    {
      clock,
      venue: { perform: () => new Promise(() => undefined), close: () => undefined },
      lanes: { public: lane(), private: lane() },
      journal,
      killLatch: { reason: () => null, set: () => undefined },
      before: recovered.value.effects,
    },
    { notice: () => undefined, completed: () => undefined, fatal: () => undefined },
  );
}

const pause = () =>
  steering.perform({ command: 'pause', symbol: null, side: null, forMs: null, reason: 'News.', by: 'asha' });
const fillDisk = (): void => {
  storage.failure = Object.assign(new Error('no room'), { code: 'ENOSPC' });
};

test('a pause that the journal refused is not reported as done', async () => {
  fillDisk();
  const answer = await pause();
  expect(storage.records.some(({ type }) => type === 'lock')).toBe(false);
  expect(answer).toEqual({ refused: expect.stringContaining('The bot failed at it and ends') });
});

test('a failed bot accepts no commands, and says so', async () => {
  fillDisk();
  await pause();
  const failed = { refused: expect.stringContaining('Nothing was changed.') };
  expect(await pause()).toEqual(failed);
  expect(await steering.perform({ command: 'resume', symbol: null, side: null, price: null, by: 'asha' })).toEqual(
    failed,
  );
  expect(await steering.perform({ command: 'reload', confirm: null, by: 'asha' })).toEqual(failed);
  expect(await steering.perform({ command: 'stop', by: 'asha' })).toEqual(failed);
  expect(stops).toEqual([]);
});

test('a failed bot still sets the latch, and does not claim to verify', async () => {
  fillDisk();
  await pause();
  const answer = await steering.perform({ command: 'cancel-all', by: 'asha' });
  expect(latched).toEqual(['cancel-all was called by asha.']);
  expect(JSON.stringify(answer)).toContain('verifies nothing');
});
