// Lists that trail by more than is assumed: only while their window is open, and never by more than three times as
// much.
import { expect, test } from '@jest/globals';
import type { TimedFault } from '../../../../simulation/faults/fault-kinds.ts';
import { applyTimedFaults } from '../../../../simulation/faults/timed-faults.ts';
import { LATE_LISTS, latenessOf } from '../../../../simulation/outside/late-lists.ts';
import { paperSettings } from '../../../../simulation/plan/configuration.ts';
import { drawPlan } from '../../../../simulation/plan/plan.ts';
import { createExchange } from '../../../../src/paper/exchange.ts';

test('a window makes one list late, and its end makes it what it was', () => {
  const plan = drawPlan('3', { faults: ['F12', 'F122'] });
  const exchange = createExchange(paperSettings(plan), 0);
  const before = { ...exchange.controls.quirks };
  const set = (...open: TimedFault[]) => {
    applyTimedFaults(exchange, plan, new Set(open));
    return exchange.controls.quirks;
  };
  expect(before.openOrdersLagMs).toBeGreaterThan(0);
  expect(set('late-trades')).toEqual({ ...before, tradesLagMs: latenessOf(plan, 'late-trades') });
  expect(set('late-wallet', 'maintenance').walletLagMs).toBe(latenessOf(plan, 'late-wallet'));
  expect(set()).toEqual(before);
});

test('it is beyond the bound, and within three times as much', () => {
  for (let seed = 0; seed < 40; seed += 1) {
    const plan = drawPlan(String(seed));
    for (const list of LATE_LISTS) {
      expect(latenessOf(plan, list)).toBeGreaterThanOrEqual(plan.readLagBoundMs);
      expect(latenessOf(plan, list)).toBeLessThanOrEqual(3 * plan.readLagBoundMs);
    }
  }
});
