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

function judged(acts: readonly Act[]): string[] {
  const world: World = {
    now: 1_000_000,
    latchedAt: 1_000_000,
    isRunning: false,
    renewedAt: 900_000,
    live: [],
    rests: false,
  };
  const broken: string[] = [];
  const does = deeds(world, broken);
  for (const act of acts) {
    if (typeof act === 'string') does[act]();
    else Object.assign(world, act(world));
  }
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
    cancel: () => checks.swept(context, WHO, message('cancel', { order_id: 'b' })),
    cancelOther: () => checks.swept(context, WHO, message('cancel', { order_id: 'o' })),
    cancelAll: () => checks.swept(context, WHO, message('cancel-all')),
    create: () => checks.sent?.(context, message('create')),
    list() {
      const left = message('open-orders');
      checks.swept(context, WHO, left);
      world.now += 100;
      checks.sweepAnswered(context, WHO, { ...left, status: 200, text: '[]' } as unknown as Answered);
    },
    acknowledge() {
      const left = message('cancel', { order_id: 'r' });
      checks.swept(context, WHO, left);
      checks.sweepAnswered(context, WHO, { ...left, status: 200 } as unknown as Answered);
    },
    flat: () => checks.flat(context, WHO, noOrders(null)),
    event: () => checks.event?.(context, true),
  };
}

/** A deed of the watchdog, or what changes in the world. */
type Act = keyof ReturnType<typeof deeds> | ((world: World) => Partial<World>);
const running = () => ({ isRunning: true });
const resting = () => ({ rests: true });
const PROOF: readonly Act[] = ['list', 'list', 'flat'];

test.each<[string, readonly Act[], readonly string[]]>([
  ['a kill by the book breaks nothing', ['latch', 'cancel', ...PROOF, 'event'], []],
  ['a cancel without the latch', [() => ({ latchedAt: null }), 'cancel'], ['S10']],
  ['a cancel while the bot runs', [running, 'cancel'], ['S10']],
  ["a cancel of the owner's order", ['cancelOther'], ['D1']],
  ['a cancel of all of a shared account', ['cancelAll'], ['D1']],
  ['one list', ['list', 'flat'], ['D3']],
  ['two lists in a row, of an order that no cancel has reached', [resting, ...PROOF], ['D3']],
  ['the same of one whose cancel was acknowledged breaks nothing', [resting, 'acknowledge', ...PROOF], []],
  [
    'the same as far apart as lists may trail breaks nothing',
    [resting, 'list', ({ now }) => ({ now: now + LAG_MS }), 'list', 'flat'],
    [],
  ],
  ['lists that left before the horizon of the last create', ['create', ...PROOF], ['D3']],
  [
    'an order that comes after the proof',
    [...PROOF, () => ({ live: [order('b', 'bot'), order('o', 'owner')] }), 'event'],
    ['D2'],
  ],
  ['a proof that takes an hour', ['latch', ({ now }) => ({ now: now + 3_600_000 }), ...PROOF], ['D4']],
  ['a bot that shows life', [running, ({ now }) => ({ renewedAt: now - 10_000 }), 'latch'], ['D5']],
  ['a bot that neither hangs nor says why it is silent', [running, 'latch'], ['D5']],
])('%s', (_words, acts, expected) => {
  expect(judged(acts)).toEqual(expected);
});
