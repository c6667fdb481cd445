// Finds the order of a create whose answer was lost: the only one with its name is its own; `proofs.ts` proves that
// there is none.
import type { Fill } from '../../domain/fill.ts';
import type { OrderId } from '../../domain/ids.ts';
import type { OpenOrder } from '../../domain/order.ts';
import { SHOWN } from '../../venue/lacked-twice.ts';
import type { Read } from '../../venue/outcomes.ts';
import type { Durable } from '../durable/durable.ts';
import type { Reads } from '../durable/hold-events.ts';
import type { Intent } from '../durable/intent.ts';
import { marketIn } from '../durable/market.ts';
import { attributeBooked } from '../money/corrections.ts';
import {
  bookedBefore,
  couldBeOf,
  filledBy,
  isAlike,
  isInTime,
  mayBeInTime,
  originalAmong,
  unresolvedOf,
  wasThereBefore,
} from '../policy/attribution/match.ts';
import { askAbout, isQuestioned, isThirdParty } from '../policy/attribution/questions.ts';
import { policyOf } from '../policy/policy-of.ts';
import { type Market, noRejects } from '../state/market.ts';
import { seenToChange } from '../state/seen.ts';
import { recordResolution, touch, type With } from '../state/state.ts';
import { emit, haltSymbol, intentNotice, notice, type Step, type Turn } from '../state/turn.ts';
import { closeFilled, readsOfFills } from './close.ts';

type Evidence = 'open-order' | 'fill';

/**
 * Matches unresolved intents with listed orders that no intent owns. A recently listed order counts even if this list
 * lacks it: a hole in a list must not make another match the only one.
 */
export function adoptFromOrders(turn: Turn, market: Market, { rows, complete }: Read<readonly OpenOrder[]>): void {
  if (!complete && policyOf(turn.state.settings).ownerTrades) return;
  const listed = new Set(rows.map((row) => row.orderId));
  const lately = rowsOf(market).filter((row) => !listed.has(row.orderId));
  adopt(turn, market, 'open-order', { rows: [...rows, ...lately], filled: new Map() });
}

/**
 * Matches unresolved intents with fills of orders that no intent owns. A fill settles nothing if a person was asked
 * whose the order is, or has said that it is not ours.
 */
export function adoptFromFills(turn: Turn, market: Market, fills: readonly Fill[]): void {
  const filled = new Map<OrderId, Fill[]>();
  for (const fill of fills) {
    const { orderId } = fill;
    if (!isFree(turn.state.durable, orderId) || isQuestioned(turn.state.durable, orderId)) continue;
    const others = filled.get(orderId) ?? bookedBefore(turn.state.durable, fill, orderId);
    filled.set(orderId, [...others, fill]);
  }
  if (filled.size > 0) adopt(turn, market, 'fill', { rows: rowsOf(market), filled });
}

const rowsOf = (market: Market): OpenOrder[] => [...market.openOrders.unmatched.values()].map(({ row }) => row);

/** Whether the order belongs to no intent, and nobody has said that it is a third party's. */
const isFree = (durable: Durable, orderId: OrderId): boolean =>
  !durable.orders.byOrderId.has(orderId) && !isThirdParty(durable, orderId);

/** Orders that may belong to an unresolved intent: as recently listed, and by their fills. */
interface Shown {
  readonly rows: readonly OpenOrder[];
  readonly filled: ReadonlyMap<OrderId, readonly Fill[]>;
}

/**
 * Adopts the only order with an intent's name. If the owner trades on the account and two orders have it, one is his,
 * and a person is asked which.
 */
function adopt(turn: Turn, market: Market, evidence: Evidence, { rows, filled }: Shown): void {
  const { state } = turn;
  const { ownerTrades } = policyOf(state.settings);
  for (const intent of unresolvedOf(state.durable, market.symbol)) {
    const byFills = [...filled].filter(
      ([id, fills]) => isFree(state.durable, id) && areFillsOf(state, market, intent, id, fills),
    );
    const byName = rows.filter((row) => isNamedLike(state, market, intent, row));
    const untimely = ownerTrades ? [] : byName.filter((row) => !isInTimeOfAnother(turn, row));
    const listed = byName.find((row) => isInTime(state, intent, row)) ?? untimely[0];
    const found = evidence === 'fill' ? byFills[0]?.[0] : listed?.orderId;
    const orders = new Set([...byFills.map(([id]) => id), ...byName.map(({ orderId }) => orderId)]);
    const isAmbiguous = orders.size > 1 || [...orders].some((id) => isQuestioned(state.durable, id));
    if (found === undefined) continue;
    if (ownerTrades && isAmbiguous) askWhich(turn, market, intent, [...orders], byName);
    else adoptOne(turn, market, intent, found, evidence);
  }
}

/** Whether its time shows that it is the second order of another create of that name (F11). */
function isInTimeOfAnother({ state, now }: Step<'settings' | 'clock'>, row: OpenOrder): boolean {
  const { symbol } = row;
  const isItsOwn = (intent: Intent): boolean => isAlike(intent, row) && isInTime(state, intent, row);
  return originalAmong(state.durable, { symbol, now }, isItsOwn) !== null;
}

/**
 * Whether the row has the intent's name and a possible time; on an account that is the bot's alone no time is needed.
 */
const isNamedLike = (
  state: With<'settings' | 'session' | 'durable' | 'clock'>,
  market: Market,
  intent: Intent,
  row: OpenOrder,
): boolean =>
  isFree(state.durable, row.orderId) &&
  isAlike(intent, row) &&
  !wasThereBefore(market, intent, row.orderId) &&
  (!policyOf(state.settings).ownerTrades || mayBeInTime(state, intent, row));

/**
 * Whether the fills are the intent's: they add up to its name, or on an account that is the bot's alone to a part of it
 * and of no other. The row of a listed order proves more: with another name it is not the intent's, at our price by
 * chance.
 */
function areFillsOf(
  state: With<'settings' | 'durable' | 'clock'>,
  market: Market,
  intent: Intent,
  id: OrderId,
  fills: readonly Fill[],
): boolean {
  const listed = market.openOrders.unmatched.get(id)?.row;
  if (!couldBeOf(state, market, intent, fills) || (listed !== undefined && !isAlike(intent, listed))) return false;
  if (policyOf(state.settings).ownerTrades)
    return filledBy(fills).eq(intent.quantity) && (listed === undefined || isInTime(state, intent, listed));
  const couldBe = unresolvedOf(state.durable, market.symbol).filter((each) => couldBeOf(state, market, each, fills));
  return (couldBe.find(({ quantity }) => filledBy(fills).eq(quantity)) ?? couldBe[0]) === intent;
}

function askWhich(
  turn: Step<'session'>,
  market: Market,
  { intentId }: Intent,
  orders: readonly OrderId[],
  rows: OpenOrder[],
): void {
  const message =
    `${orders.length} orders could be intent ${intentId}, and which is not certain: ${orders.join(', ')}. ` +
    'Cancel unwanted orders by hand, then resume the symbol.';
  askAbout(turn, market, { orders, as: 'twin', rows, message, intents: [intentId] });
}

/** The list that shows it, or the page with its fill. */
function readsOf(turn: Step, market: Market, evidence: Evidence): Reads {
  if (evidence === 'fill') return readsOfFills(turn, market);
  return turn.answered === null ? {} : { orders: [turn.answered.sentAt] };
}

function adoptOne(
  turn: Step<'session' | 'orders' | 'resolutions'>,
  market: Market,
  intent: Intent,
  orderId: OrderId,
  evidence: Evidence,
): void {
  const softly = intent.state === 'soft-rejected';
  seenToChange(turn.state.orders, intent.intentId).lacked = SHOWN;
  emit(turn, {
    type: 'adopted',
    payload: {
      intentId: intent.intentId,
      orderId,
      evidence,
      reads: readsOf(turn, market, evidence),
      at: turn.now,
    },
  });
  attributeBooked(turn, market, intent, orderId);
  closeFilled(turn, market);
  recordResolution(turn.state, { by: 'match', seconds: (turn.now - intent.sentAt) / 1_000 });
  intentNotice(turn, intent, {
    level: 'warn',
    op: 'adopted',
    message: `Intent ${intent.intentId} is order ${orderId}: found by ${evidence}.`,
  });
  touch(market);
  if (softly) reportBreach(turn, market, intent, orderId);
}

// An order that the exchange reported as refused, and placed anyway. It is found by its values and is then like any
// other own order: a person is paged, quoting goes on, and only a repetition halts the symbol (decision 0028).

/** This many within an hour halt the symbol. */
const HALTS_AT = 3;

/**
 * Runs after the order has been adopted. It was not refused after all: it counts as an acceptance among refusals in a
 * row.
 */
function reportBreach(turn: Step<'session'>, market: Market, { intentId }: Intent, orderId: string): void {
  const { symbol } = market;
  const count = marketIn(turn.state.durable, symbol).breaches.length;
  market.rejects = noRejects();
  const message =
    `The exchange refused intent ${intentId} and still placed it, as order ${orderId}. It is kept or canceled like ` +
    `every own order, and quoting goes on; ${HALTS_AT} such orders within an hour halt ${symbol}, this is number ` +
    `${count}.`;
  notice(turn, { level: 'page', op: 'contract-broken', symbol, intentId, orderId, message });
  if (count < HALTS_AT) return;
  const reason =
    `${count} orders within an hour were refused and placed all the same: ` +
    `the exchange's answers can't be relied on.`;
  haltSymbol(turn, market, reason, 'answers-untrue');
}
