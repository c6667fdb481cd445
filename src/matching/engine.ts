// The engine of the paper exchange: one command in, what came of it out. Pure but for the state it owns.
import type { InstrumentSymbol } from '../domain/instrument.ts';
import { assertNever } from '../domain/invariant.ts';
import type { EpochMs } from '../domain/time.ts';
import { canPay, holdingOf, newAccount } from './accounts.ts';
import { createOrder } from './create-order.ts';
import { actingAccount, type EngineState, liveOrder } from './engine-state.ts';
import { cancelOrder, cancelOrders, reduceOrder } from './leaving.ts';
import type { Account, LiveOrder } from './market.ts';
import { orderIdOf } from './order-numbers.ts';
import { post } from './postings.ts';
import { isPositiveWhole, refused } from './refusals.ts';
import type { EngineCommand, EngineEvent, EngineOrderId } from './types.ts';

export { FEES_ACCOUNT, TAX_ACCOUNT } from './accounts.ts';
export { createEngine, type EngineState } from './engine-state.ts';
export { orderReservation, tradeTerms } from './forecast.ts';
export { reader } from './reader.ts';
export { type EngineSnapshot, restore, snapshot } from './snapshot.ts';
export { validateState } from './validate-state.ts';

type CommandOf<Kind extends EngineCommand['kind']> = Extract<EngineCommand, { kind: Kind }>;

/**
 * Applies one command at `now`, the engine's own time: it stamps orders and trades and decides nothing.
 *
 * The state is owned linearly: it is changed in place, and only the returned one may be used afterwards. A refused
 * command changes nothing. Every command but `open-account` and `post` is refused first for an unknown account; the
 * internal ones, `fees` and `tax`, count as unknown.
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
    case 'credit':
      return credit(state, account, command);
    case 'take-number':
      return [takeNumber(state)];
    case 'create':
      return createOrder(state, { command, account, now });
    case 'cancel':
      return cancel(state, account, command);
    case 'cancel-symbol':
      return cancelOrders([...account.orders].filter((order) => isIn(order, command.symbol)));
    case 'cancel-all':
      return cancelOrders(account.orders);
    case 'reduce':
      return reduce(state, account, command);
    default:
      return assertNever(command);
  }
}

function openAccount({ accounts }: EngineState, { account, unlimited }: CommandOf<'open-account'>): EngineEvent[] {
  if (!accounts.has(account)) accounts.set(account, newAccount(account, unlimited));
  return [];
}

function credit(state: EngineState, account: Account, { asset, amount }: CommandOf<'credit'>): EngineEvent[] {
  if (amount < 0n && !canPay(account, asset, -amount)) {
    const free = account.holdings.get(asset)?.free ?? 0n;
    return [refused('insufficient-funds', `${account.name} has ${free} units of ${asset} free, not ${-amount}.`)];
  }
  holdingOf(account, asset).free += amount;
  state.credited.set(asset, (state.credited.get(asset) ?? 0n) + amount);
  return [];
}

function takeNumber(state: EngineState): EngineEvent {
  const orderId = orderIdOf(state.settings.firstOrderNumber, state.nextOrder);
  state.nextOrder += 1;
  return { kind: 'numbered', orderId };
}

function cancel(state: EngineState, account: Account, { orderId }: CommandOf<'cancel'>): EngineEvent[] {
  const order = ownOrder(state, account, orderId);
  return order === undefined ? [unknownOrder(account, orderId)] : [cancelOrder(order)];
}

function reduce(state: EngineState, account: Account, { orderId, by }: CommandOf<'reduce'>): EngineEvent[] {
  const order = ownOrder(state, account, orderId);
  if (order === undefined) return [unknownOrder(account, orderId)];
  if (isPositiveWhole(by)) return reduceOrder(state, order, by);
  return [refused('invalid-quantity', `Order ${orderId} can't be reduced by ${by} lots.`)];
}

/** The resting order of this id, where the account owns it. */
function ownOrder(state: EngineState, account: Account, orderId: EngineOrderId): LiveOrder | undefined {
  const order = liveOrder(state, orderId);
  return order?.info.account === account ? order : undefined;
}

function unknownOrder({ name }: Account, orderId: EngineOrderId): EngineEvent {
  return refused('unknown-order', `${name} has no resting order ${orderId}.`);
}

function isIn(order: LiveOrder, symbol: InstrumentSymbol): boolean {
  return order.info.market.instrument.symbol === symbol;
}
