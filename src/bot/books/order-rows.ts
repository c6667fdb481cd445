// The life of each order, as far as the records go: one row per intent.
import type { EpochMs } from '../../domain/time.ts';
import { eventOf } from '../../journal/chain.ts';
import { type Amount, add, exactAmount, NO_AMOUNT, subtract } from '../../ledger/amount.ts';
import type { JournalRecord } from '../../ports/journal-storage.ts';
import type { AdoptedOrder, FillRecord, IntentRecord, PayloadOf, TraderEvent } from '../../trader/durable/events.ts';

export interface OrderRow {
  readonly seq: number;
  readonly intentId: string;
  orderId: string | null;
  readonly symbol: string;
  readonly side: 'buy' | 'sell';
  /** `buy:0`; null if no level wanted the order: a duplicate, or one that a person said is the bot's. */
  readonly slot: string | null;
  price: string;
  quantity: string;
  filled: Amount;
  readonly sentAt: EpochMs;
  /** Null until an answer comes. */
  createOutcome: PayloadOf<'create-outcome'>['outcome'] | null;
  cancelSentAt: EpochMs | null;
  /** Null while it may be open. */
  closedAs: PayloadOf<'closed'>['as'] | null;
  closedAt: EpochMs | null;
  readonly replaces: string | null;
  readonly duplicateOf: string | null;
  /** The parameters' revision when it was placed; null if no level wanted it, or it was not recorded. */
  readonly revision: number | null;
}

/** Ignores events of orders whose intent is not among the records. */
export function createOrderFold() {
  const orders = new Map<string, OrderRow>();
  /** Booked quantity and order of each execution. */
  const booked = new Map<string, { readonly intentId: string; readonly quantity: Amount }>();

  function fill(row: FillRecord, named: string | null): void {
    const before = unfill(row);
    // A correction names no order if the bot had already dropped it.
    const intentId = named ?? before;
    if (intentId === null) return;
    const quantity = exactAmount(row.quantity);
    booked.set(fillKey(row), { intentId, quantity });
    const order = orders.get(intentId);
    if (order) order.filled = add(order.filled, quantity);
  }

  /** Returns the intent of the order. */
  function unfill(row: FillName): string | null {
    const before = booked.get(fillKey(row));
    if (before === undefined) return null;
    booked.delete(fillKey(row));
    const order = orders.get(before.intentId);
    if (order) order.filled = subtract(order.filled, before.quantity);
    return before.intentId;
  }

  function change(intentId: string, by: Partial<OrderRow>): void {
    const order = orders.get(intentId);
    if (order) Object.assign(order, by);
  }

  return {
    take(record: JournalRecord): void {
      if (!ORDER_EVENTS.has(record.type)) return;
      const event = eventOf(record) as unknown as TraderEvent;
      switch (event.type) {
        case 'intent':
          orders.set(event.payload.intentId, sentRow(record.seq, event.payload));
          return;
        case 'create-outcome':
          return change(event.payload.intentId, afterCreate(event.payload));
        case 'adopted': {
          const { intentId, orderId, order } = event.payload;
          if (order === undefined) return change(intentId, { orderId });
          orders.set(intentId, adoptedRow(record.seq, event.payload, order));
          return;
        }
        case 'order-differs':
          return change(event.payload.intentId, { price: event.payload.price, quantity: event.payload.quantity });
        case 'cancel-sent':
          return change(event.payload.intentId, { cancelSentAt: event.payload.at });
        case 'closed':
          return change(event.payload.intentId, { closedAs: event.payload.as, closedAt: event.payload.at });
        case 'fill':
          return fill(event.payload.fill, event.payload.intentId);
        case 'fill-corrected':
          if (event.payload.fill !== null) return fill(event.payload.fill, event.payload.intentId);
          unfill(event.payload);
          return;
        default:
          return;
      }
    },
    rows: (): readonly OrderRow[] => [...orders.values()],
  };
}

const ORDER_TYPES = [
  'intent',
  'create-outcome',
  'adopted',
  'order-differs',
  'cancel-sent',
  'closed',
  'fill',
  'fill-corrected',
] as const satisfies readonly TraderEvent['type'][];
const ORDER_EVENTS: ReadonlySet<string> = new Set(ORDER_TYPES);

type FillName = Pick<FillRecord, 'symbol' | 'tradeId' | 'side'>;
const fillKey = ({ symbol, tradeId, side }: FillName): string => `${symbol} ${tradeId} ${side}`;

function afterCreate({ outcome, orderId, at }: PayloadOf<'create-outcome'>): Partial<OrderRow> {
  const closedAs = outcome === 'rejected' ? 'rejected' : outcome === 'not-sent' ? 'not-placed' : null;
  return {
    createOutcome: outcome,
    ...(orderId === null ? {} : { orderId }),
    ...(closedAs === null ? {} : { closedAs, closedAt: at }),
  };
}

const UNTOLD = {
  filled: NO_AMOUNT,
  createOutcome: null,
  cancelSentAt: null,
  closedAs: null,
  closedAt: null,
  replaces: null,
  duplicateOf: null,
  revision: null,
} satisfies Partial<OrderRow>;

function sentRow(seq: number, record: IntentRecord): OrderRow {
  const { intentId, symbol, side, slot, price, quantity, sentAt, replaces = null, revision = null } = record;
  const named = { intentId, orderId: null, symbol, side, slot };
  return { ...UNTOLD, seq, ...named, price, quantity, sentAt, replaces, revision };
}

function adoptedRow(seq: number, { intentId, orderId, at }: PayloadOf<'adopted'>, order: AdoptedOrder): OrderRow {
  const { symbol, side, price, quantity, of } = order;
  const named = { intentId, orderId, symbol, side, slot: null };
  return { ...UNTOLD, seq, ...named, price, quantity, sentAt: at, duplicateOf: of };
}
