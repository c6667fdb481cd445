// What the tests of the parsers share.
import type { Result } from '../../../src/domain/result.ts';
import { readJsonExact } from '../../../src/domain/text.ts';
import type { Parsed } from '../../../src/venue/parsers/fields.ts';

/** Decimals as plain text, so that tables can be read. */
const plainly = (value: unknown): unknown => JSON.parse(JSON.stringify(value));

/** The page of a parser that understood it. */
export function parsed<T>(result: Result<Parsed<T>>): { rows: unknown; incompleteBecause?: string } {
  if (!result.ok) throw new Error(result.error);
  const { rows, incompleteBecause } = result.value;
  return { rows: plainly(rows), ...(incompleteBecause !== undefined && { incompleteBecause }) };
}

export function exact(text: string): unknown {
  const json = readJsonExact(text);
  if (!json.ok) throw new Error(json.error);
  return json.value;
}
