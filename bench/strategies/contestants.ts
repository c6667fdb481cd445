// Who is compared: each with two levels around the same mean width, on the market of config/field.example.yaml.
import { decimal } from '../../src/domain/decimal.ts';
import type { QuotingSettings } from '../../src/quoting/quoting-settings.ts';
import { NO_KNOWLEDGE as KNOWS_NOTHING, type MarketView, type Strategy } from '../../src/quoting/strategy.ts';
import type { RunSettings } from '../../src/trader/state/settings.ts';
import { strategy as avellanedaStoikov } from '../../strategies/avellaneda-stoikov.ts';
import { strategy as carteaJaimungal } from '../../strategies/cartea-jaimungal.ts';
import { strategy as fixedSpread } from '../../strategies/fixed-spread.ts';
import { strategy as glft } from '../../strategies/glft.ts';
import { strategy as micropricePegged } from '../../strategies/microprice-pegged.ts';

/** Half-spread of the innermost level, on target: of the shipped configuration. */
export const HALF_SPREAD_BPS = 90;
const LEVELS = { levels: 2, orderSize: '50000', orderSizeStep: '25000' } as const;
const FIXED = { ...LEVELS, halfSpreadBps: HALF_SPREAD_BPS, halfSpreadStepBps: 40 } as const;
const MODEL = { ...LEVELS, halfSpreadStepBps: 40, volatilityBpsPerSqrtSecond: 2.5 } as const;

export interface Contestant {
  readonly name: string;
  readonly title: string;
  /** Whether the price that leads the market is told. */
  readonly isLed?: boolean;
  change(run: RunSettings): RunSettings;
}

export const CONTESTANTS: readonly Contestant[] = [
  contestant('plain', 'fixed-spread without inventory control', fixedSpread, { ...FIXED, skewBps: 0 }),
  contestant('default', 'fixed-spread as shipped: prices lean by up to 60 bps', fixedSpread, { ...FIXED, skewBps: 60 }),
  contestant('microprice', 'microprice-pegged', micropricePegged, { ...FIXED, skewBps: 60 }),
  contestant('as', 'avellaneda-stoikov', avellanedaStoikov, { ...MODEL, riskAversionPerBps: 0.0005 }),
  contestant('glft', 'glft', glft, { ...MODEL, riskAversionPerBps: 0.0005 }),
  contestant('cj', 'cartea-jaimungal', carteaJaimungal, { ...MODEL }),
  {
    ...contestant(
      'led',
      'fixed-spread as shipped around an external price',
      fixedSpread,
      { ...FIXED, skewBps: 60 },
      {
        externalGuard: { minimumEdgeBps: 50, whenUnknown: 'stop' },
      },
    ),
    isLed: true,
  },
];

const MUCH = decimal(1_000_000_000);
const NEVER_HALTS = { repeatedFills: 1_000_000, maxSessionLoss: MUCH, maxDayLoss: MUCH, maxDrawdown: MUCH };

function contestant(
  name: string,
  title: string,
  strategy: Strategy,
  params: object,
  quoting: Partial<QuotingSettings> = {},
): Contestant {
  return {
    name,
    title,
    change: (run) => ({
      ...run,
      strategy,
      params: calibrated(strategy, params, run),
      quoting: { ...run.quoting, ...quoting },
      // A halt would compare limits, not strategies.
      limits: { ...run.limits, ...NEVER_HALTS },
      referenceSource: name === 'led' ? 'external' : run.referenceSource,
    }),
  };
}

/** The parameters with the decay of takers at which the model quotes the common half-spread where it is on target. */
function calibrated(strategy: Strategy, params: object, run: RunSettings): unknown {
  if ('halfSpreadBps' in params) return strategy.params.parse(params);
  const at = (decayPerBps: number): unknown => strategy.params.parse({ ...params, decayPerBps });
  let [low, high] = [1e-4, 1];
  for (let n = 0; n < 60; n += 1) {
    const middle = Math.sqrt(low * high);
    if (halfSpreadOf(strategy, at(middle), run) > HALF_SPREAD_BPS) low = middle;
    else high = middle;
  }
  return at(high);
}

const PRICE = decimal(5_500_000);

function halfSpreadOf(strategy: Strategy, params: unknown, { instrument, costs }: RunSettings): number {
  const holding = { total: decimal(1), free: decimal(1) };
  const view = {
    ...KNOWS_NOTHING,
    ...{ symbol: instrument.symbol, instrument, costs, now: 0, bookSentAt: 0, referencePrice: PRICE },
    book: {
      bids: [{ price: PRICE.sub(1), quantity: decimal(1) }],
      asks: [{ price: PRICE.add(1), quantity: decimal(1) }],
    },
    base: { asset: instrument.base, ...holding },
    quote: { asset: instrument.quote, ...holding },
    inventoryTarget: decimal(1),
  } satisfies MarketView;
  const bid = strategy.quote(view, params, undefined).quotes.find(({ side, level }) => side === 'buy' && level === 0);
  return bid === undefined ? Number.POSITIVE_INFINITY : PRICE.sub(bid.price).div(PRICE).mul(10_000).toNumber();
}
