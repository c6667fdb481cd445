// Why nothing is placed by an old journal. Reads only.
import type { TraderState } from '../state/state.ts';

/** What a person must answer before anything is quoted; null where nothing is. */
export function staleReason({ durable }: TraderState): string | null {
  const halts = [...durable.markets.values()].map(({ halt }) => halt);
  return halts.find((halt) => halt?.code === 'journal-stale')?.reason ?? null;
}
