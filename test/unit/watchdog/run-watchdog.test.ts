// The watchdog's process in virtual time, on ports that note what is asked of them: it does what `watch.ts` says.
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { startVirtualTime, type VirtualTime } from '../../../src/backtest/virtual-time.ts';
import { orderId } from '../../../src/domain/ids.ts';
import type { Lease } from '../../../src/ports/lease.ts';
import type { CancelOutcome, Completed } from '../../../src/venue/outcomes.ts';
import { noOrders, take } from '../../../src/watchdog/own-orders.ts';
import { runWatchdog, type WatchdogPorts } from '../../../src/watchdog/run-watchdog.ts';
import type { SweepRequest } from '../../../src/watchdog/sweep.ts';
import type { BotSight, WatchSettings } from '../../../src/watchdog/watch-state.ts';
import { kindOf } from '../refused.ts';
import { stepsAtMost } from '../steps-at-most.ts';
import { create, SETTINGS, silentBot } from './watch-world.ts';

const START = 1_800_000_000_000;
let time: VirtualTime;
beforeEach(() => {
  time = startVirtualTime(START);
});
afterEach(() => time.end());

interface Options {
  readonly settings?: Partial<WatchSettings>;
  readonly latchFails?: unknown;
  readonly isOpen?: boolean;
}

/** A bot that never shows life, with an order on the book that its file names. */
function watchdog({ settings = {}, latchFails, isOpen = true }: Options = {}) {
  const done: string[] = [];
  const orders = noOrders(null);
  if (isOpen) {
    take(orders, { kind: 'sent', intentId: 'i', create: create({ horizon: START - 100_000 }) });
    take(orders, { kind: 'named', intentId: 'i', orderId: orderId('1-1-1') });
  }
  let bot: BotSight = { process: 'running', folderHeld: true };
  let looks = 0;
  const lease: Lease = {
    ...{ seq: 1, cycles: 1, at: START, ended: false },
    process: { pid: 1, startedAt: '1', bootId: 'boot' },
  };
  async function perform(request: SweepRequest): Promise<Completed> {
    done.push(Object.values(request).join(' '));
    const sentAt = time.clock.now();
    await time.sleep(20);
    const facts = { sentAt, receivedAt: time.clock.now(), status: 200 };
    const read = { rows: [], complete: true, sentAt, receivedAt: time.clock.now() };
    const outcome = request.kind === 'open-orders' ? { kind: 'read', read } : { kind: 'acknowledged', msg: 'ok' };
    return { kind: request.kind, request, outcome, facts } as unknown as Completed;
  }
  const ports: WatchdogPorts = {
    clock: time.clock,
    venue: { perform, close: () => {} },
    latch: {
      set: (reason: string) => {
        if (latchFails !== undefined) throw latchFails;
        done.push(`latch ${reason.slice(0, 12)}`);
      },
    } as WatchdogPorts['latch'],
    lease: () => lease,
    evidence: () => ({ orders, damaged: null, latched: null, mayRearm: false, bot }),
    bot: () => bot,
    signal: (name) => {
      done.push(name);
      bot = { process: 'gone', folderHeld: false };
    },
    forgetOrders: () => void done.push('forget'),
    rearm: () => {
      done.push('rearm');
      return { kind: 'kept', why: 'It was done before.' };
    },
    leaveToPerson: () => void done.push('leave'),
    showLife: () => {
      looks += 1;
    },
    tell: ({ op, message }) => void done.push(op === 'latch-failed' ? `${op}: ${message}` : op),
    answered: ({ kind }) => void done.push(`answered ${kind}`),
  };
  const running = runWatchdog({ ...SETTINGS, lookEveryMs: 500, ...settings }, ports);
  const ends: (boolean | null)[] = [];
  void running.ended.then((how) => ends.push(how));
  return { running, done, ends, looks: () => looks };
}

test('a silent bot is latched, ended, its order canceled twice, and that proved by two lists', async () => {
  const { done, ends, running } = watchdog();
  await time.run(START + 44_000);
  expect(done).toEqual([]);
  await time.run(START + 120_000);
  expect(done.filter((line) => !line.startsWith('answered'))).toEqual([
    ...['lease-expired', 'latch The watchdog', 'latched', 'SIGTERM', 'watching', 'clearing'],
    ...['cancel 1-1-1', 'cancel 1-1-1', 'open-orders', 'open-orders', 'forget', 'flat'],
  ]);
  expect(done.filter((line) => line.startsWith('answered'))).toHaveLength(4);
  expect(ends).toEqual([true]);
  expect(running.state().phase).toBe('done');
});

test.each([
  [new Error('The disk is full.'), 'The disk is full.'],
  ['odd', 'The kill latch could not be written.'],
])('a latch that cannot be written (%s) is said, and the bot is ended', async (latchFails, words) => {
  const { done } = watchdog({ latchFails });
  await time.run(START + 60_000);
  expect(done).toContain(`latch-failed: ${words} Going on without: the bot is ended.`);
  expect(done).toContain('SIGTERM');
});

test('after a proof the latch is taken off where that is configured', async () => {
  const { done } = watchdog({ settings: { rearm: 'after-proof' } });
  await time.run(START + 120_000);
  expect(done.slice(-3)).toEqual(['rearm', 'leave', 'not-rearmed']);
});

test('it looks as often as it is told and shows life after each, until it is stopped', async () => {
  const { running, ends, looks } = watchdog({ isOpen: false });
  expect(looks()).toBe(1);
  await time.run(START + 5_100);
  expect(looks()).toBeGreaterThanOrEqual(10);
  running.stop();
  running.stop();
  const before = looks();
  await time.run(START + 20_000);
  expect(looks()).toBe(before);
  expect(ends).toEqual([null]);
});

test('what comes back after it was stopped is counted, and changes nothing', async () => {
  const { running, done } = watchdog();
  const step = stepsAtMost();
  while (!done.some((line) => line.startsWith('cancel'))) {
    step();
    await time.run(time.clock.now() + 100);
  }
  const { phase } = running.state();
  const answeredBefore = done.filter((line) => line.startsWith('answered')).length;
  running.stop();
  await time.run(time.clock.now() + 5_000);
  expect(done.filter((line) => line.startsWith('answered')).length).toBeGreaterThanOrEqual(answeredBefore);
  expect(running.state().phase).toBe(phase);
  expect(done).not.toContain('flat');
});

// A cancel of all that is answered otherwise than by -5014 or a documented 4xx: the orders that the file names are
// never canceled one by one.

const failed = (status: number, code?: number): CancelOutcome => ({
  kind: 'unknown',
  fault: {
    sent: true,
    reason: 'status',
    status,
    detail: `HTTP ${status}.`,
    ...(code !== undefined && { code, refusal: kindOf(code) }),
  },
});

test.each<[string, number, number | undefined]>([
  ['500 -4001', 500, -4001],
  ['500 -1009', 500, -1009],
  ["a gateway's 404", 404, undefined],
])('a cancel of all that is answered %s again and again: what is known by name goes by name', (_, status, code) => {
  const world = silentBot({ sweep: { whose: 'account' } });
  world.refuse = ({ kind }) => (kind === 'cancel-all' ? { outcome: failed(status, code), status } : null);
  world.run(20 * 60_000);
  expect(world.canceled.toSorted()).toEqual(['1-1-1', '1-2-1']);
});
