// Random markets, wishes, own orders and settings for property tests.
import fc from 'fast-check';
import { type Decimal, decimal, maxOf, ZERO } from '../../../src/domain/decimal.ts';
import { intentId } from '../../../src/domain/ids.ts';
import type { Instrument } from '../../../src/domain/instrument.ts';
import { opposite, type Quote, type Side, slotOf } from '../../../src/domain/order.ts';
import type { LiveOrder } from '../../../src/quoting/live-order.ts';
import type { QuotingInput } from '../../../src/quoting/pipeline/draft.ts';
import { quotingSettingsSchema } from '../../../src/quoting/quoting-settings.ts';
import { type Knowledge, type MarketView, NO_KNOWLEDGE, type OwnFill } from '../../../src/quoting/strategy.ts';
import { NOW, wanting } from './market.ts';

export const SEED = 20_250_101;

/** A decimal with a few digits between two bounds. */
const between = (low: number, high: number, places: number) =>
  fc.integer({ min: low * 10 ** places, max: high * 10 ** places }).map((n) => decimal(n).div(10 ** places));

const instruments: fc.Arbitrary<Instrument> = fc
  .record({
    tickSize: fc.constantFrom('0.0001', '0.01', '0.05', '0.25', '1'),
    lotSize: fc.constantFrom('0.00001', '0.001', '0.05', '1'),
    minNotional: fc.constantFrom('0', '1', '100'),
  })
  .map((steps) => ({
    symbol: 'BTC/INR',
    base: 'BTC',
    quote: 'INR',
    tickSize: decimal(steps.tickSize),
    lotSize: decimal(steps.lotSize),
    minNotional: decimal(steps.minNotional),
  }));

const sides = fc.constantFrom<Side>('buy', 'sell');

const wishes: fc.Arbitrary<Quote[]> = fc.array(
  fc.record({
    side: sides,
    level: fc.integer({ min: 0, max: 4 }),
    price: between(80, 120, 5),
    quantity: between(0, 8, 6).map((quantity) => quantity.add('0.000001')),
  }),
  { minLength: 4, maxLength: 10 },
);

function liveOrders({ tickSize, lotSize }: Instrument): fc.Arbitrary<LiveOrder[]> {
  const order = fc.record({
    side: sides,
    level: fc.integer({ min: 0, max: 4 }),
    ticks: fc.integer({ min: 80, max: 120 }),
    quantity: between(1, 5, 3),
    status: fc.constantFrom('open', 'pending'),
  });
  return fc.uniqueArray(order, { maxLength: 6, selector: slotOf }).map((orders) =>
    orders.map(({ side, level, ticks, quantity, status }) => ({
      intentId: intentId(`i-${side}-${level}`),
      slot: slotOf({ side, level }),
      side,
      price: decimal(ticks).div(tickSize).floor().mul(tickSize),
      // On lot, as every order is that was placed.
      quantity: quantity.div(lotSize).floor().mul(lotSize),
      remaining: quantity.div(lotSize).floor().mul(lotSize),
      sentAt: NOW - 5_000,
      status: status === 'open' ? 'open' : 'pending',
    })),
  );
}

interface RandomKnowledge {
  readonly ownFills: readonly OwnFill[];
  /** The reference price of a minute ago. */
  readonly before: Decimal;
  readonly averageCost: Decimal | null;
  readonly volatility: number | null;
  readonly external: Decimal | null;
}

function knowledgeFrom({ ownFills, before, averageCost, volatility, external }: RandomKnowledge): Knowledge {
  const { estimates, externalPrice } = NO_KNOWLEDGE;
  return {
    ...NO_KNOWLEDGE,
    ...{ ownFills, averageCost, references: [{ at: NOW - 60_000, price: before }] },
    estimates: {
      ...estimates,
      ...(volatility !== null && {
        volatilityBpsPerSqrtSecond: { kind: 'known', value: volatility, samples: 50, ageMs: 0 },
      }),
    },
    externalPrice:
      external === null
        ? externalPrice
        : { kind: 'known', price: external, ageMs: 0, sources: 1, spreadBps: 0, widenBps: 10 },
  };
}

const ownFill: fc.Arbitrary<OwnFill> = fc.record({
  side: fc.constantFrom('buy', 'sell'),
  slot: fc.constantFrom('buy:0', 'sell:0', 'sell:1'),
  price: fc.constant(decimal(100)),
  quantity: fc.constant(decimal(1)),
  at: fc.constantFrom(NOW - 500_000, NOW - 4_000),
  liquidity: fc.constantFrom('maker', 'taker'),
  completesOrder: fc.boolean(),
});

function views(instrument: Instrument): fc.Arbitrary<MarketView> {
  const parts = {
    mid: between(90, 110, 2),
    halfSpread: between(0, 2, 2).map((spread) => maxOf(spread, instrument.tickSize)),
    base: between(0, 30, 3),
    baseFree: between(0, 1, 2),
    quote: between(0, 3_000, 2),
    quoteFree: between(0, 1, 2),
    target: between(0, 30, 3),
    fee: between(0, 0.01, 5),
    tax: between(0, 0.01, 5),
    ownFills: fc.array(ownFill, { maxLength: 4 }),
    before: between(95, 105, 1),
    averageCost: fc.option(between(90, 110, 2)),
    volatility: fc.option(fc.double({ min: 0, max: 50, noNaN: true })),
    external: fc.option(between(90, 110, 2)),
  };
  return fc.record(parts).map((part): MarketView => {
    const bid = part.mid.sub(part.halfSpread).div(instrument.tickSize).floor().mul(instrument.tickSize);
    const ask = maxOf(part.mid.add(part.halfSpread), bid.add(instrument.tickSize));
    return {
      ...knowledgeFrom(part),
      symbol: instrument.symbol,
      instrument,
      now: NOW,
      bookSentAt: NOW - 1_000,
      book: { bids: [{ price: bid, quantity: decimal(1) }], asks: [{ price: ask, quantity: decimal(1) }] },
      referencePrice: part.mid,
      base: { asset: 'BTC', total: part.base, free: part.base.mul(part.baseFree) },
      quote: { asset: 'INR', total: part.quote, free: part.quote.mul(part.quoteFree) },
      inventoryTarget: part.target,
      costs: { makerFeeRatio: part.fee, takerFeeRatio: part.fee, tdsRatio: part.tax, effectiveTaxRatio: part.tax },
    };
  });
}

/** Each feature in one market of eight: all at once would leave no quote. */
const seldom = <T>(...values: readonly T[]): fc.Arbitrary<T | undefined> =>
  fc.oneof({ weight: 7, arbitrary: fc.constant(undefined) }, { weight: 1, arbitrary: fc.constantFrom(...values) });

const allSettings = fc
  .record({
    costFloor: fc.record({ enabled: fc.boolean(), minimumProfitBps: fc.constantFrom(0, 7) }),
    inventory: fc.record({ maxBaseRatio: fc.constantFrom(1, 0.6) }),
    inventorySkew: fc.constantFrom(undefined, { multiplier: 1 }, { multiplier: 3 }),
    guard: fc.record({ guardTicks: fc.constantFrom(1, 4), volatilityBpsPerSqrtSecond: fc.constantFrom(0, 5) }),
    pingPong: fc.constantFrom(false, false, false, true),
    filledDelayMs: fc.constantFrom(0, 0, 0, 60_000),
    priceBand: seldom({ floor: '95', ceiling: '105' }, { bandBps: 300 }),
    trend: seldom({ trendBps: 100 }),
    hanging: fc.constantFrom(undefined, undefined, { cancelBps: 500 }, { cancelBps: 5_000 }),
    optimizeDepth: seldom('0', '2'),
    width: seldom({ volatilityMultiplier: 2.4 }),
    inventoryCost: seldom({ minimumProfitBps: 20 }),
    externalGuard: seldom({ minimumEdgeBps: 30 }, { whenUnknown: 'ignore' }),
  })
  .map((changes) => ({ timeZone: 'UTC', ...quotingSettingsSchema.parse(changes) }));

const ownLimits = fc.record({
  minInventoryBase: fc.constantFrom(ZERO, decimal(3)),
  reserveQuote: fc.constantFrom(ZERO, decimal(100)),
  reserveBase: fc.constantFrom(ZERO, decimal(2)),
});

/** The opposite order of each live order has filled, half as long ago as that was sent. */
function fillsOfPairs(live: readonly LiveOrder[]): OwnFill[] {
  return live.map(({ slot, side, price, quantity, sentAt }) => {
    const pair = opposite(side);
    const fill = { side: pair, slot: slotOf({ side: pair, level: Number(slot.split(':')[1]) }), price, quantity };
    return { ...fill, at: (NOW + sentAt) / 2, liquidity: 'maker', completesOrder: true };
  });
}

const isOffMarket = ({ side, price }: LiveOrder): boolean => (side === 'buy' ? price.lt(95) : price.gt(105));

export const quotingInputs: fc.Arbitrary<QuotingInput> = instruments.chain((instrument) =>
  fc
    .record({
      ...{
        view: views(instrument),
        settings: allSettings,
        limits: ownLimits,
        live: liveOrders(instrument),
        quotes: wishes,
      },
      isOrderly: fc.boolean(),
    })
    .map(({ view, settings, limits, live, quotes, isOrderly }) => ({
      strategy: wanting([], { quote: () => ({ quotes, explain: [] }) }),
      params: undefined,
      view: isOrderly ? { ...view, ownFills: [...view.ownFills, ...fillsOfPairs(live)] } : view,
      settings,
      limits,
      live: isOrderly ? live.filter(isOffMarket) : live,
    })),
);
