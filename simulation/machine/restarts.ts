// The processes of the bot one after another, on one disk: how each ends, how long the bot stays down, and the person
// who looks after it.
import { pick, type RandomStream, randomStream, uniform } from '../../src/crowd/random.ts';
import type { Decimal } from '../../src/domain/decimal.ts';
import { type DurationMs, type EpochMs, MINUTE, SECOND } from '../../src/domain/time.ts';
import { LONGEST_AHEAD } from '../../src/journal/open-journal.ts';
import type { TradingSettings } from '../../src/loop/start-trading.ts';
import { applyOwnerAction } from '../../src/paper/owner/owner-action.ts';
import type { Clock } from '../../src/ports/clock.ts';
import type { JournalRecord } from '../../src/ports/journal-storage.ts';
import type { Transport } from '../../src/ports/transport.ts';
import type { Resumed } from '../../src/trader/observe/resume.ts';
import type { Notice } from '../../src/trader/state/turn.ts';
import { mustUnwind } from '../checks/check-unwind.ts';
import type { CheckContext, Checker } from '../checks/context.ts';
import type { Plan } from '../plan/plan.ts';
import { type BotProcess, type ProcessEnd, type ProcessGuard, startBotProcess } from './bot-process.ts';
import { createDisk, type FakedDisk } from './storage-disk.ts';
import { LOG_FILE } from './storage-log.ts';

/** The companions of a watched bot's processes. */
export interface RestartsGuard {
  guard(nth: number): ProcessGuard;
  processEnded(why: ProcessEnd): void;
  /** The bot's orders are being canceled: no person re-arms it meanwhile. */
  isActing(): boolean;
}

export interface RestartsParts {
  /** Null without a watchdog. */
  readonly guard: RestartsGuard | null;
  readonly plan: Plan;
  readonly context: CheckContext;
  /** A process is about to start with the present configuration. */
  readonly configure: () => void;
  /** Settings of each process; 1 is the first. */
  readonly settings: (nth: number) => TradingSettings;
  readonly clock: Clock;
  readonly sleep: (ms: DurationMs) => Promise<void>;
  readonly transport: (isOver: () => boolean) => Transport;
  readonly checkers: readonly Checker[];
  readonly traced: (line: string) => void;
  readonly onRecord: (record: JournalRecord) => void;
  readonly onNotice: (notice: Notice) => void;
  /** A run with a bug in the bot is over. */
  readonly onBug: () => void;
  readonly isDone: () => boolean;
  /** A person sets the clock that was set back. */
  readonly clockSet: () => void;
  /** The middle of the exchange's shown book; null while that is not the truth, or a side is empty. */
  readonly truePrice: (symbol: string) => Decimal | null;
}

export interface Restarts {
  readonly disk: FakedDisk;
  now(): BotProcess | null;
  count(): number;
  begin(): void;
  /** Nothing starts the bot for this long. */
  staysDown(ms: DurationMs): void;
  /** The same, until a person acts. */
  leaveDown(ms: DurationMs): void;
  /** Flips a bit of durable data while the bot is down. */
  damage(): void;
  /** Why the kill latch is set, and since when; null while it is not. */
  latch(): { readonly reason: string; readonly at: EpochMs } | null;
  /** A person removes the latch and starts the bot, unless it is away for long. */
  rearm(): void;
  /** Until when the latch keeps a watched bot down: now while it is set. */
  keptDownUntil(): EpochMs;
  /**
   * Until then a start must refuse: a clock that ran ahead was corrected, and the journal's last record is later than
   * now (F103).
   */
  aheadUntil(): EpochMs;
  setLatch(reason: string): void;
  /** Whether a person told the writing process to accept differences as the owner's own. */
  isToldToAccept(): boolean;
  /** From now on a person acts now and then, as long as faults happen. */
  lookedAfter(): void;
  /** The faults are over: those still planned for the present process, or its disk, don't happen. */
  disarm(): void;
}

const DOWN_MS: readonly [DurationMs, DurationMs] = [SECOND, 5 * MINUTE];
const RETRY_START_MS = MINUTE;
/**
 * A start may be refused for a wrong clock, a damaged journal, and a failing disk: each once, and a person fixes it.
 */
export const LONGEST_DOWN_MS: DurationMs = DOWN_MS[1] + 3 * RETRY_START_MS;
const PERSON_EVERY_MS = 10 * MINUTE;

interface RestartsState extends RestartsParts {
  readonly disk: FakedDisk;
  readonly downtime: RandomStream;
  readonly power: RandomStream;
  readonly jitter: RandomStream;
  /** The last acknowledged record. */
  lastWords: { readonly seq: number; readonly wall: EpochMs };
  /** The hashes of every acknowledged record, and of the last ones about to be written. */
  readonly hashes: Map<number, string>;
  bot: BotProcess | null;
  count: number;
  nextDown: DurationMs;
  awayUntil: EpochMs;
  leftUntil: EpochMs;
  poweredOff: boolean;
  backup: ReadonlyMap<string, Uint8Array> | null;
  latched: { reason: string; at: EpochMs } | null;
  /** A person's decisions for the next process. */
  decided: { readonly resume: readonly string[]; readonly acceptDifferences?: boolean };
  isToldToAccept: boolean;
  rearmedAt: EpochMs;
}

export function createRestarts(parts: RestartsParts): Restarts {
  const { seed } = parts.plan;
  const restarts: RestartsState = {
    ...parts,
    disk: createDisk(),
    downtime: randomStream(seed, 'downtime'),
    power: randomStream(seed, 'power'),
    jitter: randomStream(seed, 'jitter'),
    lastWords: { seq: 0, wall: 0 },
    hashes: new Map(),
    bot: null,
    count: 0,
    nextDown: SECOND,
    awayUntil: 0,
    leftUntil: 0,
    poweredOff: false,
    backup: null,
    latched: null,
    decided: { resume: [] },
    isToldToAccept: false,
    rearmedAt: 0,
  };
  return {
    disk: restarts.disk,
    now: () => restarts.bot,
    count: () => restarts.count,
    begin: () => begin(restarts),
    staysDown: (ms) => {
      restarts.awayUntil = Math.max(restarts.awayUntil, restarts.context.now() + ms);
    },
    leaveDown: (ms) => {
      restarts.leftUntil = restarts.context.now() + ms;
    },
    damage: () => damage(restarts),
    latch: () => restarts.latched,
    isToldToAccept: () => restarts.isToldToAccept,
    aheadUntil: () => aheadUntil(restarts),
    rearm: () => rearm(restarts),
    keptDownUntil() {
      if (restarts.guard === null) return 0;
      return isLatchedDown(restarts) ? restarts.context.now() : restarts.rearmedAt;
    },
    setLatch: (reason) => setLatch(restarts, reason),
    lookedAfter: () => lookedAfter(restarts),
    disarm() {
      restarts.bot?.disarm();
      restarts.disk.failNext(null);
      restarts.disk.cutPowerAt(Number.POSITIVE_INFINITY);
    },
  };
}

function damage(restarts: RestartsState): void {
  restarts.backup = restarts.disk.backup();
  const bits = 8 * (restarts.backup.get(LOG_FILE)?.length ?? 0);
  restarts.disk.flipBit(LOG_FILE, Math.floor(uniform(restarts.power) * bits));
}

function acknowledged(restarts: RestartsState, record: JournalRecord): void {
  restarts.lastWords = { seq: record.seq, wall: record.wall };
  restarts.hashes.set(record.seq, record.hash);
  restarts.onRecord(record);
}

/** P1: every acknowledged record is there; any beyond are from the append that the power cut interrupted. */
function found(restarts: RestartsState, records: readonly JournalRecord[]): void {
  const { context } = restarts;
  if (restarts.backup !== null) context.violated('P4', 'A journal with a flipped bit was opened.');
  const last = records.at(-1)?.seq ?? 0;
  if (last < restarts.lastWords.seq)
    context.violated('P1', `Record ${restarts.lastWords.seq} was acknowledged, and ${last} is the last one found.`);
  const other = records.find(({ seq, hash }) => restarts.hashes.get(seq) !== hash);
  if (other) context.violated('P1', `Record ${other.seq} (${other.type}) is not the one that was written.`);
  for (const record of records) if (record.seq > restarts.lastWords.seq) acknowledged(restarts, record);
}

function begin(restarts: RestartsState): void {
  const { context } = restarts;
  if (restarts.isDone() || (restarts.bot !== null && !restarts.bot.isOver())) return;
  // Like production's start; re-arming starts it later.
  if (isLatchedDown(restarts) && context.phase() !== 'afterward')
    return restarts.traced('* a start is refused: the kill latch is set');
  const away = Math.max(restarts.awayUntil, restarts.leftUntil) - context.now();
  if (away > 0) return void restarts.sleep(away).then(() => begin(restarts));
  if (restarts.poweredOff) restarts.disk.restart(({ length }) => Math.floor(uniform(restarts.power) * (length + 1)));
  restarts.poweredOff = false;
  if (restarts.count > 0) countRestart(restarts);
  restarts.count += 1;
  restarts.configure();
  restarts.traced(`* life ${restarts.count} begins on ${restarts.lastWords.seq} records`);
  const settings = {
    ...restarts.settings(restarts.count),
    ...restarts.decided,
    resume: restarts.decided.resume.flatMap((symbol) => resumed(restarts, symbol)),
  };
  const isTold = restarts.decided.acceptDifferences === true;
  restarts.decided = { resume: [] };
  restarts.bot = startBotProcess({
    guard: restarts.guard?.guard(restarts.count) ?? null,
    settings,
    clock: restarts.clock,
    random: { next: () => uniform(restarts.jitter) },
    killLatch: { reason: () => restarts.latched?.reason ?? null, set: (reason) => setLatch(restarts, reason) },
    disk: restarts.disk,
    transport: restarts.transport,
    onFound: (records) => {
      // The previous process wrote the records beyond the last acknowledged one.
      found(restarts, records);
      restarts.isToldToAccept = isTold;
    },
    onAttempt: (records) => {
      for (const { seq, hash } of records) restarts.hashes.set(seq, hash);
    },
    onRecord: (record) => acknowledged(restarts, record),
    onUpkeep: context.counters.add,
    onNotice: restarts.onNotice,
    onEnd: (why) => ended(restarts, why),
    powerGoesAt: () => 1 + pick(restarts.power, 2),
  });
}

function setLatch(restarts: RestartsState, reason: string): void {
  restarts.latched ??= { reason, at: restarts.context.now() };
}

function countRestart(restarts: RestartsState): void {
  const { context } = restarts;
  context.counters.add('restart');
  const open = [...restarts.context.journal.live.values()].some(({ state }) => state === 'sent' || state === 'unknown');
  if (open) context.counters.add('restart with an unknown create');
  if (context.oracle.live().length > 0) context.counters.add('restart with open orders');
}

function ended(restarts: RestartsState, why: ProcessEnd): void {
  const { context } = restarts;
  restarts.traced(`* life ${restarts.count} ends: ${why.kind}${why.kind === 'refused' ? ` (${why.sentence})` : ''}`);
  context.counters.add(`end ${why.kind}`);
  if (why.kind === 'bug') {
    context.violated('BUG', wordsOf(why.error));
    return restarts.onBug();
  }
  restarts.guard?.processEnded(why);
  for (const checker of restarts.checkers) checker.crashed?.(context);
  restarts.poweredOff = why.kind === 'crashed' && why.at === 'power';
  const wait = why.kind === 'refused' ? RETRY_START_MS : restarts.nextDown;
  if (why.kind === 'refused' && restarts.backup === null) needless(restarts, why.sentence);
  if (why.kind === 'refused' && /set the clock/.test(why.sentence)) restarts.clockSet();
  if (why.kind === 'refused' && restarts.backup !== null) {
    restarts.disk.restore(restarts.backup);
    restarts.backup = null;
    context.counters.add('damaged journal refused');
  }
  restarts.nextDown = Math.ceil(DOWN_MS[0] * (DOWN_MS[1] / DOWN_MS[0]) ** uniform(restarts.downtime));
  void restarts.sleep(wait).then(() => begin(restarts));
}

const isLatchedDown = (restarts: RestartsState): boolean => restarts.guard !== null && restarts.latched !== null;

const aheadUntil = (restarts: RestartsState): EpochMs =>
  restarts.lastWords.wall - LONGEST_AHEAD - restarts.context.clockError();

/** P2, L1: nothing was wrong that requires a refusal. */
function needless(restarts: RestartsState, sentence: string): void {
  const { context } = restarts;
  if (/damaged/.test(sentence))
    return context.violated('P2', `The bot refuses the journal that it wrote itself: ${sentence}`);
  const isAhead = /set the clock/.test(sentence) && context.now() < aheadUntil(restarts);
  // A write failure planned for the previous process.
  const isOfTheDisk = /The disk says EIO/.test(sentence) && context.phase() === 'chaos';
  if (!isAhead && !isOfTheDisk) context.violated('L1', `A start was refused: ${sentence}`);
}

/**
 * A person who was called removes the orders that the bot can't attribute, and restarts the bot with halted symbols
 * resumed and the differences accepted as the owner's own.
 */
function personActs(restarts: RestartsState): void {
  const { context } = restarts;
  const toResume = [...context.journal.halts.keys()].filter(
    (symbol) => resumed(restarts, symbol).length > 0 && !isUnwinding(context, symbol),
  );
  const called = toResume.length > 0 || context.journal.differences.size > 0 || restarts.latched !== null;
  if (!called || restarts.bot === null || restarts.bot.isOver() || restarts.guard?.isActing() === true) return;
  context.counters.add('person acted');
  restarts.traced('* a person acts');
  for (const { orderId, maker } of context.oracle.live()) {
    const intent =
      context.journal.byOrder.get(orderId) ??
      (maker.kind === 'bot' ? context.journal.intents.get(maker.intentId) : undefined);
    const isKnown = intent !== undefined && intent.state !== 'closed' && (intent.orderId ?? orderId) === orderId;
    if (!isKnown)
      applyOwnerAction(context.exchange(), { kind: 'cancel-order', account: context.account, orderId }, context.now());
  }
  restarts.latched = null;
  restarts.rearmedAt = context.now();
  restarts.decided = { resume: toResume, acceptDifferences: context.journal.differences.size > 0 };
  restarts.bot.crashAt('now');
}

/** A person lets a market go back to its target. */
const isUnwinding = (context: CheckContext, symbol: string): boolean =>
  context.settings.runs.some((run) => run.instrument.symbol === symbol && mustUnwind(context, run));

/**
 * A person who is told of a jump checks the market and states its price, and leaves the symbol halted while its prices
 * are absurd.
 */
function resumed(restarts: RestartsState, symbol: string): readonly Resumed[] {
  if (restarts.context.journal.halts.get(symbol)?.code !== 'price') return [{ symbol, price: null }];
  const price = restarts.truePrice(symbol);
  return price === null ? [] : [{ symbol, price }];
}

function lookedAfter(restarts: RestartsState): void {
  void restarts.sleep(PERSON_EVERY_MS).then(() => {
    if (restarts.isDone() || restarts.context.phase() !== 'chaos') return;
    personActs(restarts);
    lookedAfter(restarts);
  });
}

function rearm(restarts: RestartsState): void {
  const wasLatched = restarts.latched !== null;
  restarts.latched = null;
  restarts.rearmedAt = restarts.context.now();
  restarts.leftUntil = 0;
  if (restarts.bot !== null && !restarts.bot.isOver()) {
    if (wasLatched) restarts.bot.crashAt('now');
  } else void restarts.sleep(SECOND).then(() => begin(restarts));
}

function wordsOf(error: unknown): string {
  return error instanceof Error ? (error.stack ?? error.message).split('\n').slice(0, 4).join(' | ') : String(error);
}
