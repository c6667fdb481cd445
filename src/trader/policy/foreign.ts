import type { OpenOrder } from '../../domain/order.ts';
import type { Read } from '../../venue/outcomes.ts';
import { haltSymbol, type Turn } from '../fold/turn.ts';
import { symbolsOf, type TraderState } from '../state/state.ts';

/** Whether the account is the bot's alone: what is on it and not known is ours, or somebody has broken in. */
export function isDedicated({ settings }: TraderState): boolean {
  return settings.foreignOrders === 'refuse';
}

/** Something of somebody else's is on an account that is the bot's alone: trading halts, everywhere. */
export function refuse(turn: Turn, what: string): void {
  const reason = `The account is the bot's alone (account.foreignOrders: refuse), and ${what} is not the bot's.`;
  for (const symbol of symbolsOf(turn.state)) haltSymbol(turn, symbol, reason, 'not-alone');
}

/** Orders of symbols that no run has. */
export function refuseElsewhere(turn: Turn, read: Read<readonly OpenOrder[]>): void {
  if (!isDedicated(turn.state)) return;
  const symbols = symbolsOf(turn.state);
  const row = read.rows.find(({ symbol }) => !symbols.includes(symbol));
  if (row) refuse(turn, `${orderWords(row)} of ${row.symbol}`);
}

export const orderWords = (row: OpenOrder): string =>
  `order ${row.orderId} (${row.side} ${row.remainingQuantity.toFixed()} @ ${row.price.toFixed()})`;
