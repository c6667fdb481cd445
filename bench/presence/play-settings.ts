// What a run under a condition is told: the shipped configuration files, with only what the condition names changed.
import path from 'node:path';
import type { PlaySettings } from '../../src/backtest/play.ts';
import { clientSettings } from '../../src/bot/keys/keys.ts';
import { paperSettingsOf } from '../../src/bot/paper/paper-exchange.ts';
import { loadSettings } from '../../src/bot/settings/settings.ts';
import type { PaperExchangeSettings, Settings } from '../../src/bot/settings/types.ts';
import { Secret } from '../../src/client/wire/secret.ts';
import { decimal } from '../../src/domain/decimal.ts';
import { type DurationMs, type EpochMs, MINUTE, SECOND } from '../../src/domain/time.ts';
import { profileWith } from '../../src/paper/state/settings.ts';
import { stopBoundMs } from '../../src/trader/observe/stopping.ts';
import type { TraderSettings } from '../../src/trader/state/settings.ts';
import type { PlayedCondition } from './conditions.ts';

export const START_AT: EpochMs = Date.UTC(2026, 0, 1);
const CONFIG = path.resolve(import.meta.dirname, '../../config');
const KEYS = { key: new Secret('presence-key'), secret: new Secret('presence-secret') };
/** Each way: 20 ms and an exponential part. */
const LATENCY = { leastMs: 20, spreadMs: 30 };
/** About what a live bot may bind of each, by its budget: half of it in base. */
const LIVE_BALANCES = { INR: decimal(10_000), BTC: decimal('0.0018') };

export async function playSettingsOf(
  condition: PlayedCondition,
  { seed, durationMs }: { readonly seed: number; readonly durationMs: DurationMs },
): Promise<PlaySettings> {
  const settings = await loadSettings([path.join(CONFIG, condition.file)]);
  const trader = traderOf(settings.trader, condition);
  const pace = { requestsPerSecond: (condition.limit.requests * SECOND) / condition.limit.perMs };
  const lanes = {
    public: { ...settings.lanes.public, ...pace },
    private: { ...settings.lanes.private, ...pace },
  };
  const market = { ...settings, trader };
  const { recordings: _, ...exchange } = await paperSettingsOf(market, await paperOf(market, condition, seed), KEYS);
  return {
    trading: {
      trader,
      client: clientSettings(settings, KEYS),
      lanes,
      program: 'presence',
      paperInstance: null,
      resume: [],
    },
    paper: { ...exchange, instanceId: 'presence' },
    seed,
    startAt: START_AT,
    durationMs,
    latency: LATENCY,
    stopWithinMs: stopBoundMs({ trader, deadlineMs: settings.venue.timeoutMs }) + MINUTE,
  };
}

function traderOf(trader: TraderSettings, { symbols, limit, lists }: PlayedCondition): TraderSettings {
  const { assumptions } = trader;
  const perSecond = (limit.requests * SECOND) / limit.perMs;
  return {
    ...trader,
    runs: trader.runs.slice(0, symbols),
    requestsPerSecond: { public: perSecond, private: perSecond },
    assumptions: lists
      ? {
          ...assumptions,
          readLagBoundMs: lists.assumedMs,
          resolutionDeadlineMs: Math.max(assumptions.resolutionDeadlineMs, 2 * lists.assumedMs),
        }
      : assumptions,
  };
}

/** The market of config/paper.yaml, for a live configuration too, with the condition's limits and lags. */
async function paperOf(
  { trader, paper: own }: Settings,
  { limit, lists, file, market = {}, openingBalances }: PlayedCondition,
  seed: number,
): Promise<PaperExchangeSettings> {
  const paper = own ?? (await loadSettings([path.join(CONFIG, 'paper.yaml')])).paper;
  if (paper === null) throw new Error('config/paper.yaml has no paper exchange.');
  const traded = new Set(trader.runs.map(({ instrument }) => instrument.symbol));
  const crowd =
    paper.crowd.kind === 'synthetic'
      ? {
          ...paper.crowd,
          markets: paper.crowd.markets
            .filter(({ symbol }) => traded.has(symbol))
            .map((each) => ({ ...each, ...market })),
        }
      : paper.crowd;
  const lags =
    lists === null ? {} : { openOrdersLagMs: lists.lagMs, tradesLagMs: lists.lagMs, walletLagMs: lists.lagMs };
  const isLive = file === 'live.example.yaml';
  const profile = isLive ? profileWith('field', {}) : paper;
  const rateLimits = { public: [limit], private: [limit], legacy: [limit] };
  return {
    ...paper,
    seed,
    crowd,
    quirks: { ...profile.quirks, ...lags },
    rateLimits,
    ...(isLive ? { openingBalances: LIVE_BALANCES } : {}),
    ...(openingBalances && { openingBalances }),
  };
}
