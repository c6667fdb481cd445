import { describe, expect, test } from '@jest/globals';
import { tapeOf } from '../../../src/tape/compact-tape.ts';
import { mergeByTime } from '../../../src/tape/load-tape.ts';
import type { TapeBook, TapeRow, TapeTrade } from '../../../src/tape/types.ts';
import { BTC_USDT, NOON } from './tape-files.ts';

function trade(after: number, quantityLots = 1): TapeTrade {
  const at = NOON + after;
  return { kind: 'trade', at, takerSide: 'buy', priceTicks: 10_000, quantityLots };
}

function book(after: number): TapeBook {
  return {
    kind: 'book',
    at: NOON + after,

    bids: [],
    asks: [{ priceTicks: 1, quantityLots: after }],
  };
}

async function* each<Row>(rows: readonly Row[]): AsyncGenerator<Row> {
  yield* rows;
}

describe('a compact tape', () => {
  test('outgrows its first columns without losing a row', () => {
    const rows: TapeRow[] = Array.from({ length: 5_000 }, (_, index) =>
      index % 3 === 0 ? book(index) : trade(index, index),
    );
    const tape = tapeOf(BTC_USDT, rows);
    expect(tape.length).toBe(5_000);
    expect(rows.every((row, index) => JSON.stringify(row) === JSON.stringify(tape.row(index)))).toBe(true);
  });

  test('refuses rows out of order and rows that it does not have', () => {
    expect(() => tapeOf(BTC_USDT, [trade(2), trade(1)])).toThrow(`Row 1 at ${NOON + 1} is older than the one before.`);
    expect(() => tapeOf(BTC_USDT, [trade(1)]).row(1)).toThrow('The tape has 1 rows, none numbered 1.');
  });
});

describe('merging by time', () => {
  test.each([
    ['trades alone', [1, 2], [], ['t1', 't2']],
    ['books alone', [], [1, 2], ['b1', 'b2']],
    ['both, trades first at equal times', [1, 3, 3, 5], [0, 3, 3, 4], ['b0', 't1', 't3', 't3', 'b3', 'b3', 'b4', 't5']],
    ['nothing', [], [], []],
  ])('%s', async (_name, trades, books, expected) => {
    const rows: string[] = [];
    for await (const row of mergeByTime(each(trades.map((at) => trade(at))), each(books.map(book)))) {
      rows.push(`${row.kind === 'trade' ? 't' : 'b'}${row.at - NOON}`);
    }
    expect(rows).toEqual(expected);
  });
});
