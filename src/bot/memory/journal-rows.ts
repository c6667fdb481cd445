// What of the journal's records is remembered: executions as marks of a chart, and what kept symbols from being quoted.
import { eventOf } from '../../journal/chain.ts';
import type { Collector } from '../../memory/collector.ts';
import type { JournalRecord } from '../../ports/journal-storage.ts';
import type { FillRecord, TraderEvent } from '../../trader/durable/events.ts';
import { BY_TIME } from '../../trader/durable/fold/apply-risk.ts';

const HOLDS = ['symbol-halted', 'symbol-resumed', 'locked', 'unlocked', 'paused', 'resumed'] as const;
const FILLS = ['fill', 'fill-corrected', 'fill-reversed'] as const;
type Remembered = Extract<TraderEvent, { type: (typeof HOLDS)[number] | (typeof FILLS)[number] }>;
const TYPES: ReadonlySet<string> = new Set([...HOLDS, ...FILLS]);

/** Most records are passed over by their type alone. */
export function rememberRecords(records: Iterable<JournalRecord>, into: Pick<Collector, 'fill' | 'notice'>): void {
  for (const record of records)
    if (TYPES.has(record.type)) remember(record.seq, eventOf(record) as unknown as Remembered, into);
}

function remember(seq: number, event: Remembered, into: Pick<Collector, 'fill' | 'notice'>): void {
  switch (event.type) {
    case 'fill':
      into.fill(fillRow(seq, event.payload.fill, event.payload.intentId !== null));
      return;
    case 'fill-corrected':
      // One whose order is not remembered any more stays whose it was.
      into.fill(fillRow(seq, event.payload.fill, event.payload.intentId === null ? null : true));
      return;
    case 'fill-reversed': {
      const { symbol, tradeId, side, at } = event.payload;
      into.fill({ symbol, tradeId, side, at, price: 0, quantity: 0, ours: false, gone: true, seq });
      return;
    }
    default:
      into.notice({ at: event.payload.at, level: 'hold', op: event.type, ...holdOf(event), seq });
  }
}

function fillRow(seq: number, { symbol, tradeId, side, venueTime, price, quantity }: FillRecord, ours: boolean | null) {
  const at = Math.floor(venueTime);
  return { symbol, tradeId, side, at, price: Number(price), quantity: Number(quantity), ours, gone: false, seq };
}

type Hold = Extract<Remembered, { type: (typeof HOLDS)[number] }>;

function holdOf(event: Hold): { readonly symbol: string | null; readonly message: string } {
  switch (event.type) {
    case 'symbol-halted':
      return { symbol: event.payload.symbol, message: event.payload.reason };
    case 'symbol-resumed':
      return { symbol: event.payload.symbol, message: `Resumed by ${event.payload.by ?? 'a start'}.` };
    case 'locked': {
      const { symbol, side, reason } = event.payload;
      return { symbol, message: side === null ? reason : `${side}: ${reason}` };
    }
    case 'unlocked': {
      const { symbol, side, by } = event.payload;
      const how = by === BY_TIME ? 'its time is over.' : `removed by ${by}.`;
      return { symbol, message: side === null ? how : `${side}: ${how}` };
    }
    case 'paused':
      return { symbol: null, message: event.payload.reason };
    case 'resumed':
      return { symbol: null, message: 'Resumed.' };
  }
}
