// Which row of a list is the order of a create that was never named. Only a match that nothing else could be is taken: no order of the
// owner's is ever canceled.
import type { OrderId } from '../domain/ids.ts';
import type { OpenOrder } from '../domain/order.ts';
import type { DurationMs } from '../domain/time.ts';
import type { OwnCreate } from './own-orders.ts';

export interface Matches {
  readonly found: ReadonlyMap<OwnCreate, OrderId>;
  /** Creates to which several rows could belong: a person must look. */
  readonly ambiguous: readonly { readonly create: OwnCreate; readonly orderIds: readonly OrderId[] }[];
}

/** `rows`: orders that nobody is known to own. `slackMs`: how much earlier than T a row of ours may claim to be. */
export function matchCreates(creates: readonly OwnCreate[], rows: readonly OpenOrder[], slackMs: DurationMs): Matches {
  const found = new Map<OwnCreate, OrderId>();
  const ambiguous: { create: OwnCreate; orderIds: OrderId[] }[] = [];
  const taken = new Set<OrderId>();
  for (const create of creates) {
    const matching = rows.filter((row) => !taken.has(row.orderId) && couldBe(create, row, slackMs));
    const [first, ...others] = matching;
    if (first === undefined) continue;
    if (others.length > 0) {
      ambiguous.push({ create, orderIds: matching.map(({ orderId }) => orderId) });
      continue;
    }
    found.set(create, first.orderId);
    taken.add(first.orderId);
  }
  return { found, ambiguous };
}

function couldBe(create: OwnCreate, row: OpenOrder, slackMs: DurationMs): boolean {
  return (
    row.type === 'limit' &&
    row.symbol === create.symbol &&
    row.side === create.side &&
    row.price.eq(create.price) &&
    row.originalQuantity.eq(create.quantity) &&
    row.venueTime >= create.timestamp - slackMs
  );
}
