// What the owner does by hand, at a real exchange: orders that are like the bot's, and locks of every kind.
import { expect, test } from '@jest/globals';
import { createOracle } from '../../../simulation/checks/oracle.ts';
import type { OwnerFault } from '../../../simulation/faults/fault-kinds.ts';
import { createOwner, type OwnerParts } from '../../../simulation/faults/owner-faults.ts';
import { ACCOUNT, ELSEWHERE, paperSettings, profileOf } from '../../../simulation/plan/configuration.ts';
import { drawPlan } from '../../../simulation/plan/plan.ts';
import { randomStream } from '../../../src/crowd/random.ts';
import { reader } from '../../../src/matching/engine.ts';
import { walletRow } from '../../../src/paper/engine/engine-step.ts';
import { createExchange } from '../../../src/paper/exchange.ts';

const AT = Date.UTC(2026, 0, 1);

type Placed = ReturnType<OwnerParts['placed']> extends Iterable<infer Each> ? Each : never;
const UNKNOWN: Placed = { symbol: 'BTC/INR', side: 'buy', price: '5000000', quantity: '0.01', state: 'unknown' };
const OPEN: Placed = { ...UNKNOWN, price: '4900000', state: 'open' };

/**
 * An owner of an account for which the journal says that so much is placed, after he has done something a number of
 * times.
 */
function after(fault: OwnerFault, times: number, placed: readonly Placed[] = [], plan = drawPlan('1', { quirks: {} })) {
  const exchange = createExchange(paperSettings(plan), AT);
  const ends: (() => void)[] = [];
  const act = createOwner({
    account: ACCOUNT,
    plan,
    oracle: createOracle(ACCOUNT),
    exchange: () => exchange,
    now: () => AT,
    isConfigured: () => true,
    isOpened: () => true,
    placed: () => placed,
    later: (_ms, end) => ends.push(end),
  });
  const stream = randomStream('1', 'test');
  const came = Array.from({ length: times }, () => act(fault, stream)).filter(Boolean).length;
  const orders = () => reader(exchange.engine).ordersOf(ACCOUNT, 'BTC/INR');
  return { exchange, ends, came, orders };
}

test('half of the twins are of the price of an unknown create and less than it, and are taken away again', () => {
  const { came, orders, ends } = after('twin-order', 40, [OPEN, UNKNOWN]);
  expect(came).toBeGreaterThan(10);
  expect(came).toBeLessThan(30);
  expect(orders()).toHaveLength(came);
  for (const { side, price, quantity } of orders()) {
    expect([side, price]).toEqual(['buy', 5_000_000]);
    expect(quantity).toBeGreaterThan(0.15 * 1_000);
    expect(quantity).toBeLessThan(1_000);
  }
  for (const end of ends) end();
  expect(orders()).toEqual([]);
});

test('where none is unknown they are like an order that is open', () => {
  expect(
    new Set(
      after('twin-order', 20, [OPEN])
        .orders()
        .map(({ price }) => price),
    ),
  ).toEqual(new Set([4_900_000]));
  expect(after('twin-order', 20).came).toBe(0);
});

test('of his trades in a coin that no run trades half are on its market, with nothing left there', () => {
  const seeds = Array.from({ length: 20 }, (_, seed) => drawPlan(String(seed), { faults: ['F54'] }));
  const plan = seeds.find(({ marketElsewhere }) => marketElsewhere);
  const { exchange, came } = after('simple-trade', 200, [], plan);
  const { symbol, base } = ELSEWHERE.instrument;
  const { fills = [], sbsTrades = [] } = exchange.accounts.get(ACCOUNT) ?? {};
  const byHand = fills.filter(({ row }) => row.symbol === symbol).length;
  const simply = sbsTrades.filter(({ row }) => row.symbol === symbol).length;
  expect(came).toBeGreaterThan(150);
  expect(byHand).toBeGreaterThan(10);
  expect(simply).toBeGreaterThan(10);
  expect(fills).toHaveLength(byHand);
  expect([...exchange.owners.values()].filter((order) => order.symbol === symbol)).toEqual([]);
  expect(Number(walletRow(exchange, ACCOUNT, base).free)).toBeGreaterThanOrEqual(0);
});

test("there is such a market where the account is not the bot's alone, and in no kept run", () => {
  for (let seed = 0; seed < 60; seed += 1) {
    const { marketElsewhere, foreignOrders } = drawPlan(String(seed), { faults: ['F54'] });
    expect(marketElsewhere).toBe(foreignOrders === 'ignore');
    expect(drawPlan(String(seed), { faults: ['F54'], firstKinds: true }).marketElsewhere).toBe(false);
    expect(drawPlan(String(seed), { faults: ['F55'] }).marketElsewhere).toBe(false);
  }
});

test('locks are in every pocket that the wallet may count or not (Q12)', () => {
  const { exchange, came } = after('lock-funds', 40);
  expect(came).toBe(40);
  const row = walletRow(exchange, ACCOUNT, 'INR');
  expect([row.locked, row.lockedStaking, row.lockedOtc].filter((amount) => amount === '0')).toEqual([]);
});

test('in a market of another quote he trades, places, deposits and withdraws in that, and simply buys for INR', () => {
  const plan = drawPlan('4', { profile: 'fractional', faults: [] });
  expect(profileOf(plan).markets.map(({ instrument }) => instrument.symbol)).toEqual(['BTC/USDT', 'ETH/USDT']);
  for (const fault of ['many-orders', 'manual-order', 'manual-trade', 'withdrawal', 'lock-funds'] as const)
    expect([fault, after(fault, 3, [], plan).came]).not.toEqual([fault, 0]);
  const { exchange } = after('deposit', 40, [], plan);
  const assets = [...(exchange.accounts.get(ACCOUNT)?.transfers.values() ?? [])].map(({ asset }) => asset);
  expect(new Set(assets)).toEqual(new Set(['BTC', 'ETH', 'USDT']));
  const { sbsTrades = [] } = after('simple-trade', 60, [], plan).exchange.accounts.get(ACCOUNT) ?? {};
  expect(sbsTrades.length).toBeGreaterThan(10);
  for (const { row } of sbsTrades) expect(row.symbol).toMatch(/^(BTC|ETH|SOL)\/INR$/);
});
