// Converts the engine's state to plain JSON and back.
import type { Asset, InstrumentSymbol } from '../domain/instrument.ts';
import { invariant } from '../domain/invariant.ts';
import { bookOrder } from './book.ts';
import { reservationOf } from './charges.ts';
import { createEngine, type EngineState, liveOrder, reservedAsset } from './engine-state.ts';
import { type Account, describeOrder, distanceOf, type LiveOrder, type Market, newAccount } from './market.ts';
import type { AccountName, EngineOrder, EngineSettings, EngineTrade, Units } from './types.ts';

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

/** `rank` if it differs from the id's number: the distance from the first number that gives the order its age. */
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

/** Everything except the settings. The state may still be used. */
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
 * The engine that `snapshot` was taken of, to continue exactly. `settings` must be the original ones. Throws if the two
 * don't fit, and for any broken invariant.
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

// Everything that must hold between any two commands, checked the slow way.

/**
 * Throws InvariantViolation if the state contradicts itself: books (levels sorted, sums right, queues in order, not
 * crossed), every order known to index and owner, locks equal to the resting orders' reservations, no limited account
 * below zero, and per asset the sum over all accounts equal to the sum of all credits.
 */
export function validateState(state: EngineState): void {
  let resting = 0;
  for (const { book } of state.markets.values()) resting += book.validate();
  invariant(resting === state.orders.size, () => `The books hold ${resting} orders, the index ${state.orders.size}.`);
  for (const [id, order] of state.orders) validateOrder(state, id, order);
  for (const account of state.accounts.values()) validateAccount(state, account);
  let owned = 0;
  for (const { orders } of state.accounts.values()) owned += orders.size;
  invariant(owned === resting, () => `The accounts own ${owned} orders, the books hold ${resting}.`);
  validateTotals(state);
}

function validateOrder(state: EngineState, id: number, order: LiveOrder): void {
  const { info, side, price, remaining } = order;
  const { orderId, market, quantity, account } = info;
  const named = id === order.id && id < state.nextOrder && liveOrder(state, orderId) === order;
  invariant(named, () => `Order ${orderId} is kept under ${id}, the next being ${state.nextOrder}.`);
  const placed = state.markets.get(market.instrument.symbol)?.book.level(side, price) === order.level;
  invariant(placed, () => `Order ${orderId} is not in the book of ${market.instrument.symbol}.`);
  const listed = account.orders.has(order) && state.accounts.get(account.name) === account;
  invariant(listed, () => `Order ${orderId} is not among those of ${account.name}.`);
  invariant(remaining <= quantity, () => `Order ${orderId} has ${remaining} lots left of ${quantity}.`);
  const reserved = reservationOf(state.charges, { market, side, price, remaining });
  invariant(info.locked === reserved, () => `Order ${orderId} locks ${info.locked} and must lock ${reserved}.`);
}

function validateAccount({ fees, tax }: EngineState, account: Account): void {
  const { name, unlimited, orders, holdings } = account;
  const reserved = new Map<Asset, Units>();
  for (const { info, side } of orders) {
    const asset = reservedAsset(info.market, side);
    invariant(info.account === account, () => `${name} lists ${info.orderId}, which belongs to ${info.account.name}.`);
    add(reserved, asset, info.locked);
  }
  for (const [asset, { free, locked }] of holdings) {
    const expected = reserved.get(asset) ?? 0n;
    invariant(
      locked === expected,
      () => `${name} has ${locked} ${asset} units locked; its orders reserve ${expected}.`,
    );
    invariant(unlimited || free >= 0n, () => `${name} has ${free} ${asset} units free.`);
    reserved.delete(asset);
  }
  invariant(reserved.size === 0, () => `${name} reserves ${[...reserved.keys()]} and holds none of it.`);
  const internal = account === fees || account === tax;
  invariant(!internal || orders.size === 0, () => `The internal account ${name} has ${orders.size} orders.`);
}

function validateTotals({ accounts, credited }: EngineState): void {
  const totals = new Map<Asset, Units>();
  for (const { holdings } of accounts.values()) {
    for (const [asset, { free, locked }] of holdings) add(totals, asset, free + locked);
  }
  for (const asset of new Set([...totals.keys(), ...credited.keys()])) {
    const [held, given] = [totals.get(asset) ?? 0n, credited.get(asset) ?? 0n];
    invariant(held === given, () => `All accounts hold ${held} units of ${asset}; ${given} were credited.`);
  }
}

function add(totals: Map<Asset, Units>, asset: Asset, amount: Units): void {
  totals.set(asset, (totals.get(asset) ?? 0n) + amount);
}
