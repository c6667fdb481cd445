import { describe, expect, test } from '@jest/globals';
import { type Decimal, decimal } from '../../../../src/domain/decimal.ts';
import { cashRunwayOf } from '../../../../src/trader/decision/portfolio.ts';
import { oneSidedFills } from '../../../../src/trader/decision/protections.ts';
import type { TraderSettings } from '../../../../src/trader/state/settings.ts';
import { takeSnapshot } from '../../../../src/trader/status/snapshot.ts';
import { BTC, deskSettings } from '../desk-settings.ts';
import { codesIn } from '../durable-kit.ts';
import { type Desk, fillNow, inSlot, quotingDesk } from '../trader-kit.ts';

/** One percent of each sale is withheld. */
function taxed(cashRunwayDays: number): TraderSettings {
  const plain = deskSettings();
  const runs = plain.runs.map((run) => ({ ...run, costs: { ...run.costs, tdsRatio: decimal('0.01') } }));
  return { ...plain, runs, cashRunwayDays };
}

function sell(desk: Desk): void {
  const ask = inSlot(desk, 'sell:0');
  fillNow(desk, ask, { tds: ask.price.mul(ask.quantity).mul('0.01') });
  desk.look('orders', 'trades', 'wallet');
  desk.run(500);
}

const told = (desk: Desk): string[] =>
  desk.notices.filter(({ op }) => op === 'cash-runway').map(({ message }) => message);

describe('cash that tax takes', () => {
  test('lasts for what there is, at what was withheld within an hour', () => {
    const desk = quotingDesk(taxed(7));
    const before = cashRunwayOf(desk.state(), 'INR', desk.now());
    expect([before.withheldLastHour.toNumber(), before.days]).toEqual([0, null]);
    sell(desk);
    const { days, withheldLastHour } = cashRunwayOf(desk.state(), 'INR', desk.now());
    const inr = takeSnapshot(desk.state(), desk.now()).assets.find(({ asset }) => asset === 'INR');
    expect(withheldLastHour.toNumber()).toBeGreaterThan(9);
    expect(days).toBeCloseTo(Number(inr?.expected) / withheldLastHour.toNumber() / 24, 9);
    expect(inr?.cashRunwayDays).toBe(days);
    desk.pass(3_600_000);
    expect(cashRunwayOf(desk.state(), 'INR', desk.now()).days).toBe(null);
  });

  test('lasts no longer because a person resumed the symbol that its own fills had halted', () => {
    const settings = taxed(7);
    const runs = settings.runs.map((run) => ({
      ...run,
      limits: { ...run.limits, maxOrderNotional: decimal(1_100), repeatedFills: 0.27 },
    }));
    const desk = quotingDesk({ ...settings, runs });
    sell(desk);
    const { withheldLastHour } = cashRunwayOf(desk.state(), 'INR', desk.now());
    expect(codesIn(desk.state().durable).get(BTC)).toBe('repeated-fills');
    const worth = (): Decimal => oneSidedFills(desk.state(), BTC, desk.now());
    expect(worth().gt(0)).toBe(true);
    desk.restart(undefined, [{ symbol: BTC, price: null }]);
    expect(codesIn(desk.state().durable).size).toBe(0);
    expect(cashRunwayOf(desk.state(), 'INR', desk.now()).withheldLastHour).toEqual(withheldLastHour);
    expect(worth().isZero()).toBe(true);
  });

  test('below the configured days people are warned, and not again for each sale', () => {
    const desk = quotingDesk(taxed(3_650 * 10));
    sell(desk);
    expect(told(desk)).toEqual([
      expect.stringMatching(/^Tax of \d+\.\d+ INR was withheld within an hour\. At this turnover the cash lasts for/),
    ]);
    desk.run(5_000);
    sell(desk);
    expect(told(desk)).toHaveLength(1);
  });

  test('0 days: nobody is warned', () => {
    const desk = quotingDesk(taxed(0));
    sell(desk);
    expect(told(desk)).toEqual([]);
  });
});
