// Spot trades of the account (specification 2.13): unknown → fills. Whether a page reaches back is the cursor's matter.
import type { Fill } from '../../domain/fill.ts';
import { type OrderId, orderId } from '../../domain/ids.ts';
import type { InstrumentSymbol } from '../../domain/instrument.ts';
import { ok, type Result } from '../../domain/result.ts';
import { executionOf } from './executions.ts';
import { booleanField, idField, type Parsed, type RawObject } from './fields.ts';
import { answering, parseRows } from './rows.ts';

export interface SpotTradesPage {
  readonly symbol: InstrumentSymbol;
  /** The order that was asked for, where one was. */
  readonly orderId?: OrderId;
}

/**
 * Rows in the order of the answer. Signs of `commission` and `tds` differ between venues (Q11): both come out positive.
 */
export function parseSpotTrades(body: unknown, page: SpotTradesPage): Result<Parsed<readonly Fill[]>> {
  const parsed = parseRows(body, fillOf);
  if (!parsed.ok) return parsed;
  const ofSymbol = answering(parsed.value, { asked: page.symbol, about: ({ symbol }) => symbol, holds: 'trades of' });
  const order = { asked: page.orderId, about: (fill: Fill) => fill.orderId, what: 'order ', holds: 'trades of' };
  return ok(answering(ofSymbol, order));
}

function fillOf(row: RawObject): Result<Fill> {
  const execution = executionOf(row);
  if (!execution.ok) return execution;
  const order = idField(row, 'orderId');
  if (!order.ok) return order;
  const isMaker = booleanField(row, 'isMaker');
  if (!isMaker.ok) return isMaker;
  const liquidity = isMaker.value ? 'maker' : 'taker';
  return ok({ ...execution.value, orderId: orderId(order.value), liquidity });
}
