// The live parts of the engine: a market, the orders in its book, and the accounts that own them.
import { Decimal } from '../domain/decimal.ts';
import type { Asset, Instrument } from '../domain/instrument.ts';
import { invariant } from '../domain/invariant.ts';
import type { EpochMs } from '../domain/time.ts';
import { Book, type BookOrder } from './book.ts';
import { toUnits } from './conversion.ts';
import type { AccountName, EngineOrder, EngineOrderId, EngineTrade, Lots, Ticks, Units } from './types.ts';

export interface Market {
  readonly instrument: Instrument;
  readonly book: Book<OrderInfo>;
  /** Units of quote in one tick × one lot. */
  readonly tickLotUnits: Units;
  /** Units of base in one lot. */
  readonly lotUnits: Units;
  /** The least notional of an order in units of quote, rounded up. */
  readonly minNotional: Units;
  lastTrade: EngineTrade | undefined;
}

/** The engine's data attached to an order of the book. */
interface OrderInfo {
  readonly orderId: EngineOrderId;
  readonly account: Account;
  readonly market: Market;
  readonly quantity: Lots;
  readonly createdAt: EpochMs;
  /** The order's present reservation: quote for a buy, base for a sell. */
  locked: Units;
  /** The last description, so that repeated reads of all orders copy only those that changed. */
  described: EngineOrder | null;
}

export type LiveOrder = BookOrder<OrderInfo>;

export interface Account {
  readonly name: AccountName;
  /** May go below zero. */
  readonly unlimited: boolean;
  readonly holdings: Map<Asset, Holding>;
  /** Its resting orders, oldest first. */
  readonly orders: Set<LiveOrder>;
}

interface Holding {
  free: Units;
  /** Reserved by the resting orders. */
  locked: Units;
}

/**
 * An empty market whose orders are found through the shared index `orders`. Throws where a tick × lot is not a whole
 * number of units of quote, or a lot not of base.
 */
export function newMarket(instrument: Instrument, assetDecimals: number, orders: Map<number, LiveOrder>): Market {
  const { symbol, base, quote, tickSize, lotSize, minNotional } = instrument;
  invariant(base !== quote, () => `Instrument ${symbol} trades ${base} for itself.`);
  invariant(tickSize.gt(0), () => `The tick size of ${symbol} is ${tickSize.toFixed()}.`);
  invariant(lotSize.gt(0), () => `The lot size of ${symbol} is ${lotSize.toFixed()}.`);
  invariant(minNotional.gte(0), () => `The least notional of ${symbol} is ${minNotional.toFixed()}.`);
  const inUnits = (amount: Decimal, name: string): Units => {
    const units = toUnits(amount, assetDecimals);
    invariant(
      units !== null,
      () => `${name} of ${symbol}, ${amount.toFixed()}, is finer than ${assetDecimals} decimals.`,
    );
    return units;
  };
  return {
    instrument,
    book: new Book(orders),
    tickLotUnits: inUnits(tickSize.mul(lotSize), 'Tick × lot'),
    lotUnits: inUnits(lotSize, 'The lot'),
    minNotional: inUnits(minNotional.toDecimalPlaces(assetDecimals, Decimal.ROUND_CEIL), 'The least notional'),
    lastTrade: undefined,
  };
}

/** The order's present state, as a value. */
export function describeOrder({ side, price, remaining, info }: LiveOrder): EngineOrder {
  if (info.described?.remaining === remaining) return info.described;
  info.described = {
    orderId: info.orderId,
    account: info.account.name,
    symbol: info.market.instrument.symbol,
    side,
    price: price as Ticks,
    quantity: info.quantity,
    remaining: remaining as Lots,
    createdAt: info.createdAt,
  };
  return info.described;
}

// Accounts and their balances, in whole units.

/** Collected fees. It is internal: no command may act for it. */
export const FEES_ACCOUNT: AccountName = 'fees';
/** Withheld tax. Internal as well. */
export const TAX_ACCOUNT: AccountName = 'tax';

export function newAccount(name: AccountName, unlimited: boolean): Account {
  return { name, unlimited, holdings: new Map(), orders: new Set() };
}

/** The account's holding of an asset, created if needed. */
export function holdingOf(account: Account, asset: Asset): Holding {
  const existing = account.holdings.get(asset);
  if (existing !== undefined) return existing;
  const holding: Holding = { free: 0n, locked: 0n };
  account.holdings.set(asset, holding);
  return holding;
}

/** Whether the account can pay: up to its free balance, or any amount if unlimited. */
export function canPay(account: Account, asset: Asset, amount: Units): boolean {
  return account.unlimited || (account.holdings.get(asset)?.free ?? 0n) >= amount;
}

// Order ids are text around a number that may exceed 2^53 (Q20). The engine uses the distance from the first number,
// which is small.

const PREFIX = '1-';
const SUFFIX = '-1';
/** Longer digits are no id of ours; parsing them would take time that grows with the square of their number. */
const MOST_DIGITS = 40;
const DIGITS = /^(?:0|[1-9]\d*)$/;

export function orderIdOf(first: bigint, distance: number): EngineOrderId {
  return `${PREFIX}${first + BigInt(distance)}${SUFFIX}`;
}

/** The distance of an order id from the first number; `null` for other text. */
export function distanceOf(first: bigint, orderId: EngineOrderId): number | null {
  if (!orderId.startsWith(PREFIX) || !orderId.endsWith(SUFFIX)) return null;
  const digits = orderId.slice(PREFIX.length, -SUFFIX.length);
  if (digits.length > MOST_DIGITS || !DIGITS.test(digits)) return null;
  const distance = Number(BigInt(digits) - first);
  return Number.isSafeInteger(distance) ? distance : null;
}
