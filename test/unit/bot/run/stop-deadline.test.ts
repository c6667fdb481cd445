// When a stop gives up: by a bound that counts while the exchange answers, at the learned pace.
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { type Clock as FakeClock, install } from '@sinonjs/fake-timers';
import { watchStopDeadline } from '../../../../src/bot/run/stop-deadline.ts';
import { stopBoundMs } from '../../../../src/trader/observe/stopping.ts';
import { deskSettings } from '../../trader/desk-settings.ts';
import { type Desk, quotingDesk } from '../../trader/trader-kit.ts';

const START = 1_700_000_000_000;
const DEADLINE_MS = 1_000;
let fake: FakeClock;

beforeEach(() => {
  fake = install({ now: START, toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval', 'Date'] });
});
afterEach(() => {
  fake.uninstall();
});

const lost = (kind: string) => ({
  kind: kind === 'create' || kind.startsWith('cancel') ? 'unknown' : 'failed',
  fault: { sent: true, reason: 'timeout', detail: 'Nothing came.' },
});

/** A desk told to stop during an outage; `go` lets `seconds` of both clocks pass. */
function stoppingDesk(): { desk: Desk; renewed: number[]; leftMs(): number; go(seconds: number): void } {
  const desk = quotingDesk();
  const renewed: number[] = [];
  desk.reply = ({ kind }) => lost(kind) as never;
  desk.run(10_000);
  desk.tell({ kind: 'stop' });
  const clock = { monotonic: () => fake.now - START, now: () => desk.now() };
  const parts = { clock, createDeadlineMs: DEADLINE_MS, renewed: (boundMs: number) => renewed.push(boundMs) };
  const { leftMs } = watchStopDeadline(desk, parts);
  const go = (seconds: number): void => {
    for (let n = 0; n < seconds; n += 1) {
      desk.run(1_000);
      fake.tick(1_000);
    }
  };
  return { desk, renewed, leftMs, go };
}

const BOUND_MS = stopBoundMs({ trader: deskSettings(), deadlineMs: DEADLINE_MS });

test('a silence ends no stop while orders may be open, and the bound starts over with the first answer', () => {
  const { desk, renewed, go } = stoppingDesk();
  go(Math.ceil((3 * BOUND_MS) / 1_000));
  expect(desk.state().phase).toBe('stopping');
  expect(renewed).toEqual([]);
  desk.reply = () => undefined;
  go(Math.floor(BOUND_MS / 1_000) - 1);
  expect(desk.state().phase).toBe('stopped');
  expect(desk.state().durable.journal.endedFlat).toBe(true);
  expect(renewed).toEqual([BOUND_MS]);
});

test('the bound starts over with the first answer, which may come just before it ends', () => {
  const { desk, renewed, go } = stoppingDesk();
  go(Math.floor(BOUND_MS / 1_000) - 1);
  // The exchange answers but accepts no cancel: the stop can't end by itself.
  desk.reply = ({ kind }) => (kind.startsWith('cancel') ? (lost(kind) as never) : undefined);
  go(2);
  expect(renewed).toEqual([BOUND_MS]);
  go(Math.floor(BOUND_MS / 1_000) - 3);
  expect(desk.state().phase).toBe('stopping');
  go(3);
  expect(desk.state().phase).toBe('stopped');
});

test('refusals suspend the bound, and start nothing over', () => {
  const { desk, renewed, go } = stoppingDesk();
  desk.reply = () => undefined;
  go(3);
  expect(renewed.splice(0)).toEqual([BOUND_MS]);
  const refusal = {
    kind: 'unknown',
    fault: { sent: true, reason: 'status', status: 500, code: -5014, refusal: 'cancel-failure', detail: 'No.' },
  };
  desk.reply = ({ kind }) => (kind === 'order-book' ? undefined : (refusal as never));
  go(Math.ceil((2 * BOUND_MS) / 1_000));
  expect(desk.state().phase).toBe('stopping');
  desk.reply = () => undefined;
  go(Math.floor(BOUND_MS / 1_000) - 1);
  expect(desk.state().phase).toBe('stopped');
  expect(renewed).toEqual([]);
});

test('it is longer in proportion to the lane’s slowdown, even if that is faster again by then', () => {
  const { desk, go } = stoppingDesk();
  desk.reply = ({ kind }) => (kind.startsWith('cancel') ? (lost(kind) as never) : undefined);
  go(1);
  desk.pace(0.25);
  go(1);
  desk.pace(10);
  const slow = stopBoundMs({ trader: deskSettings(), deadlineMs: DEADLINE_MS, requestsPerSecond: 0.25 });
  expect(slow).toBeGreaterThan(BOUND_MS + 30_000);
  go(Math.floor(slow / 1_000) - 2);
  expect(desk.state().phase).toBe('stopping');
  go(6);
  expect(desk.state().phase).toBe('stopped');
});

describe('the rest of the bound', () => {
  test.each([10, 1, 0.25, 0.0625])('at %f requests a second: the stop ends within it', (requestsPerSecond) => {
    const desk = quotingDesk();
    desk.pace(requestsPerSecond);
    // The lane has just sent something.
    const intervalMs = 1_000 / requestsPerSecond;
    desk.run(intervalMs, intervalMs);
    desk.tell({ kind: 'stop' });
    const clock = { monotonic: () => fake.now - START, now: () => desk.now() };
    const watch = watchStopDeadline(desk, { clock, createDeadlineMs: DEADLINE_MS, renewed: () => undefined });
    const said = watch.leftMs();
    expect(said).toBe(stopBoundMs({ trader: deskSettings(), deadlineMs: DEADLINE_MS, requestsPerSecond }));
    const from = desk.now();
    while (desk.state().phase !== 'stopped' && desk.now() - from < said) {
      desk.run(intervalMs, intervalMs);
      fake.tick(intervalMs);
    }
    expect(desk.now() - from).toBeLessThan(said);
    expect(desk.state().durable.journal.endedFlat).toBe(true);
    watch.end();
  });

  test('decreases with time and is never negative', () => {
    const { desk, leftMs, go } = stoppingDesk();
    const silent = leftMs();
    go(5);
    expect(leftMs()).toBe(silent - 5_000);
    go(Math.ceil(silent / 1_000));
    expect(leftMs()).toBe(0);
    expect(desk.state().phase).toBe('stopping');
  });
});

test('a pace faster than configured shortens nothing', () => {
  const trader = deskSettings();
  expect(stopBoundMs({ trader, deadlineMs: DEADLINE_MS, requestsPerSecond: 1_000 })).toBe(BOUND_MS);
});
