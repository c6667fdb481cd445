// The lives of the bot one after another, on one disk: what ends them, how long it stays down, and the person who looks
// after it.
import { pick, randomStream, uniform } from '../../src/crowd/random.ts';
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

export function createLives(parts: LivesParts): Lives {
  const { plan, scene, traced } = parts;
  const { claims, oracle, counters } = scene;
  const disk = createDisk();
  const downtime = randomStream(plan.seed, 'downtime');
  const power = randomStream(plan.seed, 'power');
  const jitter = randomStream(plan.seed, 'jitter');
  const lastWords = { seq: 0, wall: 0 };
  /** The hash of every record that was acknowledged, and of the last ones that were to be written. */
  const hashes = new Map<number, string>();
  let life: Life | null = null;
  let count = 0;
  let nextDown: DurationMs = SECOND;
  let awayUntil: EpochMs = 0;
  let leftUntil: EpochMs = 0;
  let poweredOff = false;
  let backup: ReadonlyMap<string, Uint8Array> | null = null;
  let latched: { reason: string; at: EpochMs } | null = null;
  /** What a person has decided, for the next life. */
  let decided: { readonly resume: readonly string[]; readonly acceptDifferences?: boolean } = { resume: [] };

  let isToldToAccept = false;
  let rearmedAt: EpochMs = 0;

  function acknowledged(record: JournalRecord): void {
    Object.assign(lastWords, { seq: record.seq, wall: record.wall });
    hashes.set(record.seq, record.hash);
    parts.onRecord(record);
  }

  /** P1: everything acknowledged is there; what is there beyond it is the append that the power cut off. */
  function found(records: readonly JournalRecord[]): void {
    if (backup !== null) scene.violated('P4', 'A journal with a flipped bit was opened.');
    const last = records.at(-1)?.seq ?? 0;
    if (last < lastWords.seq)
      scene.violated('P1', `Record ${lastWords.seq} was acknowledged, and ${last} is the last one found.`);
    const other = records.find(({ seq, hash }) => hashes.get(seq) !== hash);
    if (other) scene.violated('P1', `Record ${other.seq} (${other.type}) is not the one that was written.`);
    for (const record of records) if (record.seq > lastWords.seq) acknowledged(record);
  }

  function begin(): void {
    if (parts.isDone() || (life !== null && !life.isOver())) return;
    // As production's start does; whoever re-arms starts it.
    if (isLatchedDown() && scene.phase() !== 'afterwards') return traced('* a start is refused: the kill latch is set');
    const away = Math.max(awayUntil, leftUntil) - scene.now();
    if (away > 0) return void parts.sleep(away).then(begin);
    if (poweredOff) disk.restart(({ length }) => Math.floor(uniform(power) * (length + 1)));
    poweredOff = false;
    if (count > 0) countRestart();
    count += 1;
    traced(`* life ${count} begins on ${lastWords.seq} records`);
    const settings = { ...parts.settings(count), ...decided, resume: decided.resume.flatMap(resumed) };
    const isTold = decided.acceptDifferences === true;
    decided = { resume: [] };
    life = startLife({
      guard: parts.guard?.guard(count) ?? null,
      settings,
      clock: parts.clock,
      random: { next: () => uniform(jitter) },
      killLatch: { reason: () => latched?.reason ?? null, set: setLatch },
      disk,
      transport: parts.transport,
      onFound: (records) => {
        // What is found beyond the last acknowledged record, the life before wrote (seed 9340).
        found(records);
        isToldToAccept = isTold;
      },
      onAttempt: (records) => {
        for (const { seq, hash } of records) hashes.set(seq, hash);
      },
      onRecord: acknowledged,
      onUpkeep: counters.add,
      onNotice: parts.onNotice,
      onEnd: ended,
      powerGoesAt: () => 1 + pick(power, 2),
    });
  }

  function setLatch(reason: string): void {
    latched ??= { reason, at: scene.now() };
  }

  function countRestart(): void {
    counters.add('restart');
    const open = [...claims.live.values()].some(({ state }) => state === 'sent' || state === 'unknown');
    if (open) counters.add('restart with an unknown create');
    if (oracle.live().length > 0) counters.add('restart with open orders');
  }

  function ended(why: LifeEnd): void {
    traced(`* life ${count} ends: ${why.kind}${why.kind === 'refused' ? ` (${why.sentence})` : ''}`);
    counters.add(`end ${why.kind}`);
    if (why.kind === 'bug') {
      scene.violated('BUG', wordsOf(why.error));
      return parts.onBug();
    }
    parts.guard?.lifeEnded(why);
    for (const checker of parts.checkers) checker.crashed?.(scene);
    poweredOff = why.kind === 'crashed' && why.at === 'power';
    const wait = why.kind === 'refused' ? RETRY_START_MS : nextDown;
    if (why.kind === 'refused' && backup === null) needless(why.sentence);
    if (why.kind === 'refused' && /set the clock/.test(why.sentence)) parts.clockSet();
    if (why.kind === 'refused' && backup !== null) {
      disk.restore(backup);
      backup = null;
      counters.add('damaged journal refused');
    }
    nextDown = Math.ceil(DOWN_MS[0] * (DOWN_MS[1] / DOWN_MS[0]) ** uniform(downtime));
    void parts.sleep(wait).then(begin);
  }

  const isLatchedDown = (): boolean => parts.guard !== null && latched !== null;

  const aheadUntil = (): EpochMs => lastWords.wall - LONGEST_AHEAD - scene.clockError();

  /** P2, L1: nothing was wrong that a start must refuse. */
  function needless(sentence: string): void {
    if (/damaged/.test(sentence))
      return scene.violated('P2', `The bot refuses the journal that it wrote itself: ${sentence}`);
    const isAhead = /set the clock/.test(sentence) && scene.now() < aheadUntil();
    // A write that was to fail in the life before.
    const isOfTheDisk = /The disk says EIO/.test(sentence) && scene.phase() === 'chaos';
    if (!isAhead && !isOfTheDisk) scene.violated('L1', `A start was refused: ${sentence}`);
  }

  /**
   * A person who was called takes away the orders that the bot does not know for its own, and starts the bot again with
   * what is halted resumed and the differences taken for his own doing.
   */
  function personActs(): void {
    const toResume = [...claims.halts.keys()].filter((symbol) => resumed(symbol).length > 0);
    // Told by a page of its own, whatever a symbol was halted for before (seed 5293).
    const isSetAside = claims.suspense.size > 0;
    const called = toResume.length > 0 || claims.differences.size > 0 || isSetAside || latched !== null;
    if (!called || life === null || life.isOver() || parts.guard?.isActing() === true) return;
    counters.add('person acted');
    traced('* a person acts');
    for (const { orderId, maker } of oracle.live()) {
      const claim =
        claims.byOrder.get(orderId) ?? (maker.kind === 'bot' ? claims.intents.get(maker.intentId) : undefined);
      const isKnown = claim !== undefined && claim.state !== 'closed' && (claim.orderId ?? orderId) === orderId;
      if (!isKnown)
        applyOwnerAction(scene.exchange(), { kind: 'cancel-order', account: scene.account, orderId }, scene.now());
    }
    latched = null;
    rearmedAt = scene.now();
    decided = { resume: toResume, acceptDifferences: isSetAside || claims.differences.size > 0 };
    life.crashAt('now');
  }

  /**
   * A person who is told of a jump looks at the market and says its price, and leaves the symbol halted while its
   * prices are absurd.
   */
  function resumed(symbol: string): readonly Resumed[] {
    if (claims.halts.get(symbol)?.code !== 'price-jump') return [{ symbol, price: null }];
    const price = parts.truePrice(symbol);
    return price === null ? [] : [{ symbol, price }];
  }

  function lookedAfter(): void {
    void parts.sleep(PERSON_EVERY_MS).then(() => {
      if (parts.isDone() || scene.phase() !== 'chaos') return;
      personActs();
      lookedAfter();
    });
  }

  return {
    disk,
    now: () => life,
    count: () => count,
    begin,
    staysDown: (ms) => {
      awayUntil = Math.max(awayUntil, scene.now() + ms);
    },
    leaveDown: (ms) => {
      leftUntil = scene.now() + ms;
    },
    damage() {
      backup = disk.backup();
      const bits = 8 * (backup.get(LOG_FILE)?.length ?? 0);
      disk.flipBit(LOG_FILE, Math.floor(uniform(power) * bits));
    },
    latch: () => latched,
    isToldToAccept: () => isToldToAccept,
    aheadUntil,
    rearm() {
      const wasLatched = latched !== null;
      latched = null;
      rearmedAt = scene.now();
      leftUntil = 0;
      if (life !== null && !life.isOver()) {
        if (wasLatched) life.crashAt('now');
      } else void parts.sleep(SECOND).then(begin);
    },
    keptDownUntil() {
      if (parts.guard === null) return 0;
      return isLatchedDown() ? scene.now() : rearmedAt;
    },
    setLatch,
    lookedAfter,
    disarm() {
      life?.disarm();
      disk.failNext(null);
      disk.cutPowerAt(Number.POSITIVE_INFINITY);
    },
  };
}

function wordsOf(error: unknown): string {
  return error instanceof Error ? (error.stack ?? error.message).split('\n').slice(0, 4).join(' | ') : String(error);
}
