// What each endpoint answered, one row for each, in the order of the specification.
import { ENDPOINTS } from '../../venue/endpoints.ts';
import type { Completed } from '../../venue/outcomes.ts';
import type { EndpointName } from '../../venue/requests.ts';
import { resultWord, whyNot } from './finding.ts';

export interface EndpointRow {
  readonly endpoint: EndpointName;
  readonly ok: boolean;
  /** `ok`, an error code, a status, or what kept the answer away. Of several requests the worst. */
  readonly result: string;
  readonly requests: number;
  /** Longest of the answers. */
  readonly ms: number;
  /** A sentence where it is not ok. */
  readonly detail: string;
}

const OK = 'ok';

/** Of endpoints that were not asked there is no row. */
export function endpointRows(completed: readonly Completed[]): readonly EndpointRow[] {
  return Object.values(ENDPOINTS).flatMap(({ name }) => {
    const asked = completed.filter(({ kind }) => kind === name);
    const worst = asked.find((each) => resultWord(each) !== OK) ?? asked[0];
    if (worst === undefined) return [];
    const result = resultWord(worst);
    const ms = Math.max(...asked.map(({ facts }) => facts.receivedAt - facts.sentAt));
    const detail = result === OK ? '' : detailOf(worst);
    return [{ endpoint: name, ok: result === OK, result, requests: asked.length, ms, detail }];
  });
}

function detailOf(completed: Completed): string {
  const { outcome } = completed;
  return outcome.kind === 'read' ? (outcome.read.incompleteBecause ?? '') : whyNot(completed);
}

/** The rows as a table for a person. */
export function endpointLines(rows: readonly EndpointRow[]): readonly string[] {
  if (rows.length === 0) return [];
  const cells = rows.map(({ endpoint, result, ms, detail }) => [endpoint, result, `${Math.round(ms)} ms`, detail]);
  const widths = [0, 1, 2].map((column) => Math.max(...cells.map((row) => row[column]?.length ?? 0)));
  return cells.map((row) =>
    row
      .map((cell, column) => (column === 2 ? cell.padStart(widths[2] ?? 0) : cell.padEnd(widths[column] ?? 0)))
      .join('  ')
      .trimEnd(),
  );
}
