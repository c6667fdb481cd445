// Why nothing is placed by an old journal. Reads only.
import type { Durable } from './durable.ts';

/** What a person must answer before anything is quoted; null where nothing is. */
export function staleReason({ markets }: Durable): string | null {
  const halts = [...markets.values()].map(({ halt }) => halt);
  return halts.find((halt) => halt?.code === 'journal-stale')?.reason ?? null;
}
