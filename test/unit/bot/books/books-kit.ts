// Hand-written journals for the tests of the books, as the bot would have written them.
import path from 'node:path';
import {
  type Calendar,
  calendarOf,
  type FinancialYear,
  financialYear,
  type YearBegin,
} from '../../../../src/bot/books/local-time.ts';
import { type Books, readBooks } from '../../../../src/bot/books/read-books.ts';
import { type Statement, type StatementOptions, statementOf } from '../../../../src/bot/books/statement.ts';
import { type StatementLine, statementLines } from '../../../../src/bot/books/statement-lines.ts';
import type { EpochMs } from '../../../../src/domain/time.ts';
import { GENESIS, type Head, headAt, type Json, nextRecord } from '../../../../src/journal/chain.ts';
import type { JournalRecord } from '../../../../src/ports/journal-storage.ts';
import type { FillRecord, TraderEvent } from '../../../../src/trader/durable/events.ts';
import { amt } from '../../ledger/fills.ts';

export const KOLKATA: Calendar = calendarOf('Asia/Kolkata');
/** The rules that come with the program. */
export const INDIA = path.resolve(import.meta.dirname, '../../../../config/tax-india.yaml');
export const APRIL: YearBegin = { month: 4, day: 1 };
/** A time from text in UTC, or noon in India of a day. */
export const moment = (text: string): EpochMs => Date.parse(text.length === 10 ? `${text}T12:00:00+05:30` : text);

/** A fill of BTC/INR; by default a buy of 1 for 100, without fee or tax. */
export interface FillGiven {
  readonly on: string;
  readonly id?: string;
  readonly symbol?: string;
  readonly side?: 'buy' | 'sell';
  readonly price?: string;
  readonly quantity?: string;
  /** Default: price × quantity. */
  readonly value?: string;
  readonly fee?: string;
  readonly feeAsset?: string;
  readonly tds?: string;
  /** When it was booked; by default a second after it happened. */
  readonly booked?: string;
  /** Default: the bot's, of its order 1-1. */
  readonly intent?: string;
  /** Not the bot's. */
  readonly byHand?: true;
}

let lastId = 0;

function fillRecord(given: FillGiven): FillRecord {
  const { on, symbol = 'BTC/INR', side = 'buy', price = '100', quantity = '1', fee = '0', tds = '0' } = given;
  lastId += 1;
  return {
    symbol,
    tradeId: given.id ?? String(1_000_000 + lastId),
    orderId: `1-${given.id ?? lastId}-1`,
    side,
    price,
    quantity,
    quoteQuantity: given.value ?? timesText(price, quantity),
    commission: fee,
    commissionAsset: given.feeAsset ?? symbol.split('/')[1] ?? '',
    tds,
    liquidity: 'maker',
    venueTime: moment(on),
  };
}

function timesText(a: string, b: string): string {
  const value = (amt(a) * amt(b)) / 10n ** 18n;
  const digits = value.toString().padStart(19, '0');
  return `${digits.slice(0, -18)}.${digits.slice(-18)}`.replace(/\.?0+$/, '');
}

const bookedAt = ({ on, booked }: FillGiven): EpochMs => (booked === undefined ? moment(on) + 1_000 : moment(booked));
const intentOf = ({ byHand, intent = '1-1' }: FillGiven): string | null => (byHand === true ? null : intent);

export const fill = (given: FillGiven): TraderEvent => ({
  type: 'fill',
  payload: { fill: fillRecord(given), intentId: intentOf(given), mid: null, at: bookedAt(given) },
});

const nameOf = ({ symbol, tradeId, side }: FillRecord) => ({ symbol, tradeId, side });

/** The trade with this id is now as given. */
export const corrected = (given: FillGiven): TraderEvent => ({
  type: 'fill-corrected',
  payload: {
    ...nameOf(fillRecord(given)),
    fill: fillRecord(given),
    intentId: intentOf(given),
    mid: null,
    at: bookedAt(given),
  },
});

export const reversed = (id: string, side: 'buy' | 'sell', on: string, symbol = 'BTC/INR'): TraderEvent => ({
  type: 'fill-corrected',
  payload: { symbol, tradeId: id, side, fill: null, intentId: null, mid: null, at: moment(on) },
});

export const ownerTrade = (given: FillGiven): TraderEvent => ({
  type: 'external-flow',
  payload: { kind: 'owner-trade', fill: fillRecord(given), at: bookedAt(given) },
});

export const simple = (given: FillGiven): TraderEvent => ({
  type: 'external-flow',
  payload: { kind: 'conversion', fill: fillRecord(given), at: bookedAt(given) },
});

export interface TransferGiven {
  readonly on: string;
  readonly asset: string;
  /** Change of the wallet, including the fee. */
  readonly by: string;
  readonly fee?: string;
  readonly booked?: string;
}

export const transfer = ({ on, asset, by, fee = '0', booked = on }: TransferGiven): TraderEvent => ({
  type: 'external-flow',
  payload: {
    kind: 'transfer',
    name: `${asset} of ${on}`,
    account: by.startsWith('-') ? 'external:withdrawal' : 'external:deposit',
    asset,
    walletChange: by,
    fee,
    venueTime: moment(on),
    at: moment(booked),
  },
});

export const accepted = (asset: string, amount: string, on: string): TraderEvent => ({
  type: 'external-flow',
  payload: { kind: 'accepted', asset, amount, at: moment(on), venueAt: moment(on) },
});

/** The first records of a journal: its markets, and the wallet at the opening. */
export function opening(on: string, totals: Readonly<Record<string, string>>, markets = ['BTC/INR']): TraderEvent[] {
  const at = moment(on);
  const starts = Object.fromEntries(markets.map((symbol) => [symbol, { cursor: null, from: at }]));
  return [
    { type: 'session-started', payload: { at, epoch: 1, program: 'test', paperInstance: null } },
    { type: 'opened', payload: { at, venueAt: at, balances: totals, markets: starts } },
  ];
}

/** As the journal stores them, with their chain. */
export function recordsOf(events: readonly TraderEvent[]): readonly JournalRecord[] {
  let head: Head = GENESIS;
  return events.map(({ type, payload }) => {
    const stamp = { epoch: 1, wall: 'at' in payload ? payload.at : payload.sentAt, mono: 0 };
    const record = nextRecord(head, stamp, { type, payload: payload as unknown as Json });
    head = headAt(record);
    return record;
  });
}

export const booksOf = (events: readonly TraderEvent[]): Books => readBooks(recordsOf(events));

export function yearOf(text: string, begins: YearBegin = APRIL, calendar: Calendar = KOLKATA): FinancialYear {
  const year = financialYear(text, begins, calendar);
  if (!year.ok) throw new Error(year.error);
  return year.value;
}

/** A statement by the defaults. */
export const NOTHING_SET = { method: 'fifo', costs: new Map(), feeTaxRatioOf: () => amt('0'), rules: null } as const;

export function statementIn(
  text: string,
  events: readonly TraderEvent[],
  options: Partial<StatementOptions> = {},
): Statement {
  const books = booksOf(events);
  const period = yearOf(text);
  return statementOf(books, books.ledger, {
    period,
    quarters: period.quarters,
    calendar: KOLKATA,
    ...NOTHING_SET,
    ...options,
  });
}

type Wanted = Partial<Pick<StatementLine, 'section' | 'subject' | 'origin' | 'method'>>;

/** Figures by the names of their lines: `{ bought: '1 BTC' }`. */
export function figures(statement: Statement, wanted: Wanted): Readonly<Record<string, string>> {
  const isWanted = (line: StatementLine): boolean =>
    Object.entries(wanted).every(([name, value]) => line[name as keyof Wanted] === value);
  return Object.fromEntries(
    statementLines(statement)
      .filter(isWanted)
      .map(({ line, exact, asset }) => [line, asset === null ? exact : `${exact} ${asset}`]),
  );
}
