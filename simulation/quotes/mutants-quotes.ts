// Mutants of what the strategies and their models want: slips that are known from these papers, and from chains of two
// markets.
import { bySeed, type Mutant } from '../mutants/mutant-row.ts';

export const QUOTE_MUTANTS: readonly Mutant[] = [
  bySeed(
    {
      id: 'm62',
      sentence: 'The volatility is taken for the variance (Avellaneda and Stoikov).',
      patches: [{ in: 'avellanedaStoikov', find: 'gamma * sigma ** 2 * timeLeft', put: 'gamma * sigma * timeLeft' }],
    },
    { profile: 'strategies', under: [], seed: 12, invariant: 'K11' },
  ),
  bySeed(
    {
      id: 'm62b',
      sentence: 'The whole spread is quoted on each side (Avellaneda and Stoikov).',
      patches: [
        {
          in: 'avellanedaStoikov',
          find: 'bid: reservation - spread / 2',
          put: 'bid: reservation - spread',
        },
      ],
    },
    { profile: 'strategies', under: [], seed: 12, invariant: 'K11' },
  ),
  bySeed(
    {
      id: 'm63',
      sentence: 'The infinite horizon is worked out as the paper prints it, with the other sign in the logarithm.',
      patches: [
        {
          in: 'discountToBuy',
          find: 'const inside = 1 - (1 + 2 * inventory) / room',
          put: 'const inside = 1 / (1 + (1 + 2 * inventory) / room)',
        },
      ],
    },
    { profile: 'strategies', under: [], seed: 2, invariant: 'K11' },
  ),
  bySeed(
    {
      id: 'm64',
      sentence: 'Prices lean with the inventory instead of against it.',
      patches: [
        {
          in: 'inventoryInOrders',
          find: 'view.base.total.sub(view.inventoryTarget)',
          put: 'view.inventoryTarget.sub(view.base.total)',
        },
      ],
    },
    { profile: 'strategies', under: [], seed: 12, invariant: 'K11' },
  ),
  bySeed(
    {
      id: 'm65',
      sentence: 'The closed form of Guéant leans by half of the skew.',
      patches: [
        {
          in: 'bidBps',
          find: '(inventory + 0.5 - trend) * skew',
          put: '(inventory / 2 + 0.5 - trend) * skew',
        },
      ],
    },
    { profile: 'strategies', under: [], seed: 22, invariant: 'K11' },
  ),
  bySeed(
    {
      id: 'm66',
      sentence: 'The exact form of Guéant, Lehalle and Fernandez-Tapia punishes inventory twice as much.',
      patches: [
        { in: 'glftExact', find: '(k / 2) * gamma * sigma ** 2 * q ** 2', put: 'k * gamma * sigma ** 2 * q ** 2' },
      ],
    },
    { profile: 'strategies', under: [], seed: 24, invariant: 'K11' },
  ),
  bySeed(
    {
      id: 'm67',
      sentence: 'The bid of Cartea, Jaimungal and Penalva reads what one order fewer is worth.',
      patches: [
        {
          in: 'carteaJaimungal',
          find: 'bidDistance: (q) => distance(q, q + 1, sellImpact)',
          put: 'bidDistance: (q) => distance(q, q - 1, sellImpact)',
        },
      ],
    },
    { profile: 'strategies', under: [], seed: 30, invariant: 'K11' },
  ),
  bySeed(
    {
      id: 'm68',
      sentence: 'Between whole orders a model quotes as for the order below.',
      patches: [{ in: 'bidBetween', find: 'low + (held - below) * (high - low)', put: 'low' }],
    },
    { profile: 'strategies', under: [], seed: 30, invariant: 'K11' },
  ),
  bySeed(
    {
      id: 'm69',
      sentence: 'Each best price is weighed by its own size: the micro-price is nearer to where more stands.',
      patches: [
        {
          in: 'microPrice',
          find: 'bid.price.mul(ask.quantity).add(ask.price.mul(bid.quantity))',
          put: 'bid.price.mul(bid.quantity).add(ask.price.mul(ask.quantity))',
        },
      ],
    },
    { profile: 'strategies', under: [], seed: 38, invariant: 'K11' },
  ),
  bySeed(
    {
      id: 'm70',
      sentence: 'A leg that is turned over keeps its bid for a bid.',
      patches: [
        {
          in: 'throughLegs',
          find: '{ bid: inverse(leg.ask), ask: inverse(leg.bid) }',
          put: '{ bid: inverse(leg.bid), ask: inverse(leg.ask) }',
        },
      ],
    },
    { profile: 'strategies', under: [], seed: 6, invariant: 'K11' },
  ),
  bySeed(
    {
      id: 'm70b',
      sentence: 'The leg that leads along is turned over, and the other is not: no price comes of it.',
      patches: [{ in: 'throughLegs', find: 'from === base ? leg : $TURNED', put: 'from !== base ? leg : $TURNED' }],
    },
    { profile: 'strategies', under: [], seed: 6, invariant: 'L1' },
  ),
  bySeed(
    {
      id: 'm71',
      sentence: 'Of what crossing both legs costs half is added to each side.',
      patches: [
        {
          in: 'throughLegs',
          find: 'ask.sub(bid).div(price).mul(5_000).toNumber()',
          put: 'ask.sub(bid).div(price).mul(2_500).toNumber()',
        },
      ],
    },
    { profile: 'strategies', under: [], seed: 16, invariant: 'K11' },
  ),
  bySeed(
    {
      id: 'm72',
      sentence: 'A price that the legs make is believed, however far from the reference price it is.',
      patches: [{ in: 'whyTooFar', find: 'bps.lte(maxDeviationBps)', put: 'bps.gt(0)' }],
    },
    { profile: 'strategies', under: ['F61'], seed: 16, invariant: 'K11' },
  ),
  bySeed(
    {
      id: 'm73',
      sentence: 'Half of the lean moves the bounds of inventory to twice as far.',
      patches: [{ in: 'withinBounds', find: 'sell: inventory <= -most ? null : sell', put: 'sell' }],
    },
    { profile: 'strategies', under: [], seed: 51, invariant: 'K11' },
  ),
  bySeed(
    {
      id: 'm73b',
      sentence: 'Who holds more than the bound, as after a deposit, sells nothing of it (infinite horizon).',
      patches: [
        {
          in: 'distancesOf',
          beside: 'decayOf',
          find: 'const held = Math.max(-most, Math.min(most, leanWithin($$$BOUNDS)))',
          put: 'const held = inventory * skewMultiplier',
        },
      ],
    },
    { profile: 'strategies', under: ['F52'], seed: 50, invariant: 'L1' },
  ),
];
