// Something of somebody else's is on an account that is the bot's alone: trading halts, everywhere.
import type { OpenOrder } from '../../../domain/order.ts';
import { symbolsOf } from '../../state/state.ts';
import { haltSymbol, type Turn } from '../../state/turn.ts';
import { orderWords } from '../attribution/questions.ts';

export function refuse(turn: Turn, what: string): void {
  const reason = `The account is the bot's alone (account.foreignOrders: refuse), and ${what} is not the bot's.`;
  for (const symbol of symbolsOf(turn.state)) haltSymbol(turn, symbol, reason, 'not-alone');
}

/** Orders of symbols that no run has. */
export function refuseOtherMarkets(turn: Turn, rows: readonly OpenOrder[]): void {
  const symbols = symbolsOf(turn.state);
  const row = rows.find(({ symbol }) => !symbols.includes(symbol));
  if (row) refuse(turn, `${orderWords(row)} of ${row.symbol}`);
}
