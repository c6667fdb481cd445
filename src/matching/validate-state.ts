// Everything that must hold between any two commands, checked the slow way.
import type { Asset } from '../domain/instrument.ts';
import { invariant } from '../domain/invariant.ts';
import { reservationOf } from './charges.ts';
import { type EngineState, liveOrder } from './engine-state.ts';
import type { Account, LiveOrder } from './market.ts';
import { reservedAsset } from './reservation.ts';
import type { Units } from './types.ts';

/**
 * Throws InvariantViolation where the state contradicts itself: books (levels sorted, sums right, queues in order, not
 * crossed), every order known to index and owner, locks equal to what the resting orders reserve, no limited account
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
