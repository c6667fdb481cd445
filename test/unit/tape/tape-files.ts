// Small recordings, written into a folder of their own for the length of a test file.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { decimal } from '../../../src/domain/decimal.ts';
import type { Instrument } from '../../../src/domain/instrument.ts';
import type { TapeReading, TapeSource } from '../../../src/tape/types.ts';

export const BTC_USDT: Instrument = {
  symbol: 'BTC/USDT',
  base: 'BTC',
  quote: 'USDT',
  tickSize: decimal('0.01'),
  lotSize: decimal('0.001'),
  minNotional: decimal('5'),
};

/** Noon of a day, in microseconds. */
export const NOON = 1_723_161_600_000_000;
export const SECOND_US = 1_000_000;

export const TRADES_HEADER = 'exchange,symbol,timestamp,local_timestamp,id,side,price,amount';
export const BOOK_HEADER =
  'exchange,symbol,timestamp,local_timestamp,asks[0].price,asks[0].amount,bids[0].price,bids[0].amount,' +
  'asks[1].price,asks[1].amount,bids[1].price,bids[1].amount';

export interface TapeFolder {
  write(name: string, lines: readonly string[]): string;
  /** Packed; `cut` bytes are missing from the end. */
  writePacked(name: string, lines: readonly string[], cut?: number): string;
  remove(): void;
}

export function tapeFolder(): TapeFolder {
  const folder = mkdtempSync(join(tmpdir(), 'tape-'));
  const put = (name: string, content: string | Buffer): string => {
    const path = join(folder, name);
    writeFileSync(path, content);
    return path;
  };
  return {
    write: (name, lines) => put(name, `${lines.join('\n')}\n`),
    writePacked(name, lines, cut = 0) {
      const packed = gzipSync(`${lines.join('\n')}\n`);
      return put(name, packed.subarray(0, packed.length - cut));
    },
    remove: () => rmSync(folder, { recursive: true }),
  };
}

/** A row of a trades file so many microseconds after noon. Rows with one content have one id. */
export function tradeLine(after: number, side: string, price: string, amount: string): string {
  const id = [after, side, price, amount].join('-');
  return `somewhere,BTCUSDT,${NOON + after},${NOON + after + 7},${id},${side},${price},${amount}`;
}

/** A row of a book file: ask, ask size, bid, bid size, then the second level in the same order. */
export function bookLine(after: number, ...cells: readonly string[]): string {
  return `somewhere,BTCUSDT,${NOON + after},${NOON + after + 7},${cells.join(',')}`;
}

export function source(files: readonly string[], tolerated: Partial<TapeSource> = {}): TapeSource {
  return { files, instrument: BTC_USDT, maxSilenceMs: 5_000, maxBackwardMs: 0, recordedSymbol: null, ...tolerated };
}

export async function allRows<Row>(reading: TapeReading<Row>): Promise<Row[]> {
  const rows: Row[] = [];
  for await (const row of reading.rows) rows.push(row);
  return rows;
}
