// What became of a create whose answer was lost: adopted on one certain match; `proofs.ts` proves its absence.
import type { Fill } from '../../domain/fill.ts';
import type { OrderId } from '../../domain/ids.ts';
import type { InstrumentSymbol } from '../../domain/instrument.ts';
import type { OpenOrder } from '../../domain/order.ts';
import type { Read } from '../../venue/outcomes.ts';
import type { Reads } from '../durable/hold-events.ts';
import type { Intent } from '../durable/intent.ts';
import { marketIn } from '../durable/market.ts';
import { attributeBooked } from '../money/booked-before.ts';
import type { CandidateOrder, Match } from '../policy/account-policy.ts';
import {
  bookedBefore,
  couldBeOf,
  filledAsOwners,
  isAlike,
  unresolvedOf,
  wasThereBefore,
} from '../policy/attribution/match.ts';
import { isQuestioned, isThirdParty } from '../policy/attribution/questions.ts';
import { policyOf } from '../policy/policy-of.ts';
import { liveOrderToChange } from '../state/live-order.ts';
import { noRejects } from '../state/market.ts';
import { marketOf, noteResolution, touch } from '../state/state.ts';
import { emit, haltSymbol, intentNotice, notice, type Turn } from '../state/turn.ts';
import { readsOfFills } from './proofs.ts';
import { closeFilled } from './settle.ts';

/** A row of a list that could be the order of an unresolved intent. */
interface Trace extends CandidateOrder {
  readonly evidence: 'open-order' | 'fill';
  match(intent: Intent): Match;
}

/**
 * Looks for unresolved intents among rows of open orders that no intent owns. An order that was listed lately counts
 * as well where this list lacks it: a hole in a list leaves no match the only one.
 */
export function adoptFromOrders(
  turn: Turn,
  symbol: InstrumentSymbol,
  { rows, complete }: Read<readonly OpenOrder[]>,
): void {
  if (!complete && !policyOf(turn.state).trustsIncompleteLists) return;
  const listed = new Set(rows.map((row) => row.orderId));
  const { unmatched } = marketOf(turn.state, symbol).openOrders;
  const lately = [...unmatched.values()].map(({ row }) => row).filter((row) => !listed.has(row.orderId));
  const traces = [...rows, ...lately]
    .filter(
      ({ orderId }) => !turn.state.durable.orders.byOrderId.has(orderId) && !isThirdParty(turn.state.durable, orderId),
    )
    .map((row): Trace => {
      const { orderId } = row;
      const isLike = (intent: Intent): boolean => isAlike(intent, row) && !wasThereBefore(turn.state, intent, orderId);
      return {
        orderId,
        evidence: 'open-order',
        row,
        match: (intent) => (isLike(intent) ? policyOf(turn.state).matchOf(turn.state, intent, row) : 'none'),
      };
    });
  adopt(turn, symbol, traces);
}

/**
 * Looks for unresolved intents among fills of orders that no intent owns. Of an order that was listed, the row says
 * more than its fills: with other values than were sent it is not the intent's, at our price by chance. That an order
 * fills is no answer where a person was asked whose it is, or has said that it is not ours.
 */
export function adoptFromFills(turn: Turn, symbol: InstrumentSymbol, fills: readonly Fill[]): void {
  const { unmatched } = marketOf(turn.state, symbol).openOrders;
  const byOrder = new Map<OrderId, Fill[]>();
  for (const fill of fills) {
    const { durable } = turn.state;
    const { orderId } = fill;
    if (durable.orders.byOrderId.has(orderId) || isThirdParty(durable, orderId) || isQuestioned(durable, orderId))
      continue;
    const others = byOrder.get(fill.orderId) ?? bookedBefore(turn.state, fill, fill.orderId);
    byOrder.set(fill.orderId, [...others, fill]);
  }
  const traces = [...byOrder].map(
    ([id, rows]): Trace => ({
      orderId: id,
      evidence: 'fill',
      row: unmatched.get(id)?.row ?? null,
      match: (intent) => {
        const found = { orderId: id, fills: rows, listed: unmatched.get(id) };
        const isMatch =
          couldBeOf(turn.state, intent, rows) && policyOf(turn.state).areFillsOf(turn.state, intent, found);
        return isMatch ? 'certain' : 'none';
      },
    }),
  );
  adopt(turn, symbol, traces);
}

function adopt(turn: Turn, symbol: InstrumentSymbol, traces: readonly Trace[]): void {
  for (const intent of unresolvedOf(turn.state, symbol)) {
    const free = traces.filter(({ orderId }) => !turn.state.durable.orders.byOrderId.has(orderId));
    const matching = free.filter((trace) => trace.match(intent) === 'certain');
    const [trace] = matching;
    if (!trace) continue;
    const possible = [
      ...free.filter((other) => other.match(intent) === 'possible'),
      ...filledBefore(turn, intent, free),
    ];
    const rivals = unresolvedOf(turn.state, symbol).filter(
      (other) => other.intentId !== intent.intentId && trace.match(other) === 'certain',
    );
    if (policyOf(turn.state).askIfAmbiguous(turn, intent, [...matching, ...possible])) continue;
    if (rivals.length > 0) {
      const couldBe = [intent, ...rivals].map(({ intentId }) => intentId);
      const message =
        `Order ${trace.orderId} could be intent ${couldBe.join(' or ')}, and which is not certain. ` +
        'Look at the open orders.';
      haltSymbol(turn, symbol, message, 'order-unknown', couldBe);
      continue;
    }
    adoptOne(turn, intent, trace);
  }
}

/** Orders that may be the intent's and show no more: they have filled, and are booked as the owner's. */
const filledBefore = ({ state }: Turn, intent: Intent, shown: readonly CandidateOrder[]): CandidateOrder[] =>
  filledAsOwners(state, intent)
    .filter((id) => shown.every(({ orderId }) => orderId !== id))
    .map((orderId) => ({
      orderId,
      row: marketOf(state, intent.symbol).openOrders.unmatched.get(orderId)?.row ?? null,
    }));

/** The list that shows it, or the page with its fill. */
function readsOf(turn: Turn, { symbol }: Intent, { evidence }: Trace): Reads {
  if (evidence === 'fill') return readsOfFills(turn, symbol);
  return turn.answered === null ? {} : { orders: [turn.answered.sentAt] };
}

function adoptOne(turn: Turn, intent: Intent, trace: Trace): void {
  const softly = intent.state === 'soft-rejected';
  Object.assign(liveOrderToChange(turn.state, intent.intentId), { lackedAt: null, lackedAgainAt: null });
  emit(turn, {
    type: 'adopted',
    payload: {
      intentId: intent.intentId,
      orderId: trace.orderId,
      evidence: trace.evidence,
      reads: readsOf(turn, intent, trace),
      at: turn.now,
    },
  });
  attributeBooked(turn, intent, trace.orderId);
  closeFilled(turn, intent.symbol);
  noteResolution(turn.state, { by: 'match', seconds: (turn.now - intent.sentAt) / 1_000 });
  intentNotice(turn, intent, {
    level: 'warn',
    op: 'adopted',
    message: `Intent ${intent.intentId} is order ${trace.orderId}: found by ${trace.evidence}.`,
  });
  touch(turn.state, intent.symbol);
  if (softly) noteBreach(turn, intent, trace.orderId);
}

// An order that the exchange said to have refused, and placed all the same. It is found by its values and is then like
// any other own order: a person is paged, quoting goes on, and only a repetition halts the symbol (decision 0028).

/** So many within an hour halt the symbol. */
const HALTS_AT = 3;

/** After the order has been adopted. The refusal was none: it counts as an acceptance among refusals in a row. */
function noteBreach(turn: Turn, { intentId, symbol }: Intent, orderId: string): void {
  const count = marketIn(turn.state.durable, symbol).breaches.length;
  marketOf(turn.state, symbol).rejects = noRejects();
  const message =
    `The exchange refused intent ${intentId} and still placed it, as order ${orderId}. It is kept or canceled like ` +
    `every own order, and quoting goes on; ${HALTS_AT} such orders within an hour halt ${symbol}, this is number ` +
    `${count}.`;
  notice(turn, { level: 'page', op: 'contract-broken', symbol, intentId, orderId, message });
  if (count < HALTS_AT) return;
  const reason =
    `${count} orders within an hour were refused and placed all the same: ` +
    `what the exchange answers can't be relied on.`;
  haltSymbol(turn, symbol, reason, 'answers-untrue');
}
