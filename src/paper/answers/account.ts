// Reads of an account's wallet and open orders; its trades are in `trades.ts`.
import type { EpochMs } from '../../domain/time.ts';
import { reader } from '../../matching/engine.ts';
import type { Lots } from '../../matching/types.ts';
import { EMPTY_ROW, instrumentOf, isEmptyRow, shownRow } from '../engine/engine-step.ts';
import { accountOf, type Visit } from '../gate/gate.ts';
import { assetIn, optionalSymbol } from '../gate/parameters.ts';
import { type AccountRecord, showUntil } from '../state/account-record.ts';
import { priceText, quantityText } from '../state/amounts.ts';
import { knownAssets } from '../state/back-office.ts';
import type { ListedOrder } from '../state/in-flight.ts';
import { accountRecord, type ExchangeState } from '../state/state.ts';
import { ok, type Reply, refuse } from '../wire/messages.ts';
import { parameter } from '../wire/query.ts';
import type { Quirks } from '../wire/quirks.ts';

export const callersRecord = (visit: Visit): AccountRecord => accountRecord(visit.state, accountOf(visit));

/** Every known asset, or only those with a balance. */
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
  const instrument = instrumentOf(reader(state.engine), order.symbol);
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

// Answers the list of asset settings (specification 2.8).

/** All of them in alphabetical order, or one. */
export function answerAssets({ state, query }: Visit): Reply {
  const wanted = assetIn(state, query);
  if (!wanted.ok) return wanted.error;
  const { backOffice } = state;
  const names = wanted.value === null ? knownAssets(backOffice) : [wanted.value];
  return ok(names.flatMap((asset) => backOffice.assets.get(asset) ?? []));
}

// The rows of a list: how many, which part, in what order, and how far back it reaches.

/** The list that serves a rolling window, or its historical twin. */
export type Reach = 'recent' | 'historical';

/** The moments whose rows a list holds: `from` included, `before` not. */
export interface Span {
  readonly from: EpochMs;
  readonly before: EpochMs;
}

/** Q16. A window is measured by the events' own time, not by the exchange's clock. */
export function spanOf({ controls, lastAt }: ExchangeState, reach: Reach): Span {
  const { historyWindowMs, archiveHolds } = controls.quirks;
  const edge = lastAt - historyWindowMs;
  if (reach === 'recent') return { from: edge, before: Number.POSITIVE_INFINITY };
  return { from: Number.NEGATIVE_INFINITY, before: archiveHolds === 'older' ? edge : Number.POSITIVE_INFINITY };
}

/** At most `limit` rows, and never more than the exchange shows in any list. */
export function rowsShown(limit: number, { listCap }: Pick<Quirks, 'listCap'>): number {
  return Math.min(limit, listCap ?? limit);
}

/** Puts rows, given oldest first, in the exchange's order. `unordered`: by their number read backward. */
export function inOrder<Row>(
  rows: readonly Row[],
  order: Quirks['tradeListOrder'],
  numberOf: (row: Row) => string,
): readonly Row[] {
  if (order === 'oldest-first') return rows;
  if (order === 'newest-first') return rows.toReversed();
  const backwards = (row: Row): string => [...numberOf(row)].reverse().join('');
  return rows.toSorted((a, b) => (backwards(a) < backwards(b) ? -1 : 1));
}
