// The account's trades from the journal, newest first: filtered, and bounded for each request.
import { z } from 'zod';
import { fail, ok } from '../../domain/result.ts';
import { type EpochMs, HOUR } from '../../domain/time.ts';
import { eventOf } from '../../journal/chain.ts';
import type { JournalRecord } from '../../ports/journal-storage.ts';
import type { FillRecord, TraderEvent } from '../../trader/durable/events.ts';
import { StartError } from '../base/exit-codes.ts';
import { type Column, dateColumns, momentColumns } from '../books/export-columns.ts';
import type { Calendar } from '../books/local-time.ts';
import { momentOf } from '../books/time-range.ts';
import { whyRefused } from '../memory/history.ts';
import type { BotJournal } from '../state-folder/bot-journal.ts';

/** Most records that are looked at for an answer, since it is made between two steps of the bot; and most rows. */
const MOST_RECORDS = 500;
const MOST_ROWS = { json: 50, csv: MOST_RECORDS };
/** The exchange's list is compared with the last 500 trades of each symbol. */
const MOST_LOOKS = 10;
/** A trade may be booked before it was made, by clocks that differ. */
const SKEW_MS = HOUR;

/** A trade as one record books it. A corrected one appears again; one taken back has no prices. */
export interface TradeRow extends Pick<FillRecord, 'symbol' | 'side' | 'tradeId'> {
  readonly record: number;
  readonly bookedAt: EpochMs;
  readonly tradedAt: EpochMs;
  readonly event: 'fill' | 'fill-corrected' | 'fill-reversed' | 'owner-trade' | 'conversion';
  /** Null if the order was not the bot's. */
  readonly intentId: string | null;
  readonly fill: FillRecord | null;
}

type TradeQuery = Extract<ReturnType<typeof tradeQuery>, { ok: true }>['value'];

const SYMBOL = 'a symbol such as BTC/INR';
const TIME = 'a day such as 2026-04-01';
const NUMBER = 'the number of a record';
const querySchema = z.strictObject({
  symbol: z.string({ error: SYMBOL }).min(1, { error: SYMBOL }).optional(),
  side: z.enum(['buy', 'sell'], { error: 'buy or sell' }).optional(),
  from: z.string({ error: TIME }).optional(),
  to: z.string({ error: TIME }).optional(),
  before: z
    .string({ error: NUMBER })
    .regex(/^\d{1,15}$/, { error: NUMBER })
    .transform(Number)
    .default(Number.MAX_SAFE_INTEGER),
  format: z.enum(['json', 'csv'], { error: 'json or csv' }).default('json'),
});

/** `from` and `to`: days of the calendar, or moments. */
export function tradeQuery(asked: Readonly<Record<string, unknown>>, calendar: Calendar) {
  const read = querySchema.safeParse(asked);
  if (!read.success) return fail(whyRefused(read.error, asked, 'symbol, side, from, to, before and format'));
  const momentIn = (name: 'from' | 'to'): EpochMs | null => {
    const text = read.data[name];
    return text === undefined ? null : momentOf(name, text, { calendar, isEnd: name === 'to' });
  };
  try {
    return ok({ ...read.data, from: momentIn('from'), to: momentIn('to') });
  } catch (error) {
    if (error instanceof StartError) return fail(error.message);
    throw error;
  }
}

/** `next`: continues as `before`; null at the end. */
export function tradePage(trades: BotJournal['trades'], query: TradeQuery) {
  const { symbol, side, from, to, before, format } = query;
  const records = trades(before, MOST_RECORDS);
  const rows: TradeRow[] = [];
  for (const record of records) {
    if (from !== null && record.wall < from - SKEW_MS) return { rows, next: null };
    const row = rowOf(record, trades);
    if (row === null || (symbol ?? row.symbol) !== row.symbol || (side ?? row.side) !== row.side) continue;
    if (row.tradedAt < (from ?? row.tradedAt) || row.tradedAt >= (to ?? Number.POSITIVE_INFINITY)) continue;
    if (rows.length === MOST_ROWS[format]) return { rows, next: rows.at(-1)?.record ?? null };
    rows.push(row);
  }
  return { rows, next: records.length < MOST_RECORDS ? null : (records.at(-1)?.seq ?? null) };
}

function rowOf(record: JournalRecord, trades: BotJournal['trades']): TradeRow | null {
  const event = eventOf(record) as unknown as TraderEvent;
  const about = { record: record.seq, bookedAt: record.wall };
  if (event.type === 'fill') return { ...about, ...named(event.payload.fill), event: 'fill', ...event.payload };
  if (event.type === 'fill-corrected') {
    const { fill, intentId, symbol, side, tradeId, at } = event.payload;
    if (fill !== null) return { ...about, ...named(fill), event: 'fill-corrected', intentId, fill };
    const tradedAt = madeAt([symbol, tradeId, side], record, trades) ?? at;
    return { ...about, symbol, side, tradeId, tradedAt, event: 'fill-reversed', intentId, fill };
  }
  if (event.type !== 'external-flow' || !('fill' in event.payload)) return null;
  const { fill, kind } = event.payload;
  return { ...about, ...named(fill), event: kind, intentId: null, fill };
}

/** When the trade that a record takes back was made; null if it was not booked among the last thousands. */
function madeAt(name: readonly string[], { seq }: JournalRecord, trades: BotJournal['trades']): EpochMs | null {
  for (let before = seq, looks = 0; looks < MOST_LOOKS; looks += 1) {
    const records = trades(before, MOST_RECORDS);
    for (const record of records) {
      if (!record.payload.includes(JSON.stringify(name[1]))) continue;
      const row = rowOf(record, () => []);
      if (row?.fill && String(nameOf(row)) === String(name)) return row.tradedAt;
    }
    if (records.length < MOST_RECORDS) return null;
    before = records.at(-1)?.seq ?? 0;
  }
  return null;
}

const nameOf = ({ symbol, tradeId, side }: Pick<TradeRow, 'symbol' | 'tradeId' | 'side'>) => [symbol, tradeId, side];

const named = ({ symbol, side, tradeId, venueTime }: FillRecord) => ({
  ...{ symbol, side, tradeId, tradedAt: Math.floor(venueTime) },
});

const ofFill = (name: string, field: keyof FillRecord): Column<TradeRow> => ({
  name,
  cell: ({ fill }) => fill?.[field] ?? null,
});

/** Named as in `export trades`. */
export const TRADE_LIST_COLUMNS: readonly Column<TradeRow>[] = [
  { name: 'record', cell: ({ record }) => record },
  ...momentColumns<TradeRow>('booked_at', ({ bookedAt }) => bookedAt),
  ...momentColumns<TradeRow>('traded_at', ({ tradedAt }) => tradedAt),
  { name: 'event', cell: ({ event }) => event },
  { name: 'symbol', cell: ({ symbol }) => symbol },
  { name: 'trade_id', cell: ({ tradeId }) => tradeId },
  ofFill('order_id', 'orderId'),
  { name: 'intent_id', cell: ({ intentId }) => intentId },
  { name: 'side', cell: ({ side }) => side },
  ...[ofFill('liquidity', 'liquidity'), ofFill('price', 'price'), ofFill('quantity', 'quantity')],
  ...[ofFill('quote_quantity', 'quoteQuantity'), ofFill('commission', 'commission')],
  ...[ofFill('commission_asset', 'commissionAsset'), ofFill('tds', 'tds')],
  ...dateColumns<TradeRow>(({ tradedAt }) => tradedAt),
];
