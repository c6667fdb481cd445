// The busy profile is what it is called, and changes nothing of what a seed suffers.
import { describe, expect, test } from '@jest/globals';
import { createOracle } from '../../../../simulation/checks/oracle.ts';
import { createOwner } from '../../../../simulation/faults/owner-faults.ts';
import { hasStandingOrders } from '../../../../simulation/outside/standing-orders.ts';
import { ACCOUNT, paperSettings } from '../../../../simulation/plan/configuration.ts';
import { drawPlan } from '../../../../simulation/plan/plan.ts';
import { busyProfile } from '../../../../simulation/profile/busy-profile.ts';
import { randomStream } from '../../../../src/crowd/random.ts';
import { reader } from '../../../../src/matching/engine.ts';
import { createExchange } from '../../../../src/paper/exchange.ts';

const seeds = Array.from({ length: 200 }, (_, seed) => String(seed));
const AT = Date.UTC(2026, 0, 1);

describe('the busy profile', () => {
  test('leaves the bot some rows of a page of 20 or 50, or has no order of the owner at all', () => {
    const counts = seeds.flatMap((seed) => busyProfile(seed).markets.map(({ ownersOrders = 0 }) => ownersOrders));
    for (const count of counts) expect(count === 0 || (count >= 11 && count <= 18) || count >= 41).toBe(true);
    expect(Math.max(...counts)).toBeLessThanOrEqual(48);
    for (const isDrawn of [(n: number) => n === 0, (n: number) => n > 0 && n < 20, (n: number) => n > 40])
      expect(counts.filter(isDrawn).length / counts.length).toBeGreaterThan(0.2);
  });
});

test("the owner's orders rest far below the market, and are known for his", () => {
  const plan = seeds.map((seed) => drawPlan(seed, { profile: 'busy', faults: [] })).find(hasStandingOrders);
  if (plan === undefined) throw new Error('No seed has such orders.');
  const exchange = createExchange(paperSettings(plan), AT);
  const oracle = createOracle(ACCOUNT);
  const owner = createOwner({
    account: ACCOUNT,
    plan,
    oracle,
    exchange: () => exchange,
    now: () => AT,
    isConfigured: () => true,
    isOpened: () => true,
    placed: () => [],
    later: () => {},
  });
  expect(owner('standing-orders', randomStream('1', 'test'))).toBe(true);
  for (const market of busyProfile(plan.seed).markets) {
    const { symbol, tickSize } = market.instrument;
    const orders = reader(exchange.engine).ordersOf(ACCOUNT, symbol);
    expect(orders).toHaveLength(market.ownersOrders ?? 0);
    for (const { price } of orders) expect(tickSize.mul(price).toNumber()).toBeLessThanOrEqual(market.startPrice / 2);
  }
  oracle.look(exchange, AT);
  expect(new Set([...oracle.orders.values()].map(({ maker }) => maker.kind))).toEqual(new Set(['owner']));
});

test("there are none on an account that is the bot's alone, nor in another profile", () => {
  for (const seed of seeds.slice(0, 40)) {
    const plan = drawPlan(seed, { profile: 'busy' });
    if (plan.foreignOrders === 'refuse') expect(hasStandingOrders(plan)).toBe(false);
    expect(hasStandingOrders(drawPlan(seed))).toBe(false);
  }
});
