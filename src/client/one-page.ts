// One page of a longer list proves that its rows exist, and never that they are all.
import { ENDPOINTS } from '../venue/endpoints.ts';
import type { Completed } from '../venue/outcomes.ts';
import type { EndpointName } from '../venue/requests.ts';

/** Lists that come in pages. A book is as deep as it was asked for, and no list to be read to its end. */
const isPaged = (kind: EndpointName): boolean =>
  kind === 'legacy-trades' || ('limit' in ENDPOINTS[kind].query.shape && kind !== 'order-book');

/**
 * The answer, never complete where it is a page: there is no page token, pages are cut at lengths that nobody
 * publishes, and an empty one may be wrong. The histories of `openExchange` join pages until their ends are proved.
 */
export function asOnePage(completed: Completed): Completed {
  const { kind, outcome } = completed;
  if (!isPaged(kind) || outcome.kind !== 'read' || !outcome.read.complete) return completed;
  const { rows } = outcome.read;
  const count = Array.isArray(rows) ? rows.length : 0;
  const told = `One page of ${kind} (rows: ${count}) does not prove that there are no more; a history does.`;
  const read = { ...outcome.read, complete: false, incompleteBecause: told };
  // Only the reading was changed, so request and outcome still are of one kind.
  return { ...completed, outcome: { ...outcome, read } } as Completed;
}
