import { symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { afterAll, describe, expect, test } from '@jest/globals';
import { decimal } from '../../../src/domain/decimal.ts';
import { loadTape } from '../../../src/tape/load-tape.ts';
import { readBooks, readTrades } from '../../../src/tape/read-rows.ts';
import { TapeError } from '../../../src/tape/table-file.ts';
import {
  allRows,
  BOOK_HEADER,
  BTC_USDT,
  bookLine,
  NOON,
  SECOND_US,
  source,
  TRADES_HEADER,
  tapeFolder,
  tradeLine,
} from './tape-files.ts';

const folder = tapeFolder();
afterAll(() => folder.remove());

async function errorOf(reading: Promise<unknown>): Promise<TapeError> {
  const error = await reading.catch((reason: unknown) => reason);
  if (error instanceof TapeError) return error;
  throw new Error(`Expected a TapeError, got ${String(error)}.`);
}

describe('reading trades', () => {
  const lines = [TRADES_HEADER, tradeLine(0, 'buy', '100.01', '1.5'), tradeLine(5, 'sell', '100', '0.002')];
  const trades = [
    { kind: 'trade', at: NOON, takerSide: 'buy', priceTicks: 10_001, quantityLots: 1_500 },
    { kind: 'trade', at: NOON + 5, takerSide: 'sell', priceTicks: 10_000, quantityLots: 2 },
  ];

  test('gives whole ticks and lots', async () => {
    expect(await allRows(readTrades(source([folder.write('plain.csv', lines)])))).toEqual(trades);
  });

  test('reads a packed file alike', async () => {
    expect(await allRows(readTrades(source([folder.writePacked('packed.csv.gz', lines)])))).toEqual(trades);
  });

  test('finds its columns by name, whatever their order', async () => {
    const file = folder.write('order.csv', ['amount,price,side,timestamp', `1.5,100.01,buy,${NOON}`]);
    expect(await allRows(readTrades(source([file])))).toEqual([trades[0]]);
  });

  test('reads line ends of both kinds, a byte order mark, empty lines and a last line without end', async () => {
    const [header = '', first = '', second = ''] = lines;
    const file = folder.write('ends.csv', [`\uFEFF${header}\r`, `${first}\r`, '', second]);
    expect(await allRows(readTrades(source([file])))).toEqual(trades);
  });

  test('joins files in the order given', async () => {
    const [header = '', first = '', second = ''] = lines;
    const files = [folder.write('one.csv', [header, first]), folder.writePacked('two.csv.gz', [header, second])];
    expect(await allRows(readTrades(source(files)))).toEqual(trades);
  });

  test.each([
    ['again with numbers written otherwise: left out', ['0 100 0.022', '0 1e2 2.2E-2'], { played: 1, duplicates: 1 }],
    ['of trades that differ: played, equal ones too', ['0 100 1', '0 100 2', '0 100 2'], { played: 3, duplicates: 0 }],
    ['a minute later', ['0 100 1', '60 100 2'], { played: 2, duplicates: 0 }],
    ['after more than a minute', ['0 100 1', '61 100 1'], { played: 2, duplicates: 0 }],
  ])('the id of a trade %s', async (_what, trades, expected) => {
    const rows = trades
      .map((text) => text.split(' '))
      .map(([after, price, amount]) => {
        const at = NOON + Number(after) * SECOND_US;
        return `7,${at},${at},buy,${price},${amount}`;
      });
    const header = 'id,timestamp,local_timestamp,side,price,amount';
    const reading = readTrades(source([folder.write('ids.csv', [header, ...rows])]));
    expect(await allRows(reading)).toHaveLength(expected.played);
    expect(reading.report()).toMatchObject(expected);
  });

  test('leaves out what is under one lot or of no known side, floors the rest, and counts all three', async () => {
    const file = folder.write('counts.csv', [
      TRADES_HEADER,
      tradeLine(0, 'buy', '100', '0.0009'),
      tradeLine(1, 'buy', '100', '0.0019'),
      tradeLine(2, 'unknown', '100', '1'),
    ]);
    const reading = readTrades(source([file]));
    expect((await allRows(reading)).map((row) => row.quantityLots)).toEqual([1]);
    expect(reading.report()).toEqual({
      symbol: { text: 'BTCUSDT', file, line: 2 },
      rows: 3,
      played: 1,
      firstAt: NOON,
      lastAt: NOON + 2,
      maxSilenceMs: 5_000,
      gapCount: 0,
      longestGap: null,
      flooredQuantities: 1,
      droppedQuantities: 1,
      unknownSides: 1,
      twoSidedBooks: 0,
      crossedBooks: 0,
      backwardTimes: 0,
      duplicates: 0,
      volume: decimal('1.0028'),
    });
  });

  test('reports a silence longer than the bound, also between two files, and not one as long as it', async () => {
    const before = folder.write('before.csv', [
      TRADES_HEADER,
      tradeLine(0, 'buy', '100', '1'),
      tradeLine(5 * SECOND_US, 'buy', '100', '1'),
    ]);
    const after = folder.write('after.csv', [TRADES_HEADER, tradeLine(11 * SECOND_US, 'buy', '100', '1')]);
    const reading = readTrades(source([before, after]));
    await allRows(reading);
    expect(reading.report()).toMatchObject({
      gapCount: 1,
      longestGap: { fromAt: NOON + 5 * SECOND_US, toAt: NOON + 11 * SECOND_US, file: after, line: 2 },
    });
  });

  test('a small step back in time is tolerated where that is asked for, and counted', async () => {
    const file = folder.write('backward.csv', [
      TRADES_HEADER,
      tradeLine(2_000, 'buy', '100', '1'),
      tradeLine(0, 'buy', '100', '1'),
    ]);
    const reading = readTrades(source([file], { maxBackwardMs: 2 }));
    expect((await allRows(reading)).map((row) => row.at)).toEqual([NOON + 2_000, NOON + 2_000]);
    expect(reading.report().backwardTimes).toBe(1);
  });
});

describe('reading books', () => {
  test('gives bids and asks from the best outwards, as deep as the header says', async () => {
    const file = folder.write('book.csv', [
      BOOK_HEADER,
      bookLine(0, '100.02', '1', '100.01', '2', '100.05', '3', '99.9', '4'),
    ]);
    expect(await allRows(readBooks(source([file])))).toEqual([
      {
        kind: 'book',
        at: NOON,

        bids: [
          { priceTicks: 10_001, quantityLots: 2_000 },
          { priceTicks: 9_990, quantityLots: 4_000 },
        ],
        asks: [
          { priceTicks: 10_002, quantityLots: 1_000 },
          { priceTicks: 10_005, quantityLots: 3_000 },
        ],
      },
    ]);
  });

  test('empty cells end a thin side', async () => {
    const file = folder.write('thin.csv', [BOOK_HEADER, bookLine(0, '100.02', '1', '', '', '', '', '', '')]);
    const [book] = await allRows(readBooks(source([file])));
    expect([book?.bids.length, book?.asks.length]).toEqual([0, 1]);
  });

  test('a crossed book is left out and counted', async () => {
    const file = folder.write('crossed.csv', [BOOK_HEADER, bookLine(0, '100', '1', '100', '1', '101', '1', '99', '1')]);
    const reading = readBooks(source([file]));
    expect(await allRows(reading)).toEqual([]);
    expect(reading.report().crossedBooks).toBe(1);
  });
});

describe('what is wrong with a file is said with its place', () => {
  const good = tradeLine(0, 'buy', '100', '1');
  const priced = (price: string) => tradeLine(0, 'buy', price, '1');

  test.each<[string, readonly string[], number, string | undefined, string]>([
    [
      'a missing column',
      [TRADES_HEADER.replace(',amount', '')],
      1,
      'amount',
      'The header has no such column; one was expected.',
    ],
    [
      'an unreadable price',
      [TRADES_HEADER, priced('1x00')],
      2,
      'price',
      '"1x00" is not a price; a number above 0 was expected.',
    ],
    [
      'a price off the tick',
      [TRADES_HEADER, priced('100.005')],
      2,
      'price',
      'Price 100.005 is not a multiple of tick size 0.01 (BTC/USDT).',
    ],
    ['a price of zero', [TRADES_HEADER, priced('0')], 2, 'price', 'Price 0 is not above zero.'],
    [
      'an unreadable quantity',
      [TRADES_HEADER, good, tradeLine(0, 'buy', '100', '')],
      3,
      'amount',
      '"" is not a quantity; a number not below 0 was expected.',
    ],
    [
      'a side that nobody has',
      [TRADES_HEADER, tradeLine(0, 'Buy', '100', '1')],
      2,
      'side',
      '"Buy" is not a taker\'s side (buy, sell or unknown).',
    ],
    [
      'a time in milliseconds',
      [TRADES_HEADER, 'x,BTCUSDT,1723161600000,1723161600000,1,buy,100,1'],
      2,
      'timestamp',
      '"1723161600000" is not a time in microseconds since 1970.',
    ],
    [
      'a time going back',
      [TRADES_HEADER, tradeLine(2 * SECOND_US, 'buy', '100', '1'), good],
      3,
      'timestamp',
      `The time ${NOON} is 2 s before that of the row before (${NOON + 2 * SECOND_US}); at most 0 s were expected.`,
    ],
    [
      'another symbol',
      [TRADES_HEADER, good, good.replace('BTCUSDT', 'ETHUSDT')],
      3,
      'symbol',
      'The row is about ETHUSDT, the rows before it about BTCUSDT.',
    ],
    [
      'a row cut short',
      [TRADES_HEADER, good, 'x,BTCUSDT,1'],
      3,
      undefined,
      'The row has 3 cells, the header names 8 columns.',
    ],
  ])('%s', async (name, lines, line, column, sentence) => {
    const file = folder.write(`${name}.csv`, lines);
    const error = await errorOf(allRows(readTrades(source([file]))));
    expect(error.message).toBe(`${file}, line ${line}${column === undefined ? '' : `, column ${column}`}: ${sentence}`);
    expect([error.file, error.line, error.column]).toEqual([file, line, column]);
  });

  test('a file without any line', async () => {
    const file = folder.write('empty.csv', []);
    expect((await errorOf(allRows(readTrades(source([file]))))).message).toContain('The file is empty');
  });

  const long = [TRADES_HEADER, ...Array.from({ length: 500 }, (_, i) => tradeLine(i * i, 'buy', `${100 + i}`, '1'))];
  const itself = (): string => {
    const link = `${folder.write('link-of.csv', [TRADES_HEADER])}-itself`;
    symlinkSync(link, link);
    return link;
  };

  test.each<[string, () => string, string]>([
    ['a file that is not there', () => '/nowhere.csv', 'There is no such file; a recording was expected.'],
    ['a folder', tmpdir, 'This is a folder; a file was expected.'],
    ['a link that leads nowhere but to itself', itself, "The file can't be read further (ELOOP)."],
    [
      'a packed file that was cut off: no line, since text that was read ahead is lost',
      () => folder.writePacked('cut.csv.gz', long, 100),
      'The packed file ends before its data do: it was cut off.',
    ],
    [
      'a packed file that holds something else',
      () => folder.write('not-packed.csv.gz', [TRADES_HEADER]),
      'The name ends with .gz, but what follows is not packed with gzip (incorrect header check).',
    ],
    [
      'a packed file whose name does not say so',
      () => folder.writePacked('packed.csv', [TRADES_HEADER]),
      'The file is packed with gzip; a name that ends with .gz was expected.',
    ],
  ])('%s', async (_what, made, sentence) => {
    const file = made();
    const { message, line } = await errorOf(allRows(readTrades(source([file]))));
    expect([message, line]).toEqual([`${file}: ${sentence}`, undefined]);
  });

  test('trades where books were expected, and the other way round', async () => {
    const [trades, books] = [folder.write('t.csv', [TRADES_HEADER, good]), folder.write('b.csv', [BOOK_HEADER])];
    expect((await errorOf(allRows(readBooks(source([trades]))))).message).toBe(
      `${trades}, line 1: The header is that of recorded trades; ` +
        'books were expected (columns asks[0].price, bids[0].price).',
    );
    expect((await errorOf(allRows(readTrades(source([books]))))).message).toBe(
      `${books}, line 1: The header is that of recorded books; trades were expected (columns side, price, amount).`,
    );
  });

  test('another symbol than the one that was configured', async () => {
    const file = folder.write('expected.csv', [TRADES_HEADER, good]);
    const error = await errorOf(allRows(readTrades(source([file], { recordedSymbol: 'ETHUSDT' }))));
    expect(error.message).toBe(
      `${file}, line 2, column symbol: The row is about BTCUSDT; recordedSymbol says that ETHUSDT is expected.`,
    );
    expect(await allRows(readTrades(source([file], { recordedSymbol: 'BTCUSDT' })))).toHaveLength(1);
  });

  test('a line without end', async () => {
    const file = folder.write('endless.csv', ['x'.repeat(3_000_000)]);
    expect((await errorOf(allRows(readTrades(source([file]))))).message).toContain('longer than 1048576 characters');
  });

  test('levels out of order', async () => {
    const file = folder.write('unsorted.csv', [
      BOOK_HEADER,
      bookLine(0, '100.02', '1', '100.01', '2', '100.01', '3', '99', '4'),
    ]);
    const error = await errorOf(allRows(readBooks(source([file]))));
    expect([error.line, error.column, error.value]).toEqual([2, 'asks[1].price', '100.01']);
  });

  test.each([
    ['a level behind an empty one', ['', '', '100.01', '2', '100.05', '3', '99', '4'], 'asks[1].price', '100.05'],
    ['an amount without its price', ['', '1', '100.01', '2', '', '', '99', '4'], 'asks[0].amount', '1'],
  ])('%s', async (_name, cells, column, value) => {
    const file = folder.write('hole.csv', [BOOK_HEADER, bookLine(0, ...cells)]);
    const error = await errorOf(allRows(readBooks(source([file]))));
    expect([error.line, error.column, error.value]).toEqual([2, column, value]);
  });
});

describe('a tape in memory', () => {
  const books = folder.write('tape-books.csv', [
    BOOK_HEADER,
    bookLine(10, '100.02', '1', '100.01', '2', '100.05', '3', '99.9', '4'),
    bookLine(30, '100.03', '1', '100.01', '2', '', '', '99.9', '4'),
  ]);
  const trades = folder.write('tape-trades.csv', [
    TRADES_HEADER,
    tradeLine(10, 'buy', '100.02', '1'),
    tradeLine(10, 'sell', '100.01', '0.5'),
    tradeLine(40, 'sell', '100.01', '0.25'),
  ]);
  const load = (instrument = BTC_USDT, files = [trades]) =>
    loadTape({
      instrument,
      books: [books],
      trades: files,
      maxBookSilenceMs: 1_000,
      maxTradeSilenceMs: 1_000,
      maxBackwardMs: 0,
      recordedSymbol: null,
    });

  test('holds both kinds in order of time; a trade comes before the book of the same moment', async () => {
    const { tape, books: bookReport, trades: tradeReport } = await load();
    const rows = Array.from({ length: tape.length }, (_, index) => tape.row(index));
    expect(rows.map((row) => [row.kind, row.at - NOON])).toEqual([
      ['trade', 10],
      ['trade', 10],
      ['book', 10],
      ['book', 30],
      ['trade', 40],
    ]);
    expect([bookReport.rows, tradeReport.rows]).toEqual([2, 3]);
  });

  test('refuses books of another symbol than that of the trades', async () => {
    const others = folder.write('eth.csv', [TRADES_HEADER, tradeLine(0, 'buy', '1', '1').replace('BTC', 'ETH')]);
    const error = await errorOf(load(BTC_USDT, [others]));
    expect(error.message).toBe(
      `${books}, line 2, column symbol: The books are about BTCUSDT; those of ETHUSDT were expected (${others}).`,
    );
  });

  test('gives back exactly the rows that were read', async () => {
    const { tape } = await load();
    const rows = Array.from({ length: tape.length }, (_, index) => tape.row(index));
    expect(rows.filter((row) => row.kind === 'book')).toEqual(await allRows(readBooks(source([books]))));
    expect(rows.filter((row) => row.kind === 'trade')).toEqual(await allRows(readTrades(source([trades]))));
    expect(rows.map((_, index) => tape.timeOf(index))).toEqual(rows.map((row) => row.at));
  });

  test('refuses an instrument whose tick is coarser than the recording', async () => {
    const error = await errorOf(load({ ...BTC_USDT, tickSize: decimal('0.1') }));
    expect(error.message).toContain('is not a multiple of tick size 0.1 (BTC/USDT).');
  });
});
