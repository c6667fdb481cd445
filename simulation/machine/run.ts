// One simulated run in progress: its state and all its parts, implemented in neighboring files.
import type { VirtualTime } from '../../src/backtest/virtual-time.ts';
import type { InstrumentSymbol } from '../../src/domain/instrument.ts';
import type { DurationMs, EpochMs } from '../../src/domain/time.ts';
import type { TradingSettings } from '../../src/loop/start-trading.ts';
import type { PaperSettings } from '../../src/paper/state/settings.ts';
import type { ExchangeState } from '../../src/paper/state/state.ts';
import type { Clock } from '../../src/ports/clock.ts';
import type { JournalRecord } from '../../src/ports/journal-storage.ts';
import type { Transport } from '../../src/ports/transport.ts';
import type { TraderSettings } from '../../src/trader/state/settings.ts';
import type { CheckContext, Checker, RunPhase } from '../checks/context.ts';
import type { InvariantId, Violation } from '../checks/invariants.ts';
import { emptyJournalModel, type JournalModel } from '../checks/journal-model.ts';
import { createOracle, type Oracle } from '../checks/oracle.ts';
import { createWireNames, type WireNames } from '../checks/wire-names.ts';
import type { Excuses } from '../excuses/excuses.ts';
import type { FaultId, TimedFault } from '../faults/fault-kinds.ts';
import { ACCOUNT, tradingSettings } from '../plan/configuration.ts';
import type { Plan } from '../plan/plan.ts';
import { createPresentRuns, type PresentRuns } from '../steering/present-runs.ts';
import type { Sweeper } from '../watchdog/sweepers.ts';
import type { WatchInWorld } from '../watchdog/watch-in-world.ts';
import { type Counters, createCounters } from './counters.ts';
import type { Restarts } from './restarts.ts';
import { createTrace, type Trace } from './trace.ts';

export const START_AT: EpochMs = Date.UTC(2026, 0, 1);
const MOST_VIOLATIONS = 10;

export interface SimulationOptions {
  /** Receives every trace line. */
  readonly print?: (line: string) => void;
  /** Ends at the first violation; otherwise the run continues and each invariant is reported once. */
  readonly stopAtFirst?: boolean;
  /** Are not judged. */
  readonly unasked?: readonly InvariantId[];
  /** Settings of the bot that differ from the run's; 1 is its first process. Checks use those of the first. */
  readonly trader?: (settings: TraderSettings, nth: number) => TraderSettings;
  /** Wraps the network between bot and exchange. */
  readonly transport?: (network: Transport) => Transport;
  /** Receives each record once it is durable. */
  readonly records?: (record: JournalRecord) => void;
  /** Inspects everything after each event. It must change nothing. */
  readonly watch?: (context: CheckContext) => void;
  /** Inserts a passive observer between the exchange and its settings' parts. */
  readonly paper?: (settings: PaperSettings) => PaperSettings;
}

interface RunState {
  readonly plan: Plan;
  readonly time: VirtualTime;
  readonly options: SimulationOptions;
  /** The bot's, by the plan; people's later changes of its runs are in `runs`. */
  readonly trading: TradingSettings;
  readonly runs: PresentRuns;
  readonly journal: JournalModel;
  readonly oracle: Oracle;
  readonly counters: Counters;
  readonly names: WireNames;
  readonly trace: Trace;
  readonly violations: Violation[];
  readonly broken: Set<InvariantId>;
  /** Timed faults that are active now. */
  readonly active: Set<TimedFault>;
  /** How far the bot's clock has been set, how long it was suspended, and when it last resumed. */
  readonly bent: { steppedMs: DurationMs; suspendedMs: DurationMs; wokeAt: EpochMs | null };
  phase: RunPhase;
  /** Records so far. */
  written: number;
  journalChanged: boolean;
  /** The last record. */
  lastTold: { readonly epoch: number; readonly at: EpochMs };
  /** Receives every record as well. */
  alsoTold: ((record: JournalRecord) => void) | null;
  /** The process whose next write fails. */
  writeFailedIn: number;
  /** When checks take their next sample. */
  sampleAt: EpochMs;
  done: boolean;
}

/** The exchange as a transport, and its true state. */
export type Exchange = Transport & { state(): ExchangeState };

/** `sweeper`: the sender; null is the bot. */
export type TransportFor = (isOver: () => boolean, sweeper?: Sweeper | null) => Transport;

/** The parts of a run. They refer to each other through it, so none may be used before all are made. */
export interface RunParts {
  readonly context: CheckContext;
  readonly exchange: Exchange;
  readonly transport: TransportFor;
  /** Null without a watchdog. */
  readonly watch: WatchInWorld | null;
  readonly excuses: Excuses;
  readonly checkers: readonly Checker[];
  readonly restarts: Restarts;
}

export interface Run extends RunState, RunParts {}

export function stateAtStart(plan: Plan, time: VirtualTime, options: SimulationOptions): RunState {
  const journal = emptyJournalModel();
  const trading = tradingSettings(plan);
  return {
    plan,
    time,
    options,
    trading,
    runs: createPresentRuns(trading.trader.runs, plan.addsMarket ? 1 : undefined),
    journal,
    oracle: createOracle(ACCOUNT),
    counters: createCounters(),
    names: createWireNames(journal),
    trace: createTrace(options.print ?? null),
    violations: [],
    broken: new Set(),
    active: new Set(),
    bent: { steppedMs: 0, suspendedMs: 0, wokeAt: null },
    phase: 'chaos',
    written: 0,
    journalChanged: true,
    lastTold: { epoch: 0, at: START_AT },
    alsoTold: null,
    writeFailedIn: -1,
    sampleAt: 0,
    done: false,
  };
}

/** From the start of the run. */
export const since = ({ time }: Run): DurationMs => time.clock.now() - START_AT;

export const chaosLeftMs = (run: Run): DurationMs => Math.max(0, run.plan.calmAfterMs - since(run));

export const traced = (run: Run, line: string): void => run.trace.add(since(run), line);

export function tradingIn(
  { trading, runs: present, options }: Run,
  nth: number,
  runs = present.now(),
): TradingSettings {
  const trader = { ...trading.trader, runs };
  return { ...trading, trader: options.trader?.(trader, nth) ?? trader };
}

/** The bot's clock against true time. */
export function clockErrorMs(run: Run): DurationMs {
  const { plan, bent } = run;
  const drift = Math.round((since(run) * plan.driftPpm) / 1_000_000);
  return plan.clockErrorMs + bent.steppedMs - bent.suspendedMs + drift;
}

/** The clock of bot and watchdog. */
export const machineClock = (run: Run): Clock => ({
  now: () => run.time.clock.now() + clockErrorMs(run),
  monotonic: () => since(run) - run.bent.suspendedMs,
});

/** Takes in changes at the exchange; true if there were any. */
export function look(run: Run): boolean {
  const { changed, strange } = run.oracle.look(run.exchange.state(), run.time.clock.now());
  for (const sentence of strange) violated(run, 'S1', sentence);
  return changed;
}

export function strike(run: Run, id: FaultId, symbol: InstrumentSymbol | null = null): void {
  run.excuses.strike(id, symbol);
  run.counters.add(`fault ${id}`);
}

export function violated(run: Run, invariant: InvariantId, sentence: string): void {
  const { broken, violations, options } = run;
  if (broken.has(invariant) || run.done || options.unasked?.includes(invariant)) return;
  broken.add(invariant);
  violations.push({ invariant, sentence, at: since(run) });
  traced(run, `VIOLATION ${invariant}: ${sentence}`);
  if (options.stopAtFirst === true || violations.length >= MOST_VIOLATIONS) run.done = true;
}
