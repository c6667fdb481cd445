// A profit of the journal as an exact value.
import { invariant } from '../../../domain/invariant.ts';
import { parseValue, type Value } from '../../../ledger/amount.ts';

export function exactValue(text: string): Value {
  const read = parseValue(text);
  invariant(read.ok, () => `Profit '${text}' of the journal is not exact: ${read.ok ? '' : read.error}`);
  return read.value;
}
