// The market maker of Guéant, Lehalle & Fernandez-Tapia (2013) with order size (Guéant 2017): quotes whose width and
// lean come from how often takers come.
//
// In basis points of the reference price, with q the inventory off its target in orders and Δ = 1: half-spread c1 +
// σc2/2, and both quotes lean by σc2 for each order too much; with a trend μ and market impact `impactBps` as in
// section 5 of the paper (`src/models/gueant-lehalle.ts`). With the defaults (γ = ξ = 0.001, σ 2, A 0.02, k 0.02): c1
// 48.79, σc2 3.73, so half-spread 50.66 bps and 3.73 bps of lean per order.
import { z } from 'zod';
import { glftClosedForm, glftExact } from '../src/models/gueant-lehalle.ts';
import { above0, between } from '../src/quoting/amount.ts';
import { defineStrategy } from '../src/quoting/strategy.ts';
import { takersOf, takersParams, volatilityOf, volatilityParams } from './parts/estimated.ts';
import { distancesStep, inventoryInOrders, levelParams, quotesAt } from './parts/levels.ts';
import { bidBetween, boundWords, leanWithin, withinBounds } from './parts/whole-orders.ts';

const params = z.object({
  ...levelParams,
  form: z
    .enum(['closed', 'exact'])
    .default('closed')
    .describe('`closed`: far from the end, for any inventory. `exact`: with an end and with bounds of inventory.'),
  riskAversionPerBps: above0(10, '1/bps')
    .default(0.001)
    .describe('γ: aversion to price risk, per basis point, for an inventory of one order.'),
  executionAversionPerBps: between(0, 10, '1/bps')
    .optional()
    .describe('ξ of the closed form: aversion to the risk of not trading. Absent: γ.'),
  sizeInRiskUnits: z
    .number()
    .positive()
    .max(1_000)
    .default(1)
    .describe('Δ of the closed form: an order in the units of γ.'),
  ...volatilityParams,
  ...takersParams,
  driftBpsPerSecond: between(-100, 100, 'bps/s').default(0).describe('μ: expected move of the price.'),
  impactBps: between(0, 9_999, 'bps')
    .default(0)
    .describe('Adverse selection: how far the price moves against us with each fill.'),
  skewMultiplier: z
    .number()
    .min(0)
    .max(10)
    .default(1)
    .describe("Multiplies the skew against inventory; 1 is the model's, which is often too strong on real books."),
  horizonSeconds: above0(864_000, 's').default(3_600).describe('T − t of the exact form; it keeps rolling.'),
  mostInventoryOrders: z
    .number()
    .int()
    .min(1)
    .max(30)
    .default(10)
    .describe('Q of the exact form: with this many orders above target it stops buying, below it stops selling.'),
});

type Params = z.output<typeof params>;

export const strategy = defineStrategy<Params>({
  name: 'glft',
  params: params.describe('Width and lean from how often takers come.'),
  needs: ({ takersFrom }) => ({ trades: takersFrom === 'estimate' }),
  ignoresNow: true,
  quote(view, settings) {
    const inventory = inventoryInOrders(view, settings);
    const { form, mostInventoryOrders: most, skewMultiplier } = settings;
    const leaning = form === 'exact' ? leanWithin(inventory, skewMultiplier, most) : inventory * skewMultiplier;
    const volatility = volatilityOf(view, settings);
    const [sellers, buyers] = [takersOf(view, 'buy', settings), takersOf(view, 'sell', settings)];
    const of = (takers: typeof sellers): Model => ({
      ...{ settings, sigma: volatility.value, a: takers.value.perSecond, k: takers.value.decayPerBps },
    });
    const wanted = { buy: bidBps(leaning, of(sellers)), sell: bidBps(-leaning, mirrored(of(buyers))) };
    const distances = form === 'exact' ? withinBounds(wanted, inventory, most) : wanted;
    const explain = [
      ...[volatility.step, sellers.step, buyers.step],
      distancesStep('glft', distances, `${leaning.toFixed(2)} orders off the inventory target, as the lean counts.`),
    ];
    return quotesAt(view, settings, {
      distances,
      noQuote: boundWords(distances, most),
      explain,
    });
  },
});

interface Model {
  readonly settings: Params;
  readonly sigma: number;
  readonly a: number;
  readonly k: number;
}

/** One side treats a trend as the other side treats its opposite. */
const mirrored = (model: Model): Model => ({
  ...model,
  settings: { ...model.settings, driftBpsPerSecond: -model.settings.driftBpsPerSecond },
});

/** Distance of the bid; the ask is the bid of the mirrored market. */
function bidBps(inventory: number, { settings, sigma, a, k }: Model): number | null {
  const { riskAversionPerBps: gamma, driftBpsPerSecond: drift, impactBps: impact } = settings;
  if (settings.form === 'exact') {
    const { horizonSeconds: timeLeft, mostInventoryOrders: mostInventory } = settings;
    const { bidDistance } = glftExact({ gamma, sigma, a, k, timeLeft, mostInventory, drift, impact });
    return bidBetween(inventory, mostInventory, bidDistance);
  }
  const { executionAversionPerBps: xi = gamma, sizeInRiskUnits: size } = settings;
  const { c1, skew: plainSkew } = glftClosedForm({ gamma, xi, sigma, a, k, size });
  const skew = plainSkew * size * Math.exp((k * impact) / 4);
  const trend = drift === 0 ? 0 : drift / (gamma * sigma ** 2);
  return c1 + impact / 2 + (inventory + 0.5 - trend) * skew;
}
