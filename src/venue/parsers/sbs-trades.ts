// Simple buys and sells of the account (specification 2.14): unknown → trades. `isMaker` is always false and not read.
import type { SbsTrade } from '../../domain/fill.ts';
import type { TradeId } from '../../domain/ids.ts';
import type { InstrumentSymbol } from '../../domain/instrument.ts';
import { ok, type Result } from '../../domain/result.ts';
import { executionOf } from './executions.ts';
import type { Parsed } from './fields.ts';
import { answering, parseRows } from './rows.ts';

export interface SbsTradesPage {
  readonly symbol: InstrumentSymbol;
  /** The SBS order that was asked for, where one was. */
  readonly orderId?: TradeId;
}

/**
 * Rows in the order of the answer. Signs of `commission` and `tds` differ between venues (Q11): both come out positive.
 */
export function parseSbsTrades(body: unknown, page: SbsTradesPage): Result<Parsed<readonly SbsTrade[]>> {
  const parsed = parseRows(body, executionOf);
  if (!parsed.ok) return parsed;
  const ofSymbol = answering(parsed.value, { asked: page.symbol, about: ({ symbol }) => symbol, holds: 'trades of' });
  const order = { asked: page.orderId, about: (trade: SbsTrade) => trade.tradeId, what: 'SBS order ', holds: 'trade' };
  return ok(answering(ofSymbol, order));
}
