// A reading of the account's history as a test does it: to the end, with what was handed out next to what is true.
import type { HistoryApi, HistoryEvent, ReaderSettings } from '../../src/client/history-reader.ts';
import { decimal, plain } from '../../src/domain/decimal.ts';
import type { Fill, SbsTrade } from '../../src/domain/fill.ts';
import type { EpochMs } from '../../src/domain/time.ts';
import type { CryptoTransfer, FiatTransfer } from '../../src/domain/transfer.ts';
import type { HistoryOutcome } from '../../src/history/outcome.ts';
import { CAUTIOUS_HISTORY } from '../../src/history/query.ts';
import type { Truth } from '../../src/paper/control/truth.ts';
import type { PaperClient } from './client-paper-client.ts';
import type { Meeting } from './client-paper-kit.ts';

export const SETTINGS: ReaderSettings = { ...CAUTIOUS_HISTORY, attempts: 3, mostThrottled: 20 };

/** Waits by moving the clocks; `before` happens before each question. */
export function historyApi(meeting: Meeting, client: PaperClient): HistoryApi {
  return {
    ask: (question) => client.perform({ ...question, stamp: client.stamp() }),
    sleepUntil: async (moment) => meeting.skip(Math.max(0, moment - meeting.clock.now())),
  };
}

export interface WholeReading<Row> {
  readonly rows: readonly Row[];
  readonly outcome: HistoryOutcome;
}

export async function readAll<Row>(events: AsyncGenerator<HistoryEvent<Row>, void, void>): Promise<WholeReading<Row>> {
  const rows: Row[] = [];
  let outcome: HistoryOutcome | null = null;
  for await (const event of events) {
    if (outcome !== null) throw new Error('Something came after the end.');
    if (event.kind === 'rows') rows.push(...event.rows);
    else outcome = event.outcome;
  }
  if (outcome === null) throw new Error('The reading did not end.');
  return { rows, outcome };
}

/** A row as one line, and when it happened. */
export interface TrueRow {
  readonly line: string;
  readonly time: EpochMs;
}

export const tradeLine = (row: Fill | SbsTrade): TrueRow => ({
  line: [
    row.tradeId,
    row.side,
    ...[row.quantity, row.price, row.quoteQuantity, row.commission, row.tds].map(plain),
  ].join(' '),
  time: row.venueTime,
});

export const transferLine = (row: CryptoTransfer | FiatTransfer): TrueRow => ({
  line: [row.statusText, plain(row.amount), plain(row.fee), 'asset' in row ? row.asset : row.referenceId].join(' '),
  time: row.venueTime,
});

const exact = (text: string): string => plain(decimal(text));

/** Executions, or simple trades, of an account in a symbol as the exchange itself knows them. */
export function trueTrades({ accounts }: Truth, list: 'fills' | 'sbsTrades', symbol = 'BTC/INR'): readonly TrueRow[] {
  const rows = accounts.find(({ account }) => account === 'alice')?.[list] ?? [];
  return rows
    .filter((row) => row.symbol === symbol)
    .map(({ id, isBuyer, qty, price, quoteQty, commission, tds, time }) => ({
      line: [id, isBuyer ? 'buy' : 'sell', ...[qty, price, quoteQty, commission, tds].map(exact)].join(' '),
      time,
    }));
}

/** Deposits or withdrawals of an account. */
export function trueTransfers(
  { accounts }: Truth,
  means: 'crypto' | 'fiat',
  direction: 'deposit' | 'withdrawal',
): readonly TrueRow[] {
  const all = accounts.find(({ account }) => account === 'alice')?.transfers ?? [];
  return all.flatMap((row) =>
    row.means === means && row.direction === direction
      ? [
          {
            line: [
              row.status,
              exact(row.amount),
              exact(row.fee),
              row.means === 'crypto' ? row.asset : row.referenceId,
            ].join(' '),
            time: row.time,
          },
        ]
      : [],
  );
}

/** What is wrong with a reading of rows from `from` on, as sentences; none where everything is as it must be. */
export function faultsOf(
  read: readonly TrueRow[],
  truth: readonly TrueRow[],
  outcome: HistoryOutcome,
): readonly string[] {
  const count = (rows: readonly TrueRow[]) => Map.groupBy(rows, ({ line, time }) => `${time} ${line}`);
  const [got, wanted] = [count(read), count(truth)];
  const faults: string[] = [];
  for (const [row, rows] of got) {
    if (rows.length > (wanted.get(row)?.length ?? 0)) faults.push(`Handed out ${rows.length} times: ${row}`);
  }
  const gaps = outcome.kind === 'gap' ? outcome.gaps : [];
  for (const [row, [first, ...others]] of wanted) {
    if (first === undefined) continue;
    const missing = 1 + others.length - (got.get(row)?.length ?? 0);
    const isSaid = gaps.some(({ from, to }) => first.time >= from && first.time <= to);
    if (missing > 0 && !isSaid) faults.push(`${outcome.kind}, but missing ${missing} times: ${row}`);
  }
  return faults;
}
