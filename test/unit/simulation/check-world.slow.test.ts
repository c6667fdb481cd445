// Checks on a real run of which one thing is made untrue: what the bot holds for so, what its disk holds, or who
// answers it.
import { describe, expect, test } from '@jest/globals';
import { moneyChecks } from '../../../simulation/checks/check-money.ts';
import { resolutionChecks } from '../../../simulation/checks/check-resolution.ts';
import type { CheckContext, Checker } from '../../../simulation/checks/context.ts';
import type { JournalIntent } from '../../../simulation/checks/journal-model.ts';
import { START_AT } from '../../../simulation/machine/run.ts';
import { simulate } from '../../../simulation/machine/simulate.ts';
import { LOG_FILE } from '../../../simulation/machine/storage-log.ts';
import { createWorld, type World } from '../../../simulation/machine/world.ts';
import { drawPlan } from '../../../simulation/plan/plan.ts';
import { startVirtualTime } from '../../../src/backtest/virtual-time.ts';
import { type DurationMs, MINUTE } from '../../../src/domain/time.ts';
import type { Ledger } from '../../../src/ledger/ledger.ts';
import type { Durable } from '../../../src/trader/durable/durable.ts';

interface Visit {
  readonly world: World;
  readonly pass: (ms: DurationMs) => Promise<void>;
}

/**
 * A run without faults, some minutes after its start, with an order of the bot's on the book and nothing that differs.
 */
async function visited<T>(visit: (visit: Visit) => T | Promise<T>): Promise<T> {
  const time = startVirtualTime(START_AT);
  try {
    const world = createWorld(drawPlan('7', { faults: [] }), time, {});
    world.begin();
    const pass = (ms: DurationMs): Promise<void> => time.run(time.clock.now() + ms, world.afterEvent);
    await pass(5 * MINUTE);
    const isSettled = (): boolean =>
      world.context.oracle.live().length > 0 && world.context.trader()?.reconciliation.differsSince === null;
    for (let waited = 0; waited < 10 && !isSettled(); waited += 1) await pass(MINUTE / 2);
    return await visit({ world, pass });
  } finally {
    time.end();
  }
}

/** What a check says after a quarter of an hour of calm in which nothing else changes. */
function said(checks: Checker, context: CheckContext): string[] {
  const broken = new Set<string>();
  const calmSince = context.now();
  for (const waited of [0, 15 * MINUTE]) {
    const now = calmSince + waited;
    const violated = (invariant: string): void => void broken.add(invariant);
    const later: CheckContext = {
      ...context,
      violated,
      now: () => now,
      calmSince: () => calmSince,
      phase: () => 'calm',
    };
    checks.event?.(later, true);
    checks.sampled?.(later);
  }
  return [...broken];
}

describe('with orders on the book, a journal', () => {
  const moved = ({ balances, ...rest }: Ledger, from: 'wallet' | 'opening', to: 'opening'): Ledger => {
    const inr = new Map(balances.get('INR'));
    const units = (inr.get('wallet') ?? 0n) + 1n;
    inr.set(from, ((inr.get(from) ?? 0n) - units) as never);
    inr.set(to, ((inr.get(to) ?? 0n) + units) as never);
    return { ...rest, balances: new Map(balances).set('INR', inr) };
  };

  const withLedger = ({ books, ...rest }: Durable, ledger: Ledger): Durable => ({
    ...rest,
    books: { ...books, ledger },
  });

  test.each<[string, (durable: Durable) => Durable, readonly string[]]>([
    ['that is true breaks nothing', (durable) => durable, []],
    [
      'that reserves nothing for them breaks M5',
      ({ orders, ...rest }) => ({ ...rest, orders: { ...orders, intents: new Map() } }),
      ['M5'],
    ],
    [
      'whose wallet holds less than nothing breaks M9',
      (durable) => withLedger(durable, moved(durable.books.ledger, 'wallet', 'opening')),
      ['M9'],
    ],
  ])('%s', async (_words, change, expected) => {
    const broken = await visited(({ world: { context } }) => {
      const trader = context.trader();
      if (trader === null || context.oracle.live().length === 0) throw new Error('The bot has no order.');
      return said(moneyChecks(), { ...context, trader: () => ({ ...trader, durable: change(trader.durable) }) });
    });
    expect(broken).toEqual(expected);
  });
});

test.each<[JournalIntent['state'], readonly string[]]>([
  ['open', []],
  ['sent', ['R2']],
  ['unknown', ['R2']],
  ['closing', ['R2']],
])('an intent that is %s for a quarter of an hour of calm: %j', async (state, expected) => {
  const broken = await visited(({ world: { context } }) => {
    const live = new Map(
      [...context.journal.live].map(([id, intent]) => [id, { ...intent, state, horizon: 0 }] as const),
    );
    return said(resolutionChecks(), { ...context, journal: { ...context.journal, live } });
  });
  expect(broken).toEqual(expected);
});

describe('a disk', () => {
  const brokenBy = (corrupt: (visit: Visit) => Promise<void>): Promise<string[]> =>
    visited(async (visit) => {
      await corrupt(visit);
      visit.world.restarts.now()?.crashAt('now');
      await visit.pass(10 * MINUTE);
      return visit.world.violations.map(({ invariant }) => invariant);
    });

  test('that is as it was breaks nothing', async () => {
    expect(await brokenBy(() => Promise.resolve())).toEqual([]);
  });

  test('that has lost what was acknowledged breaks P1', async () => {
    const broken = await brokenBy(async ({ world: { restarts }, pass }) => {
      const before = restarts.disk.backup();
      await pass(5 * MINUTE);
      restarts.disk.restore(before);
    });
    expect(broken).toContain('P1');
  });

  test('on which a bit flipped of itself breaks P2', async () => {
    const broken = await brokenBy(({ world: { restarts } }) => Promise.resolve(restarts.disk.flipBit(LOG_FILE, 5_000)));
    expect(broken).toEqual(['P2']);
  });
});

test('an exchange that hears nothing of a stop keeps the orders, which breaks L3', async () => {
  const { violations } = await simulate(drawPlan('7', { hours: 0.5, faults: [] }), {
    transport: (network) => ({
      ...network,
      send: (request) =>
        Date.now() > START_AT + 29.9 * MINUTE && request.url.includes('signature=')
          ? new Promise(() => {})
          : network.send(request),
    }),
  });
  expect(violations.map(({ invariant, sentence }) => `${invariant}: ${sentence}`)).toEqual([
    expect.stringMatching(/^L3: \d+ own orders are live after the stop/),
  ]);
});
