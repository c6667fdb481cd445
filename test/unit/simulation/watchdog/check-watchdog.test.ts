// S10 and D1 to D5 can fail: what a watchdog must not do, shown to the checks as a run would show it.
import { expect, test } from '@jest/globals';
import type { Answered, CheckContext, Outgoing } from '../../../../simulation/checks/context.ts';
import { createCounters } from '../../../../simulation/machine/counters.ts';
import { tradingSettings } from '../../../../simulation/plan/configuration.ts';
import { drawPlan, type Plan } from '../../../../simulation/plan/plan.ts';
import { watchdogChecks } from '../../../../simulation/watchdog/check-watchdog.ts';
import type { WatchedProcess } from '../../../../simulation/watchdog/watched-process.ts';
import { noOrders } from '../../../../src/watchdog/own-orders.ts';

const WHO = 'watchdog 1';
const PLAN: Plan = { ...drawPlan('0', { faults: ['F125'] }), foreignOrders: 'ignore' };
const order = (orderId: string, kind: 'bot' | 'owner') => ({ orderId, maker: { kind, intentId: '1' } });
const LAG_MS = tradingSettings(PLAN).trader.assumptions.readLagBoundMs;
const [SYMBOL] = tradingSettings(PLAN).trader.runs.map(({ instrument }) => instrument.symbol);

interface World {
  now: number;
  latchedAt: number | null;
  isRunning: boolean;
  renewedAt: number;
  live: ReturnType<typeof order>[];
  /** A third order of the bot's, which rests when the watchdog begins. */
  rests: boolean;
}

function judged(act: (world: World, does: ReturnType<typeof deeds>) => void): string[] {
  const world: World = {
    now: 1_000_000,
    latchedAt: 1_000_000,
    isRunning: false,
    renewedAt: 900_000,
    live: [],
    rests: false,
  };
  const broken: string[] = [];
  act(world, deeds(world, broken));
  return broken;
}

function deeds(world: World, broken: string[]) {
  const context = {
    now: () => world.now,
    latchedSince: () => world.latchedAt,
    phase: () => 'chaos',
    counters: createCounters(),
    excused: () => false,
    violated: (invariant: string) => broken.push(invariant),
    oracle: {
      get orders() {
        const resting = { ...order('r', 'bot'), symbol: SYMBOL, live: world.rests };
        return new Map([order('b', 'bot'), order('o', 'owner'), resting].map((each) => [each.orderId, each]));
      },
      live: () => world.live,
    },
  } as unknown as CheckContext;
  const checks = watchdogChecks(PLAN, tradingSettings(PLAN));
  checks.watching({
    sight: () => ({ process: world.isRunning ? 'running' : 'gone', folderHeld: world.isRunning }),
    renewedAt: () => world.renewedAt,
    hungAt: () => null,
    killedAt: () => null,
    lease: () => ({ cycles: 3 }),
  } as unknown as WatchedProcess);
  const message = (endpoint: string, body: object = {}) =>
    ({ endpoint, body, query: new URLSearchParams(), request: {} }) as unknown as Outgoing;
  return {
    latch: () => checks.latching(context, WHO, 'Why.'),
    send: (endpoint: string, body?: object) => checks.swept(context, WHO, message(endpoint, body)),
    create: () => checks.sent?.(context, message('create')),
    list() {
      const left = message('open-orders');
      checks.swept(context, WHO, left);
      world.now += 100;
      checks.sweepAnswered(context, WHO, { ...left, status: 200, text: '[]' } as unknown as Answered);
    },
    acknowledge(orderId: string) {
      const left = message('cancel', { order_id: orderId });
      checks.swept(context, WHO, left);
      checks.sweepAnswered(context, WHO, { ...left, status: 200 } as unknown as Answered);
    },
    flat: () => checks.flat(context, WHO, noOrders(null)),
    event: () => checks.event?.(context, true),
  };
}

test.each<[string, Parameters<typeof judged>[0], readonly string[]]>([
  [
    'a kill by the book breaks nothing',
    (_world, does) => {
      does.latch();
      does.send('cancel', { order_id: 'b' });
      does.list();
      does.list();
      does.flat();
      does.event();
    },
    [],
  ],
  [
    'a cancel without the latch',
    (world, does) => {
      world.latchedAt = null;
      does.send('cancel', { order_id: 'b' });
    },
    ['S10'],
  ],
  [
    'a cancel while the bot runs',
    (world, does) => {
      world.isRunning = true;
      does.send('cancel', { order_id: 'b' });
    },
    ['S10'],
  ],
  ["a cancel of the owner's order", (_world, does) => does.send('cancel', { order_id: 'o' }), ['D1']],
  ['a cancel of all of a shared account', (_world, does) => does.send('cancel-all'), ['D1']],
  [
    'one list',
    (_world, does) => {
      does.list();
      does.flat();
    },
    ['D3'],
  ],
  [
    'two lists in a row, of an order that no cancel has reached',
    (world, does) => {
      world.rests = true;
      does.list();
      does.list();
      does.flat();
    },
    ['D3'],
  ],
  [
    'the same of one whose cancel was acknowledged breaks nothing',
    (world, does) => {
      world.rests = true;
      does.acknowledge('r');
      does.list();
      does.list();
      does.flat();
    },
    [],
  ],
  [
    'the same as far apart as lists may trail breaks nothing',
    (world, does) => {
      world.rests = true;
      does.list();
      world.now += LAG_MS;
      does.list();
      does.flat();
    },
    [],
  ],
  [
    'lists that left before the horizon of the last create',
    (_world, does) => {
      does.create();
      does.list();
      does.list();
      does.flat();
    },
    ['D3'],
  ],
  [
    'an order that comes after the proof',
    (world, does) => {
      does.list();
      does.list();
      does.flat();
      world.live = [order('b', 'bot'), order('o', 'owner')];
      does.event();
    },
    ['D2'],
  ],
  [
    'a proof that takes an hour',
    (world, does) => {
      does.latch();
      world.now += 3_600_000;
      does.list();
      does.list();
      does.flat();
    },
    ['D4'],
  ],
  [
    'a bot that shows life',
    (world, does) => {
      Object.assign(world, { isRunning: true, renewedAt: world.now - 10_000 });
      does.latch();
    },
    ['D5'],
  ],
  [
    'a bot that neither hangs nor says why it is silent',
    (world, does) => {
      world.isRunning = true;
      does.latch();
    },
    ['D5'],
  ],
])('%s', (_words, act, expected) => {
  expect(judged(act)).toEqual(expected);
});
