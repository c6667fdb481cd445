// The evidence of a conclusion: names the requests that it rests on.
import type { InstrumentSymbol } from '../../domain/instrument.ts';
import type { Reads } from '../durable/reads.ts';
import type { TraderState } from '../state/state.ts';
import { marketOf } from '../state/state.ts';
import type { Turn } from '../state/turn.ts';

/** What showed a fill: the page that is taken in, and a reading under way, whose earlier pages may have. */
export function readsOfFills({ state, answered }: Turn, symbol: InstrumentSymbol): Pick<Reads, 'trades'> {
  const reading = marketOf(state, symbol).backfill?.firstSentAt ?? null;
  const page = answered?.list === 'trades' ? answered.sentAt : null;
  const trades = [...new Set([reading, page])].filter((sentAt) => sentAt !== null);
  return trades.length === 0 ? {} : { trades };
}

/** What the stop rests on, by symbol. */
export function readsOfStop({ markets }: TraderState): Readonly<Record<InstrumentSymbol, Reads>> {
  const proved = [...markets].flatMap(([symbol, { stopProof, fence }]) => {
    const { firstSentAt = null, secondSentAt = null } = stopProof ?? {};
    if (firstSentAt === null || secondSentAt === null) return [];
    const reads = { orders: [firstSentAt, secondSentAt], ...(fence?.taken ? { fence: fence.taken.sentAt } : {}) };
    return [[symbol, reads] as const];
  });
  return Object.fromEntries(proved);
}
