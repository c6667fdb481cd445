// The skew of sizes makes no order larger than the limits let one be.
import { expect, test } from '@jest/globals';
import { decimal } from '../../../../src/domain/decimal.ts';
import { quotingSettingsSchema } from '../../../../src/quoting/quoting-settings.ts';
import { decisionOf } from '../../../../src/trader/decision/decide.ts';
import { BTC, deskSettings } from '../desk-settings.ts';
import { deskWith, makeReady } from '../trader-kit.ts';

const quoting = {
  timeZone: 'UTC',
  ...quotingSettingsSchema.parse({ costFloor: { enabled: false }, inventorySkew: {} }),
};

/** Nothing is held, so that bids of 1,000 INR are to be twice as large, and nothing is sold. */
function bidsUnder(limits: Record<string, string>) {
  const settings = deskSettings({ limits });
  const desk = deskWith({ ...settings, runs: settings.runs.map((run) => ({ ...run, quoting })) });
  desk.shows.balances = { INR: decimal(1_000_000), BTC: decimal(0), ETH: decimal(0) };
  makeReady(desk);
  desk.run(5_000);
  const { denied } = decisionOf(desk.state(), BTC, desk.now());
  const bids = desk.intents().map(({ side, price, quantity }) => {
    expect(side).toBe('buy');
    return { quantity: quantity.toNumber(), notional: price.mul(quantity).toNumber() };
  });
  return { bids, denials: [...denied.values()].map(({ code }) => code) };
}

test.each([
  ['maxOrderNotional', '1500', 'notional', 1_500],
  ['maxOrderQuantity', '0.0151', 'quantity', 0.0151],
] as const)('it goes up to %s', (limit, value, of, most) => {
  const { bids, denials } = bidsUnder({ [limit]: value });
  expect(denials).toEqual([]);
  expect(bids).toHaveLength(1);
  expect(bids[0]?.[of]).toBeLessThanOrEqual(most);
  expect(bids[0]?.[of]).toBeGreaterThan(most * 0.98);
});

test('what the strategy itself wants too large is denied: it may be a mistyped amount', () => {
  expect(bidsUnder({ maxOrderNotional: '500' })).toEqual({ bids: [], denials: ['order-notional'] });
});
