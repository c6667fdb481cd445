// Why nothing is placed by an old journal. Reads only.
import type { TraderState } from '../state/state.ts';

/** What a person must answer before anything is quoted; null where nothing is. */
export function staleReason({ durable }: TraderState): string | null {
  for (const [symbol, code] of durable.risk.haltCodes)
    if (code === 'journal-stale') return durable.halts.get(symbol) ?? null;
  return null;
}
