// The bot and the exchange of a simulated run, built from its plan: two markets, two levels a side, one account; in
// some runs a market without a run.
import type { ClientSettings } from '../../src/client/exchange-client.ts';
import { Secret } from '../../src/client/wire/secret.ts';
import { createSyntheticCrowd } from '../../src/crowd/synthetic.ts';
import { type FlowSettings, type LatentSettings, THIN_BOOK_FLOW } from '../../src/crowd/synthetic-settings.ts';
import { decimal } from '../../src/domain/decimal.ts';
import type { Instrument } from '../../src/domain/instrument.ts';
import { HOUR, MINUTE, SECOND } from '../../src/domain/time.ts';
import type { TradingSettings } from '../../src/loop/start-trading.ts';
import type { PaperAccount, PaperSettings } from '../../src/paper/state/settings.ts';
import { diffSettingsSchema } from '../../src/quoting/moves/refresh-settings.ts';
import { protectionsOf, protectionsSchema } from '../../src/quoting/protection-settings.ts';
import { quotingSettingsSchema } from '../../src/quoting/quoting-settings.ts';
import { limitsOf, limitsSchema, messageRateSchema } from '../../src/quoting/risk/risk-limits.ts';
import type { RunSettings, TraderSettings } from '../../src/trader/state/settings.ts';
import { DIALECT } from '../../src/venue/dialect.ts';
import { strategy as fixedSpread } from '../../strategies/fixed-spread.ts';
import { busyProfile } from '../profile/busy-profile.ts';
import { DEFAULT_PROFILE, instrumentOf } from '../profile/default-profile.ts';
import { fractionalProfile } from '../profile/fractional-profile.ts';
import { lossesProfile } from '../profile/losses-profile.ts';
import type { Profile, ProfileMarket, ProfileName } from '../profile/profile.ts';
import { worthOf } from '../profile/quote-worth.ts';
import { strategiesProfile } from '../profile/strategies-profile.ts';
import { tightProfile } from '../profile/tight-profile.ts';
import type { Plan } from './plan.ts';
import { venueOf } from './venue-choices.ts';

export const ACCOUNT = 'bot';
/** Words that must never appear outside of a request (X1). */
export const CANARY_KEY = 'canary-key-4d1f';
export const CANARY_SECRET = 'canary-secret-9b7e';

/** Markets, money and limits for the seed of a plan. */
export const profileOf = ({ profile, seed }: Pick<Plan, 'profile' | 'seed'>): Profile => PROFILES[profile](seed);

const PROFILES: Readonly<Record<ProfileName, (seed: string) => Profile>> = {
  default: () => DEFAULT_PROFILE,
  tight: tightProfile,
  fractional: fractionalProfile,
  busy: busyProfile,
  strategies: strategiesProfile,
  losses: lossesProfile,
};

/** Markets that the bot has a run in. */
export const tradedOf = (plan: Pick<Plan, 'profile' | 'seed'>): readonly Instrument[] =>
  profileOf(plan).markets.map(({ instrument }) => instrument);

/** A market without a run, with a counterparty for the owner's trades. */
export const ELSEWHERE = {
  instrument: instrumentOf('SOL', '0.01'),
  price: decimal(15_000),
  counterparty: 'somebody',
} as const;

/** Far beyond an hour's results: profit is tracked, and nothing halts, except in the profile `losses`. */
const LOSSES = { maxSessionLoss: '400000', maxDayLoss: '300000', maxDrawdown: '400000' };

/** A round of the journal's upkeep every ten minutes, each retiring records. */
const QUICK_UPKEEP = { everyMs: 10 * MINUTE, everyRecords: 300, keepRecords: 200, stepRecords: 50 };

/** Thirty days make 200,000 records: at this pace they are retired many times, and a start does not read them all. */
const SPARSE_UPKEEP = { everyMs: HOUR, everyRecords: 10_000, keepRecords: 2_000, stepRecords: 500 };

/** The lane is a little slower than the exchange allows, so that clocks may differ. */
const SLOWER_RATIO = 0.95;

export function tradingSettings(plan: Plan): TradingSettings {
  const lane = {
    requestsPerSecond: plan.requestsPerSecond * SLOWER_RATIO,
    maxInFlight: plan.requestsPerSecond < 1 ? 1 : 4,
  };
  return {
    trader: traderSettings(plan, lane.requestsPerSecond),
    client: clientSettings(plan),
    lanes: { public: lane, private: lane },
    program: 'simulator',
    paperInstance: null,
    resume: [],
    ...(plan.quickUpkeep && { upkeep: QUICK_UPKEEP }),
    ...(plan.sparse && { upkeep: SPARSE_UPKEEP }),
  };
}

interface Pace {
  readonly polling: TraderSettings['polling'];
  readonly ageLimits: TraderSettings['ageLimits'];
}

const PACES: Readonly<Record<'fast' | 'slow' | 'sparse', Pace>> = {
  fast: {
    polling: {
      bookMs: 2_000,
      publicTradesMs: 6_000,
      openOrdersMs: 4_000,
      tradesMs: 4_000,
      walletMs: 10_000,
      tradesRescanMs: 300_000,
      probeMs: 2_000,
    },
    ageLimits: {
      bookMs: 10_000,
      frozenBookMs: 40_000,
      publicTradesMs: 48_000,
      openOrdersMs: 30_000,
      reconciledMs: 120_000,
    },
  },
  slow: {
    polling: {
      bookMs: 5_000,
      publicTradesMs: 15_000,
      openOrdersMs: 15_000,
      tradesMs: 15_000,
      walletMs: 30_000,
      tradesRescanMs: 600_000,
      probeMs: 5_000,
    },
    ageLimits: {
      bookMs: 15_000,
      frozenBookMs: 40_000,
      publicTradesMs: 120_000,
      openOrdersMs: 60_000,
      reconciledMs: 300_000,
    },
  },
  sparse: {
    polling: {
      bookMs: 60_000,
      publicTradesMs: 180_000,
      openOrdersMs: 60_000,
      tradesMs: 120_000,
      walletMs: 300_000,
      tradesRescanMs: HOUR,
      probeMs: 5_000,
    },
    ageLimits: {
      bookMs: 180_000,
      frozenBookMs: 600_000,
      publicTradesMs: 1_440_000,
      openOrdersMs: 240_000,
      reconciledMs: 900_000,
    },
  },
};

function paceOf({ sparse, requestsPerSecond }: Plan): keyof typeof PACES {
  if (sparse) return 'sparse';
  return requestsPerSecond < 1 ? 'slow' : 'fast';
}

function traderSettings(plan: Plan, requestsPerSecond: number): TraderSettings {
  const slow = plan.requestsPerSecond < 1;
  const profile = profileOf(plan);
  const { maxPerSecond = 10, ...messageRate } = profile.messageRate;
  return {
    runs: profile.markets.map((market) => runOf(market, profile)),
    ...PACES[paceOf(plan)],
    assumptions: {
      recvWindowMs: 2_500,
      venueInternalLagMs: plan.venueInternalLagMs,
      readLagBoundMs: plan.readLagBoundMs,
      // As the configuration's own check requires.
      resolutionDeadlineMs: Math.max(slow ? 300 * SECOND : 60 * SECOND, 2 * plan.readLagBoundMs),
      lockedIncludesStakingAndOtc: plan.quirks.lockedIncludes !== 'trading',
      maxClockUncertaintyMs: 1_500,
      tradesPageRows: 50,
    },
    maxConsecutiveRejects: 3,
    rejectPauseMs: 300_000,
    messageRate: { maxPerSecond, ...messageRateSchema.parse(messageRate) },
    requestsPerSecond: { public: requestsPerSecond, private: requestsPerSecond },
    readShareRatio: 0.7,
    foreignOrders: plan.foreignOrders,
    portfolio: null,
    cashRunwayDays: 7,
  };
}

/** So that protections lock and unlock within an hour. */
const SHORT_LOCK = { withinMs: 30 * MINUTE, lockMs: 3 * MINUTE };
const SHORT_LOCKS = { losingSales: SHORT_LOCK, drawdown: SHORT_LOCK };

export function runOf(market: ProfileMarket, profile: Profile): RunSettings {
  const { instrument, limits, quotes, strategy = fixedSpread, referenceSource = 'mid' } = market;
  const { charges, effectiveTaxRatio, costFloor } = profile;
  return {
    instrument,
    strategy,
    params: strategy.params.parse(quotes),
    referenceSource,
    costs: { ...charges, effectiveTaxRatio },
    taxTreatment: 'credit',
    quoting: {
      timeZone: 'Asia/Kolkata',
      ...quotingSettingsSchema.parse({
        inventory: { targetRatio: 0.35 },
        costFloor: { enabled: costFloor },
        ...market.quoting,
      }),
    },
    refresh: diffSettingsSchema.parse(market.refresh ?? profile.refresh),
    limits: limitsOf(limitsSchema.parse({ ...LOSSES, ...limits, collarBps: 500 }), market.bounds),
    protections: protectionsOf(protectionsSchema.parse(market.protections ?? {}), SHORT_LOCKS),
    parameters: {},
  };
}

function clientSettings(plan: Plan): ClientSettings {
  return {
    baseUrl: 'http://127.0.0.1',
    dialect: DIALECT,
    key: new Secret(CANARY_KEY),
    secret: new Secret(CANARY_SECRET),
    userAgent: 'simulator/1',
    deadlineMs: plan.deadlineMs,
  };
}

export function paperSettings(plan: Plan): PaperSettings {
  const { quirks, engine } = venueOf(plan.quirks);
  const profile = profileOf(plan);
  const window =
    plan.requestsPerSecond < 1 ? { requests: 1, perMs: 2_500 } : { requests: plan.requestsPerSecond, perMs: 1_000 };
  return {
    engine: {
      instruments: [
        ...tradedOf(plan),
        ...(profile.legs ?? []).map(({ instrument }) => instrument),
        ...(plan.marketElsewhere ? [ELSEWHERE.instrument] : []),
      ],
      assetDecimals: 8,
      ...profile.charges,
      ...engine,
      buyerFeeAsset: plan.buyerFeeAsset,
      firstOrderNumber: plan.firstNumber,
      firstTradeNumber: plan.firstNumber,
    },
    accounts: [
      {
        name: ACCOUNT,
        keys: [
          { apiKey: CANARY_KEY, secret: CANARY_SECRET, permissions: ['wallet', 'orders', 'trades'], ipWhitelist: null },
        ],
        balances: Object.fromEntries([
          ...Object.entries(profile.openingQuotes),
          ...profile.markets.map(({ instrument, opening }) => [instrument.base, opening] as const),
        ]),
      },
      ...(plan.marketElsewhere ? [SOMEBODY] : []),
    ],
    crowd: crowdOf(plan, profile),
    rateLimits: { public: [window], private: [window], legacy: [window] },
    quirks,
    apiKeyHeader: 'X-EXCHANGE-APIKEY',
    instanceId: 'simulated',
  };
}

const SOMEBODY: PaperAccount = {
  name: ELSEWHERE.counterparty,
  keys: [],
  balances: { INR: decimal(1_000_000_000), [ELSEWHERE.instrument.base]: decimal(100_000) },
};

/** On quiet days the crowd acts this much less often; its book is as deep. */
const SPARSE_RATIO = 1 / 20;

function crowdOf({ seed, sparse, takersPerSecond }: Plan, profile: Profile) {
  const { markets, legs = [], walk, flow, flowOfLegs } = profile;
  const by = sparse ? SPARSE_RATIO : 1;
  const usual = { ...THIN_BOOK_FLOW, takersPerSecond, ...flow };
  const walkFrom = (startPrice: number, volatilityBpsPerSqrtSecond: number): LatentSettings => ({
    ...walk,
    kind: 'walk',
    startPrice,
    volatilityBpsPerSqrtSecond: volatilityBpsPerSqrtSecond * Math.sqrt(by),
    jumpsPerHour: walk.jumpsPerHour * by,
  });
  const flowIn = ({ quote }: Instrument, { limitOrdersPerSecond, cancelsPerSecond, ...rest }: FlowSettings) => ({
    ...rest,
    meanLimitNotional: rest.meanLimitNotional / worthOf(quote),
    meanTakerNotional: rest.meanTakerNotional / worthOf(quote),
    meanInformedNotional: rest.meanInformedNotional / worthOf(quote),
    limitOrdersPerSecond: limitOrdersPerSecond * by,
    cancelsPerSecond: cancelsPerSecond * by,
    takersPerSecond: rest.takersPerSecond * by,
  });
  return createSyntheticCrowd({
    seed,
    markets: [
      ...markets.map(({ instrument, startPrice, follows }) => ({
        instrument,
        latent: follows
          ? ({ kind: 'product', of: follows } as const)
          : walkFrom(startPrice, walk.volatilityBpsPerSqrtSecond),
        flow: flowIn(instrument, usual),
      })),
      ...legs.map(({ instrument, startPrice, volatilityBpsPerSqrtSecond }) => ({
        instrument,
        latent: walkFrom(startPrice, volatilityBpsPerSqrtSecond),
        flow: flowIn(instrument, { ...usual, ...flowOfLegs }),
      })),
    ],
  });
}
