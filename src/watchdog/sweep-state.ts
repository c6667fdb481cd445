// The state of a sweep: the orders to cancel, the progress of each, what the lists showed, and when the next request
// may leave.
import { type LearnedRate, startRate } from '../client/pace/learned-rate.ts';
import type { OrderId } from '../domain/ids.ts';
import type { InstrumentSymbol } from '../domain/instrument.ts';
import type { OpenOrder } from '../domain/order.ts';
import { type DurationMs, MINUTE } from '../domain/time.ts';
import { type Lacked, SHOWN } from '../venue/lacked-twice.ts';
import type { Read } from '../venue/outcomes.ts';
import type { OwnCreate, OwnOrders } from './own-orders.ts';
import type { MatchWindow } from './sweep-match.ts';

export interface SweepSettings {
  /** `own`: the orders in the file, by their names. `account`: all of an account that is the bot's alone. */
  readonly whose: 'own' | 'account';
  /** Symbols whose lists are read one by one where a list of all may be cut. */
  readonly symbols: readonly InstrumentSymbol[];
  /** Between two requests at the configured pace: never less. */
  readonly intervalMs: DurationMs;
  readonly maxInFlight: number;
  /** Pause between two tries while the exchange is in maintenance or refuses the key. */
  readonly gentleMs: DurationMs;
  /** How far a list may trail the book. */
  readonly readLagBoundMs: DurationMs;
  /** The times that an order of a lost create may show. */
  readonly match: MatchWindow;
}

/** One cancel target; each is canceled twice. */
export interface Target {
  /** How many passes its cancel has completed. */
  passes: number;
  /** Tries since that last changed. */
  attempts: number;
  notBefore: DurationMs;
  /** When it was last acknowledged. */
  acknowledgedAt: DurationMs;
  /** Its cancel failed so often that repeating it is useless: it may still rest. */
  isDoubtful: boolean;
}

/** A list that is part of the proof. */
export interface Scope {
  /** Evidence of the clean reads: each lacks everything that may be ours. */
  lacked: Lacked;
  done: boolean;
  notBefore: DurationMs;
}

/** Times are monotonic. Owned linearly: its functions change it in place. */
export interface Sweep {
  readonly settings: SweepSettings;
  /** The symbols of the settings and of each create. */
  readonly symbols: Set<InstrumentSymbol>;
  readonly targets: Map<OrderId, Target>;
  /** Cancel-all, for the whole account; null where orders are canceled by name. */
  readonly account: Target | null;
  /** Creates without a name that no list has shown. */
  unnamed: OwnCreate[];
  /** All creates without a name at first, by intent, including those named since by a list. */
  readonly searched: Map<string, OwnCreate>;
  /** The creates of orders that may be open, by intent. */
  readonly creates: Map<string, OwnCreate>;
  /** Orders that were ours and are closed. */
  readonly closed: Set<OrderId>;
  /** The orders named in the file, used for the whole account where cancel-all does not work. */
  readonly named: Set<OrderId>;
  /** Orders that a person was asked about. */
  readonly questioned: Set<OrderId>;
  pass: 1 | 2;
  /** After it no create can be newly accepted. */
  secondFrom: DurationMs;
  /** When the last cancel of the second pass was acknowledged. */
  secondDoneAt: DurationMs | null;
  /** By symbol, or under `*` for the whole account. */
  readonly scopes: Map<string, Scope>;
  /** Requests in flight, and when each left last: a cancel may be sent again before it is answered. */
  readonly inFlight: Map<string, DurationMs>;
  paceAt: DurationMs;
  /** The share of the configured pace in use, learned from answers. */
  rate: LearnedRate;
  strikes: number;
  /** The current obstacle, one sentence; null without one. */
  trouble: string | null;
  /** Sentences about orders that may or may not be ours. */
  readonly ambiguous: Map<OwnCreate, string>;
  /** Orders without a known owner, and when each was last listed. */
  readonly strangers: Map<OrderId, { readonly row: OpenOrder; readonly sentAt: DurationMs }>;
  canceled: number;
  /** The last list of each scope, and whether it was whole. */
  readonly listed: Map<string, Pick<Read<readonly OpenOrder[]>, 'rows' | 'complete' | 'incompleteBecause'>>;
}

export const WHOLE_ACCOUNT = '*';
/** The exchange's waits are honored up to this: an absurd one must not leave orders unattended. */
export const LONGEST_WAIT_MS: DurationMs = MINUTE;

const freshTarget = (passes: number): Target => ({
  passes,
  attempts: 0,
  notBefore: 0,
  acknowledgedAt: -1,
  isDoubtful: false,
});
export const freshScope = (): Scope => ({ lacked: SHOWN, done: false, notBefore: 0 });

/** `secondFrom`: when the horizon of the last create has passed. */
export function beginSweep(settings: SweepSettings, orders: OwnOrders, secondFrom: DurationMs): Sweep {
  const sweep: Sweep = {
    settings,
    symbols: new Set(settings.symbols),
    targets: new Map(),
    account: settings.whose === 'account' ? freshTarget(0) : null,
    unnamed: [],
    searched: new Map(),
    creates: new Map(),
    closed: new Set(),
    named: new Set(),
    questioned: new Set(),
    pass: 1,
    secondFrom,
    secondDoneAt: null,
    scopes: new Map([[WHOLE_ACCOUNT, freshScope()]]),
    inFlight: new Map(),
    paceAt: 0,
    rate: startRate(0),
    strikes: 0,
    trouble: null,
    ambiguous: new Map(),
    strangers: new Map(),
    canceled: 0,
    listed: new Map(),
  };
  takeOrders(sweep, orders);
  return sweep;
}

/** Takes in the file of own orders, at the beginning and after reading it again. */
export function takeOrders(sweep: Sweep, { open, closed, questioned }: OwnOrders): void {
  for (const { create } of open.values()) if (create !== null) withSymbol(sweep, create.symbol);
  for (const orderId of closed.keys()) sweep.closed.add(orderId);
  if (sweep.settings.whose === 'account') {
    for (const { orderId } of open.values()) if (orderId !== null) sweep.named.add(orderId);
    return;
  }
  for (const orderId of questioned) sweep.questioned.add(orderId);
  for (const [intentId, { create, orderId }] of open) {
    if (create !== null) sweep.creates.set(intentId, create);
    if (orderId !== null) aim(sweep, orderId);
    else if (create !== null && !sweep.searched.has(intentId)) {
      sweep.searched.set(intentId, create);
      sweep.unnamed.push(create);
    }
  }
  // Lists need not be searched for an order that has its name by now, or is closed.
  for (const [intentId, create] of sweep.searched) {
    const now = open.get(intentId);
    if (now !== undefined && now.orderId === null) continue;
    sweep.unnamed = sweep.unnamed.filter((each) => each !== create);
    sweep.ambiguous.delete(create);
  }
}

/** If the lists are read one by one, the symbol's is read as well. */
function withSymbol({ symbols, scopes }: Sweep, symbol: InstrumentSymbol): void {
  symbols.add(symbol);
  if (!scopes.has(WHOLE_ACCOUNT) && !scopes.has(symbol)) scopes.set(symbol, freshScope());
}

/** Adds an order to cancel by name, unless a person was asked whose it is. */
export function aim(sweep: Sweep, orderId: OrderId): void {
  if (sweep.targets.has(orderId) || sweep.questioned.has(orderId)) return;
  sweep.targets.set(orderId, freshTarget(sweep.pass - 1));
  sweep.secondDoneAt = null;
}

/** Between two requests, as learned. */
export const intervalOf = ({ settings, rate }: Sweep): DurationMs => settings.intervalMs / rate.share;

/** Another process with the same key has learned this interval between requests: start there and recover by answers. */
export function beginSlowed(sweep: Sweep, intervalMs: DurationMs): void {
  const share = sweep.settings.intervalMs / Math.max(intervalMs, sweep.settings.intervalMs);
  // The first accepted request tries the own pace.
  sweep.rate = { ...sweep.rate, share, cycleFrom: 0 };
}

/** The bot was still there: its requests may land until then, so the second pass is repeated. */
export function postpone(sweep: Sweep, secondFrom: DurationMs): void {
  sweep.secondFrom = secondFrom;
  sweep.pass = 1;
  sweep.secondDoneAt = null;
  for (const target of allTargets(sweep)) target.passes = Math.min(1, target.passes);
  forgetProof(sweep);
}

/** Discards the lists' proof. */
export function forgetProof(sweep: Sweep): void {
  for (const scope of sweep.scopes.values()) {
    scope.lacked = SHOWN;
    scope.done = false;
  }
}

export const allTargets = ({ targets, account }: Sweep): Target[] => [
  ...targets.values(),
  ...(account === null ? [] : [account]),
];

/** Orders may rest without a cancel sent for them: only lists can prove that they don't. */
const mayHide = ({ unnamed }: Sweep): boolean => unnamed.length > 0;

/** The outage that makes cancels fail may also make lists empty. */
const isDoubted = (sweep: Sweep): boolean => allTargets(sweep).some(({ isDoubtful }) => isDoubtful);

/** Lists that leave from then on can prove that nothing is left. Unknown before the second pass is through. */
export function provableFrom(sweep: Sweep): DurationMs {
  if (sweep.secondDoneAt === null) return Number.POSITIVE_INFINITY;
  const { readLagBoundMs } = sweep.settings;
  // Such an order shows only once the list has caught up.
  const hidden = mayHide(sweep) ? sweep.secondFrom + readLagBoundMs : 0;
  return Math.max(hidden, sweep.secondDoneAt + (isDoubted(sweep) ? readLagBoundMs : 0));
}

/**
 * How far apart the two lists of a proof leave. Two successive lists may both lack a resting order (F34): where no
 * cancel is sure to have removed it, they must lack it for as long as lists may trail.
 */
export const lackedForMs = (sweep: Sweep): DurationMs =>
  mayHide(sweep) || isDoubted(sweep) ? sweep.settings.readLagBoundMs : 1;

/** What is not yet proved, one sentence each. */
export function remainsOf(sweep: Sweep): string[] {
  const { targets, unnamed, account, pass, trouble, ambiguous } = sweep;
  const open = [...targets].filter(([, { passes }]) => passes < pass).map(([orderId]) => orderId);
  return [
    ...(open.length > 0 ? [`${open.length} orders may be open: ${open.slice(0, 10).join(', ')}.`] : []),
    ...(account !== null && account.passes < pass ? ['The cancel of all orders was not acknowledged.'] : []),
    ...(unnamed.length > 0 ? [`Of ${unnamed.length} creates nobody knows what became of them.`] : []),
    ...ambiguous.values(),
    ...(trouble === null ? [] : [trouble]),
  ];
}
