// Everything that must hold of an exchange between any two commands, checked the slow way.
import type { Asset } from '../../domain/instrument.ts';
import { invariant } from '../../domain/invariant.ts';
import { reader, validateState } from '../../matching/engine.ts';
import type { AccountName, Units } from '../../matching/types.ts';
import type { AccountRecord, Kept } from '../state/account-record.ts';
import { knownAssets } from '../state/back-office.ts';
import { PURPOSES, type Purpose, pocketBalance } from '../state/set-aside.ts';
import type { ExchangeState } from '../state/state.ts';
import { moneyOf } from '../state/transfer-record.ts';
import { openOrdersOf } from './engine-step.ts';
import { nextReady } from './waiting-orders.ts';

/**
 * Throws InvariantViolation where the state contradicts itself: all that the engine checks, money among it; every
 * pocket holds what the waiting orders and pending withdrawals of its account need; every open order has its owner, and
 * none waits for what is there; trades are in order.
 */
export function validateExchange(state: ExchangeState): void {
  validateState(state.engine);
  for (const [account, record] of state.accounts) validateAccount(state, account, record);
  let open = 0;
  for (const account of state.accounts.keys()) open += openOrdersOf(state, account).length;
  invariant(open === state.owners.size, () => `${open} orders are open, ${state.owners.size} have an owner.`);
  for (const { orderId, remaining, quantity } of state.backOffice.waiting.values()) {
    const isLeft = remaining > 0 && remaining <= quantity;
    invariant(isLeft, () => `Order ${orderId} waits for ${remaining} lots of ${quantity}.`);
  }
  const ready = nextReady(state);
  invariant(ready === null, () => `Order ${ready?.orderId} waits for what is there.`);
  for (const orderId of state.backOffice.origins.keys()) {
    invariant(state.owners.has(orderId), () => `Order ${orderId} came from outside the book and is not open.`);
  }
}

function validateAccount(state: ExchangeState, account: AccountName, record: AccountRecord): void {
  for (const purpose of PURPOSES) {
    if (purpose === 'order') validatePocket(state, { account, purpose, needed: waitingNeeds(state, account) });
    if (purpose === 'withdrawal') validatePocket(state, { account, purpose, needed: pendingNeeds(state, record) });
    const isEmpty = knownAssets(state.backOffice).every(
      (asset) => contentOf(state, { account, purpose, asset }) === 0n,
    );
    invariant(
      isEmpty || record.pockets.has(purpose),
      () => `${account} has a pocket for ${purpose} and doesn't know it.`,
    );
  }
  validateOrder(account, record.fills);
  validateOrder(account, record.sbsTrades);
  for (const { orderId, symbol } of openOrdersOf(state, account)) {
    const owner = state.owners.get(orderId);
    const isOwned = owner?.account === account && owner.symbol === symbol && !record.closed.has(orderId);
    invariant(isOwned, () => `${account} has an open order ${orderId}, which is said to be another's or closed.`);
  }
}

interface Pocket {
  readonly account: AccountName;
  readonly purpose: Purpose;
  readonly needed: ReadonlyMap<Asset, Units>;
}

function validatePocket(state: ExchangeState, { account, purpose, needed }: Pocket): void {
  for (const asset of knownAssets(state.backOffice)) {
    const [content, expected] = [contentOf(state, { account, purpose, asset }), needed.get(asset) ?? 0n];
    invariant(
      content === expected,
      () => `${account} has ${content} units of ${asset} set aside for ${purpose}; ${expected} are needed.`,
    );
  }
}

function contentOf(state: ExchangeState, which: { account: AccountName; purpose: Purpose; asset: Asset }): Units {
  return pocketBalance(reader(state.engine), which);
}

function waitingNeeds(state: ExchangeState, account: AccountName): ReadonlyMap<Asset, Units> {
  const needed = new Map<Asset, Units>();
  for (const order of state.backOffice.waiting.values()) {
    const instrument = reader(state.engine).instrument(order.symbol);
    if (order.account !== account || !instrument) continue;
    add(needed, order.side === 'buy' ? instrument.quote : instrument.base, BigInt(order.setAside));
  }
  return needed;
}

function pendingNeeds(state: ExchangeState, { transfers }: AccountRecord): ReadonlyMap<Asset, Units> {
  const needed = new Map<Asset, Units>();
  for (const transfer of transfers.values()) {
    if (transfer.direction !== 'withdrawal' || transfer.status !== 'PENDING') continue;
    const { amount, fee } = moneyOf(transfer, state.settings.engine.assetDecimals);
    add(needed, transfer.asset, amount + fee);
  }
  return needed;
}

function add(amounts: Map<Asset, Units>, asset: Asset, amount: Units): void {
  amounts.set(asset, (amounts.get(asset) ?? 0n) + amount);
}

function validateOrder(account: AccountName, kept: readonly Kept[]): void {
  let last = Number.NEGATIVE_INFINITY;
  for (const { at, row } of kept) {
    invariant(last <= at, () => `Trade ${row.id} of ${account} stands behind a later one.`);
    last = at;
  }
}
