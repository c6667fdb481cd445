// How long a place stays empty after a cancel: from the acknowledgment to the next order that rests there. From the
// journal, which knows the places, and the exchange, which knows when an order came to rest.
import type { DurationMs, EpochMs } from '../../src/domain/time.ts';
import type { JournalRecord } from '../../src/ports/journal-storage.ts';
import type { TraderEvent } from '../../src/trader/durable/events.ts';

interface Placed {
  readonly place: string;
  orderId: string | null;
  acknowledgedAt: EpochMs | null;
}

/** `births`: when each order was first seen to rest. A cancel after which nothing came has no gap. */
export function gapsAfterCancels(
  records: readonly JournalRecord[],
  births: ReadonlyMap<string, EpochMs>,
): readonly { readonly at: EpochMs; readonly ms: DurationMs }[] {
  const placed = placedOrders(records);
  const bornIn = new Map<string, EpochMs[]>();
  for (const { place, orderId } of placed) {
    const born = orderId === null ? undefined : births.get(orderId);
    if (born !== undefined) bornIn.set(place, [...(bornIn.get(place) ?? []), born]);
  }
  return placed.flatMap(({ place, orderId, acknowledgedAt: at }) => {
    const born = orderId === null ? undefined : births.get(orderId);
    if (at === null || born === undefined) return [];
    const later = (bornIn.get(place) ?? []).filter((moment) => moment > born);
    return later.length === 0 ? [] : [{ at, ms: Math.max(0, Math.min(...later) - at) }];
  });
}

function placedOrders(records: readonly JournalRecord[]): Placed[] {
  const placed = new Map<string, Placed>();
  for (const record of records) {
    const { type, payload } = { type: record.type, payload: JSON.parse(record.payload) } as TraderEvent;
    if (type === 'intent')
      placed.set(payload.intentId, { place: `${payload.symbol} ${payload.slot}`, orderId: null, acknowledgedAt: null });
    if (type === 'create-outcome' || type === 'adopted') {
      const order = placed.get(payload.intentId);
      if (order) order.orderId ??= payload.orderId;
    }
    if (type === 'cancel-outcome' && payload.outcome === 'acknowledged') {
      const order = placed.get(payload.intentId);
      if (order) order.acknowledgedAt ??= payload.at;
    }
  }
  return [...placed.values()];
}
