// What an account may read of itself beside its trades: the wallet and its open orders.
import { invariant } from '../../domain/invariant.ts';
import { reader } from '../../matching/engine.ts';
import type { Lots } from '../../matching/types.ts';
import type { Visit } from '../gate/gate.ts';
import { optionalSymbol } from '../gate/parameters.ts';
import type { AccountRecord } from '../state/account-record.ts';
import { priceText, quantityText } from '../state/amounts.ts';
import { knownAssets } from '../state/back-office.ts';
import { showUntil } from '../state/delayed-view.ts';
import { accountRecord, type ExchangeState } from '../state/state.ts';
import type { ListedOrder } from '../state/waiting-order.ts';
import { EMPTY_ROW, isEmptyRow, shownRow } from '../state/wallet-row.ts';
import { parameter } from '../wire/query.ts';
import { ok, type Reply, refuse } from '../wire/reply.ts';

/** The record of the account that asks; only signed endpoints have one. */
export function callersRecord({ state, caller }: Visit): AccountRecord {
  invariant(caller !== null, 'A signed endpoint was answered without a caller.');
  return accountRecord(state, caller.account);
}

/** Every asset that the exchange knows, or those of which the account has something. */
export function answerWallet(visit: Visit): Reply {
  const { state, query } = visit;
  const omit = parameter(query, 'omitZeroBalances') ?? 'true';
  if (omit !== 'true' && omit !== 'false') return refuse(-1009, 'omitZeroBalances must be true or false.');
  const shown = showUntil(callersRecord(visit).wallet, state.lastAt - state.controls.quirks.walletLagMs);
  const assets = knownAssets(state.backOffice);
  const wanted = omit === 'true' ? assets.filter((asset) => !isEmptyRow(shown.get(asset) ?? EMPTY_ROW)) : assets;
  return ok(wanted.map((asset) => ({ asset, ...shownRow(shown.get(asset) ?? EMPTY_ROW, state.controls.quirks) })));
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
export function openOrderRow(state: ExchangeState, order: ListedOrder): object {
  const instrument = reader(state.engine).instrument(order.symbol);
  invariant(instrument !== undefined, `Order ${order.orderId} is for ${order.symbol}, which is not traded here.`);
  const executed = (order.quantity - order.remaining) as Lots;
  return {
    symbol: order.symbol,
    orderId: order.orderId,
    price: priceText(order.price, instrument),
    origQty: quantityText(order.quantity, instrument),
    executedQty: quantityText(executed, instrument),
    remainingQty: quantityText(order.remaining, instrument),
    status: executed > 0 ? 'PARTIALLY_FILLED' : 'NEW',
    type: order.type ?? 'LIMIT',
    side: order.side === 'buy' ? 'BUY' : 'SELL',
    time: state.controls.quirks.timeAs === 'number' ? order.createdAt : String(order.createdAt),
  };
}
