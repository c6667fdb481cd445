// Plays of the configuration that a newcomer starts with, changed as a test wants it.
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import type { FaultPlan, MessageFault } from '../../../simulation/faults/fault-plan.ts';
import { throughFaults } from '../../../simulation/faults/faulty-network.ts';
import { type PlayReport, type PlaySettings, play } from '../../../src/backtest/play.ts';
import { clientSettings } from '../../../src/bot/keys/venue-session.ts';
import { paperSettingsOf } from '../../../src/bot/paper/paper-exchange.ts';
import { loadSettings } from '../../../src/bot/settings/settings.ts';
import { Secret } from '../../../src/client/wire/secret.ts';
import { type DurationMs, type EpochMs, MINUTE } from '../../../src/domain/time.ts';
import type { Quirks } from '../../../src/paper/wire/quirks.ts';
import type { Durable } from '../../../src/trader/durable/durable.ts';
import type { TraderSettings, VenueAssumptions } from '../../../src/trader/state/settings.ts';
import { stopBoundMs } from '../../../src/trader/status/stop-bound.ts';
import { violationsOf } from './world-checks.ts';

const START_AT = Date.UTC(2026, 0, 1);
const CONFIG = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '../../../config/paper.yaml');

export interface Playing {
  readonly seed: number;
  readonly durationMs: DurationMs;
  readonly quirks?: Partial<Quirks>;
  readonly assumptions?: Partial<VenueAssumptions>;
  /** Another file than config/paper.yaml's pace: how fast lanes go and how often is looked. */
  readonly pace?: Pick<TraderSettings, 'polling' | 'ageLimits' | 'requestsPerSecond' | 'readShareRatio'>;
  readonly faults?: Omit<FaultPlan, 'until'> & { readonly forMs: DurationMs };
  /** Checked between any two timers; on by default. */
  readonly checked?: boolean;
  readonly onNotice?: PlaySettings['onNotice'];
}

export interface Played {
  readonly report: PlayReport;
  /** How often each fault was injected. */
  readonly faults: ReadonlyMap<MessageFault, number>;
  /** Each violation once, with the second at which it was first seen. */
  readonly violations: readonly string[];
  /** `op` of notices, with how often each came. */
  readonly notices: ReadonlyMap<string, number>;
  /** The bot's state as the run ended, and when that was. */
  readonly durable: Durable | null;
  readonly endedAt: EpochMs;
}

/** One request in 2.5 seconds on each side, and lists that may trail by two minutes. */
export const LIVE_LIKE: Pick<Playing, 'pace' | 'assumptions'> = {
  pace: {
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
    requestsPerSecond: { public: 0.4, private: 0.4 },
    readShareRatio: 0.7,
  },
  assumptions: {
    recvWindowMs: 2_500,
    venueInternalLagMs: 10_000,
    readLagBoundMs: 120_000,
    resolutionDeadlineMs: 300_000,
  },
};

/** What is wrong stays wrong for longer: looking at every timer would cost more than the run. */
const CHECK_EVERY_MS = 25;

export async function playPaper(playing: Playing): Promise<Played> {
  const violations = new Map<string, number>();
  const notices = new Map<string, number>();
  const settings = await settingsOf(playing);
  const faults = new Map<MessageFault, number>();
  let durable: Durable | null = null;
  let checkAt = 0;
  const played = await play({
    ...settings,
    ...(playing.faults === undefined ? {} : { transport: withFaults(playing.faults, settings.seed, faults) }),
    onNotice: (notice, at) => {
      notices.set(notice.op, (notices.get(notice.op) ?? 0) + 1);
      playing.onNotice?.(notice, at);
    },
    watch: (world) => {
      durable = world.trader.durable;
      if (playing.checked === false || world.now < checkAt) return;
      checkAt = world.now + CHECK_EVERY_MS;
      for (const each of violationsOf(world)) if (!violations.has(each)) violations.set(each, world.now - START_AT);
    },
  });
  if (!played.ok) throw new Error(played.error);
  return {
    report: played.value,
    faults,
    violations: [...violations].map(([text, at]) => `${(at / 1_000).toFixed(1)} s ${text}`),
    notices,
    durable,
    endedAt: START_AT + played.value.virtualMs,
  };
}

async function settingsOf({ seed, durationMs, quirks = {}, assumptions = {}, pace }: Playing): Promise<PlaySettings> {
  const settings = await loadSettings([CONFIG]);
  const { paper } = settings;
  if (paper === null) throw new Error('config/paper.yaml has no paper exchange.');
  const keys = { key: new Secret('played-key'), secret: new Secret('played-secret') };
  const exchange = await paperSettingsOf(settings, { ...paper, seed }, keys);
  const trader = { ...settings.trader, assumptions: { ...settings.trader.assumptions, ...assumptions }, ...pace };
  const laneOf = (name: 'public' | 'private') =>
    pace ? { requestsPerSecond: pace.requestsPerSecond[name], maxInFlight: 1 } : settings.lanes[name];
  const lanes = { public: laneOf('public'), private: laneOf('private') };
  return {
    trading: {
      trader,
      client: clientSettings(settings, keys),
      lanes,
      program: 'test',
      paperInstance: null,
      resume: [],
    },
    paper: { ...exchange, instanceId: 'played', quirks: { ...exchange.quirks, ...quirks } },
    seed,
    startAt: START_AT,
    durationMs,
    latency: { leastMs: 5, spreadMs: 5 },
    stopWithinMs: stopBoundMs({ trader, deadlineMs: settings.venue.timeoutMs }) + MINUTE,
  };
}

function withFaults(
  { forMs, ...faults }: NonNullable<Playing['faults']>,
  seed: PlaySettings['seed'],
  counts: Map<MessageFault, number>,
): NonNullable<PlaySettings['transport']> {
  const plan = { ...faults, until: START_AT + forMs };
  const onFault = (fault: MessageFault): void => void counts.set(fault, (counts.get(fault) ?? 0) + 1);
  return (network, place) => throughFaults(network, place, { plan, seed, onFault });
}

/** The same chance for each of these faults. */
export const evenly = (chance: number, kinds: readonly MessageFault[]): Partial<Record<MessageFault, number>> =>
  Object.fromEntries(kinds.map((kind) => [kind, chance]));
