// The engine's whole state.
import type { Asset, InstrumentSymbol } from '../domain/instrument.ts';
import { invariant } from '../domain/invariant.ts';
import type { Side } from '../domain/order.ts';
import { type Charges, chargesOf, reservationOf } from './charges.ts';
import {
  type Account,
  distanceOf,
  FEES_ACCOUNT,
  holdingOf,
  type LiveOrder,
  type Market,
  newAccount,
  newMarket,
  TAX_ACCOUNT,
} from './market.ts';
import type { AccountName, EngineOrderId, EngineSettings, Units } from './types.ts';

/**
 * Owned linearly: `applyCommand` changes it in place, and only the returned state may be used afterward. Read it
 * through `reader`; the fields are for the engine's own files.
 */
export interface EngineState {
  readonly settings: EngineSettings;
  readonly charges: Charges;
  readonly markets: Map<InstrumentSymbol, Market>;
  readonly accounts: Map<AccountName, Account>;
  readonly fees: Account;
  readonly tax: Account;
  /** Resting orders of all markets by their distance from the first order number, oldest first. */
  readonly orders: Map<number, LiveOrder>;
  /**
   * Orders whose id has an earlier number than their rank (`create` with an `orderId`): id's number → rank's number,
   * each as a distance. An entry may outlive its order.
   */
  readonly ranks: Map<number, number>;
  /** Sum of all credits per asset: all accounts together must hold it. */
  readonly credited: Map<Asset, Units>;
  /** Distance of the next order's number from the first. */
  nextOrder: number;
  nextTradeNumber: bigint;
}

const MOST_DECIMALS = 30;

/** Throws on settings that contradict themselves, or instruments whose steps are finer than the smallest unit. */
export function createEngine(settings: EngineSettings): EngineState {
  const { assetDecimals, firstOrderNumber, firstTradeNumber } = settings;
  const knowable = Number.isInteger(assetDecimals) && assetDecimals >= 0 && assetDecimals <= MOST_DECIMALS;
  invariant(knowable, () => `Assets can't have ${assetDecimals} decimals: 0 to ${MOST_DECIMALS} can.`);
  const numbered = firstOrderNumber >= 0n && firstTradeNumber >= 0n;
  invariant(
    numbered,
    () => `Orders from ${firstOrderNumber} and trades from ${firstTradeNumber}: a number is negative.`,
  );
  const fees = newAccount(FEES_ACCOUNT, false);
  const tax = newAccount(TAX_ACCOUNT, false);
  const orders = new Map<number, LiveOrder>();
  const markets = new Map<InstrumentSymbol, Market>();
  for (const instrument of settings.instruments) {
    invariant(!markets.has(instrument.symbol), () => `Instrument ${instrument.symbol} is listed twice.`);
    markets.set(instrument.symbol, newMarket(instrument, assetDecimals, orders));
  }
  return {
    settings,
    charges: chargesOf(settings),
    markets,
    accounts: new Map([fees, tax].map((account) => [account.name, account])),
    fees,
    tax,
    orders,
    ranks: new Map(),
    credited: new Map(),
    nextOrder: 0,
    nextTradeNumber: firstTradeNumber,
  };
}

/** The account that a command acts for; the internal accounts have no owner. */
export function actingAccount({ accounts }: EngineState, name: AccountName): Account | undefined {
  return name === FEES_ACCOUNT || name === TAX_ACCOUNT ? undefined : accounts.get(name);
}

/** The resting order of this id. */
export function liveOrder({ settings, orders, ranks }: EngineState, orderId: EngineOrderId): LiveOrder | undefined {
  const distance = distanceOf(settings.firstOrderNumber, orderId);
  if (distance === null) return undefined;
  const order = orders.get(ranks.get(distance) ?? distance);
  // A number that only ranks an order is not an order's id.
  return order?.info.orderId === orderId ? order : undefined;
}

// Moves money between free and locked as an order arrives, shrinks and leaves.

/** The asset that an order of this side reserves. */
export function reservedAsset(market: Market, side: Side): Asset {
  return side === 'buy' ? market.instrument.quote : market.instrument.base;
}

/** Locks exactly the reservation for the order's remaining quantity; the difference comes from or goes to free. */
export function adjustReservation(state: EngineState, order: LiveOrder): void {
  const { info, side, price, remaining } = order;
  setReservation(order, reservationOf(state.charges, { market: info.market, side, price, remaining }));
}

/** Frees the order's whole reservation as it leaves. */
export function releaseReservation(order: LiveOrder): void {
  setReservation(order, 0n);
}

function setReservation({ info, side }: LiveOrder, amount: Units): void {
  const holding = holdingOf(info.account, reservedAsset(info.market, side));
  const more = amount - info.locked;
  holding.free -= more;
  holding.locked += more;
  info.locked = amount;
}
