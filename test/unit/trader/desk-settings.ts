// The settings of the desk: real quoting, the real strategy with fixed distances, and a patient exchange.
import { Decimal, decimal } from '../../../src/domain/decimal.ts';
import type { Instrument } from '../../../src/domain/instrument.ts';
import { diffSettingsSchema } from '../../../src/quoting/moves/refresh-settings.ts';
import { type Protections, protectionsOf, protectionsSchema } from '../../../src/quoting/protection-settings.ts';
import { quotingSettingsSchema } from '../../../src/quoting/quoting-settings.ts';
import { type Bounds, limitsOf, limitsSchema, messageRateSchema } from '../../../src/quoting/risk/risk-limits.ts';
import type { RunSettings, TraderSettings, VenueAssumptions } from '../../../src/trader/state/settings.ts';
import { strategy } from '../../../strategies/fixed-spread.ts';

export const BTC = 'BTC/INR';
export const ETH = 'ETH/INR';

/** LsBound of the desk: how long every list may trail. */
export const LAG_MS = 5_000;
/** W + Lm of the desk. */
export const HORIZON_MS = 4_500;

export const ASSUMPTIONS: VenueAssumptions = {
  recvWindowMs: 2_500,
  venueInternalLagMs: 2_000,
  readLagBoundMs: LAG_MS,
  resolutionDeadlineMs: 30_000,
  lockedIncludesStakingAndOtc: true,
  maxClockUncertaintyMs: 1_000,
  closingExposure: [
    { afterMs: 0, ratio: 1 },
    { afterMs: 10_000, ratio: 0.5 },
  ],
  tradesPageRows: 50,
};

export interface DeskSettings extends Partial<Omit<TraderSettings, 'runs' | 'assumptions'>> {
  readonly symbols?: readonly string[];
  readonly assumptions?: Partial<VenueAssumptions>;
  readonly params?: Record<string, unknown>;
  readonly limits?: Record<string, unknown>;
  readonly quoting?: Record<string, unknown>;
  readonly refresh?: Record<string, unknown>;
  readonly protections?: GivenProtections;
}

/** As they are written, or with times of their own. */
export type GivenProtections = Record<string, Record<string, number | string>>;

type OfRun = 'params' | 'limits' | 'quoting' | 'refresh';

/** A bid and an ask of 1,000 INR, 2 % from the middle, in each symbol. */
export function deskSettings({
  symbols = [BTC],
  assumptions = {},
  params,
  limits,
  quoting,
  refresh,
  protections,
  ...rest
}: DeskSettings = {}): TraderSettings {
  return {
    runs: symbols.map((symbol) =>
      runOf(symbol, {
        ...{ params: params ?? {}, limits: limits ?? {}, quoting: quoting ?? {} },
        ...{ refresh: refresh ?? {} },
        protections: protections ?? {},
      }),
    ),
    foreignOrders: 'ignore',
    portfolio: null,
    cashRunwayDays: 7,
    polling: {
      bookMs: 1_000,
      publicTradesMs: 3_000,
      openOrdersMs: 1_000,
      tradesMs: 1_000,
      walletMs: 2_000,
      tradesRescanMs: 60_000,
      probeMs: 1_000,
    },
    ageLimits: {
      bookMs: 5_000,
      frozenBookMs: 40_000,
      publicTradesMs: 24_000,
      openOrdersMs: 15_000,
      reconciledMs: 60_000,
    },
    assumptions: { ...ASSUMPTIONS, ...assumptions },
    maxConsecutiveRejects: 3,
    rejectPauseMs: 60_000,
    messageRate: { maxPerSecond: 10, ...messageRateSchema.parse({}) },
    requestsPerSecond: { public: 10, private: 10 },
    readShareRatio: 0.7,
    ...rest,
  };
}

const WRITTEN_LIMITS = {
  maxOrderQuantity: '10',
  maxOrderNotional: '50000',
  maxOpenNotional: '100000',
  maxInventoryBase: '100',
};

const BOUNDS = ['jumpBps', 'maxLeavingPerSlot', 'maxLeaving', 'maxOpenOrdersOverAll'] as const;
const boundsIn = (limits: Record<string, unknown>): Partial<Bounds> =>
  Object.fromEntries(BOUNDS.filter((name) => name in limits).map((name) => [name, limits[name]]));

function runOf(
  symbol: string,
  {
    params,
    limits,
    quoting,
    refresh,
    protections,
  }: Record<OfRun, Record<string, unknown>> & {
    readonly protections: GivenProtections;
  },
): RunSettings {
  return {
    instrument: instrumentOf(symbol),
    strategy,
    params: strategy.params.parse({ levels: 1, halfSpreadBps: 200, orderSize: '1000', ...params }),
    referenceSource: 'mid',
    costs: {
      makerFeeRatio: decimal('0.01'),
      takerFeeRatio: decimal('0.01'),
      tdsRatio: new Decimal(0),
      effectiveTaxRatio: new Decimal(0),
    },
    taxTreatment: 'cost',
    quoting: { timeZone: 'UTC', ...quotingSettingsSchema.parse({ costFloor: { enabled: false }, ...quoting }) },
    refresh: diffSettingsSchema.parse({ priceToleranceBps: 10, refreshMs: 2_000, ...refresh }),
    limits: limitsOf(limitsSchema.parse({ ...WRITTEN_LIMITS, ...limits }), boundsIn(limits)),
    protections: protectionsFrom(protections),
    parameters: {},
  };
}

function protectionsFrom(given: GivenProtections): Protections {
  const written = Object.entries(given).map(([name, { withinMs: _within, lockMs: _lock, ...rule }]) => [name, rule]);
  const whole = protectionsOf(protectionsSchema.parse(Object.fromEntries(written)));
  const timed = Object.entries(whole).map(([name, rule]) => [name, { ...rule, ...timesIn(given[name]) }]);
  return { ...whole, ...Object.fromEntries(timed) };
}

function timesIn(rule: GivenProtections[string] = {}): Record<string, number | string> {
  return Object.fromEntries(Object.entries(rule).filter(([name]) => name === 'withinMs' || name === 'lockMs'));
}

function instrumentOf(symbol: string): Instrument {
  const [base = '', quote = ''] = symbol.split('/');
  return { symbol, base, quote, tickSize: decimal(1), lotSize: decimal('0.0001'), minNotional: decimal(100) };
}
