// One run under a condition, played and measured.
import type { FaultPlan } from '../../simulation/faults/fault-plan.ts';
import { throughFaults } from '../../simulation/faults/faulty-network.ts';
import { type PlayReport, play, type TransportPlace } from '../../src/backtest/play.ts';
import { PAPER_ACCOUNT } from '../../src/bot/settings/derived.ts';
import { type DurationMs, HOUR, MINUTE, SECOND } from '../../src/domain/time.ts';
import type { AccountTruth } from '../../src/paper/control/truth.ts';
import type { FillRow } from '../../src/paper/state/account-record.ts';
import type { Transport } from '../../src/ports/transport.ts';
import { ENDPOINTS } from '../../src/venue/endpoints.ts';
import { COUNTED, type PlayedCondition } from './conditions.ts';
import { gapsAfterCancels } from './gaps.ts';
import { markoutBps, type TrueFill } from './markouts.ts';
import { createObserver, type Observer, type Wealth } from './observer.ts';
import { drawOutages, type Outages, throughOutages } from './outages.ts';
import { createOwnAccount } from './own-account.ts';
import { playSettingsOf, START_AT } from './play-settings.ts';
import { type Shares, sharesOf, type Tally } from './presence.ts';
import type { RunResult, Trading } from './result.ts';
import { type Span, without } from './spans.ts';
import { estimateOf, quantile } from './statistics.ts';
import { countedWire, type WireCounts } from './wire.ts';

/** Nothing is counted before: the bot opens its ledger and places its first orders. */
export const WARM_UP_MS: DurationMs = 3 * MINUTE;
const LOST_RATIO = 0.05;

export interface RunOrder {
  readonly condition: string;
  readonly seed: number;
  readonly durationMs: DurationMs;
}

export async function playCondition(how: PlayedCondition, order: RunOrder): Promise<RunResult> {
  const { seed, durationMs, condition } = order;
  const settings = await playSettingsOf(how, { seed, durationMs });
  const span: Span = { from: START_AT + WARM_UP_MS, until: START_AT + durationMs };
  const outages = drawOutages(seed, span);
  const counts: WireCounts = { throttled: 0, private: 0, creates: 0 };
  const counted = countedOf(how, span, [...outages.maintenance, ...outages.noNetwork]);
  const own = createOwnAccount({
    symbols: settings.trading.trader.runs.map(({ instrument }) => instrument.symbol),
    counted,
  });
  const observer = createObserver({
    trader: settings.trading.trader,
    account: PAPER_ACCOUNT,
    assetDecimals: settings.paper.engine.assetDecimals,
    counted,
    span,
  });
  const played = await play({
    ...settings,
    paper: observer.seen(settings.paper),
    transport: (network, place) => {
      const troubled = throughTrouble(network, place, { how, outages, seed });
      return countedWire(troubled, { clock: place.clock, span, counts });
    },
    watch(world) {
      observer.watch(world);
      own.watch(world);
    },
  });
  if (!played.ok) throw new Error(played.error);
  const shares = allShares(observer.ended(span.until));
  return {
    condition,
    seed,
    shares,
    trading: tradingOf(played.value, observer, { span, counts }),
    breaches: [...observer.worstCase.breaches.values()],
    hash: played.value.journalHash,
    own: own.figures(),
  };
}

const LOST_CREATES: FaultPlan = {
  chances: { 'lost-after': LOST_RATIO },
  hits: ({ url, method }) => method === 'POST' && new URL(url).pathname === ENDPOINTS.create.path,
  until: Number.POSITIVE_INFINITY,
};

interface Troubled {
  readonly how: PlayedCondition;
  readonly outages: Outages;
  readonly seed: number;
}

function throughTrouble(network: Transport, place: TransportPlace, { how, outages, seed }: Troubled): Transport {
  if (how.trouble === 'outages') return throughOutages(network, place, outages);
  if (how.trouble === 'lost-creates') return throughFaults(network, place, { plan: LOST_CREATES, seed });
  return network;
}

function countedOf(
  { trouble }: PlayedCondition,
  span: Span,
  outages: readonly Span[],
): Readonly<Record<string, readonly Span[]>> {
  if (trouble !== 'outages') return { [COUNTED.all]: [span] };
  return {
    [COUNTED.outside]: without(span, outages),
    [COUNTED.later]: without(
      span,
      outages.map(({ from, until }) => ({ from, until: until + MINUTE })),
    ),
  };
}

/** Of each name of what is counted, the mean over symbols. */
export function allShares(tallies: readonly Readonly<Record<string, Tally>>[]): Readonly<Record<string, Shares>> {
  const names = Object.keys(tallies[0] ?? {});
  const of = (name: string): Tally[] => tallies.flatMap((each) => each[name] ?? []);
  return Object.fromEntries(names.map((name) => [name, sharesOf(of(name))]));
}

interface Counted {
  readonly span: Span;
  readonly counts: WireCounts;
}

function tradingOf(report: PlayReport, observer: Observer, { span, counts }: Counted): Trading {
  const hours = (span.until - span.from) / HOUR;
  const isCounted = (at: number): boolean => at >= span.from && at < span.until;
  const fills = fillsOf(report.truth).filter(({ at }) => isCounted(at));
  const created = [...observer.births.values()].filter(isCounted).length;
  const markout = (afterMs: DurationMs): number | null => {
    const found = fills.flatMap((fill) => {
      const mids = observer.mids.get(fill.symbol);
      const bps = mids === undefined || fill.at + afterMs >= span.until ? null : markoutBps(fill, mids, afterMs);
      return bps === null ? [] : [bps];
    });
    return estimateOf(found)?.mean ?? null;
  };
  const { profit, equity } = profitOf(observer.wealth(), fills);
  const gaps = gapsAfterCancels([...report.records], observer.births)
    .filter(({ at }) => isCounted(at))
    .map(({ ms }) => ms / SECOND);
  return {
    profitPerHour: profit / hours,
    equityPerHour: equity / hours,
    fillsPerHour: fills.length / hours,
    createsPerHour: created / hours,
    requestsPerCreate: counts.private / Math.max(1, created),
    throttled: counts.throttled,
    markout5: markout(5 * SECOND),
    markout30: markout(30 * SECOND),
    gapMedian: quantile(gaps, 0.5),
    gapP90: quantile(gaps, 0.9),
    worst: observer.worstCase.worst,
    halts: report.snapshot.symbols.filter(({ state }) => state === 'halted').length,
  };
}

function fillsOf(truth: readonly AccountTruth[]): TrueFill[] {
  const rows = truth.flatMap(({ fills = [] }): readonly FillRow[] => fills);
  return rows.map((row) => ({
    symbol: row.symbol,
    side: row.isBuyer ? 'buy' : 'sell',
    price: Number(row.price),
    quantity: Number(row.qty),
    at: row.time,
    tds: Number(row.tds),
  }));
}

function profitOf(
  { first, last }: { readonly first: Wealth | null; readonly last: Wealth | null },
  fills: readonly TrueFill[],
): { readonly profit: number; readonly equity: number } {
  if (first === null || last === null) return { profit: 0, equity: 0 };
  const worth = (held: Wealth['held'], mids: Wealth['mids']): number =>
    Object.entries(held).reduce((sum, [asset, amount]) => sum + amount * (mids[asset] ?? 1), 0);
  const withheld = fills.reduce((sum, { tds }) => sum + tds, 0);
  const now = worth(last.held, last.mids);
  return { profit: now - worth(first.held, last.mids) + withheld, equity: now - worth(first.held, first.mids) };
}
