// The answers that the bot received in its present process, and when each request left: the basis of a proof. From the
// wire alone.
import type { Balance } from '../../src/domain/balance.ts';
import type { Fill } from '../../src/domain/fill.ts';
import type { OpenOrder } from '../../src/domain/order.ts';
import { DAY, type DurationMs, type EpochMs } from '../../src/domain/time.ts';
import type { HttpRequest } from '../../src/ports/transport.ts';
import { type Answered, type CheckContext, isPrivate, type Outgoing } from '../checks/context.ts';
import type { Told } from '../checks/journal-model.ts';
import { balancesIn, isUncut, ordersIn, type Shown, tradesIn } from './rows.ts';

/** A read answered with rows. Times are true time except `botAt`, by which the bot names it. */
export interface Seen<Row> extends Shown<Row> {
  /** Null for a list of the whole account. */
  readonly symbol: string | null;
  readonly botAt: EpochMs;
  readonly sentAt: EpochMs;
  readonly answeredAt: EpochMs;
}

export interface TradesSeen extends Seen<Fill> {
  /** Whether it is whole, can't be cut, and contains its starting trade: it reaches from that to the end. */
  readonly toTheEnd: boolean;
  /** Its starting time, if it is whole, can't be cut and has one. */
  readonly since: EpochMs | null;
  /** The start of the time that it covers completely, if not cut; null if the query can't show it. */
  readonly backTo: EpochMs | null;
  readonly uncut: boolean;
}

/** A cancel of one order, or of a symbol. */
export interface CancelSeen {
  readonly target: string;
  readonly botAt: EpochMs;
  readonly sentAt: EpochMs;
  /** When the exchange acknowledged it; null if it did not. */
  takenAt: EpochMs | null;
}

export interface WireLog {
  readonly orders: readonly Seen<OpenOrder>[];
  readonly trades: readonly TradesSeen[];
  readonly wallets: readonly Seen<Balance>[];
  readonly cancels: readonly CancelSeen[];
  /** When this process first got a private answer; null before that. */
  heardAt(): EpochMs | null;
  /** When it was last told that the exchange is in maintenance; null if never. */
  maintainedAt(): EpochMs | null;
  sent(context: CheckContext, message: Outgoing): void;
  /** Returns the wallet in the answer, if there is one. */
  answered(context: CheckContext, message: Answered): Seen<Balance> | null;
  recorded(told: Told): void;
}

const OK = 200;
/** Older trades may have left the list of own trades. */
const LEAST_WINDOW_MS: DurationMs = DAY;
const MAINTENANCE = /"code":\s*"?-1125\b/;
/** Older reads are part of no proof: the longest takes twice the longest bound and deadline of any plan. */
const KEPT_MS: DurationMs = 45 * 60_000;

interface Wire {
  readonly tradedAt: (symbol: string, tradeId: string) => EpochMs | null;
  orders: Seen<OpenOrder>[];
  trades: TradesSeen[];
  wallets: Seen<Balance>[];
  cancels: CancelSeen[];
  heardAt: EpochMs | null;
  maintainedAt: EpochMs | null;
  readonly leftAt: WeakMap<HttpRequest, EpochMs>;
  readonly cancelOf: WeakMap<HttpRequest, CancelSeen>;
  /** Distinct rows of the longest page of own trades, by symbol: the largest known page. */
  readonly longest: Map<string, number>;
}

/** `tradedAt`: the time of a known trade, by the exchange's clock. */
export function createWireLog(tradedAt: (symbol: string, tradeId: string) => EpochMs | null): WireLog {
  const wire: Wire = {
    tradedAt,
    orders: [],
    trades: [],
    wallets: [],
    cancels: [],
    heardAt: null,
    maintainedAt: null,
    leftAt: new WeakMap(),
    cancelOf: new WeakMap(),
    longest: new Map(),
  };
  return {
    get orders() {
      return wire.orders;
    },
    get trades() {
      return wire.trades;
    },
    get wallets() {
      return wire.wallets;
    },
    get cancels() {
      return wire.cancels;
    },
    heardAt: () => wire.heardAt,
    maintainedAt: () => wire.maintainedAt,
    sent: (context, message) => sent(wire, context, message),
    answered: (context, message) => answered(wire, context, message),
    recorded({ type }) {
      if (type !== 'session-started') return;
      wire.orders = [];
      wire.trades = [];
      wire.wallets = [];
      wire.cancels = [];
      wire.longest.clear();
      wire.heardAt = wire.maintainedAt = null;
    },
  };
}

function sent(wire: Wire, context: CheckContext, { endpoint, request, body, query }: Outgoing): void {
  wire.leftAt.set(request, context.now());
  if (endpoint !== 'cancel' && endpoint !== 'cancel-symbol') return;
  const target = endpoint === 'cancel' ? (body.order_id ?? '') : (body.symbol ?? query.get('symbol') ?? '');
  const cancel = { target, botAt: context.now() + context.clockError(), sentAt: context.now(), takenAt: null };
  wire.cancels.push(cancel);
  wire.cancelOf.set(request, cancel);
  wire.cancels = kept(wire.cancels, context.now());
}

function answered(wire: Wire, context: CheckContext, message: Answered): Seen<Balance> | null {
  const { endpoint, request, status, text, query } = message;
  if (!isPrivate(message)) return null;
  if (status === OK) wire.heardAt ??= context.now();
  else if (MAINTENANCE.test(text)) wire.maintainedAt = context.now();
  if (status !== OK) return null;
  const cancel = wire.cancelOf.get(request);
  if (cancel !== undefined && isTaken(text)) cancel.takenAt = context.now();
  const sentAt = wire.leftAt.get(request) ?? context.now();
  const base = { symbol: query.get('symbol'), botAt: message.sentAt, sentAt, answeredAt: context.now() };
  if (endpoint === 'open-orders') {
    const shown = ordersIn(text, base.symbol);
    if (shown !== null) wire.orders.push({ ...base, ...shown });
    wire.orders = kept(wire.orders, context.now());
  }
  if (endpoint === 'spot-trades' || endpoint === 'spot-trades-historical') tradesSeen(wire, message, base);
  if (endpoint !== 'wallet') return null;
  const shown = balancesIn(text);
  if (shown === null) return null;
  const wallet = { ...base, ...shown };
  wire.wallets.push(wallet);
  wire.wallets = kept(wire.wallets, context.now());
  return wallet;
}

const kept = <T extends { readonly sentAt: EpochMs }>(all: T[], now: EpochMs): T[] =>
  (all[0]?.sentAt ?? now) < now - 2 * KEPT_MS ? all.filter(({ sentAt }) => sentAt >= now - KEPT_MS) : all;

function tradesSeen(wire: Wire, message: Answered, base: Omit<Seen<Fill>, keyof Shown<Fill>>): void {
  const symbol = base.symbol ?? '';
  const shown = tradesIn(message.text, symbol);
  if (shown === null) return;
  const distinct = new Set(shown.rows.map(({ tradeId, side }) => `${tradeId} ${side}`)).size;
  wire.longest.set(symbol, Math.max(distinct, wire.longest.get(symbol) ?? 0));
  const isAllThereIs = isUncut(shown.count, distinct, wire.longest.get(symbol) ?? 0);
  const from = wire.tradedAt(symbol, message.query.get('fromId') ?? '');
  const hasLeft = from !== null && base.sentAt - from > LEAST_WINDOW_MS;
  const toTheEnd = shown.whole && isAllThereIs && (hasLeft || reachesBack(message.query, shown.rows));
  const start = message.query.get('endTime') === null ? message.query.get('startTime') : null;
  const since = start !== null && shown.whole && isAllThereIs ? Number(start) : null;
  const backTo = BigInt(message.query.get('fromId') ?? '1') === 0n ? 0 : startOfWindow(message.query);
  wire.trades.push({ ...base, ...shown, toTheEnd, since, backTo, uncut: isAllThereIs });
  wire.trades = kept(wire.trades, base.answeredAt);
}

function startOfWindow(query: URLSearchParams): EpochMs | null {
  const start = query.get('endTime') === null ? null : query.get('startTime');
  return start === null ? null : Number(start);
}

/**
 * A page from a given trade on must show that trade: otherwise something may lie between. A page from the first trade
 * has none before it.
 */
function reachesBack(query: URLSearchParams, rows: readonly Fill[]): boolean {
  const from = query.get('fromId');
  if (from === null) return query.get('startTime') === null && query.get('endTime') === null;
  return BigInt(from) === 0n || rows.some(({ tradeId }) => BigInt(tradeId) === BigInt(from));
}

/** A plain message without a code; a truncated one proves nothing. */
function isTaken(text: string): boolean {
  try {
    const body: unknown = JSON.parse(text);
    return typeof body === 'object' && body !== null && 'msg' in body && !('code' in body);
  } catch {
    return false;
  }
}
