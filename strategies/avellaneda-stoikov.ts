// The market maker of Avellaneda & Stoikov (2008): quotes around a price skewed against inventory by its risk.
//
// In basis points of the reference price: reservation = −q·γ·σ²·T off it, half-spread γσ²T/2 + (1/γ)·ln(1 + γ/k), with
// q the inventory off its target in orders, and T the rolling horizon (equations 3.17 and 3.18). Without a horizon the
// inventory bounds skew the price instead (`stationaryQuotes`). With γ 0.001, σ 2, k 0.02, T an hour and one order too
// much: the price is skewed by 14.4 bps, each side is 7.2 + 48.79 bps from there: bid −70.39, ask +41.59 bps.
import { z } from 'zod';
import type { Side } from '../src/domain/order.ts';
import type { Intensity } from '../src/estimates/estimate.ts';
import { avellanedaStoikov, stationaryQuotes } from '../src/models/avellaneda-stoikov.ts';
import { above0 } from '../src/quoting/amount.ts';
import { defineStrategy, type MarketView } from '../src/quoting/strategy.ts';
import { type Known, takersOf, takersParams, volatilityOf, volatilityParams } from './parts/estimated.ts';
import { distancesStep, inventoryInOrders, levelParams, quotesAt, type SideDistances } from './parts/levels.ts';
import { boundWords, leanWithin, withinBounds } from './parts/whole-orders.ts';

const { takersPerSecond: _unused, ...decayParams } = takersParams;

const params = z.object({
  ...levelParams,
  riskAversionPerBps: above0(10, '1/bps')
    .default(0.001)
    .describe('γ: risk aversion per basis point, for an inventory of one order.'),
  ...volatilityParams,
  ...decayParams,
  horizon: z
    .enum(['rolling', 'infinite'])
    .default('rolling')
    .describe('`rolling`: the end is always `horizonSeconds` away. `infinite`: `mostInventoryOrders` skews the price.'),
  horizonSeconds: above0(864_000, 's').default(3_600).describe('T − t of the rolling horizon.'),
  mostInventoryOrders: z
    .number()
    .int()
    .min(1)
    .max(1_000)
    .default(10)
    .describe(
      'q_max of the infinite horizon: with this many orders above target it stops buying, below it stops selling.',
    ),
  skewMultiplier: z
    .number()
    .min(0)
    .max(10)
    .default(1)
    .describe('Multiplies the skew against inventory; 1 is the model.'),
});

type Params = z.output<typeof params>;

export const strategy = defineStrategy<Params>({
  name: 'avellaneda-stoikov',
  params: params.describe('Leans by the risk of the inventory; width from risk and takers.'),
  needs: ({ takersFrom }) => ({ trades: takersFrom === 'estimate' }),
  ignoresNow: true,
  quote(view, settings) {
    const inventory = inventoryInOrders(view, settings);
    const volatility = volatilityOf(view, settings);
    // The model has one decay for both sides.
    const [sellers, buyers] = [decayOf(view, 'buy', settings), decayOf(view, 'sell', settings)];
    const k = (sellers.value.decayPerBps + buyers.value.decayPerBps) / 2;
    const distances = distancesOf(inventory, { settings, sigma: volatility.value, k });
    const why = `${inventory.toFixed(2)} orders off the inventory target.`;
    const noQuote = boundWords(distances, settings.mostInventoryOrders);
    const explain = [volatility.step, sellers.step, buyers.step, distancesStep('avellaneda-stoikov', distances, why)];
    return quotesAt(view, settings, { distances, noQuote, explain });
  },
});

/** Only the decay of takers matters here, not their number. */
const decayOf = (view: MarketView, side: Side, settings: Params): Known<Intensity> =>
  takersOf(view, side, { ...settings, takersPerSecond: 1 });

interface Model {
  readonly settings: Params;
  readonly sigma: number;
  readonly k: number;
}

function distancesOf(inventory: number, { settings, sigma, k }: Model): SideDistances {
  const { riskAversionPerBps: gamma, horizon, horizonSeconds: timeLeft, skewMultiplier } = settings;
  if (horizon === 'rolling') {
    const leaning = inventory * skewMultiplier;
    const { bid, ask } = avellanedaStoikov({ mid: 0, inventory: leaning, gamma, sigma, k, timeLeft });
    return { buy: -bid, sell: ask };
  }
  const { mostInventoryOrders: most } = settings;
  // An inventory above the most, as after a deposit, leans like the most: beyond it the model has no price.
  const held = Math.max(-most, Math.min(most, leanWithin(inventory, skewMultiplier, most)));
  const { bid, ask } = stationaryQuotes({ mid: 0, inventory: held, gamma, k, mostInventory: most });
  return withinBounds({ buy: bid === null ? null : -bid, sell: ask }, inventory, most);
}
