// The life of each order, as far as the records go: one row per intent.
import type { EpochMs } from '../../domain/time.ts';
import { eventOf } from '../../journal/chain.ts';
import { type Amount, add, exactAmount, NO_AMOUNT, negate } from '../../ledger/amount.ts';
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

type FillName = Pick<FillRecord, 'symbol' | 'tradeId' | 'side'>;
const fillKey = ({ symbol, tradeId, side }: FillName): string => `${symbol} ${tradeId} ${side}`;

/** The rows, and the first record. Ignores events of orders whose intent is not among the records. */
export function orderRows(records: Iterable<JournalRecord>) {
  const orders = new Map<string, OrderRow>();
  /** Booked quantity and order of each execution. */
  const booked = new Map<string, { readonly intentId: string; readonly quantity: Amount }>();

  function addFilled(intentId: string, quantity: Amount): void {
    const order = orders.get(intentId);
    if (order) order.filled = add(order.filled, quantity);
  }

  /** Returns the intent of the order. */
  function takeBack(row: FillName): string | null {
    const before = booked.get(fillKey(row));
    if (before === undefined) return null;
    booked.delete(fillKey(row));
    addFilled(before.intentId, negate(before.quantity));
    return before.intentId;
  }

  function book(row: FillRecord, named: string | null): void {
    const before = takeBack(row);
    // A correction names no order if the bot had already dropped it.
    const intentId = named ?? before;
    if (intentId === null) return;
    const quantity = exactAmount(row.quantity);
    booked.set(fillKey(row), { intentId, quantity });
    addFilled(intentId, quantity);
  }

  function change(intentId: string, by: Partial<OrderRow>): void {
    const order = orders.get(intentId);
    if (order) Object.assign(order, by);
  }

  const steps: { readonly [type in OrderEvent]: (payload: PayloadOf<type>, seq: number) => void } = {
    intent: (sent, seq) => orders.set(sent.intentId, sentRow(seq, sent)),
    'create-outcome': (answered) => change(answered.intentId, afterCreate(answered)),
    adopted: (adopted, seq) => {
      const { intentId, orderId, order } = adopted;
      if (order === undefined) change(intentId, { orderId });
      else orders.set(intentId, adoptedRow(seq, adopted, order));
    },
    'order-differs': ({ intentId, price, quantity }) => change(intentId, { price, quantity }),
    'cancel-sent': ({ intentId, at }) => change(intentId, { cancelSentAt: at }),
    closed: ({ intentId, as, at }) => change(intentId, { closedAs: as, closedAt: at }),
    fill: ({ fill, intentId }) => book(fill, intentId),
    'fill-corrected': ({ fill, intentId, ...name }) => (fill === null ? takeBack(name) : book(fill, intentId)),
  };
  let first: JournalRecord | null = null;
  for (const record of records) {
    first ??= record;
    const step = Object.hasOwn(steps, record.type) ? steps[record.type as OrderEvent] : null;
    step?.(eventOf(record).payload as never, record.seq);
  }
  return { rows: [...orders.values()], first };
}

type OrderEvent = Extract<
  TraderEvent['type'],
  'intent' | 'create-outcome' | 'adopted' | 'order-differs' | 'cancel-sent' | 'closed' | 'fill' | 'fill-corrected'
>;

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
