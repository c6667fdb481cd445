// A bot in the middle of a quiet afternoon, as its status would show it: two symbols, both quoted, everything
// reconciled.
import { withAttentions } from '../../src/bot/status/attentions.ts';
import type { BotStatus } from '../../src/bot/status/bot-status.ts';
import { headlineOf } from '../../src/bot/status/headline.ts';
import { presenceSentences } from '../../src/bot/status/status-words.ts';
import type { LagFigures } from '../../src/trader/lags/lags.ts';
import type { LagKind } from '../../src/trader/state/lags.ts';
import type { AssetView, StatusSnapshot } from '../../src/trader/status/snapshot.ts';
import { btc, eth, NOW } from './symbol-fixtures.ts';

export { btc, eth, NOW, order } from './symbol-fixtures.ts';

/** The status, with what a test wants otherwise in place of the fixture's own. */
export function statusFixture(trader: Partial<StatusSnapshot> = {}, bot: Partial<BotStatus> = {}): BotStatus {
  const facts = {
    deadMan: bot.deadMan ?? { leaseRenewedAt: NOW - 410, watchdog: 'alive' as const, watchdogSeenAt: NOW - 220 },
    channels: bot.channels ?? [],
    stopping: bot.stopping ?? null,
    trader: { ...traderFixture(), ...trader },
  };
  return {
    program: 'quotekeeper',
    version: '0.1.0',
    mode: 'paper',
    exchange: 'http://127.0.0.1:8788',
    files: ['config/paper.yaml'],
    stateFolder: '/srv/quotekeeper/state/paper',
    account: 'key in /srv/quotekeeper/state/paper/paper-keys',
    timeZone: 'UTC',
    startedAt: NOW - 8_047_000,
    paperInstance: 'paper-7f3a19',
    lanes: [
      { lane: 'public', intervalMs: 111, inFlight: 1, waiting: 0, throttledTotal: 0, remaining: 8, limit: 10 },
      { lane: 'private', intervalMs: 148, inFlight: 2, waiting: 1, throttledTotal: 3, remaining: null, limit: null },
    ],
    ...bot,
    ...facts,
    ...withAttentions(facts, headlineOf(facts)),
    presence: presenceSentences(facts.trader),
    spent: bot.spent ?? [
      {
        ...{ at: NOW - 410, lane: 'private', kind: 'create', symbol: 'BTC/INR', purpose: 'quote buy:0' },
        ...{ notional: '37872.37', outcome: 'accepted', tookMs: 84 },
      },
    ],
    markouts: bot.markouts ?? [
      { symbol: 'BTC/INR', side: 'buy', horizon: 0, fills: 4, gained: 412.5, lost: 0, filled: 98_000 },
      { symbol: 'BTC/INR', side: 'buy', horizon: 60, fills: 4, gained: -31.2, lost: 43.7, filled: 98_000 },
    ],
    isPast: bot.isPast ?? false,
  };
}

function traderFixture(): StatusSnapshot {
  return {
    at: NOW,
    phase: 'running',
    paused: null,
    flat: false,
    blockers: [],
    firstBlocker: null,
    latched: null,
    symbols: [btc(), eth()],
    assets: [
      asset('BTC', '0.48271', { reserved: '0.01803' }),
      asset('ETH', '8.1204', { reserved: '0.2631' }),
      asset('INR', '5093418.2715', { reserved: '224981.44', feesPaid: '4127.3321', taxWithheld: '3912.07' }),
    ],
    walletSentAt: NOW - 2_310,
    reconciledAt: NOW - 2_310,
    unmatchedOrders: [],
    unknownOrders: 0,
    contact: {
      usedAt: NOW - 310,
      silentSince: null,
      silentSinceBy: { public: null, private: null },
      probes: 0,
      lanes: { public: 'answers', private: 'answers' },
      because: null,
    },
    maintenance: null,
    wrongTimes: [],
    readLags: {
      assumedMs: 120_000,
      kinds: [
        lag('listed', 412, [0, 310, 1_240, 1_480], [390, 1_020, 1_960, 2_130]),
        lag('gone', 398, [0, 290, 1_100, 1_510], [410, 1_100, 1_870, 2_240]),
        lag('trades', 87, [0, 640, 1_310, 1_310], [820, 1_730, 2_600, 2_600]),
      ],
      broken: null,
    },
    messages: { inSecond: 1, inMinute: 42, today: 4_352, maxPerSecond: 10, maxPerMinute: 300, maxPerDay: 100_000 },
    clock: { offsetMs: -12.4, uncertaintyMs: 31.8, confirmed: true },
    limits: { bookAgeMs: 5_000, openOrdersAgeMs: 15_000, reconciledAgeMs: 60_000, clockUncertaintyMs: 500 },
    requests: [
      { lane: 'public', kind: 'order-book', outcome: 'read', count: 16_094 },
      { lane: 'private', kind: 'open-orders', outcome: 'read', count: 4_021 },
      { lane: 'private', kind: 'spot-trades', outcome: 'read', count: 8_044 },
      { lane: 'private', kind: 'wallet', outcome: 'read', count: 1_612 },
      { lane: 'private', kind: 'wallet', outcome: 'failed', count: 1 },
      { lane: 'private', kind: 'create', outcome: 'accepted', count: 2_203 },
      { lane: 'private', kind: 'create', outcome: 'unknown', count: 2 },
      { lane: 'private', kind: 'create', outcome: 'soft-rejected', count: 1 },
      { lane: 'private', kind: 'cancel', outcome: 'acknowledged', count: 2_140 },
      { lane: 'private', kind: 'cancel', outcome: 'rejected', count: 17 },
    ],
    unknownResolutions: {
      total: 2,
      last: [
        { by: 'match', seconds: 1.42 },
        { by: 'absence', seconds: 3.87 },
      ],
    },
  };
}

/** Percentiles: 50, 90, 99 and the largest. */
type Ranks = readonly [number, number, number, number] | null;

function lag(kind: LagKind, samples: number, least: Ranks, most: Ranks): LagFigures {
  const ranks = (of: Ranks) => of && { p50: of[0], p90: of[1], p99: of[2], max: of[3] };
  return {
    kind,
    samples,
    oldestAt: samples === 0 ? null : NOW - 7_900_000,
    newestAt: samples === 0 ? null : NOW - 42_000,
    atLeastMs: ranks(least),
    atMostMs: ranks(most),
  };
}

function asset(name: string, total: string, change: Partial<AssetView> = {}): AssetView {
  return {
    asset: name,
    expected: total,
    wallet: total,
    difference: '0',
    differsSince: null,
    differenceStands: false,
    reserved: '0',
    feesPaid: '0',
    cashRunwayDays: null,
    taxWithheld: '0',
    ...change,
  };
}
