// Everything of one run: the exchange, the network, the lives of the bot, what happens to them, and who watches.
import { createExchangeTransport } from '../../src/backtest/exchange-transport.ts';
import type { VirtualTime } from '../../src/backtest/virtual-time.ts';
import { randomStream, uniform } from '../../src/crowd/random.ts';
import type { InstrumentSymbol } from '../../src/domain/instrument.ts';
import { type DurationMs, type EpochMs, SECOND } from '../../src/domain/time.ts';
import type { TradingSettings } from '../../src/loop/start-trading.ts';
import { createExchange } from '../../src/paper/exchange.ts';
import type { PaperSettings } from '../../src/paper/state/settings.ts';
import type { Clock } from '../../src/ports/clock.ts';
import type { JournalRecord } from '../../src/ports/journal-storage.ts';
import type { Transport } from '../../src/ports/transport.ts';
import type { TraderSettings } from '../../src/trader/state/settings.ts';
import { emptyClaims, fold, toldBy } from '../checks/claims.ts';
import type { InvariantId, Violation } from '../checks/invariants.ts';
import { middleOf } from '../checks/middle.ts';
import { createOracle } from '../checks/oracle.ts';
import { isPrivate, type Outgoing, type RunPhase, SAMPLE_MS, type Scene } from '../checks/scene.ts';
import { createWireNames } from '../checks/wire-names.ts';
import { createExcuses } from '../excuses/excuses.ts';
import { createAnswerFaults } from '../faults/answer-faults.ts';
import type { FaultId, WindowFault } from '../faults/fault-kinds.ts';
import { scheduleHappenings } from '../faults/happenings.ts';
import { createMessageFaults } from '../faults/message-faults.ts';
import { createNetwork, plannedFaults } from '../faults/network.ts';
import { createOwner } from '../faults/owner-faults.ts';
import { applyWindows, lastOn, QUIET_START_MS } from '../faults/windows.ts';
import { allChecks } from '../judge/all-checks.ts';
import { labelDeliveries } from '../judge/label-deliveries.ts';
import { cancelSomeAt } from '../outside/cancel-some.ts';
import { createEndings } from '../outside/end-orders.ts';
import { ACCOUNT, paperSettings, tradingSettings } from '../plan/configuration.ts';
import type { Plan } from '../plan/plan.ts';
import type { Sweeper } from '../watchdog/sweepers.ts';
import { watchInWorld } from '../watchdog/watch-in-world.ts';
import { createCounters } from './counters.ts';
import { createLives, type Lives } from './lives.ts';
import { createTrace } from './trace.ts';

export const START_AT: EpochMs = Date.UTC(2026, 0, 1);
const LATENCY = { leastMs: 20, spreadMs: 30 };
const MOST_VIOLATIONS = 10;
const TEXT_TRACED = 160;

export interface SimulationOptions {
  /** Sees every line of the course. */
  readonly print?: (line: string) => void;
  /** Ends at the first violation; otherwise the run goes on and each invariant is reported once. */
  readonly stopAtFirst?: boolean;
  /** Are not judged. */
  readonly unasked?: readonly InvariantId[];
  /** Settings of the bot that differ from the run's, by its life: 1 is the first. Checks go by those of the first. */
  readonly trader?: (settings: TraderSettings, life: number) => TraderSettings;
  /** What stands between the bot and the network. */
  readonly transport?: (network: Transport) => Transport;
  /** Looks at everything after each event. It must change nothing. */
  readonly watch?: (scene: Scene) => void;
  /** Puts something that only looks between the exchange and what its settings hold. */
  readonly paper?: (settings: PaperSettings) => PaperSettings;
}

export interface World {
  readonly scene: Scene;
  readonly violations: readonly Violation[];
  readonly lives: Lives;
  /** Records written so far. */
  written(): number;
  begin(): void;
  /** The faults end. */
  calm(): void;
  stop(): void;
  atRest(): void;
  /** Starts the bot once more with the kill latch set; `onNew` is shown what it writes. */
  beginLatched(onNew: (record: JournalRecord) => void): void;
  /** To be called after every event; true where the run is over. */
  afterEvent(this: void): boolean;
  isDone(): boolean;
  traceHash(): string;
}

export function createWorld(plan: Plan, time: VirtualTime, options: SimulationOptions): World {
  const { clock, sleep } = time;
  const since = (): DurationMs => clock.now() - START_AT;
  const claims = emptyClaims();
  const oracle = createOracle(ACCOUNT);
  const counters = createCounters();
  const names = createWireNames(claims);
  const planned = tradingSettings(plan);
  const tradingIn = (life: number): TradingSettings => ({
    ...planned,
    trader: options.trader?.(planned.trader, life) ?? planned.trader,
  });
  const trace = createTrace(options.print ?? null);
  const traced = (line: string): void => trace.add(since(), line);
  const violations: Violation[] = [];
  const broken = new Set<InvariantId>();
  /** How far the bot's clock has been set, and for how long it stood still. */
  const bent = { steppedMs: 0, suspendedMs: 0, wokeAt: null as EpochMs | null };
  let phase: RunPhase = 'chaos';
  let written = 0;
  let writeFailedIn = -1;
  let claimsChanged = true;
  let lastTold: { readonly epoch: number; readonly at: EpochMs } = { epoch: 0, at: START_AT };
  let sampleAt = 0;
  let done = false;
  let alsoTold: ((record: JournalRecord) => void) | null = null;

  const machineClock: Clock = {
    now: () => clock.now() + scene.clockError(),
    monotonic: () => since() - bent.suspendedMs,
  };
  const chaosLeftMs = (): DurationMs => Math.max(0, plan.calmAfterMs - since());
  const watch = watchInWorld({
    ...{ plan, sleep, traced, look, transport, clock: machineClock },
    trading: tradingIn(1),
    scene: () => scene,
    now: () => clock.now(),
    isOver: () => done,
    chaosLeftMs: () => (phase === 'chaos' ? chaosLeftMs() : 0),
    lives: () => lives,
    exchange: () => exchange.state(),
  });
  const deadMan = watch?.deadMan ?? null;
  const checkers = [...allChecks(plan), ...(watch === null ? [] : [watch.checks])];

  const scene: Scene = {
    claims,
    oracle,
    counters,
    settings: tradingIn(1).trader,
    account: ACCOUNT,
    now: () => clock.now(),
    clockError: () =>
      plan.clockErrorMs + bent.steppedMs - bent.suspendedMs + Math.round((since() * plan.driftPpm) / 1_000_000),
    wokeAt: () => bent.wokeAt,
    exchange: () => exchange.state(),
    isUp: () => scene.trader() !== null,
    trader: () => {
      const life = lives.now();
      return life === null || life.isOver() ? null : (life.trading?.loop.state() ?? null);
    },
    canWrite: () => lives.now()?.canWrite() === true,
    phase: () => phase,
    calmSince: () => START_AT + plan.calmAfterMs,
    latchedSince: () => lives.latch()?.at ?? null,
    keptDownUntil: () => lives.keptDownUntil(),
    aheadUntil: () => lives.aheadUntil(),
    isToldToAccept: () => lives.isToldToAccept(),
    excused: (excuse) => excuses.excused(excuse),
    hadEffectsAfter: (excuse, moment) => excuses.hadEffectsAfter(excuse, moment),
    mayHalt: (halted) => excuses.mayHalt(halted),
    faultFree: () => plan.faults.length === 0,
    violated(invariant, sentence) {
      if (broken.has(invariant) || done || options.unasked?.includes(invariant)) return;
      broken.add(invariant);
      violations.push({ invariant, sentence, at: since() });
      traced(`VIOLATION ${invariant}: ${sentence}`);
      if (options.stopAtFirst === true || violations.length >= MOST_VIOLATIONS) done = true;
    },
  };

  const paper = paperSettings(plan);
  const latency = randomStream(plan.seed, 'network');
  const exchange = createExchangeTransport({
    exchange: createExchange(options.paper?.(paper) ?? paper, START_AT),
    clock,
    sleep,
    latency: LATENCY,
    random: { next: () => uniform(latency) },
    witness: labelDeliveries({ names, oracle, look }),
  });

  function look(): boolean {
    const { changed, strange } = oracle.look(exchange.state(), clock.now());
    for (const sentence of strange) scene.violated('S1', sentence);
    return changed;
  }

  const excuses = createExcuses({
    now: () => clock.now(),
    boundsMs: 2 * scene.settings.assumptions.readLagBoundMs + scene.settings.assumptions.resolutionDeadlineMs,
    lastOn: (id) => {
      const ms = lastOn(plan, id, since());
      return ms === null ? null : START_AT + ms;
    },
    counters,
  });

  function strike(id: FaultId, symbol: InstrumentSymbol | null = null): void {
    excuses.strike(id, symbol);
    counters.add(`fault ${id}`);
  }

  const active = new Set<WindowFault>();
  const answerFaults = createAnswerFaults({ spareLagMs: plan.spareLagMs, now: () => clock.now() });
  const befall = createMessageFaults({
    ...{ inner: exchange, clock, sleep },
    cancelSome: cancelSomeAt(() => exchange.state(), clock),
  });
  const faults = plannedFaults(plan);

  function transport(isOver: () => boolean, sweeper: Sweeper | null = null): Transport {
    const parts = {
      plan,
      inner: exchange,
      befall,
      answerFaults,
      botNow: () => clock.now() + scene.clockError(),
      now: () => clock.now(),
      sleep,
      chaotic: () => phase === 'chaos' && since() > QUIET_START_MS,
      active,
      isOver,
      describe: names.outgoing,
      onSent: (message: Outgoing) => (sweeper === null ? onSent(message) : watch?.sent(sweeper, message)),
    };
    const network = createNetwork(
      {
        ...parts,
        onFault(id, what, message) {
          strike(id, symbolOf(message));
          traced(`! ${id} ${what} ${message.endpoint}`);
        },
        onGone: ({ endpoint }) => {
          if (endpoint === 'create') lives.now()?.pass('after-send');
        },
        onAnswered(message) {
          if (sweeper !== null) return watch?.answered(sweeper, message);
          if (isPrivate(message) && message.status === 200) excuses.taken();
          traced(`← ${message.endpoint} ${message.status ?? 'fault'} ${message.text.slice(0, TEXT_TRACED)}`);
          for (const checker of checkers) checker.answered?.(scene, message);
          if (message.endpoint === 'create') lives.now()?.pass('after-answer');
        },
      },
      faults,
    );
    return options.transport?.(network) ?? network;
  }

  function onSent(message: Outgoing): void {
    traced(`→ ${message.endpoint} ${message.request.body ?? message.query.get('symbol') ?? ''}`);
    if (message.endpoint === 'create') lives.now()?.pass('before-send');
    if (lives.now()?.isOver() === true) return;
    counters.add(`sent ${message.endpoint}`);
    if (message.endpoint === 'create') forbidden();
    for (const checker of checkers) checker.sent?.(scene, message);
  }

  /** S9 and P3: after these nothing is placed any more. */
  function forbidden(): void {
    const latch = lives.latch();
    if (latch !== null && clock.now() > latch.at) {
      const late = ((clock.now() - latch.at) / SECOND).toFixed(1);
      scene.violated('S9', `A create left ${late} s after the kill latch was set.`);
    }
    if (writeFailedIn === lives.count()) scene.violated('P3', 'A create left after the journal could not be written.');
  }

  function onRecord(record: JournalRecord): void {
    written += 1;
    alsoTold?.(record);
    const told = toldBy(record);
    const contradiction = fold(claims, told, clock.now());
    const claim = claims.intents.get(String(told.payload.intentId));
    if (told.type === 'intent' && claim) names.written(claim);
    if (told.epoch !== lastTold.epoch) excuses.begun(lastTold.at);
    lastTold = { epoch: told.epoch, at: clock.now() };
    if (told.type === 'adopted') counters.add(`adopted by ${String(told.payload.evidence)}`);
    if (told.type === 'cancel-outcome') counters.add(`cancel ${String(told.payload.outcome)}`);
    traced(`# ${record.seq} ${record.type} ${record.payload}`);
    claimsChanged = true;
    look();
    if (contradiction !== null) scene.violated(contradiction.invariant, contradiction.sentence);
    for (const checker of checkers) checker.recorded?.(scene, told, record);
  }

  const lives: Lives = createLives({
    ...{ guard: deadMan, plan, scene },
    settings: tradingIn,
    clock: machineClock,
    sleep,
    transport,
    checkers,
    traced,
    onRecord,
    onNotice(notice) {
      traced(`  ${notice.level} ${notice.op}: ${notice.message}`);
      counters.add(`notice ${notice.op}`);
      for (const checker of checkers) checker.noticed?.(scene, notice);
    },
    onBug: () => {
      done = true;
    },
    isDone: () => done,
    clockSet() {
      bent.steppedMs = Math.max(0, bent.steppedMs);
    },
    truePrice(symbol) {
      const run = scene.settings.runs.find(({ instrument }) => instrument.symbol === symbol);
      return run === undefined || active.has('shifted-book') ? null : middleOf(scene, run.instrument);
    },
  });

  const account = { account: ACCOUNT, oracle, exchange: () => exchange.state(), now: () => clock.now() };
  const endings = createEndings(account);
  const owner = createOwner({
    ...account,
    plan,
    // While the bot is down nothing lists what fills meanwhile, and a trade does not say how much its order was of.
    placed: () => (scene.isUp() ? claims.live.values() : []),
    later: (ms, act) => void sleep(ms).then(act),
  });

  function begin(): void {
    scheduleHappenings(
      {
        plan,
        sleep,
        jump: time.jump,
        isOver: () => done,
        isChaotic: () => phase === 'chaos',
        chaosLeftMs,
        owner,
        purge: endings.purge,
        lives,
        deadMan: deadMan,
        counted: counters.add,
        struck: strike,
        traced,
        windowsChanged: (open) => applyWindows(exchange.state(), plan, open),
        clockStepped: (by) => {
          bent.steppedMs += by;
        },
        slept: (ms) => {
          bent.wokeAt = clock.now() + scene.clockError();
          bent.suspendedMs += ms;
        },
        writeFails: () => {
          writeFailedIn = lives.count();
        },
      },
      active,
    );
    lives.lookedAfter();
    deadMan?.begin();
    lives.begin();
  }

  function afterEvent(): boolean {
    if (done) return true;
    const changed = look() || claimsChanged;
    claimsChanged = false;
    options.watch?.(scene);
    for (const checker of checkers) checker.event?.(scene, changed);
    if (clock.now() < sampleAt) return done;
    sampleAt = clock.now() + SAMPLE_MS;
    for (const checker of checkers) checker.sampled?.(scene);
    return done;
  }

  return {
    scene,
    violations,
    lives,
    written: () => written,
    begin,
    calm() {
      phase = 'calm';
      lives.disarm();
      deadMan?.calm();
      writeFailedIn = -1;
      active.clear();
      applyWindows(exchange.state(), plan, active);
      traced('* calm');
    },
    stop() {
      phase = 'stopping';
      traced('* stop');
      lives.now()?.trading?.loop.tell({ kind: 'stop' });
    },
    atRest() {
      look();
      for (const checker of checkers) checker.atRest?.(scene);
    },
    beginLatched(onNew) {
      phase = 'afterwards';
      alsoTold = onNew;
      deadMan?.end();
      lives.now()?.crashAt('now');
      lives.setLatch('To look only.');
    },
    afterEvent,
    isDone: () => done,
    traceHash: trace.hash,
  };
}

/** The market that a message names; null for one that names none. */
const symbolOf = ({ query, body, claim }: Outgoing): InstrumentSymbol | null =>
  query.get('symbol') ?? body.symbol ?? claim?.symbol ?? null;
