// A live order that the journal calls closed: whether the lists are to blame.
import { expect, test } from '@jest/globals';
import { type CheckContext, mayBeClosedTooSoon } from '../../../../simulation/checks/context.ts';
import type { JournalIntent } from '../../../../simulation/checks/journal-model.ts';
import { createOracle } from '../../../../simulation/checks/oracle.ts';
import { createOwner } from '../../../../simulation/faults/owner-faults.ts';
import { ACCOUNT, paperSettings } from '../../../../simulation/plan/configuration.ts';
import { drawPlan } from '../../../../simulation/plan/plan.ts';
import { randomStream } from '../../../../src/crowd/random.ts';
import { createExchange } from '../../../../src/paper/exchange.ts';

const AT = Date.UTC(2026, 0, 1);
const LAG_MS = 1_000;
const plan = drawPlan('1', { quirks: {} });

/** Lists at these times lack the order, or show it (`has`): whether it may be held for canceled so long afterward. */
function mayBeClosed(lists: readonly (readonly [atMs: number, what: 'lacks' | 'has'])[], afterMs = 0): boolean {
  const oracle = createOracle(ACCOUNT);
  const exchange = createExchange(paperSettings(plan), AT);
  const owner = createOwner({
    account: ACCOUNT,
    plan,
    oracle,
    exchange: () => exchange,
    now: () => AT,
    isConfigured: () => true,
    isOpened: () => true,
    placed: () => [{ symbol: 'BTC/INR', side: 'buy', price: '4900000', quantity: '0.01', state: 'open' }],
    later: () => {},
  });
  owner('twin-order', randomStream('1', 'test'));
  oracle.look(exchange, AT);
  const [order] = oracle.live();
  if (order === undefined) throw new Error('No order rests.');
  for (const [atMs, what] of lists)
    oracle.listed(
      { symbol: order.symbol, orderIds: new Set(what === 'has' ? [order.orderId] : []) },
      AT + atMs,
      LAG_MS,
    );
  const context = { settings: { assumptions: { readLagBoundMs: LAG_MS } }, now: () => AT + afterMs };
  const intent = { closedAs: 'canceled', since: AT };
  return mayBeClosedTooSoon(context as unknown as CheckContext, intent as unknown as JournalIntent, order);
}

test.each<[string, Parameters<typeof mayBeClosed>[0], boolean]>([
  ['no list', [], false],
  ['one list', [[0, 'lacks']], false],
  [
    'lists within a lag bound',
    [
      [0, 'lacks'],
      [999, 'lacks'],
    ],
    false,
  ],
  [
    'lists over a lag bound',
    [
      [0, 'lacks'],
      [1_000, 'lacks'],
    ],
    true,
  ],
  [
    'lists over a lag bound, with one between them that showed it',
    [
      [0, 'lacks'],
      [500, 'has'],
      [1_000, 'lacks'],
    ],
    false,
  ],
])('%s', (_lists, lists, may) => {
  expect(mayBeClosed(lists)).toBe(may);
});

test('not for good: lists show it after three lag bounds, and the bot has a minute', () => {
  const lists = [
    [0, 'lacks'],
    [1_000, 'lacks'],
  ] as const;
  expect(mayBeClosed(lists, 63_000)).toBe(true);
  expect(mayBeClosed(lists, 63_001)).toBe(false);
});
