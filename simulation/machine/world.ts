// All parts of one run: the exchange, the network, the processes of the bot, its faults, and the checks.
import type { VirtualTime } from '../../src/backtest/virtual-time.ts';
import type { Decimal } from '../../src/domain/decimal.ts';
import type { DurationMs } from '../../src/domain/time.ts';
import type { JournalRecord } from '../../src/ports/journal-storage.ts';
import type { Notice } from '../../src/trader/state/turn.ts';
import { type CheckContext, SAMPLE_MS } from '../checks/context.ts';
import type { Violation } from '../checks/invariants.ts';
import { fold, toldBy } from '../checks/journal-model.ts';
import { midPriceOf } from '../checks/mid-price.ts';
import { createExcuses, type Excuses } from '../excuses/excuses.ts';
import { createOwner, type OwnerActs } from '../faults/owner-faults.ts';
import { applyTimedFaults, lastOn } from '../faults/timed-faults.ts';
import { type OperatorActs, scheduleTimeline } from '../faults/timeline.ts';
import { isWaiting } from '../fold/journal-markets.ts';
import { allChecks } from '../judge/all-checks.ts';
import { lockForAWhile } from '../locks/lock-acts.ts';
import { createEndings } from '../outside/end-orders.ts';
import { ACCOUNT, tradedOf } from '../plan/configuration.ts';
import type { Plan } from '../plan/plan.ts';
import { addMarket, pauseForAWhile, resumeSymbols, reviseRun } from '../steering/steer-acts.ts';
import { type WatchInWorld, watchInWorld } from '../watchdog/watch-in-world.ts';
import { createRestarts, type Restarts } from './restarts.ts';
import {
  chaosLeftMs,
  clockErrorMs,
  look,
  machineClock,
  type Run,
  type SimulationOptions,
  START_AT,
  since,
  stateAtStart,
  strike,
  traced,
  tradingIn,
  violated,
} from './run.ts';
import { contextOf } from './run-context.ts';
import { exchangeOf, transportOf } from './run-messages.ts';

export interface World {
  readonly context: CheckContext;
  readonly violations: readonly Violation[];
  readonly restarts: Restarts;
  /** Records written so far. */
  written(): number;
  begin(): void;
  /** The faults end. */
  calm(): void;
  stop(): void;
  atRest(): void;
  /** Starts the bot once more with the kill latch set; `onNew` receives its records. */
  beginLatched(onNew: (record: JournalRecord) => void): void;
  /** Call after every event; true when the run is over. */
  afterEvent(this: void): boolean;
  isDone(): boolean;
  traceHash(): string;
}

export function createWorld(plan: Plan, time: VirtualTime, options: SimulationOptions): World {
  const run: Run = {
    ...stateAtStart(plan, time, options),
    get context() {
      return context;
    },
    get exchange() {
      return exchange;
    },
    get transport() {
      return transport;
    },
    get watch() {
      return watch;
    },
    get excuses() {
      return excuses;
    },
    get checkers() {
      return checkers;
    },
    get restarts() {
      return restarts;
    },
  };
  const context = contextOf(run);
  const exchange = exchangeOf(run);
  const transport = transportOf(run);
  const watch = watchOf(run);
  const excuses = excusesOf(run);
  const checkers = [...allChecks(plan), ...(watch === null ? [] : [watch.checks])];
  const restarts = restartsOf(run);
  return {
    ...{ context, violations: run.violations, restarts },
    written: () => run.written,
    begin: () => begin(run),
    calm: () => calm(run),
    stop() {
      run.phase = 'stopping';
      traced(run, '* stop');
      restarts.now()?.trading?.loop.tell({ kind: 'stop' });
    },
    atRest() {
      look(run);
      for (const checker of checkers) checker.atRest?.(context);
    },
    beginLatched(onNew) {
      run.phase = 'afterward';
      run.alsoTold = onNew;
      watch?.deadMan.end();
      restarts.now()?.crashAt('now');
      restarts.setLatch('To look only.');
    },
    afterEvent: () => afterEvent(run),
    isDone: () => run.done,
    traceHash: run.trace.hash,
  };
}

function watchOf(run: Run): WatchInWorld | null {
  const { plan, time, transport } = run;
  const { clock, sleep } = time;
  // The watchdog covers every market that the bot may come to have.
  const trading = tradingIn(run, 1, run.trading.trader.runs);
  return watchInWorld({
    ...{ plan, sleep, transport, clock: machineClock(run), trading },
    traced: (line) => traced(run, line),
    look: () => look(run),
    context: () => run.context,
    now: () => clock.now(),
    isOver: () => run.done,
    chaosLeftMs: () => (run.phase === 'chaos' ? chaosLeftMs(run) : 0),
    restarts: () => run.restarts,
    exchange: () => run.exchange.state(),
  });
}

function excusesOf(run: Run): Excuses {
  const { readLagBoundMs, resolutionDeadlineMs } = run.context.settings.assumptions;
  return createExcuses({
    now: () => run.time.clock.now(),
    boundsMs: 2 * readLagBoundMs + resolutionDeadlineMs,
    lastOn: (id) => {
      const ms = lastOn(run.plan, id, since(run));
      return ms === null ? null : START_AT + ms;
    },
    counters: run.counters,
  });
}

function restartsOf(run: Run): Restarts {
  const { plan, context, time, transport, checkers, bent } = run;
  return createRestarts({
    ...{ plan, context, transport, checkers, sleep: time.sleep, clock: machineClock(run) },
    guard: run.watch?.deadMan ?? null,
    configure: run.runs.begun,
    settings: (nth) => tradingIn(run, nth),
    traced: (line) => traced(run, line),
    onRecord: (record) => recorded(run, record),
    onNotice: (notice) => noticed(run, notice),
    onBug: () => {
      run.done = true;
    },
    isDone: () => run.done,
    clockSet() {
      bent.steppedMs = Math.max(0, bent.steppedMs);
    },
    truePrice: (symbol) => truePrice(run, symbol),
  });
}

function recorded(run: Run, record: JournalRecord): void {
  const { journal, counters, time } = run;
  run.written += 1;
  run.alsoTold?.(record);
  run.options.records?.(record);
  const told = toldBy(record);
  const contradiction = fold(journal, told, time.clock.now());
  const intent = journal.intents.get(String(told.payload.intentId));
  if (told.type === 'intent' && intent) run.names.written(intent);
  if (told.epoch !== run.lastTold.epoch) run.excuses.begun(run.lastTold.at);
  run.lastTold = { epoch: told.epoch, at: time.clock.now() };
  if (told.type === 'adopted' && told.payload.order === undefined)
    counters.add(`adopted by ${String(told.payload.evidence)}`);
  if (told.type === 'cancel-outcome') counters.add(`cancel ${String(told.payload.outcome)}`);
  traced(run, `# ${record.seq} ${record.type} ${record.payload}`);
  run.journalChanged = true;
  look(run);
  if (contradiction !== null) violated(run, contradiction.invariant, contradiction.sentence);
  for (const checker of run.checkers) checker.recorded?.(run.context, told, record);
}

function noticed(run: Run, notice: Notice): void {
  traced(run, `  ${notice.level} ${notice.op}: ${notice.message}`);
  run.counters.add(`notice ${notice.op}`);
  for (const checker of run.checkers) checker.noticed?.(run.context, notice);
}

function truePrice({ context, active }: Run, symbol: string): Decimal | null {
  const market = context.settings.runs.find(({ instrument }) => instrument.symbol === symbol);
  return market === undefined || active.has('shifted-book') ? null : midPriceOf(context, market.instrument);
}

function begin(run: Run): void {
  const { plan, time, journal, oracle, restarts, bent, active } = run;
  const { clock, sleep, jump } = time;
  const deadMan = run.watch?.deadMan ?? null;
  const account = { account: ACCOUNT, oracle, exchange: () => run.exchange.state(), now: () => clock.now() };
  const isConfigured = (symbol: string): boolean =>
    run.runs.now().some(({ instrument }) => instrument.symbol === symbol);
  const owner = createOwner({
    ...account,
    plan,
    isConfigured: ({ symbol }) => isConfigured(symbol),
    isOpened: ({ symbol }) => isConfigured(symbol) && !isWaiting(journal, symbol),
    // While the bot is down no list shows fills, and a trade does not show its order's quantity.
    placed: () => (run.context.isUp() ? journal.live.values() : []),
    later: (ms, act) => void sleep(ms).then(act),
  });
  scheduleTimeline(
    {
      ...{ plan, sleep, jump, owner, restarts, deadMan },
      purge: createEndings({ ...account, traded: tradedOf(plan) }).purge,
      operator: operatorActs(run, owner),
      isOver: () => run.done,
      isChaotic: () => run.phase === 'chaos',
      chaosLeftMs: () => chaosLeftMs(run),
      counted: run.counters.add,
      struck: (id) => strike(run, id),
      traced: (line) => traced(run, line),
      timedFaultsChanged: (open) => applyTimedFaults(run.exchange.state(), plan, open),
      clockStepped: (by) => {
        bent.steppedMs += by;
      },
      slept: (ms) => {
        bent.wokeAt = clock.now() + clockErrorMs(run);
        bent.suspendedMs += ms;
      },
      writeFails: () => {
        run.writeFailedIn = restarts.count();
      },
    },
    active,
  );
  restarts.lookedAfter();
  deadMan?.begin();
  restarts.begin();
}

function operatorActs(run: Run, owner: OwnerActs): OperatorActs {
  const { plan, runs, context, restarts, time } = run;
  const now = (): number => time.clock.now() + clockErrorMs(run);
  const later = (ms: DurationMs, act: () => void): void => void time.sleep(ms).then(act);
  const steering = {
    ...{ plan, runs, context, restarts, now, later },
    chaosLeftMs: () => chaosLeftMs(run),
  };
  return {
    kill() {
      restarts.setLatch('Pressed by a person.');
      return true;
    },
    lock: (stream) => lockForAWhile({ runs: context.settings.runs, restarts, now, later }, stream),
    revise: (stream) => reviseRun(steering, stream),
    resume: () => resumeSymbols(steering, (symbol) => truePrice(run, symbol)),
    pause: (stream) => pauseForAWhile(steering, stream),
    'add-market': (stream) => addMarket(steering, stream, () => owner('manual-trade', stream)),
  };
}

function calm(run: Run): void {
  run.phase = 'calm';
  run.restarts.disarm();
  run.watch?.deadMan.calm();
  run.writeFailedIn = -1;
  run.active.clear();
  applyTimedFaults(run.exchange.state(), run.plan, run.active);
  traced(run, '* calm');
}

function afterEvent(run: Run): boolean {
  if (run.done) return true;
  const { context, checkers, time } = run;
  const changed = look(run) || run.journalChanged;
  run.journalChanged = false;
  run.options.watch?.(context);
  for (const checker of checkers) checker.event?.(context, changed);
  if (time.clock.now() < run.sampleAt) return run.done;
  run.sampleAt = time.clock.now() + SAMPLE_MS;
  for (const checker of checkers) checker.sampled?.(context);
  return run.done;
}
