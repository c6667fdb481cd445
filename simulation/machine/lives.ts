// The lives of the bot one after another, on one disk: what ends them, how long it stays down, and the person who looks
// after it.
import { pick, type RandomStream, randomStream, uniform } from '../../src/crowd/random.ts';
import type { Decimal } from '../../src/domain/decimal.ts';
import { type DurationMs, type EpochMs, MINUTE, SECOND } from '../../src/domain/time.ts';
import { LONGEST_AHEAD } from '../../src/journal/open-journal.ts';
import type { TradingSettings } from '../../src/loop/start-trading.ts';
import { applyOwnerAction } from '../../src/paper/owner/owner-action.ts';
import type { Clock } from '../../src/ports/clock.ts';
import type { JournalRecord } from '../../src/ports/journal-storage.ts';
import type { Transport } from '../../src/ports/transport.ts';
import type { Notice } from '../../src/trader/fold/turn.ts';
import type { Resumed } from '../../src/trader/observe/recover.ts';
import type { Checker, Scene } from '../checks/scene.ts';
import type { Plan } from '../plan/plan.ts';
import { type Life, type LifeEnd, type LifeGuard, startLife } from './life.ts';
import { createDisk, type FakedDisk } from './storage-disk.ts';
import { LOG_FILE } from './storage-log.ts';

/** What stands beside the lives of a bot that is watched. */
export interface LivesGuard {
  guard(life: number): LifeGuard;
  lifeEnded(why: LifeEnd): void;
  /** Somebody cancels the bot's orders: no person re-arms it meanwhile. */
  isActing(): boolean;
}

export interface LivesParts {
  /** Null where nobody watches. */
  readonly guard: LivesGuard | null;
  readonly plan: Plan;
  readonly scene: Scene;
  /** Of each life; 1 is the first. */
  readonly settings: (life: number) => TradingSettings;
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
  /** What the exchange shows for the middle of its book; null while that is not the truth, or a side is empty. */
  readonly truePrice: (symbol: string) => Decimal | null;
}

export interface Lives {
  readonly disk: FakedDisk;
  now(): Life | null;
  count(): number;
  begin(): void;
  /** Nothing starts the bot for so long. */
  staysDown(ms: DurationMs): void;
  /** The same, until a person comes. */
  leaveDown(ms: DurationMs): void;
  /** A bit of what is durable flips while the bot is down. */
  damage(): void;
  /** Why the kill latch is set, and since when; null while it is not. */
  latch(): { readonly reason: string; readonly at: EpochMs } | null;
  /** A person takes the latch off and starts the bot, unless it is away for long. */
  rearm(): void;
  /** Until when the latch kept a watched bot down: now while it is set. */
  keptDownUntil(): EpochMs;
  /**
   * Until then a start must refuse: a clock that ran ahead was set right, and the journal's last record is later than
   * now (F103).
   */
  aheadUntil(): EpochMs;
  setLatch(reason: string): void;
  /** Whether a person told the life that writes to take differences for his own doing. */
  isToldToAccept(): boolean;
  /** A person comes now and then from now on, as long as faults happen. */
  lookedAfter(): void;
  /** The faults are over: what was still to befall the present life, or its disk, does not. */
  disarm(): void;
}

const DOWN_MS: readonly [DurationMs, DurationMs] = [SECOND, 5 * MINUTE];
const RETRY_START_MS = MINUTE;
/**
 * A start may be refused for a clock that is wrong, a journal that is damaged, and a disk that fails: each once, and a
 * person sets it right.
 */
export const LONGEST_DOWN_MS: DurationMs = DOWN_MS[1] + 3 * RETRY_START_MS;
const PERSON_EVERY_MS = 10 * MINUTE;

interface LivesState extends LivesParts {
  readonly disk: FakedDisk;
  readonly downtime: RandomStream;
  readonly power: RandomStream;
  readonly jitter: RandomStream;
  /** Of the last record that was acknowledged. */
  lastWords: { readonly seq: number; readonly wall: EpochMs };
  /** The hash of every record that was acknowledged, and of the last ones that were to be written. */
  readonly hashes: Map<number, string>;
  life: Life | null;
  count: number;
  nextDown: DurationMs;
  awayUntil: EpochMs;
  leftUntil: EpochMs;
  poweredOff: boolean;
  backup: ReadonlyMap<string, Uint8Array> | null;
  latched: { reason: string; at: EpochMs } | null;
  /** What a person has decided, for the next life. */
  decided: { readonly resume: readonly string[]; readonly acceptDifferences?: boolean };
  isToldToAccept: boolean;
  rearmedAt: EpochMs;
}

export function createLives(parts: LivesParts): Lives {
  const { seed } = parts.plan;
  const lives: LivesState = {
    ...parts,
    disk: createDisk(),
    downtime: randomStream(seed, 'downtime'),
    power: randomStream(seed, 'power'),
    jitter: randomStream(seed, 'jitter'),
    lastWords: { seq: 0, wall: 0 },
    hashes: new Map(),
    life: null,
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
    disk: lives.disk,
    now: () => lives.life,
    count: () => lives.count,
    begin: () => begin(lives),
    staysDown: (ms) => {
      lives.awayUntil = Math.max(lives.awayUntil, lives.scene.now() + ms);
    },
    leaveDown: (ms) => {
      lives.leftUntil = lives.scene.now() + ms;
    },
    damage: () => damage(lives),
    latch: () => lives.latched,
    isToldToAccept: () => lives.isToldToAccept,
    aheadUntil: () => aheadUntil(lives),
    rearm: () => rearm(lives),
    keptDownUntil() {
      if (lives.guard === null) return 0;
      return isLatchedDown(lives) ? lives.scene.now() : lives.rearmedAt;
    },
    setLatch: (reason) => setLatch(lives, reason),
    lookedAfter: () => lookedAfter(lives),
    disarm() {
      lives.life?.disarm();
      lives.disk.failNext(null);
      lives.disk.cutPowerAt(Number.POSITIVE_INFINITY);
    },
  };
}

function damage(lives: LivesState): void {
  lives.backup = lives.disk.backup();
  const bits = 8 * (lives.backup.get(LOG_FILE)?.length ?? 0);
  lives.disk.flipBit(LOG_FILE, Math.floor(uniform(lives.power) * bits));
}

function acknowledged(lives: LivesState, record: JournalRecord): void {
  lives.lastWords = { seq: record.seq, wall: record.wall };
  lives.hashes.set(record.seq, record.hash);
  lives.onRecord(record);
}

/** P1: everything acknowledged is there; what is there beyond it is the append that the power cut off. */
function found(lives: LivesState, records: readonly JournalRecord[]): void {
  const { scene } = lives;
  if (lives.backup !== null) scene.violated('P4', 'A journal with a flipped bit was opened.');
  const last = records.at(-1)?.seq ?? 0;
  if (last < lives.lastWords.seq)
    scene.violated('P1', `Record ${lives.lastWords.seq} was acknowledged, and ${last} is the last one found.`);
  const other = records.find(({ seq, hash }) => lives.hashes.get(seq) !== hash);
  if (other) scene.violated('P1', `Record ${other.seq} (${other.type}) is not the one that was written.`);
  for (const record of records) if (record.seq > lives.lastWords.seq) acknowledged(lives, record);
}

function begin(lives: LivesState): void {
  const { scene } = lives;
  if (lives.isDone() || (lives.life !== null && !lives.life.isOver())) return;
  // As production's start does; whoever re-arms starts it.
  if (isLatchedDown(lives) && scene.phase() !== 'afterwards')
    return lives.traced('* a start is refused: the kill latch is set');
  const away = Math.max(lives.awayUntil, lives.leftUntil) - scene.now();
  if (away > 0) return void lives.sleep(away).then(() => begin(lives));
  if (lives.poweredOff) lives.disk.restart(({ length }) => Math.floor(uniform(lives.power) * (length + 1)));
  lives.poweredOff = false;
  if (lives.count > 0) countRestart(lives);
  lives.count += 1;
  lives.traced(`* life ${lives.count} begins on ${lives.lastWords.seq} records`);
  const settings = {
    ...lives.settings(lives.count),
    ...lives.decided,
    resume: lives.decided.resume.flatMap((symbol) => resumed(lives, symbol)),
  };
  const isTold = lives.decided.acceptDifferences === true;
  lives.decided = { resume: [] };
  lives.life = startLife({
    guard: lives.guard?.guard(lives.count) ?? null,
    settings,
    clock: lives.clock,
    random: { next: () => uniform(lives.jitter) },
    killLatch: { reason: () => lives.latched?.reason ?? null, set: (reason) => setLatch(lives, reason) },
    disk: lives.disk,
    transport: lives.transport,
    onFound: (records) => {
      // What is found beyond the last acknowledged record, the life before wrote (seed 9340).
      found(lives, records);
      lives.isToldToAccept = isTold;
    },
    onAttempt: (records) => {
      for (const { seq, hash } of records) lives.hashes.set(seq, hash);
    },
    onRecord: (record) => acknowledged(lives, record),
    onUpkeep: scene.counters.add,
    onNotice: lives.onNotice,
    onEnd: (why) => ended(lives, why),
    powerGoesAt: () => 1 + pick(lives.power, 2),
  });
}

function setLatch(lives: LivesState, reason: string): void {
  lives.latched ??= { reason, at: lives.scene.now() };
}

function countRestart(lives: LivesState): void {
  const { scene } = lives;
  scene.counters.add('restart');
  const open = [...lives.scene.claims.live.values()].some(({ state }) => state === 'sent' || state === 'unknown');
  if (open) scene.counters.add('restart with an unknown create');
  if (scene.oracle.live().length > 0) scene.counters.add('restart with open orders');
}

function ended(lives: LivesState, why: LifeEnd): void {
  const { scene } = lives;
  lives.traced(`* life ${lives.count} ends: ${why.kind}${why.kind === 'refused' ? ` (${why.sentence})` : ''}`);
  scene.counters.add(`end ${why.kind}`);
  if (why.kind === 'bug') {
    scene.violated('BUG', wordsOf(why.error));
    return lives.onBug();
  }
  lives.guard?.lifeEnded(why);
  for (const checker of lives.checkers) checker.crashed?.(scene);
  lives.poweredOff = why.kind === 'crashed' && why.at === 'power';
  const wait = why.kind === 'refused' ? RETRY_START_MS : lives.nextDown;
  if (why.kind === 'refused' && lives.backup === null) needless(lives, why.sentence);
  if (why.kind === 'refused' && /set the clock/.test(why.sentence)) lives.clockSet();
  if (why.kind === 'refused' && lives.backup !== null) {
    lives.disk.restore(lives.backup);
    lives.backup = null;
    scene.counters.add('damaged journal refused');
  }
  lives.nextDown = Math.ceil(DOWN_MS[0] * (DOWN_MS[1] / DOWN_MS[0]) ** uniform(lives.downtime));
  void lives.sleep(wait).then(() => begin(lives));
}

const isLatchedDown = (lives: LivesState): boolean => lives.guard !== null && lives.latched !== null;

const aheadUntil = (lives: LivesState): EpochMs => lives.lastWords.wall - LONGEST_AHEAD - lives.scene.clockError();

/** P2, L1: nothing was wrong that a start must refuse. */
function needless(lives: LivesState, sentence: string): void {
  const { scene } = lives;
  if (/damaged/.test(sentence))
    return scene.violated('P2', `The bot refuses the journal that it wrote itself: ${sentence}`);
  const isAhead = /set the clock/.test(sentence) && scene.now() < aheadUntil(lives);
  // A write that was to fail in the life before.
  const isOfTheDisk = /The disk says EIO/.test(sentence) && scene.phase() === 'chaos';
  if (!isAhead && !isOfTheDisk) scene.violated('L1', `A start was refused: ${sentence}`);
}

/**
 * A person who was called takes away the orders that the bot does not know for its own, and starts the bot again with
 * what is halted resumed and the differences taken for his own doing.
 */
function personActs(lives: LivesState): void {
  const { scene } = lives;
  const toResume = [...lives.scene.claims.halts.keys()].filter((symbol) => resumed(lives, symbol).length > 0);
  // Told by a page of its own, whatever a symbol was halted for before (seed 5293).
  const isSetAside = scene.claims.suspense.size > 0;
  const called = toResume.length > 0 || scene.claims.differences.size > 0 || isSetAside || lives.latched !== null;
  if (!called || lives.life === null || lives.life.isOver() || lives.guard?.isActing() === true) return;
  scene.counters.add('person acted');
  lives.traced('* a person acts');
  for (const { orderId, maker } of scene.oracle.live()) {
    const claim =
      scene.claims.byOrder.get(orderId) ??
      (maker.kind === 'bot' ? scene.claims.intents.get(maker.intentId) : undefined);
    const isKnown = claim !== undefined && claim.state !== 'closed' && (claim.orderId ?? orderId) === orderId;
    if (!isKnown)
      applyOwnerAction(scene.exchange(), { kind: 'cancel-order', account: scene.account, orderId }, scene.now());
  }
  lives.latched = null;
  lives.rearmedAt = scene.now();
  lives.decided = { resume: toResume, acceptDifferences: isSetAside || scene.claims.differences.size > 0 };
  lives.life.crashAt('now');
}

/**
 * A person who is told of a jump looks at the market and says its price, and leaves the symbol halted while its
 * prices are absurd.
 */
function resumed(lives: LivesState, symbol: string): readonly Resumed[] {
  if (lives.scene.claims.halts.get(symbol)?.code !== 'price-jump') return [{ symbol, price: null }];
  const price = lives.truePrice(symbol);
  return price === null ? [] : [{ symbol, price }];
}

function lookedAfter(lives: LivesState): void {
  void lives.sleep(PERSON_EVERY_MS).then(() => {
    if (lives.isDone() || lives.scene.phase() !== 'chaos') return;
    personActs(lives);
    lookedAfter(lives);
  });
}

function rearm(lives: LivesState): void {
  const wasLatched = lives.latched !== null;
  lives.latched = null;
  lives.rearmedAt = lives.scene.now();
  lives.leftUntil = 0;
  if (lives.life !== null && !lives.life.isOver()) {
    if (wasLatched) lives.life.crashAt('now');
  } else void lives.sleep(SECOND).then(() => begin(lives));
}

function wordsOf(error: unknown): string {
  return error instanceof Error ? (error.stack ?? error.message).split('\n').slice(0, 4).join(' | ') : String(error);
}
