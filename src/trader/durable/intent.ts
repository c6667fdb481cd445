// One order, from before the exchange knew of it until nothing about it is open.
import { Decimal } from '../../domain/decimal.ts';
import type { IntentId, OrderId } from '../../domain/ids.ts';
import type { Asset, Instrument, InstrumentSymbol } from '../../domain/instrument.ts';
import { invariant } from '../../domain/invariant.ts';
import type { OrderRequest, Side, Slot } from '../../domain/order.ts';
import type { EpochMs } from '../../domain/time.ts';
import { AMOUNT_DECIMALS, type Amount, add, amountOf, amountText, NO_AMOUNT } from '../../ledger/amount.ts';

/**
 * - `sent`: durable in the journal, the create is on its way or about to be.
 * - `unknown`: may have happened; it counts as exposure, and another order stands in only as `live-orders.ts` says.
 * - `soft-rejected`: said not to have happened (200 `{msg}` or 429); watched until that is proved.
 * - `open`: the venue named it. It may be filled already.
 * - `cancel-sent`: a cancel is on its way or was acknowledged; fills are still possible.
 * - `closing`: gone from a complete list; how much of it filled is not proved yet.
 * - `closed`: nothing about it is open. Only a list that shows it longer after that than any may trail opens it again.
 */
export type IntentState = 'sent' | 'unknown' | 'soft-rejected' | 'open' | 'cancel-sent' | 'closing' | 'closed';

export type ClosedAs = 'filled' | 'canceled' | 'rejected' | 'not-placed';

export interface Intent {
  readonly intentId: IntentId;
  readonly symbol: InstrumentSymbol;
  readonly slot: Slot;
  readonly side: Side;
  readonly price: Decimal;
  readonly quantity: Decimal;
  readonly state: IntentState;
  readonly orderId: OrderId | null;
  /** The intent whose create the exchange took twice: this is its second order (F11). Null for all others. */
  readonly duplicateOf: IntentId | null;
  /** T: the stamp of the create, by the venue's clock as estimated. */
  readonly timestamp: EpochMs;
  /** T + W + ε + Lm by our own clock: after this no copy of the request can be newly accepted (order-truth §2). */
  readonly horizon: EpochMs;
  /** When the state last changed, by our clock. */
  readonly since: EpochMs;
  readonly sentAt: EpochMs;
  /** Σ booked fills, in base. */
  readonly filled: Decimal;
  readonly closedAs: ClosedAs | null;
  /** Progress of its last cancel; `none` again if the order was listed after an acknowledged one. */
  readonly cancel: 'none' | 'sent' | 'acknowledged';
  /** The funds given to the whole order when it was sent; amount as plain text. Fills shrink it in proportion. */
  readonly reserve: { readonly asset: Asset; readonly amount: string };
  /** The parameter revision that placed it; 0 if unknown. */
  readonly revision: number;
}

/** Whether the order is on the book, may be, or may yet have filled more than we know. */
export function mayBeLive(intent: Intent): boolean {
  return intent.state !== 'closed';
}

/**
 * Whether its cancel is pending: acknowledged, or sent and followed by a complete list that lacks the order. It no
 * longer takes its slot, and counts as live in every limit until it is proved closed. An order that vanished without a
 * cancel of ours has most likely filled: it keeps its slot until its fills are counted.
 */
export function isLeaving({ state, cancel }: Intent): boolean {
  if (state === 'closing') return cancel !== 'none';
  return state === 'cancel-sent' && cancel === 'acknowledged';
}

export function remainingOf(intent: Intent): Decimal {
  return intent.filled.isZero() ? intent.quantity : intent.quantity.sub(intent.filled);
}

// The bot's orders, and orders whose owner a person is asked about.

/** An order that a person was asked about. */
export interface Questioned {
  readonly symbol: InstrumentSymbol;
  /**
   * `twin`: it has the values of an order of ours. `near`: the exchange may have made its values of ours (F16).
   * `later`: it came after the end of a journal that may be old. `other`: it was mistaken for a closed create's order,
   * and lists show it with other values.
   */
  readonly as: 'twin' | 'near' | 'later' | 'other';
  /** As listed; null if no list had shown it. */
  readonly order: QuestionedOrder | null;
}

export interface QuestionedOrder {
  readonly side: Side;
  /** Plain text. */
  readonly price: string;
  readonly quantity: string;
}

/** How many closed intents and order ids are remembered, for fills and list rows that come late. */
export const CLOSED_REMEMBERED = 5_000;
/** Exchanges allow fewer open orders than this. */
export const THIRD_PARTY_REMEMBERED = 500;

export interface DurableOrders {
  /** All intents that are not closed. */
  readonly intents: Map<IntentId, Intent>;
  /** The last closed ones, oldest first. */
  readonly closed: Map<IntentId, Intent>;
  /** Covers both maps above. */
  readonly byOrderId: Map<OrderId, IntentId>;
  nextIntentNumber: number;
  /** Orders that may be ours, by id, until their symbol is resumed. */
  readonly questioned: Map<OrderId, Questioned>;
  /** Orders that a person said are not the bot's, oldest first: however alike they are, nobody asks again. */
  readonly thirdParty: Set<OrderId>;
}

export function emptyOrders(): DurableOrders {
  return {
    intents: new Map(),
    closed: new Map(),
    byOrderId: new Map(),
    nextIntentNumber: 1,
    questioned: new Map(),
    thirdParty: new Set(),
  };
}

// Funds that an order may take from the wallet while it may be live.

/**
 * Quote for a buy, with the higher of maker and taker fee; base for a sale, whose fee and tax come out of the proceeds.
 */
export function reserveFor(
  order: OrderRequest,
  instrument: Instrument,
  feeRatio: Decimal,
): { asset: Asset; amount: Amount } {
  if (order.side === 'sell') return { asset: instrument.base, amount: roundedUp(order.quantity) };
  return { asset: instrument.quote, amount: roundedUp(order.price.mul(order.quantity).mul(feeRatio.add(1))) };
}

/** The reserve of an intent with `remaining` left. */
export function reserveLeft(intent: Intent, remaining: Decimal): Amount {
  if (!remaining.gt(0)) return roundedUp(new Decimal(0));
  return roundedUp(new Decimal(intent.reserve.amount).mul(remaining).div(intent.quantity));
}

/** The funds of an asset that live orders may take from the wallet. */
export function reservedIn({ intents }: Pick<DurableOrders, 'intents'>, asset: Asset): Amount {
  let sum = NO_AMOUNT;
  for (const intent of intents.values()) if (intent.reserve.asset === asset) sum = add(sum, reservedBy(intent));
  return sum;
}

/** Computed once: an intent never changes. */
function reservedBy(intent: Intent): Amount {
  const known = RESERVED.get(intent);
  if (known !== undefined) return known;
  const left = reserveLeft(intent, remainingOf(intent));
  RESERVED.set(intent, left);
  return left;
}

const RESERVED = new WeakMap<Intent, Amount>();

/** The intent with the exchange's values: its reserve changes in proportion to its possible cost. */
export function withValues(intent: Intent, { price, quantity }: Pick<Intent, 'price' | 'quantity'>): Intent {
  const cost = (order: Pick<Intent, 'price' | 'quantity'>): Decimal =>
    intent.side === 'sell' ? order.quantity : order.price.mul(order.quantity);
  const amount = new Decimal(intent.reserve.amount).mul(cost({ price, quantity })).div(cost(intent));
  return { ...intent, price, quantity, reserve: { ...intent.reserve, amount: amountText(roundedUp(amount)) } };
}

function roundedUp(value: Decimal): Amount {
  const read = amountOf(value.toDecimalPlaces(AMOUNT_DECIMALS, Decimal.ROUND_UP));
  invariant(read.ok, () => `A reservation of ${value.toFixed()} is not an exact amount.`);
  return read.value;
}
