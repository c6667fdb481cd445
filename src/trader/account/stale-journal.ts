// A journal older than what the account shows (an old backup was put back) doesn't know the resting orders and would
// place them again. This file finds evidence for that before the first create of a start; then nothing is placed until
// a person has said whose the orders are (decision 0023).
import { type Decimal, ZERO } from '../../domain/decimal.ts';
import type { Fill } from '../../domain/fill.ts';
import type { OrderId } from '../../domain/ids.ts';
import type { OpenOrder, Side } from '../../domain/order.ts';
import type { EpochMs } from '../../domain/time.ts';
import { timeText } from '../../domain/time-text.ts';
import { NAMES } from '../../quoting/name.ts';
import type { Read } from '../../venue/outcomes.ts';
import { type Durable, staleReason } from '../durable/durable.ts';
import type { Intent } from '../durable/intent.ts';
import { bookedBefore, couldBeOf, isAlike, unresolvedOf } from '../policy/attribution/match.ts';
import { askAbout, isQuestioned, isThirdParty, orderWords } from '../policy/attribution/questions.ts';
import { policyOf } from '../policy/policy-of.ts';
import type { Market } from '../state/market.ts';
import type { SessionFacts } from '../state/session.ts';
import type { With } from '../state/state.ts';
import { haltSymbol, type Step, type Turn } from '../state/turn.ts';

/** Evidence by which a start judges its journal. */
export interface JournalDoubt {
  /** One sentence if other evidence already shows that the journal is old; else null. */
  readonly why: string | null;
  /** Orders in the file of own orders that are not in the journal. */
  readonly ownMarks: ReadonlySet<OrderId>;
}

const WHAT_TO_DO =
  'Was an old backup put back? Look at the exchange, stop the bot, then start it with --adopt-orders (the orders ' +
  "named here are the bot's: it cancels them) or --not-mine (they are yours: it leaves them alone).";

/** Halts every symbol if other evidence shows that the journal is old. */
export function haltForDoubt(turn: Step<'session' | 'phase'>, { why }: JournalDoubt): void {
  if (why !== null) haltAll(turn, `${why} ${WHAT_TO_DO}`);
}

/** Runs before anything else reads a list: halts for orders that may be the bot's and are not in its journal. */
export function haltForLaterOrders(turn: Turn, markets: readonly Market[], { rows }: Read<readonly OpenOrder[]>): void {
  const { state } = turn;
  const asked = laterOrders(state, markets, rows);
  for (const each of asked) {
    const orders = each.rows.map(orderWords).join(', ');
    const maybeOurs = `orders since then in ${each.market.symbol} that may be the bot's: ${orders}`;
    const message = `${endWords(state.session)} ${maybeOurs}. ${WHAT_TO_DO}`;
    const orderIds = each.rows.map(({ orderId }) => orderId);
    askAbout(turn, each.market, { orders: orderIds, as: 'later', rows: each.rows, message, code: 'journal-stale' });
  }
  const [first] = asked;
  if (first)
    haltAll(
      turn,
      `${endWords(state.session)} orders since then in ${first.market.symbol} that may be the bot's. ${WHAT_TO_DO}`,
    );
}

/** Whether a person was asked about the order, or has said that it is not the bot's. */
const isAskedOrAnswered = (durable: Durable, id: OrderId): boolean =>
  isQuestioned(durable, id) || isThirdParty(durable, id);

interface LaterOrders {
  readonly market: Market;
  readonly rows: readonly OpenOrder[];
}

/** Orders that show that the journal is old, plus all others that it may have lost; empty if none show it. */
function laterOrders(
  state: With<'settings' | 'session' | 'durable' | 'clock'>,
  markets: readonly Market[],
  rows: readonly OpenOrder[],
): readonly LaterOrders[] {
  const known = ({ orderId }: OpenOrder): boolean =>
    state.durable.orders.byOrderId.has(orderId) || isAskedOrAnswered(state.durable, orderId);
  const found = (isOld: boolean): readonly LaterOrders[] =>
    markets
      .map((market) => {
        const isAsked = (row: OpenOrder): boolean =>
          row.symbol === market.symbol && !known(row) && isLater(state, market, row, isOld);
        return { market, rows: rows.filter(isAsked) };
      })
      .filter((each) => each.rows.length > 0);
  const isOld = staleReason(state.durable) !== null || found(false).length > 0;
  return isOld ? found(true) : [];
}

/**
 * A trade of an order that is not in the journal has been booked. Returns whether it shows that the journal is old.
 * `page` holds all trades of the same read: the order is judged by the sum of its fills, as partial sums pass through
 * every size.
 */
export function haltForLaterTrade(turn: Turn, market: Market, fill: Fill, page: readonly Fill[]): boolean {
  const { state } = turn;
  const { endedFlat, ownMarks } = state.session.journalAge;
  // The order is in the journal.
  if (isAskedOrAnswered(state.durable, fill.orderId)) return false;
  if (fill.liquidity !== 'maker' || !isBetween(state, fill.venueTime)) return false;
  const { symbol, side, price } = fill;
  // An order that may belong to an unanswered create is found or asked about as such (`orders/unmatched-orders.ts`).
  const fills = tradesOf(state.durable, fill, page);
  if (unresolvedOf(state.durable, symbol).some((intent) => couldBeOf(state, market, intent, fills))) return false;
  // After a clean end the owner may have traded by hand: none of the bot's orders was open then, and none is.
  const mayBeOurs = !endedFlat && isSizedLikeOurs(state.durable, market, { side, price, quantity: sumOf(fills) });
  if (policyOf(state.settings).ownerTrades && !ownMarks.has(fill.orderId) && !mayBeOurs) return false;
  haltAll(
    turn,
    `${endWords(state.session)} trade ${fill.tradeId} of order ${fill.orderId} (${symbol}) since then, ` +
      `which may be the bot's. ${WHAT_TO_DO}`,
  );
  return true;
}

/** Known trades of the fill's order, each once. */
function tradesOf(durable: Durable, fill: Fill, page: readonly Fill[]): readonly Fill[] {
  const read = [
    ...bookedBefore(durable, fill, fill.orderId),
    ...page.filter(({ orderId }) => orderId === fill.orderId),
  ];
  return [...new Map(read.map((each) => [each.tradeId, each])).values()];
}

const sumOf = (fills: readonly Fill[]): Decimal => fills.reduce((sum, { quantity }) => sum.add(quantity), ZERO);

function haltAll(turn: Step<'session' | 'phase'>, reason: string): void {
  for (const market of turn.state.markets.values()) haltSymbol(turn, market, reason, 'journal-stale');
  if (turn.state.phase === 'running') turn.state.phase = 'starting';
}

const endWords = (session: SessionFacts): string =>
  `The journal ends at ${timeText(session.journalAge.endedAt)}, and the account shows`;

/**
 * Whether the order was created after the journal's end and before this session could have created it, in a way that
 * leaves the owner unclear. `isOld`: the journal is known to be old.
 */
function isLater(
  state: With<'settings' | 'session' | 'durable' | 'clock'>,
  market: Market,
  row: OpenOrder,
  isOld: boolean,
): boolean {
  // An order like an unanswered create is asked about as such (`resolve.ts`).
  if (unresolvedOf(state.durable, market.symbol).some((intent) => isAlike(intent, row))) return false;
  if (state.session.journalAge.ownMarks.has(row.orderId)) return true;
  // The first list can't hold later orders, whatever its times say.
  const isFirst = market.openOrders.sentAt === null;
  if (!isBetween(state, row.venueTime, { isOpenEnd: isFirst, isOld })) return false;
  if (!policyOf(state.settings).ownerTrades) return true;
  return row.type === 'limit' && isSizedLikeOurs(state.durable, market, { ...row, quantity: row.originalQuantity });
}

/**
 * Whether the time is after the last create of the journal can have been taken, and before this session. If the journal
 * is known to be old, orders from just after its end are as likely lost: then only the clocks may differ.
 */
function isBetween(
  state: With<'settings' | 'session' | 'clock'>,
  venueTime: EpochMs,
  { isOpenEnd = false, isOld = false }: { readonly isOpenEnd?: boolean; readonly isOld?: boolean } = {},
): boolean {
  const { settings, session, clock } = state;
  const { journalAge, startedAt } = session;
  const { recvWindowMs, maxClockUncertaintyMs, venueInternalLagMs, readLagBoundMs } = settings.assumptions;
  const offset = clock?.offsetMs ?? 0;
  const clocks = 2 * maxClockUncertaintyMs;
  const slack = isOld ? -clocks : clocks + recvWindowMs + venueInternalLagMs + readLagBoundMs;
  if (!journalAge.isJudged || venueTime <= journalAge.endedAt + offset + slack) return false;
  return isOpenEnd || venueTime <= startedAt + offset;
}

interface Sized {
  readonly side: Side;
  readonly price: Intent['price'];
  readonly quantity: Intent['quantity'];
}

/** Number of our last orders to compare sizes with. */
const COMPARED = 500;
/** An order's size may differ this much from one of ours, in addition to rounding and its name. */
const SIZE_RATIO = 0.02;

/**
 * Whether it is worth as much as an order of ours on that side. A person's order of exactly that size is asked about,
 * too.
 */
function isSizedLikeOurs({ orders }: Durable, { symbol, run }: Market, { side, price, quantity }: Sized): boolean {
  const step = run.instrument.lotSize.mul(NAMES).mul(price);
  const size = price.mul(quantity);
  const ours = [...orders.intents.values(), ...[...orders.closed.values()].slice(-COMPARED)];
  return ours.some((intent) => {
    if (intent.symbol !== symbol || intent.side !== side) return false;
    const own = intent.price.mul(intent.quantity);
    const most = own.mul(SIZE_RATIO);
    return size
      .sub(own)
      .abs()
      .lte(most.gt(step) ? most : step);
  });
}
