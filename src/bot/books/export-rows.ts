// Which movements are rows of which export: executions are trades, all else that moved the wallet is a flow, and the
// ledger has both.
import { lineOf } from '../../books/holding-lines.ts';
import type { Movement } from '../../books/movement.ts';
import { type Amount, add, NO_AMOUNT } from '../../ledger/amount.ts';
import type { FlowRow, LedgerRow, TradeRow } from './export-columns.ts';

export const tradeRows = (movements: readonly Movement[]): readonly TradeRow[] =>
  movements.flatMap((movement) => (movement.trade === null ? [] : [{ ...movement, trade: movement.trade }]));

export function flowRows(movements: readonly Movement[]): readonly FlowRow[] {
  return movements.flatMap((movement) => {
    if (movement.trade !== null) return [];
    return [...Map.groupBy(movement.changes, ({ asset }) => asset)].map(([asset, changes]) => {
      const sumOf = (account: string): Amount =>
        changes.filter((each) => each.account === account).reduce((sum, { by }) => add(sum, by), NO_AMOUNT);
      const lines = changes.map(({ account }) => lineOf(movement, account)).filter((line) => line !== null);
      const kind = lines.find((line) => line !== 'transfer-fees') ?? 'transfer-fees';
      return { movement, kind, asset, walletChange: sumOf('wallet'), fee: sumOf('fees') };
    });
  });
}

export const ledgerRows = (movements: readonly Movement[]): readonly LedgerRow[] =>
  movements.flatMap((movement) => movement.changes.map((change) => ({ movement, change })));
