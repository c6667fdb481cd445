// A bot, an exchange and a watchdog in virtual time: everything the watchdog wants done is done to this world, and
// noted.
import { decimal } from '../../../src/domain/decimal.ts';
import { orderId } from '../../../src/domain/ids.ts';
import type { OpenOrder } from '../../../src/domain/order.ts';
import type { Lease, LeaseContact, LeasePace } from '../../../src/ports/lease.ts';
import type { AnswerFacts, CancelOutcome, Completed } from '../../../src/venue/outcomes.ts';
import { noOrders, type OwnCreate, type OwnOrders, take } from '../../../src/watchdog/own-orders.ts';
import type { SweepRequest } from '../../../src/watchdog/sweep.ts';
import { apply, startWatch } from '../../../src/watchdog/watch.ts';
import type {
  BotSight,
  Rearmed,
  WatchEffect,
  WatchInput,
  WatchSettings,
  WatchState,
} from '../../../src/watchdog/watch-state.ts';
import { refused as refusedAs } from '../refused.ts';
import { stepsAtMost } from '../steps-at-most.ts';
import { badlyTold } from '../told.ts';

export const SETTINGS: WatchSettings = {
  ttlMs: 45_000,
  lookEveryMs: 500,
  termGraceMs: 2_000,
  sharesKey: true,
  rearm: 'by-person',
  horizonMs: 14_000,
  giveUpMs: 3_600_000,
  sweep: {
    whose: 'own',
    symbols: ['BTC/INR', 'ETH/INR'],
    intervalMs: 250,
    maxInFlight: 2,
    gentleMs: 10_000,
    readLagBoundMs: 30_000,
    match: { earlierMs: 33_000, laterMs: 17_000 },
  },
};

const WALL = 1_800_000_000_000;
const ROUND_TRIP_MS = 100;
const LEVELS = ['info', 'warn', 'error'];

export interface RestingOrder {
  readonly row: OpenOrder;
  /** When it reached the book; lists show it `listLagMs` later. */
  readonly since: number;
}

export function order(id: string, changes: Partial<OpenOrder> = {}): OpenOrder {
  return {
    symbol: 'BTC/INR',
    orderId: orderId(id),
    side: 'buy',
    type: 'limit',
    price: decimal('5000000'),
    originalQuantity: decimal('0.01'),
    executedQuantity: decimal('0'),
    remainingQuantity: decimal('0.01'),
    status: 'NEW',
    venueTime: WALL,
    ...changes,
  };
}

export function create(changes: Partial<OwnCreate> = {}): OwnCreate {
  return {
    symbol: 'BTC/INR',
    side: 'buy',
    price: decimal('5000000'),
    quantity: decimal('0.01'),
    timestamp: WALL,
    horizon: WALL + 14_000,
    ...changes,
  };
}

/** One line per thing that was done, `<ms> <what>`. */
export type Line = string;

export class WatchWorld {
  readonly settings: WatchSettings;
  now = 0;
  state: WatchState;
  lease: Lease | null = null;
  orders: OwnOrders = noOrders(null);
  damaged: string | null = null;
  latch: string | null = null;
  latchFails = false;
  mayRearm = false;
  /** What comes of a re-arming. */
  /** Of all that was told, in order. */
  readonly levels: string[] = [];
  rearmed: Rearmed = { kind: 'rearmed', today: 1, mostPerDay: 3 };
  /** What the bot says of the exchange with its next sign of life. */
  contact: LeaseContact | null = null;
  pace: LeasePace | null = null;
  bot: BotSight = { process: 'gone', folderHeld: false };
  /** What SIGTERM and SIGKILL do. */
  diesOf: readonly ('SIGTERM' | 'SIGKILL')[] = ['SIGTERM', 'SIGKILL'];
  readonly book = new Map<string, RestingOrder>();
  listLagMs = 0;
  /** Instead of doing it: the outcome and status of a cancel, or null to let it pass. */
  refuse: (
    request: SweepRequest,
    now: number,
  ) => { outcome: CancelOutcome; status: number; retryAfter?: number } | null = () => null;
  /** Rows of a list as they are sent, which may be cut. */
  shown: (rows: OpenOrder[], symbol?: string) => { rows: OpenOrder[]; complete: boolean } = (rows) => ({
    rows,
    complete: true,
  });
  /** Why a list is refused as a request; null for one that is read. */
  unlisted: (symbol?: string) => { code: number; status: number } | null = () => null;
  readonly done: Line[] = [];
  readonly canceled: string[] = [];
  ended: boolean | null = null;
  forgot = false;
  private nextLookAt = 0;
  private readonly pending: { at: number; run: () => void }[] = [];

  constructor(settings: Partial<Omit<WatchSettings, 'sweep'>> & { sweep?: Partial<WatchSettings['sweep']> } = {}) {
    this.settings = { ...SETTINGS, ...settings, sweep: { ...SETTINGS.sweep, ...settings.sweep } };
    this.state = startWatch(this.settings, this.moment());
  }

  get wall(): number {
    return WALL + this.now;
  }

  /** A bot that shows life every five seconds until it is told otherwise. */
  lives(pid = 100): { freeze(): void; release(): void } {
    this.bot = { process: 'running', folderHeld: true };
    let isFrozen = false;
    let seq = (this.lease?.seq ?? 0) + 1;
    const process = { pid, startedAt: `${pid}`, bootId: 'boot' };
    const beat = (): void => {
      if (isFrozen || this.bot.process !== 'running') return;
      seq += 1;
      const { contact, pace } = this;
      this.lease = {
        seq,
        cycles: seq,
        at: this.wall,
        process,
        ended: false,
        ...(contact && { contact }),
        ...(pace && { pace }),
      };
      this.at(5_000, beat);
    };
    beat();
    return {
      freeze: () => {
        isFrozen = true;
      },
      release: () => {
        isFrozen = true;
        this.bot = { process: 'gone', folderHeld: false };
        this.lease = { seq: seq + 1, cycles: seq, at: this.wall, process, ended: true };
      },
    };
  }

  /** An order of the bot's, in its file and in the book. */
  rests(id: string, changes: Partial<OpenOrder> = {}): void {
    this.lands(order(id, changes));
    take(this.orders, { kind: 'sent', intentId: `i-${id}`, create: create({ horizon: this.wall + 14_000 }) });
    take(this.orders, { kind: 'named', intentId: `i-${id}`, orderId: orderId(id) });
  }

  dies(): void {
    this.bot = { process: 'gone', folderHeld: false };
  }

  lands(row: OpenOrder): void {
    this.book.set(row.orderId, { row, since: this.now });
  }

  at(inMs: number, run: () => void): void {
    this.pending.push({ at: this.now + inMs, run });
  }

  /** Lets time pass, until `until` or the end of the watchdog. */
  run(forMs: number): void {
    const until = this.now + forMs;
    const step = stepsAtMost(100_000, () => this.done.slice(-9).join(' | '));
    while (this.ended === null) {
      step();
      const next = Math.min(this.nextLookAt, ...this.pending.map(({ at }) => at));
      if (next > until) break;
      this.now = Math.max(this.now, next);
      const index = this.pending.findIndex(({ at }) => at <= this.now);
      const [due] = index < 0 ? [] : this.pending.splice(index, 1);
      if (due) due.run();
      else this.feed({ kind: 'look', lease: this.lease });
    }
    this.now = Math.max(this.now, until);
  }

  /** The machine stands still for so long. */
  suspend(forMs: number): void {
    for (const each of this.pending) each.at += forMs;
    this.now += forMs;
  }

  /** Lets time pass until this was done. */
  runUntil(text: string, everyMs = 500): void {
    const step = stepsAtMost(10_000, () => this.done.join(' | '));
    while (!this.has(text)) {
      step();
      this.run(everyMs);
    }
  }

  has(text: string): boolean {
    return this.done.some((line) => line.includes(text));
  }

  /** When it was done, or NaN. */
  when(text: string): number {
    return Number(this.done.find((line) => line.includes(text))?.split(' ')[0]);
  }

  private moment(): { wall: number; mono: number } {
    return { wall: WALL + this.now, mono: this.now };
  }

  private feed(input: WatchInput): void {
    const turn = apply(this.state, input, this.moment());
    this.state = turn.state;
    this.nextLookAt = Math.max(this.now + 1, turn.wakeAt);
    for (const effect of turn.effects) this.carryOut(effect);
  }

  private carryOut(effect: WatchEffect): void {
    const { kind } = effect;
    if (kind === 'tell') {
      const broken = badlyTold([effect], LEVELS);
      if (broken.length > 0) throw new Error(broken.join(' '));
    }
    if (kind === 'tell') this.levels.push(`${effect.level} ${effect.op}`);
    if (kind === 'tell') this.done.push(`${this.now} tell ${effect.op}: ${effect.message}`);
    else if (kind === 'send') this.done.push(`${this.now} send ${Object.values(effect.request).join(' ')}`);
    else this.done.push(`${this.now} ${Object.values(effect).join(' ')}`);
    switch (kind) {
      case 'gather': {
        const { orders, damaged, latch: latched, mayRearm, bot } = this;
        return this.feed({ kind: 'evidence', evidence: { orders, damaged, latched, mayRearm, bot } });
      }
      case 'latch':
        if (!this.latchFails) this.latch ??= effect.reason;
        return this.feed({ kind: 'latched', failure: this.latchFails ? 'The disk is full.' : null });
      case 'look-at-bot':
        return this.feed({ kind: 'bot', bot: this.bot });
      case 'signal':
        if (this.diesOf.includes(effect.signal)) this.at(20, () => this.dies());
        return;
      case 'forget-orders':
        this.forgot = true;
        this.orders = noOrders(null);
        return;
      case 'rearm':
        if (this.rearmed.kind === 'rearmed') this.latch = null;
        return this.feed(this.rearmed);
      case 'leave-to-person':
        this.mayRearm = false;
        return;
      case 'end':
        this.ended = effect.flat;
        return;
      case 'send':
        return this.send(effect.request);
      case 'tell':
        return;
    }
  }

  private send(request: SweepRequest): void {
    const sentAt = this.now;
    let completed: Completed | null = null;
    this.at(ROUND_TRIP_MS / 2, () => {
      completed = this.answer(request, sentAt);
    });
    this.at(ROUND_TRIP_MS, () => {
      if (completed !== null) this.feed({ kind: 'completed', completed, leftAt: sentAt });
    });
  }

  private answer(request: SweepRequest, sentAt: number): Completed {
    const stamp = { timestamp: WALL, recvWindow: 2_500 };
    const facts: AnswerFacts = { sentAt: WALL + sentAt, receivedAt: WALL + sentAt + ROUND_TRIP_MS, status: 200 };
    const refused = this.refuse(request, this.now);
    if (request.kind === 'open-orders') {
      if (refused !== null) {
        const { status, retryAfter } = refused;
        const outcome = { kind: 'throttled', status, retryAt: facts.receivedAt + (retryAfter ?? 1_000) } as const;
        return {
          kind: 'open-orders',
          request: { ...request, stamp },
          outcome,
          facts: { ...facts, status, rateLimit: limit(retryAfter) },
        };
      }
      const unlisted = this.unlisted(request.symbol);
      if (unlisted !== null) {
        const outcome = refusedAs(unlisted.code, { status: unlisted.status, msg: 'Refused.' });
        return {
          kind: 'open-orders',
          request: { ...request, stamp },
          outcome,
          facts: { ...facts, status: unlisted.status },
        };
      }
      const rows = [...this.book.values()]
        .filter(({ row, since }) => this.now - since >= this.listLagMs && (request.symbol ?? row.symbol) === row.symbol)
        .map(({ row }) => row);
      const { rows: seen, complete } = this.shown(rows, request.symbol);
      const read = { rows: seen, complete, sentAt: facts.sentAt, receivedAt: facts.receivedAt };
      return { kind: 'open-orders', request: { ...request, stamp }, outcome: { kind: 'read', read }, facts };
    }
    const done: CancelOutcome = { kind: 'acknowledged', msg: 'ok' };
    if (refused === null) this.cancel(request);
    const outcome = refused?.outcome ?? done;
    const said = refused === null ? facts : { ...facts, status: refused.status, rateLimit: limit(refused.retryAfter) };
    return request.kind === 'cancel'
      ? { kind: 'cancel', request: { ...request, stamp }, outcome, facts: said }
      : { kind: 'cancel-all', request: { ...request, stamp }, outcome, facts: said };
  }

  private cancel(request: Extract<SweepRequest, { kind: 'cancel' | 'cancel-all' }>): void {
    for (const id of request.kind === 'cancel' ? [request.orderId] : [...this.book.keys()]) {
      if (this.book.delete(id)) this.canceled.push(id);
    }
  }
}

const limit = (retryAfter: number | undefined): NonNullable<AnswerFacts['rateLimit']> =>
  retryAfter === undefined ? {} : { retryAfter };

/** A bot with two orders that falls silent. */
export function silentBot(settings: ConstructorParameters<typeof WatchWorld>[0] = {}): WatchWorld {
  const world = new WatchWorld(settings);
  const bot = world.lives();
  world.rests('1-1-1');
  world.rests('1-2-1');
  world.run(20_000);
  bot.freeze();
  return world;
}
