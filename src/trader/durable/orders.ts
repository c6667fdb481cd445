// The bot's orders, and those of which a person is asked whose they are.
import type { IntentId, OrderId } from '../../domain/ids.ts';
import type { InstrumentSymbol } from '../../domain/instrument.ts';
import type { Side } from '../../domain/order.ts';
import type { Intent } from './intent.ts';

/** An order that a person was asked about. */
export interface Questioned {
  readonly symbol: InstrumentSymbol;
  /**
   * `twin`: it has the values of an order of ours. `near`: values that the exchange may have made of them (F16).
   * `later`: it came after the end of a journal that may be old. `part`: it filled in part at our price, and is gone.
   * `other`: a closed create was held for it, and lists show it with other values.
   */
  readonly as: 'twin' | 'near' | 'later' | 'part' | 'other';
  /** As listed; null where no list had shown it. */
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
/** Exchanges take fewer open orders than that. */
export const THIRD_PARTY_REMEMBERED = 500;

export interface DurableOrders {
  /** All that are not closed. */
  readonly intents: Map<IntentId, Intent>;
  /** The last closed ones, oldest first. */
  readonly closed: Map<IntentId, Intent>;
  /** Of both maps above. */
  readonly byOrderId: Map<OrderId, IntentId>;
  nextIntentNumber: number;
  /** Orders that may be ours, by id, until their symbol is resumed. */
  readonly questioned: Map<OrderId, Questioned>;
  /**
   * Orders of which a person said that they are not the bot's, oldest first: however alike they are, nobody asks again.
   */
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
