// The ledger as one text that equal ledgers share, and its hash: a replay must end in the same one (R4).
import { amountText } from './amount.ts';
import type { Ledger } from './ledger.ts';

/**
 * Canonical JSON: `{"entries":n,"balances":[[asset,account,amount]…],"reservations":[[intentId,asset,amount]…]}`, rows
 * in order of their text, zero balances left out, amounts as plain decimals.
 */
export function ledgerText(ledger: Ledger): string {
  const balances = [...ledger.balances].flatMap(([asset, accounts]) =>
    [...accounts]
      .filter(([, amount]) => amount !== 0n)
      .map(([account, amount]) => [asset, account, amountText(amount)]),
  );
  const reservations = [...ledger.reservations.values()].map((r) => [r.intentId, r.asset, amountText(r.amount)]);
  return JSON.stringify({ entries: ledger.entries, balances: sorted(balances), reservations: sorted(reservations) });
}

const sorted = (rows: string[][]): string[][] =>
  rows
    .map((row): [string, string[]] => [JSON.stringify(row), row])
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([, row]) => row);

/**
 * The digest (`sha256Hex` of the journal) of the canonical text. It is an argument because hashing lives in the
 * journal.
 */
export function ledgerHash(ledger: Ledger, digest: (text: string) => string): string {
  return digest(ledgerText(ledger));
}
