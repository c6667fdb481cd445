// Why nothing is placed by an old journal. Reads only.
import type { InstrumentSymbol } from '../../domain/instrument.ts';
import type { Durable } from './durable.ts';

/** Markets, configured or not, whose orders a person must say whose they are. */
export const staleMarkets = ({ markets }: Durable): InstrumentSymbol[] =>
  [...markets].flatMap(([symbol, { halt }]) => (halt?.code === 'journal-stale' ? [symbol] : []));

/** What a person must answer before anything is quoted; null where nothing is. */
export function staleReason({ markets }: Durable): string | null {
  const halts = [...markets.values()].map(({ halt }) => halt);
  return halts.find((halt) => halt?.code === 'journal-stale')?.reason ?? null;
}
