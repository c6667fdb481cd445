// The engine's state as plain data that JSON can carry, and back.
import type { Asset, InstrumentSymbol } from '../domain/instrument.ts';
import { invariant } from '../domain/invariant.ts';
import { newAccount } from './accounts.ts';
import { bookOrder } from './book/price-level.ts';
import { reservationOf } from './charges.ts';
import { createEngine, type EngineState } from './engine-state.ts';
import { type Account, describeOrder, type LiveOrder, type Market } from './market.ts';
import { distanceOf } from './order-numbers.ts';
import type { AccountName, EngineOrder, EngineSettings, EngineTrade } from './types.ts';
import { validateState } from './validate-state.ts';

/** Amounts and numbers that may exceed 2^53 are decimal digits. */
export interface EngineSnapshot {
  readonly nextOrder: number;
  readonly nextTradeNumber: string;
  readonly accounts: readonly AccountSnapshot[];
  readonly credited: readonly { readonly asset: Asset; readonly amount: string }[];
  /** Oldest first, which is their order at each price. */
  readonly orders: readonly OrderSnapshot[];
  readonly lastTrades: readonly TradeSnapshot[];
}

/** `rank` where it is not the number of the id: the distance from the first number that gives the order its age. */
type OrderSnapshot = EngineOrder & { readonly rank?: number };

interface AccountSnapshot {
  readonly account: AccountName;
  readonly unlimited: boolean;
  readonly holdings: readonly { readonly asset: Asset; readonly free: string; readonly locked: string }[];
}

type Charge<Amount> = { readonly asset: Asset; readonly amount: Amount };
type TradeSnapshot = Omit<EngineTrade, 'notional' | 'tds' | 'makerFee' | 'takerFee'> & {
  readonly notional: string;
  readonly tds: string;
  readonly makerFee: Charge<string>;
  readonly takerFee: Charge<string>;
};

/** Everything but the settings. The state may go on being used. */
export function snapshot(state: EngineState): EngineSnapshot {
  const trades = [...state.markets.values()].map(({ lastTrade }) => lastTrade);
  return {
    nextOrder: state.nextOrder,
    nextTradeNumber: state.nextTradeNumber.toString(),
    accounts: [...state.accounts.values()].map(snapshotAccount),
    credited: [...state.credited].map(([asset, amount]) => ({ asset, amount: amount.toString() })),
    orders: [...state.orders.values()].map((order) => snapshotOrder(state, order)),
    lastTrades: trades.filter((trade) => trade !== undefined).map(snapshotTrade),
  };
}

/**
 * The engine that `snapshot` was taken of, to go on exactly as that would have. `settings` must be those it ran with.
 * Throws where the two don't fit, as after any broken invariant.
 */
export function restore(settings: EngineSettings, saved: EngineSnapshot): EngineState {
  const state = createEngine(settings);
  state.nextOrder = saved.nextOrder;
  state.nextTradeNumber = BigInt(saved.nextTradeNumber);
  for (const account of saved.accounts) restoreAccount(state, account);
  for (const { asset, amount } of saved.credited) state.credited.set(asset, BigInt(amount));
  for (const order of saved.orders) restoreOrder(state, order);
  for (const trade of saved.lastTrades) marketOf(state, trade.symbol).lastTrade = restoreTrade(trade);
  validateState(state);
  return state;
}

function snapshotOrder({ settings }: EngineState, order: LiveOrder): OrderSnapshot {
  const described = describeOrder(order);
  const isOwn = distanceOf(settings.firstOrderNumber, described.orderId) === order.id;
  return isOwn ? described : { ...described, rank: order.id };
}

function snapshotAccount({ name, unlimited, holdings }: Account): AccountSnapshot {
  return {
    account: name,
    unlimited,
    holdings: [...holdings].map(([asset, { free, locked }]) => ({
      asset,
      free: free.toString(),
      locked: locked.toString(),
    })),
  };
}

function snapshotTrade(trade: EngineTrade): TradeSnapshot {
  const { notional, tds, makerFee, takerFee } = trade;
  const text = ({ asset, amount }: Charge<bigint>): Charge<string> => ({ asset, amount: amount.toString() });
  return {
    ...trade,
    notional: notional.toString(),
    tds: tds.toString(),
    makerFee: text(makerFee),
    takerFee: text(takerFee),
  };
}

function restoreTrade(trade: TradeSnapshot): EngineTrade {
  const { notional, tds, makerFee, takerFee } = trade;
  const exact = ({ asset, amount }: Charge<string>): Charge<bigint> => ({ asset, amount: BigInt(amount) });
  return {
    ...trade,
    notional: BigInt(notional),
    tds: BigInt(tds),
    makerFee: exact(makerFee),
    takerFee: exact(takerFee),
  };
}

function restoreAccount({ accounts }: EngineState, { account: name, unlimited, holdings }: AccountSnapshot): void {
  const account = accounts.get(name) ?? newAccount(name, unlimited);
  accounts.set(name, account);
  for (const { asset, free, locked } of holdings) {
    account.holdings.set(asset, { free: BigInt(free), locked: BigInt(locked) });
  }
}

function restoreOrder(state: EngineState, saved: OrderSnapshot): void {
  const order = orderFrom(state, saved);
  order.info.market.book.rest(order);
  order.info.account.orders.add(order);
}

function orderFrom(state: EngineState, saved: OrderSnapshot): LiveOrder {
  const { orderId, symbol, side, price, quantity, remaining, createdAt } = saved;
  const market = marketOf(state, symbol);
  const account = state.accounts.get(saved.account);
  invariant(account !== undefined, () => `Order ${orderId} belongs to ${saved.account}, which is no account.`);
  const distance = distanceOf(state.settings.firstOrderNumber, orderId);
  invariant(distance !== null, () => `${orderId} is no order id.`);
  const id = saved.rank ?? distance;
  if (id !== distance) state.ranks.set(distance, id);
  const locked = reservationOf(state.charges, { market, side, price, remaining });
  return bookOrder({
    id,
    side,
    price,
    quantity: remaining,
    info: { orderId, account, market, quantity, createdAt, locked, described: null },
  });
}

function marketOf({ markets }: EngineState, symbol: InstrumentSymbol): Market {
  const market = markets.get(symbol);
  invariant(market !== undefined, () => `The snapshot knows ${symbol}, the settings don't.`);
  return market;
}
