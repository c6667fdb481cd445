// `backtest`: the whole bot against its paper exchange in virtual time. The same seed gives the same run, to the last digit.
import { Secret } from '../client/secret.ts';
import { type DurationMs, HOUR } from '../domain/time.ts';
import { realClock } from '../ports/real-clock.ts';
import { type PlayReport, play } from '../sim/play.ts';
import { stopBoundMs } from '../trader/stop-bound.ts';
import { clientSettings } from './client-settings.ts';
import type { CommandIo } from './command-io.ts';
import { EXIT, type ExitCode, StartError } from './exit-codes.ts';
import { paperSettingsOf } from './paper-exchange.ts';
import { PROGRAM, VERSION } from './program.ts';
import type { Settings } from './settings/types.ts';
import { summaryLines, walletLine } from './status-words.ts';

export interface BacktestOptions {
  /** Virtual hours; null plays a recording to its end, or one hour of a made-up market. */
  readonly hours: number | null;
  readonly seed: string | null;
  readonly json: boolean;
}

/** When every run begins, so that equal seeds give equal runs. */
const START_AT = Date.UTC(2026, 0, 1);
/** Round trips of 10 ms at the least: what a process on the same machine has, with its outliers. */
const LATENCY = { leastMs: 5, spreadMs: 5 };
const LONGEST_TAPE_HOURS = 24 * 365;

export async function runBacktest(settings: Settings, io: CommandIo, options: BacktestOptions): Promise<ExitCode> {
  const { paper } = settings;
  if (paper === null)
    throw new StartError(EXIT.configurationInvalid, 'A backtest needs a configuration with a section `paper`.');
  const keys = { key: new Secret('backtest-key'), secret: new Secret('backtest-secret') };
  const seed = options.seed ?? String(paper.seed);
  const exchange = await paperSettingsOf(settings, { ...paper, seed }, keys);
  const hours = options.hours ?? (paper.crowd.kind === 'tape' ? LONGEST_TAPE_HOURS : 1);
  const from = realClock.monotonic();
  const played = await play({
    trading: {
      trader: settings.trader,
      client: clientSettings(settings, keys),
      lanes: settings.lanes,
      program: `${PROGRAM} ${VERSION}`,
      paperInstance: null,
      resume: [],
    },
    paper: { ...exchange, instanceId: 'backtest' },
    seed,
    startAt: START_AT,
    durationMs: hours * HOUR,
    latency: LATENCY,
    stopWithinMs: stopBoundMs({ trader: settings.trader, deadlineMs: settings.venue.deadlines.createMs }),
  });
  if (!played.ok) throw new StartError(EXIT.internalError, played.error);
  const report = played.value;
  const tookMs = realClock.monotonic() - from;
  io.out(options.json ? JSON.stringify(asData(report, seed)) : lines(report, { seed, tookMs }).join('\n'));
  if (!report.flat) return EXIT.unknownRemains;
  const hasFailed = report.snapshot.symbols.some(({ risk }) => risk.halt?.code === 'strategy-error');
  return hasFailed ? EXIT.configurationInvalid : EXIT.done;
}

function requestsOf({ snapshot }: PlayReport): number {
  return snapshot.requests.reduce((sum, { count }) => sum + count, 0);
}

function asData(report: PlayReport, seed: string): object {
  const { snapshot, flat, virtualMs, journalHash, records } = report;
  const { symbols, assets, requests } = snapshot;
  return { seed, flat, virtualMs, journalRecords: records.length, journalHash, symbols, assets, requests };
}

function lines(report: PlayReport, { seed, tookMs }: { seed: string; tookMs: DurationMs }): string[] {
  const { snapshot, virtualMs, journalHash, records, flat } = report;
  const kinds = snapshot.requests.map(({ kind, outcome, count }) => `${kind} ${outcome} ${count}`).join(', ');
  return [
    `Seed ${seed}: ${(virtualMs / 1_000).toFixed(0)} s of the market in ${(tookMs / 1_000).toFixed(1)} s.`,
    ...snapshot.symbols.flatMap(summaryLines),
    walletLine(snapshot),
    ...snapshot.symbols.flatMap(({ symbol, risk }) => (risk.halt ? [`${symbol} is halted: ${risk.halt.reason}`] : [])),
    `${requestsOf(report)} requests: ${kinds}.`,
    `${records.length} journal records, the last with hash ${journalHash}.`,
    flat ? 'Stopped flat: no own order is open, proved by two complete lists.' : 'Not proved flat at the end.',
  ];
}
