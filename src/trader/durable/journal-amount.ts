// An amount that the program itself wrote to the journal: it must be exact.
import { invariant } from '../../domain/invariant.ts';
import { type Amount, parseAmount } from '../../ledger/amount.ts';

export function journalAmount(text: string): Amount {
  const read = parseAmount(text);
  invariant(read.ok, () => `Amount '${text}' of the journal is not exact: ${read.ok ? '' : read.error}`);
  return read.value;
}
