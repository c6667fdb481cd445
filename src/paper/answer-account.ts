// What an account may read of itself beside its trades: the wallet and its open orders.
import type { Asset } from '../domain/instrument.ts';
import { invariant } from '../domain/invariant.ts';
import { reader } from '../matching/engine.ts';
import type { EngineOrder } from '../matching/types.ts';
import type { AccountRecord } from './account-record.ts';
import { priceText, quantityText } from './amounts.ts';
import { showUntil } from './delayed-view.ts';
import type { Visit } from './gate.ts';
import { optionalSymbol } from './parameters.ts';
import { parameter } from './query.ts';
import { ok, type Reply, refuse } from './reply.ts';
import { accountRecord, type ExchangeState } from './state.ts';

/** The record of the account that asks; only signed endpoints have one. */
export function callersRecord({ state, caller }: Visit): AccountRecord {
  invariant(caller !== null, 'A signed endpoint was answered without a caller.');
  return accountRecord(state, caller.account);
}

/** `locked` is what resting orders hold: there is no staking, deposit or OTC on this exchange. */
export function answerWallet(visit: Visit): Reply {
  const { state, query } = visit;
  const omit = parameter(query, 'omitZeroBalances') ?? 'true';
  if (omit !== 'true' && omit !== 'false') return refuse(-1009, 'omitZeroBalances must be true or false.');
  const shown = showUntil(callersRecord(visit).wallet, state.lastAt - state.controls.quirks.walletLagMs);
  const rows = assetsOf(state).map((asset) => {
    const { free, locked } = shown.get(asset) ?? { free: '0', locked: '0' };
    return { asset, free, locked, lockedFd: '0', lockedStaking: '0', lockedOtc: '0' };
  });
  return ok(omit === 'true' ? rows.filter((row) => row.free !== '0' || row.locked !== '0') : rows);
}

/** Every asset of the instruments and of the accounts' first balances, in alphabetical order. */
export function assetsOf(state: Pick<ExchangeState, 'settings'>): readonly Asset[] {
  const assets = new Set(state.settings.accounts.flatMap((account) => Object.keys(account.balances)));
  for (const { base, quote } of state.settings.engine.instruments) assets.add(base).add(quote);
  return [...assets].sort();
}

/** Oldest first; with Q4 the list ends after the cap, scoped by symbol or not. */
export function answerOpenOrders(visit: Visit): Reply {
  const { state, query } = visit;
  const wanted = optionalSymbol(state, query);
  if (!wanted.ok) return wanted.error;
  const symbol = wanted.value?.symbol;
  const { openOrdersLagMs, openOrdersCap } = state.controls.quirks;
  const shown = showUntil(callersRecord(visit).openOrders, state.lastAt - openOrdersLagMs);
  const orders = [...shown.values()].filter((order) => symbol === undefined || order.symbol === symbol);
  return ok(orders.slice(0, openOrdersCap ?? orders.length).map((order) => openOrderRow(state, order)));
}

/** Specification 2.12. */
export function openOrderRow(state: ExchangeState, order: EngineOrder): object {
  const instrument = reader(state.engine).instrument(order.symbol);
  invariant(instrument !== undefined, `Order ${order.orderId} is for ${order.symbol}, which is not traded here.`);
  const executed = (order.quantity - order.remaining) as EngineOrder['quantity'];
  return {
    symbol: order.symbol,
    orderId: order.orderId,
    price: priceText(order.price, instrument),
    origQty: quantityText(order.quantity, instrument),
    executedQty: quantityText(executed, instrument),
    remainingQty: quantityText(order.remaining, instrument),
    status: executed > 0 ? 'PARTIALLY_FILLED' : 'NEW',
    type: 'LIMIT',
    side: order.side === 'buy' ? 'BUY' : 'SELL',
    time: state.controls.quirks.timeAs === 'number' ? order.createdAt : String(order.createdAt),
  };
}
