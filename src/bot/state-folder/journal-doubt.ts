// What the state folder says of its own age: the mark of a restore, and orders that the file of own orders names and
// the journal does not know.
import type { OrderId } from '../../domain/ids.ts';
import type { JournalDoubt } from '../../trader/account/stale-journal.ts';
import type { Durable } from '../../trader/durable/durable.ts';
import { ownOrdersAt } from './own-orders-file.ts';
import { readRestored } from './restored-mark.ts';

/** `known`: what the journal holds; null for a new one. */
export function doubtOf(
  stateFolder: string,
  { known, paperInstance }: { readonly known: Durable | null; readonly paperInstance: string | null },
): JournalDoubt {
  const { orders } = ownOrdersAt(stateFolder, paperInstance);
  const named = [...orders.open.values()].flatMap(({ orderId }) => (orderId === null ? [] : [orderId]));
  const heardOf = ordersOf(known);
  const ownMarks = new Set<OrderId>([...named, ...orders.closed.keys()].filter((id) => !heardOf.has(id)));
  const restored = readRestored(stateFolder);
  if (restored === null) return { why: null, ownMarks };
  const { from, madeAt, restoredAt } = restored;
  return { why: `The state folder was restored at ${restoredAt} from ${from}, which was made at ${madeAt}.`, ownMarks };
}

/** All that the journal names, those as well that a closed create was wrongly held for. */
function ordersOf(known: Durable | null): ReadonlySet<OrderId> {
  if (known === null) return new Set();
  const { byOrderId, closed } = known.orders;
  const once = [...closed.values()].flatMap(({ orderId }) => (orderId === null ? [] : [orderId]));
  return new Set([...byOrderId.keys(), ...once]);
}
