// Finds the listed order of a create that was never named. Only an unambiguous match counts: the owner's orders are
// never canceled.
import type { OrderId } from '../domain/ids.ts';
import type { OpenOrder } from '../domain/order.ts';
import type { DurationMs } from '../domain/time.ts';
import type { OwnCreate } from './own-orders.ts';

interface Matches {
  readonly found: ReadonlyMap<OwnCreate, OrderId>;
  /** A person must look. */
  readonly ambiguous: readonly Ambiguity[];
}

/** Orders like a create, none of which is certain to be its order. */
export interface Ambiguity {
  readonly create: OwnCreate;
  readonly orderIds: readonly OrderId[];
  /** Created when the create could no longer be accepted: the owner's order, or its stated time is wrong. */
  readonly areLate: boolean;
}

/** Range of creation times that an order of ours may show, relative to T. */
export interface MatchWindow {
  /** How much earlier: 2 ε and the read lag. */
  readonly earlierMs: DurationMs;
  /** How much later: W + Lm and 3 ε. */
  readonly laterMs: DurationMs;
}

/** `rows`: orders without a known owner. */
export function matchCreates(creates: readonly OwnCreate[], rows: readonly OpenOrder[], window: MatchWindow): Matches {
  const found = new Map<OwnCreate, OrderId>();
  const ambiguous: Ambiguity[] = [];
  const taken = new Set<OrderId>();
  for (const create of creates) {
    const alike = rows.filter((row) => !taken.has(row.orderId) && isAlike(create, row, window));
    const isLate = (row: OpenOrder): boolean => isLateFor(create, row, window);
    const [first, second] = alike;
    if (first === undefined) continue;
    // A late one in addition leaves it open which of them is ours: a sweep can't know how the times of its first list
    // are shifted.
    if (second === undefined && !isLate(first)) {
      found.set(create, first.orderId);
      taken.add(first.orderId);
    } else {
      const orderIds = alike.map(({ orderId }) => orderId);
      ambiguous.push({ create, orderIds, areLate: alike.every(isLate) });
    }
  }
  return { found, ambiguous };
}

/** Whether a copy of the create may have made it: a proxy may deliver one twice. */
export function mayBeCopyOf(create: OwnCreate, row: OpenOrder, window: MatchWindow): boolean {
  return isAlike(create, row, window) && !isLateFor(create, row, window);
}

const isLateFor = ({ timestamp }: OwnCreate, { venueTime }: OpenOrder, { laterMs }: MatchWindow): boolean =>
  venueTime > timestamp + laterMs;

function isAlike(create: OwnCreate, row: OpenOrder, { earlierMs }: MatchWindow): boolean {
  return (
    row.type === 'limit' &&
    row.symbol === create.symbol &&
    row.side === create.side &&
    row.price.eq(create.price) &&
    row.originalQuantity.eq(create.quantity) &&
    row.venueTime >= create.timestamp - earlierMs
  );
}
