// The engine of the paper exchange: a command in, its events out. Pure except for the state it owns.
import type { Asset, InstrumentSymbol } from '../domain/instrument.ts';
import { invariant } from '../domain/invariant.ts';
import type { EpochMs } from '../domain/time.ts';
import type { PriceLevel } from './book.ts';
import { type FillTerms, fillTerms, reservationOf } from './charges.ts';
import { cancelOrder, cancelOrders, createOrder, reduceOrder, requeueOrder } from './create-order.ts';
import { actingAccount, type EngineState, liveOrder, reservedAsset } from './engine-state.ts';
import {
  type Account,
  canPay,
  describeOrder,
  holdingOf,
  type LiveOrder,
  type Market,
  newAccount,
  orderIdOf,
} from './market.ts';
import { isPositiveWhole, refused } from './refusals.ts';
import type {
  BookLevel,
  EngineCommand,
  EngineEvent,
  EngineOrder,
  EngineTrade,
  Lots,
  MarketReader,
  Posting,
  Ticks,
  Units,
} from './types.ts';

export { createEngine, type EngineState } from './engine-state.ts';
export { FEES_ACCOUNT, TAX_ACCOUNT } from './market.ts';
export { type EngineSnapshot, restore, snapshot, validateState } from './snapshot.ts';

type CommandOf<Kind extends EngineCommand['kind']> = Extract<EngineCommand, { kind: Kind }>;

/**
 * Applies one command at `now`, the engine's own time: it stamps orders and trades and affects no decision.
 *
 * The state is owned linearly: it is changed in place, and only the returned one may be used afterward. A refused
 * command changes nothing. For every command except `open-account` and `post`, an unknown account is the first reason
 * for refusal; the internal ones, `fees` and `tax`, count as unknown.
 */
export function applyCommand(
  state: EngineState,
  command: EngineCommand,
  now: EpochMs,
): { readonly state: EngineState; readonly events: readonly EngineEvent[] } {
  return { state, events: eventsOf(state, command, now) };
}

function eventsOf(state: EngineState, command: EngineCommand, now: EpochMs): EngineEvent[] {
  if (command.kind === 'open-account') return openAccount(state, command);
  if (command.kind === 'post') return post(state, command.postings);
  const account = actingAccount(state, command.account);
  if (account === undefined) return [refused('unknown-account', `There is no account ${command.account}.`)];
  switch (command.kind) {
    case 'take-number':
      return [takeNumber(state)];
    case 'create':
      return createOrder(state, { command, account, now });
    case 'cancel-symbol':
      return cancelOrders([...account.orders].filter((order) => isIn(order, command.symbol)));
    case 'cancel-all':
      return cancelOrders(account.orders);
    default:
      return changeOrder(state, account, command);
  }
}

function openAccount({ accounts }: EngineState, { account, unlimited }: CommandOf<'open-account'>): EngineEvent[] {
  if (!accounts.has(account)) accounts.set(account, newAccount(account, unlimited));
  return [];
}

function takeNumber(state: EngineState): EngineEvent {
  const orderId = orderIdOf(state.settings.firstOrderNumber, state.nextOrder);
  state.nextOrder += 1;
  return { kind: 'numbered', orderId };
}

/** Changes a resting order that the account owns. */
function changeOrder(
  state: EngineState,
  account: Account,
  command: CommandOf<'cancel' | 'reduce' | 'requeue'>,
): EngineEvent[] {
  const order = liveOrder(state, command.orderId);
  if (order?.info.account !== account)
    return [refused('unknown-order', `${account.name} has no resting order ${command.orderId}.`)];
  if (command.kind === 'cancel') return [cancelOrder(order)];
  if (command.kind === 'requeue') {
    requeueOrder(state, order);
    return [];
  }
  if (isPositiveWhole(command.by)) return reduceOrder(state, order, command.by);
  return [refused('invalid-quantity', `Order ${command.orderId} can't be reduced by ${command.by} lots.`)];
}

function isIn(order: LiveOrder, symbol: InstrumentSymbol): boolean {
  return order.info.market.instrument.symbol === symbol;
}

// An order's reservation and a fill's amounts, for callers that need them before or after the engine applies them.

/** The amount that a limit order would lock. The symbol must be known. */
export function orderReservation(
  state: EngineState,
  { symbol, side, price, quantity }: Pick<EngineOrder, 'symbol' | 'side' | 'price' | 'quantity'>,
): { readonly asset: Asset; readonly amount: Units } {
  const market = marketOf(state, symbol);
  const amount = reservationOf(state.charges, { market, side, price, remaining: quantity });
  return { asset: reservedAsset(market, side), amount };
}

/** The amounts of a fill if both sides can pay in full. The symbol must be known. */
export function tradeTerms(
  state: EngineState,
  { symbol, price, quantity, makerSide }: Pick<EngineTrade, 'symbol' | 'price' | 'quantity' | 'makerSide'>,
): FillTerms {
  return fillTerms(state.charges, marketOf(state, symbol), { price, quantity, makerSide });
}

function marketOf({ markets }: EngineState, symbol: InstrumentSymbol): Market {
  const market = markets.get(symbol);
  invariant(market !== undefined, () => `There is no instrument ${symbol}.`);
  return market;
}

// The engine's public view: values, never live parts.

/**
 * A live view of the state: each call reads the present state and returns copies. An unknown symbol has empty sides, an
 * unknown account no orders and zero balances.
 */
export function reader(state: EngineState): MarketReader {
  const known = readers.get(state);
  if (known !== undefined) return known;
  const made = readerOf(state);
  readers.set(state, made);
  return made;
}

/** One view per engine, collected with it: views hold no state, and every command asks for one. */
const readers = new WeakMap<EngineState, MarketReader>();

function readerOf(state: EngineState): MarketReader {
  const { markets, accounts } = state;
  return {
    instrument: (symbol) => markets.get(symbol)?.instrument,
    levels: (symbol, side, depth) => (markets.get(symbol)?.book.levels(side, depth) ?? []).map(describeLevel),
    best: (symbol, side) => {
      const level = markets.get(symbol)?.book.best(side);
      return level && describeLevel(level);
    },
    queue: (symbol, side, price) => (markets.get(symbol)?.book.queue(side, price) ?? []).map(describeOrder),
    order: (orderId) => {
      const order = liveOrder(state, orderId);
      return order && describeOrder(order);
    },
    ordersOf: (account, symbol) => {
      const market = symbol === undefined ? undefined : markets.get(symbol);
      const wanted: EngineOrder[] = [];
      for (const order of accounts.get(account)?.orders ?? [])
        if (symbol === undefined || order.info.market === market) wanted.push(describeOrder(order));
      return wanted;
    },
    balance: (account, asset) => {
      const { free, locked } = accounts.get(account)?.holdings.get(asset) ?? NOTHING;
      return { free, locked };
    },
    lastTrade: (symbol) => markets.get(symbol)?.lastTrade,
  };
}

const NOTHING = { free: 0n, locked: 0n } as const;

function describeLevel({ price, quantity }: PriceLevel<unknown>): BookLevel {
  return { price: price as Ticks, quantity: quantity as Lots };
}

// Moves free balances of several accounts at once: all of it or nothing.

/** The net change of one account in one asset. */
interface Change {
  readonly account: Account;
  readonly asset: Asset;
  readonly amount: Units;
}

/** Refused for an unknown account, then if a limited account can't pay. The order of the postings does not matter. */
function post(state: EngineState, postings: readonly Posting[]): EngineEvent[] {
  const changes = new Map<string, Change>();
  for (const { account: name, asset, amount } of postings) {
    const account = state.accounts.get(name);
    if (account === undefined) return [refused('unknown-account', `There is no account ${name}.`)];
    const key = `${asset} ${name}`;
    changes.set(key, { account, asset, amount: (changes.get(key)?.amount ?? 0n) + amount });
  }
  const all = [...changes.values()];
  const unpaid = all.find(({ account, asset, amount }) => amount < 0n && !canPay(account, asset, -amount));
  if (unpaid) return [refusalOf(unpaid)];
  for (const { account, asset, amount } of all) {
    holdingOf(account, asset).free += amount;
    state.credited.set(asset, (state.credited.get(asset) ?? 0n) + amount);
  }
  return [];
}

function refusalOf({ account, asset, amount }: Change): EngineEvent {
  const free = account.holdings.get(asset)?.free ?? 0n;
  return refused('insufficient-funds', `${account.name} has ${free} units of ${asset} free, not ${-amount}.`);
}
