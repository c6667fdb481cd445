// The market maker of Cartea, Jaimungal & Penalva (2015, chapter 10): inventory has a running and a terminal penalty,
// and takers of the two sides may come at different rates.
//
// In basis points of the reference price: δ± = 1/κ + ε± − h(q∓1) + h(q) (`src/models/cartea-jaimungal.ts`), with q the
// inventory off its target in orders. With the defaults (κ 0.02, φ 0.002 per second, α 0.5, λ 0.02, ten minutes, Q 10)
// and inventory on target: 51.35 bps on each side.
import { z } from 'zod';
import { carteaJaimungal } from '../src/models/cartea-jaimungal.ts';
import { above0, between } from '../src/quoting/amount.ts';
import { defineStrategy } from '../src/quoting/strategy.ts';
import { takersOf, takersParams } from './parts/estimated.ts';
import { distancesStep, inventoryInOrders, levelParams, quotesAt } from './parts/levels.ts';
import { askBetween, bidBetween, boundWords } from './parts/whole-orders.ts';

const rate = above0(10_000, '1/s');

const params = z.object({
  ...levelParams,
  ...takersParams,
  buyersPerSecond: rate.optional().describe('λ⁺: buying takers, if different from `takersPerSecond`.'),
  sellersPerSecond: rate.optional().describe('λ⁻: selling takers, if different from `takersPerSecond`.'),
  runningPenaltyBpsPerSecond: between(0, 1_000, 'bps/s')
    .default(0.002)
    .describe('φ: cost per second of holding one order off target; it grows with the square.'),
  terminalPenaltyBps: between(0, 1_000, 'bps')
    .default(0.5)
    .describe('α: cost of one order off target at the end; it grows with the square.'),
  buyImpactBps: between(0, 9_999, 'bps').default(0).describe('ε⁺: the price rises by this with each buying taker.'),
  sellImpactBps: between(0, 9_999, 'bps').default(0).describe('ε⁻: the price falls by this with each selling taker.'),
  horizonSeconds: above0(864_000, 's').default(600).describe('T − t; the end is always this far away.'),
  mostInventoryOrders: z
    .number()
    .int()
    .min(1)
    .max(30)
    .default(10)
    .describe('Q: with this many orders above target it stops buying, below it stops selling.'),
});

type Params = z.output<typeof params>;

export const strategy = defineStrategy<Params>({
  name: 'cartea-jaimungal',
  params: params.describe('Penalizes inventory during the run and at its end; sides may differ.'),
  needs: ({ takersFrom }) => ({ trades: takersFrom === 'estimate' }),
  ignoresNow: true,
  quote(view, settings) {
    const inventory = inventoryInOrders(view, settings);
    const { takersPerSecond, sellersPerSecond = takersPerSecond, buyersPerSecond = takersPerSecond } = settings;
    const sellers = takersOf(view, 'buy', { ...settings, takersPerSecond: sellersPerSecond });
    const buyers = takersOf(view, 'sell', { ...settings, takersPerSecond: buyersPerSecond });
    const { mostInventoryOrders: most } = settings;
    const model = carteaJaimungal({
      // One decay for both sides: the model has only one.
      kappa: (sellers.value.decayPerBps + buyers.value.decayPerBps) / 2,
      runningPenalty: settings.runningPenaltyBpsPerSecond,
      terminalPenalty: settings.terminalPenaltyBps,
      buysPerTime: buyers.value.perSecond,
      sellsPerTime: sellers.value.perSecond,
      buyImpact: settings.buyImpactBps,
      sellImpact: settings.sellImpactBps,
      timeLeft: settings.horizonSeconds,
      mostInventory: most,
    });
    const distances = {
      buy: bidBetween(inventory, most, model.bidDistance),
      sell: askBetween(inventory, most, model.askDistance),
    };
    const noQuote = boundWords(distances, most);
    const why = `${inventory.toFixed(2)} orders off the inventory target.`;
    const explain = [sellers.step, buyers.step, distancesStep('cartea-jaimungal', distances, why)];
    return quotesAt(view, settings, { distances, noQuote, explain });
  },
});
