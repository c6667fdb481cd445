// Copies the engine's state as plain data, and restores it.
import type { Asset, InstrumentSymbol } from '../domain/instrument.ts';
import { invariant } from '../domain/invariant.ts';
import { bookOrder } from './book.ts';
import { reservationOf } from './charges.ts';
import { createEngine, type EngineState, liveOrder, reservedAsset } from './engine-state.ts';
import { type Account, describeOrder, distanceOf, type LiveOrder, type Market, newAccount } from './market.ts';
import type { EngineOrder, EngineSettings, Units } from './types.ts';

export type EngineSnapshot = ReturnType<typeof snapshot>;

/** A copy of everything except the settings: plain data with maps and bigints. */
export function snapshot({ nextOrder, nextTradeNumber, accounts, credited, orders, markets }: EngineState) {
  return structuredClone({
    nextOrder,
    nextTradeNumber,
    accounts: [...accounts.values()].map(({ name, unlimited, holdings }) => ({ name, unlimited, holdings })),
    credited,
    /** Oldest first, which is their order at each price. */
    orders: [...orders.values()].map((order): OrderSnapshot => ({ ...describeOrder(order), rank: order.id })),
    lastTrades: [...markets.values()].flatMap(({ lastTrade }) => lastTrade ?? []),
  });
}

/** `rank`: the distance from the first number that gives the order its age. */
type OrderSnapshot = EngineOrder & { readonly rank: number };

/**
 * The engine that `snapshot` was taken of, to continue exactly; it owns the snapshot from here on. `settings` must be
 * the original ones. Throws if the two don't fit, and for any broken invariant.
 */
export function restore(settings: EngineSettings, saved: EngineSnapshot): EngineState {
  const state = createEngine(settings);
  state.nextOrder = saved.nextOrder;
  state.nextTradeNumber = saved.nextTradeNumber;
  for (const { name, unlimited, holdings } of saved.accounts) {
    const account = state.accounts.get(name) ?? newAccount(name, unlimited);
    state.accounts.set(name, account);
    for (const [asset, holding] of holdings) account.holdings.set(asset, holding);
  }
  for (const [asset, amount] of saved.credited) state.credited.set(asset, amount);
  for (const order of saved.orders) restoreOrder(state, order);
  for (const trade of saved.lastTrades) marketOf(state, trade.symbol).lastTrade = trade;
  validateState(state);
  return state;
}

function restoreOrder(state: EngineState, saved: OrderSnapshot): void {
  const { orderId, symbol, side, price, quantity, remaining, createdAt, rank } = saved;
  const market = marketOf(state, symbol);
  const account = state.accounts.get(saved.account);
  invariant(account !== undefined, () => `Order ${orderId} belongs to ${saved.account}, which is no account.`);
  const distance = distanceOf(state.settings.firstOrderNumber, orderId);
  invariant(distance !== null, () => `${orderId} is no order id.`);
  if (rank !== distance) state.ranks.set(distance, rank);
  const locked = reservationOf(state.charges, { market, side, price, remaining });
  const info = { orderId, account, market, quantity, createdAt, locked, described: null };
  const order = bookOrder({ id: rank, side, price, quantity: remaining, info });
  market.book.rest(order);
  account.orders.add(order);
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
