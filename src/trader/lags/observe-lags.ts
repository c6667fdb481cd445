// What happened, as evidence of how far the exchange's lists trail. It decides nothing.
import type { Fill } from '../../domain/fill.ts';
import { type IntentId, intentId } from '../../domain/ids.ts';
import { MINUTE, SECOND } from '../../domain/time.ts';
import { bookable } from '../../ledger/fill-entries.ts';
import { expectedTotal } from '../../ledger/ledger.ts';
import type { Completed, CompletedRead, Read } from '../../venue/outcomes.ts';
import type { Chosen } from '../durable/chosen.ts';
import type { TraderEvent } from '../durable/events.ts';
import { changesOfFill } from '../durable/external-flow.ts';
import { fromFillRecord } from '../durable/fold/fill-record.ts';
import {
  addSample,
  endOf,
  type FillWatch,
  forgetWatched,
  goneLag,
  type Happened,
  isSettled,
  judgeWallets,
  keepNewest,
  type LagKind,
  type Look,
  lagOf,
  listedLag,
  noteInTrades,
  noteListed,
  type Proved,
  type WalletLook,
  watchOrder,
} from '../state/lags.ts';
import { assetsOf } from '../state/markets.ts';
import { seenOf } from '../state/seen.ts';
import { lagBoundMs, marketOf, symbolsOf, type TraderState } from '../state/state.ts';
import type { Turn } from '../state/turn.ts';
import { noteAtLeast } from './figures.ts';

/** Watched at once: what is older has mostly been seen. */
const ORDERS_WATCHED = 400;
const FILLS_WATCHED = 100;
const WALLETS_KEPT = 16;
/** A list may go back to what it showed before: only after so long it is taken for settled. */
const SETTLED_AFTER_MS = MINUTE;
/** What no list has settled by then is watched no longer. */
const LONGEST_WATCH_MS = 30 * MINUTE;

interface Answer {
  readonly chosen: Chosen;
  readonly completed: Completed;
}

function forgetOldClock({ lags, markets }: Pick<TraderState, 'markets' | 'lags'>): void {
  forgetWatched(lags);
  for (const { trades } of markets.values()) trades.presentSentAt = null;
}

/** After everything else of the turn. */
export function noteLags(turn: Turn, answer: Answer | null): void {
  if (!isSameClock(turn.state)) forgetOldClock(turn.state);
  turn.state.lags.offsetMs = turn.state.clock?.offsetMs ?? null;
  const read = answer && readOf(answer);
  for (const event of turn.events) noteEvent(turn, event, read);
  if (read !== null) noteRead(turn, read);
}

/** Whether our clock stands to the exchange's as it did before. */
function isSameClock({ lags, clock, settings }: TraderState): boolean {
  if (lags.offsetMs === null || clock === null) return false;
  return Math.abs(clock.offsetMs - lags.offsetMs) <= settings.assumptions.maxClockUncertaintyMs;
}

type ListRead = Extract<CompletedRead, { kind: 'open-orders' | 'spot-trades' | 'wallet' }>;
interface WholeRead {
  readonly completed: ListRead;
  readonly look: Look;
}

/** A list as it is read again and again; what searches the archives reads late whatever the lists do. */
function readOf({ chosen, completed }: Answer): WholeRead | null {
  if (chosen.reading === true) return null;
  if (completed.kind !== 'open-orders' && completed.kind !== 'spot-trades' && completed.kind !== 'wallet') return null;
  if (completed.kind === 'spot-trades' && completed.request.filter.by === 'window') return null;
  const { outcome } = completed;
  if (outcome.kind !== 'read') return null;
  const { sentAt, receivedAt } = outcome.read as Read<unknown>;
  return { completed, look: { sentAt, receivedAt } };
}

function noteEvent(turn: Turn, event: TraderEvent, read: WholeRead | null): void {
  const { state, now } = turn;
  const { orders } = state.lags;
  switch (event.type) {
    case 'create-outcome': {
      if (event.payload.outcome !== 'accepted') return;
      const id = intentId(event.payload.intentId);
      const intent = state.durable.orders.intents.get(id);
      if (intent) orders.set(id, watchOrder(intent.symbol, { from: intent.sentAt, to: now }));
      return keepNewest(orders, ORDERS_WATCHED);
    }
    case 'cancel-outcome':
      return noteCancel(state, intentId(event.payload.intentId), event.payload.outcome === 'acknowledged' ? now : null);
    case 'fill':
      return noteFill(turn, event.payload, read);
    case 'closed': {
      const watch = orders.get(intentId(event.payload.intentId));
      const { as } = event.payload;
      if (watch && (as === 'filled' || as === 'canceled')) watch.closed = as;
      else orders.delete(intentId(event.payload.intentId));
      return;
    }
    default:
      return;
  }
}

/** An order of an earlier session, or one that was found in a list, is watched from its cancel on. */
function noteCancel(state: TraderState, id: IntentId, acknowledgedAt: number | null): void {
  const { orders } = state.lags;
  const intent = state.durable.orders.intents.get(id);
  if (!intent) return;
  const watch = orders.get(id) ?? watchOrder(intent.symbol, null);
  orders.set(id, watch);
  watch.cancelSentAt ??= seenOf(state.orders, id).cancel?.sentAt ?? null;
  watch.canceledAt ??= acknowledgedAt;
  keepNewest(orders, ORDERS_WATCHED);
}

type FillPayload = Extract<TraderEvent, { type: 'fill' }>['payload'];

function noteFill(turn: Turn, { fill: record, intentId: of }: FillPayload, read: WholeRead | null): void {
  const { state } = turn;
  const fill = fromFillRecord(record);
  const id = of === null ? null : intentId(of);
  const intent =
    id === null ? undefined : (state.durable.orders.intents.get(id) ?? state.durable.orders.closed.get(id));
  const happened = whenFilled(state, fill, intent?.sentAt ?? state.session.startedAt);
  const order = id === null ? undefined : state.lags.orders.get(id);
  if (order !== undefined) order.lastFill = laterOf(order.lastFill, happened);
  const checked = bookable(fill);
  if (happened === null || !checked.ok || read?.completed.kind !== 'spot-trades') return;
  if (happened.from > read.look.receivedAt || happened.to < state.session.startedAt) return;
  // Before a market is opened its trades are read, and not booked: which list lacked this one nobody noted.
  if (turn.events.some((each) => each.type === 'opened' && fill.symbol in each.payload.markets)) return;
  const lackedSentAt = state.markets.get(fill.symbol)?.trades.presentSentAt ?? null;
  const { fills } = state.lags;
  const watch: FillWatch = {
    symbol: fill.symbol,
    tradeId: fill.tradeId,
    venueTime: fill.venueTime,
    happened,
    changes: changesOfFill(checked.value),
    trades: {
      lackedSentAt: lackedSentAt !== null && lackedSentAt > happened.to ? lackedSentAt : null,
      shownAt: read.look.receivedAt,
    },
    wallet: { lackedSentAt: null, shownAt: null },
  };
  fills.set(`${fill.symbol} ${fill.tradeId} ${fill.side}`, watch);
  noteProved(turn, 'trades', lagOf(watch.trades, happened));
  keepNewest(fills, FILLS_WATCHED);
}

/** A fill whose time can't be said makes the end of its order unknown. */
const laterOf = (a: Happened | null, b: Happened | null): Happened | null =>
  a === null || b === null || b.to > a.to ? b : a;

/**
 * By our clock; null where the exchange's clock is not known, or says what can't be. A time of whole seconds may be
 * cut.
 */
function whenFilled({ clock }: Pick<TraderState, 'clock'>, { venueTime }: Fill, notBefore: number): Happened | null {
  if (clock === null) return null;
  const { offsetMs, uncertaintyMs } = clock;
  const at = venueTime - offsetMs;
  const to = at + uncertaintyMs + (venueTime % SECOND === 0 ? SECOND : 0);
  return to < notBefore ? null : { from: Math.max(at - uncertaintyMs, notBefore), to };
}

function noteRead(turn: Turn, { completed, look }: WholeRead): void {
  const { state } = turn;
  switch (completed.kind) {
    case 'open-orders':
      if (completed.outcome.kind === 'read' && completed.outcome.read.complete) noteOrders(turn, completed, look);
      return;
    case 'spot-trades':
      return noteTrades(turn, completed, look);
    case 'wallet':
      if (state.wallet.sentAt === look.sentAt) noteWallet(turn, look);
  }
}

function noteOrders(turn: Turn, { request, outcome }: Extract<ListRead, { kind: 'open-orders' }>, look: Look): void {
  const { state } = turn;
  if (outcome.kind !== 'read') return;
  const symbols = request.symbol === undefined ? symbolsOf(state) : [request.symbol];
  const empty = outcome.read.rows.length === 0;
  const listed = new Set(outcome.read.rows.map(({ orderId }) => state.durable.orders.byOrderId.get(orderId)));
  for (const [id, watch] of state.lags.orders) {
    if (!symbols.includes(watch.symbol)) continue;
    noteListed(watch, listed.has(id), { ...look, empty });
    noteProved(turn, 'gone', goneLag(watch));
    settleOrder(turn, id);
  }
}

function settleOrder(turn: Turn, id: IntentId): void {
  const { state, now } = turn;
  const { orders } = state.lags;
  const watch = orders.get(id);
  if (watch === undefined || watch.closed === null) return;
  const end = endOf(watch);
  if (end === null) return void orders.delete(id);
  if (!isSettled(watch, SETTLED_AFTER_MS) && now < end.to + LONGEST_WATCH_MS) return;
  orders.delete(id);
  for (const [kind, proved] of [
    ['listed', listedLag(watch, lagBoundMs(state.settings))],
    ['gone', goneLag(watch)],
  ] as const)
    keep(turn, kind, proved);
}

function noteTrades(turn: Turn, { request, outcome }: Extract<ListRead, { kind: 'spot-trades' }>, look: Look): void {
  const { state } = turn;
  const { symbol, filter } = request;
  if (!state.markets.has(symbol) || outcome.kind !== 'read') return;
  const { trades } = marketOf(state, symbol);
  if (trades.sentAt === look.sentAt) trades.presentSentAt = look.sentAt;
  if (filter.by === 'from-id' && outcome.read.complete) {
    const shown = new Set(outcome.read.rows.map(({ tradeId }) => tradeId));
    for (const watch of state.lags.fills.values()) {
      if (watch.symbol === symbol && watch.tradeId === filter.fromId)
        noteInTrades(watch, { shown: shown.has(filter.fromId), look, assumedMs: lagBoundMs(state.settings) });
    }
  }
  settleFills(turn);
}

function noteWallet(turn: Turn, look: Look): void {
  const { lags, reconciliation } = turn.state;
  lags.wallets = [...lags.wallets, { ...look, totals: reconciliation.walletTotals }].slice(-WALLETS_KEPT);
  if (reconciliation.equalSentAt !== look.sentAt) return;
  const fills = [...lags.fills.values()];
  judgeWallets(fills, lags.wallets, ledgerTotals(turn.state));
  for (const { wallet, happened } of fills) noteProved(turn, 'wallet', lagOf(wallet, happened));
  lags.wallets = lags.wallets.slice(-1);
  settleFills(turn);
}

const ledgerTotals = (state: TraderState): WalletLook['totals'] =>
  new Map([...assetsOf(state)].map((asset) => [asset, expectedTotal(state.durable.books.ledger, asset)]));

function settleFills(turn: Turn): void {
  const { state, now } = turn;
  const { fills } = state.lags;
  for (const [key, { happened, trades, wallet }] of fills) {
    const since = now - happened.to;
    const waits = trades.shownAt === null || wallet.shownAt === null;
    if (since < SETTLED_AFTER_MS || (waits && since < LONGEST_WATCH_MS)) continue;
    fills.delete(key);
    keep(turn, 'trades', lagOf(trades, happened));
    keep(turn, 'wallet', lagOf(wallet, happened));
  }
}

/** A person is called by what is sure. */
function noteProved(turn: Turn, kind: LagKind, proved: Proved | null): void {
  if (proved !== null) noteAtLeast(turn, kind, proved.confirmedMs);
}

/** Without a right look there is no interval. */
function keep(turn: Turn, kind: LagKind, proved: Proved | null): void {
  if (proved === null) return;
  const { state, now: at } = turn;
  const { atLeastMs, atMostMs } = proved;
  noteProved(turn, kind, proved);
  if (atMostMs === null) return;
  addSample(state.lags, kind, { at, atLeastMs, atMostMs });
}
