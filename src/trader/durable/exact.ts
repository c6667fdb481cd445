// Amounts that the program itself wrote.
import { invariant } from '../../domain/invariant.ts';
import { type Amount, parseAmount } from '../../ledger/amount.ts';

export function exact(text: string): Amount {
  const read = parseAmount(text);
  invariant(read.ok, () => `Amount '${text}' of the journal is not exact: ${read.ok ? '' : read.error}`);
  return read.value;
}
