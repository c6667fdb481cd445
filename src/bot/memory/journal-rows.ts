// What of the journal's records is remembered: executions as marks of a chart, and what kept symbols from being quoted.
import { eventOf } from '../../journal/chain.ts';
import type { Collector } from '../../memory/collector.ts';
import type { JournalRecord } from '../../ports/journal-storage.ts';
import type { FillRecord, TraderEvent } from '../../trader/durable/events.ts';
import { BY_TIME } from '../../trader/durable/fold/apply-risk.ts';

const HOLDS = ['symbol-halted', 'symbol-resumed', 'lock', 'pause'] as const;
const FILLS = ['fill', 'fill-corrected'] as const;
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
    case 'fill-corrected': {
      const { symbol, tradeId, side, fill, intentId, at } = event.payload;
      // One whose order is not remembered any more stays whose it was.
      if (fill !== null) into.fill(fillRow(seq, fill, intentId === null ? null : true));
      else into.fill({ symbol, tradeId, side, at, price: 0, quantity: 0, ours: false, gone: true, seq });
      return;
    }
    default:
      into.notice({ at: event.payload.at, level: 'hold', ...holdOf(event), seq });
  }
}

function fillRow(seq: number, { symbol, tradeId, side, venueTime, price, quantity }: FillRecord, ours: boolean | null) {
  const at = Math.floor(venueTime);
  return { symbol, tradeId, side, at, price: Number(price), quantity: Number(quantity), ours, gone: false, seq };
}

type Hold = Extract<Remembered, { type: (typeof HOLDS)[number] }>;

function holdOf(event: Hold): { readonly op: string; readonly symbol: string | null; readonly message: string } {
  switch (event.type) {
    case 'symbol-halted':
      return { op: event.type, symbol: event.payload.symbol, message: event.payload.reason };
    case 'symbol-resumed':
      return { op: event.type, symbol: event.payload.symbol, message: `Resumed by ${event.payload.by ?? 'a start'}.` };
    case 'lock': {
      const { symbol, side, lock, by } = event.payload;
      const ended = by === BY_TIME ? 'its time is over.' : `removed by ${by}.`;
      const words = lock?.reason ?? ended;
      const message = side === null ? words : `${side}: ${words}`;
      return { op: lock === null ? 'unlocked' : 'locked', symbol, message };
    }
    case 'pause': {
      const { reason } = event.payload;
      return { op: reason === null ? 'resumed' : 'paused', symbol: null, message: reason ?? 'Resumed.' };
    }
  }
}
