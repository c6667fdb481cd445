// What is said of a recording before anybody believes what came of playing it.
import { afterAll, describe, expect, test } from '@jest/globals';
import { readRecordings } from '../../../src/bot/paper/recordings.ts';
import { spanOf } from '../../../src/crowd/tape-crowd.ts';
import { loadTape, recordingWarnings } from '../../../src/tape/load-tape.ts';
import { BOOK_HEADER, BTC_USDT, bookLine, SECOND_US, TRADES_HEADER, tapeFolder, tradeLine } from './tape-files.ts';

const folder = tapeFolder();
afterAll(() => folder.remove());

const TRADES = [tradeLine(0, 'buy', '100.02', '1'), tradeLine(SECOND_US, 'sell', '100.01', '1')];
const TWO_SIDED = ['100.02', '1', '100.01', '2', '', '', '', ''];
const BOOKS = [bookLine(0, ...TWO_SIDED), bookLine(SECOND_US, ...TWO_SIDED)];

interface Written {
  readonly trades?: readonly string[];
  readonly books?: readonly string[];
  readonly recordedSymbol?: string;
}

async function warnings({ trades = TRADES, books = BOOKS, recordedSymbol }: Written): Promise<string[]> {
  const files = {
    trades: [folder.write('trades.csv', [TRADES_HEADER, ...trades])],
    books: [folder.write('books.csv', [BOOK_HEADER, ...books])],
  };
  const expected = recordedSymbol ?? null;
  const bounds = { maxBookSilenceMs: 5_000, maxTradeSilenceMs: 5_000, maxBackwardMs: 0 };
  const loaded = await loadTape({ ...files, ...bounds, instrument: BTC_USDT, recordedSymbol: expected });
  return recordingWarnings(loaded, expected, spanOf([loaded.tape])).map((text) => text.replace(/\/\S*\//g, ''));
}

const named = (lines: readonly string[], symbol: string): string[] =>
  lines.map((line) => line.replace('BTCUSDT', symbol));

test('a recording that is what it was taken for is worth no word', async () => {
  expect(await warnings({})).toEqual([]);
});

describe('the symbol', () => {
  test.each(['BTC-USDT', 'btc_usdt', 'BTC/USDT'])('%s is BTC/USDT', async (symbol) => {
    expect(await warnings({ trades: named(TRADES, symbol), books: named(BOOKS, symbol) })).toEqual([]);
  });

  test('of another market is said, with the option that says it is wanted', async () => {
    const eth = { trades: named(TRADES, 'ETHUSDT'), books: named(BOOKS, 'ETHUSDT') };
    expect(await warnings(eth)).toEqual([
      'The recording played as BTC/USDT is one of ETHUSDT (trades.csv, line 2); where that is wanted, write ' +
        'recordedSymbol: ETHUSDT beside its files.',
    ]);
    expect(await warnings({ ...eth, recordedSymbol: 'ETHUSDT' })).toEqual([]);
  });
});

const oneSided = (after: number, asks: boolean): string =>
  asks
    ? bookLine(after, '100.02', '1', '', '', '', '', '', '')
    : bookLine(after, '', '', '100.01', '2', '', '', '', '');

const BENT = 'The recording of BTC/USDT is not played as recorded: ';

const twoSidedAt = (...seconds: readonly number[]): string[] =>
  seconds.map((second) => bookLine(second * SECOND_US, ...TWO_SIDED));
const boughtAt = (...seconds: readonly number[]): string[] =>
  seconds.map((second) => tradeLine(second * SECOND_US, 'buy', '100.02', '1'));

/** Each sentence begins with the recording. */
test.each<[string, Written, string[]]>([
  ['no trades', { trades: [] }, ['has no trades.']],
  [
    'trades that are all left out',
    { trades: [tradeLine(0, 'buy', '100.02', '0.0009'), tradeLine(SECOND_US, 'unknown', '100.01', '1')] },
    [
      'has no trade that can be played: all 2 are left out.',
      'is not played as recorded: 1.0009 of 1.0009 BTC traded (left out); 1 of 2 trades without a side (left out); ' +
        '1 of 2 trades under one lot (left out).',
    ],
  ],
  ['no books', { books: [] }, ['has no books.']],
  [
    'one side at a time',
    { books: [oneSided(0, true), oneSided(SECOND_US, false)] },
    [
      'never has a bid and an ask at the same time.',
      'is not played as recorded: 2 of 2 books without a bid or an ask (played).',
    ],
  ],
  ['one moment', { trades: TRADES.slice(0, 1), books: BOOKS.slice(0, 1) }, ['covers no time at all.']],
  [
    'trades of another time than the books',
    { books: twoSidedAt(2, 3) },
    ['has no trade at a time of which it has a book.'],
  ],
  [
    'books that end before the trades, and trades that begin after the books',
    { books: twoSidedAt(0, 4, 8), trades: boughtAt(6, 11, 16) },
    ['has no books in the last 8.0 s of what is played.', 'has no trades in the first 6.0 s of what is played.'],
  ],
  [
    'a gap',
    { trades: [...TRADES, ...boughtAt(4)], books: twoSidedAt(0, 6.5) },
    ['has a gap in its books, the longest of 6.5 s before books.csv, line 3.'],
  ],
])('%s', async (_what, written, expected) => {
  expect(await warnings(written)).toEqual(expected.map((words) => `The recording of BTC/USDT ${words}`));
});

describe('what is not played as recorded', () => {
  const withId = (id: string, line: string): string => line.split(',').with(4, id).join(',');
  const twice = (lines: readonly string[]): string[] => lines.flatMap((line) => [line, line]);
  const stretch = (cells: readonly string[]): string[] => [
    ...twoSidedAt(0),
    ...Array.from({ length: 120 }, (_, second) => bookLine((second + 1) * SECOND_US, ...cells)),
    ...twoSidedAt(121),
  ];
  const flowing = boughtAt(...Array(122).keys());
  const [first = ''] = TRADES;

  test.each<[string, Written, string]>([
    [
      'trades that are there twice',
      { trades: twice(TRADES) },
      '2 of 4 BTC traded (left out); 2 of 4 trades recorded twice (left out the second time).',
    ],
    [
      'trades that are there twice, the second time out of order',
      { trades: [withId('7', first), withId('8', tradeLine(0, 'buy', '100.02', '2')), withId('7', first)] },
      '1 of 4 BTC traded (left out); 1 of 3 trades recorded twice (left out the second time).',
    ],
    [
      'quantities of nothing and of half a lot',
      { trades: [...TRADES, ...['0', '1.0005'].map((amount) => tradeLine(SECOND_US, 'buy', '100.02', amount))] },
      '0.0005 of 3.0005 BTC traded (left out); 1 of 4 trades under one lot (left out); ' +
        '1 of 4 trades with a fraction of a lot (rounded down).',
    ],
    [
      'absurd prices of trades, not at 50 % from the middle of the book',
      {
        trades: ['0.01', '49', '51', '150', '151', '999999.99'].map((price) => tradeLine(1, 'sell', price, '2')),
        books: [bookLine(0, '101', '1', '99', '2', '', '', '', ''), bookLine(2, ...TWO_SIDED)],
      },
      '8 of 12 BTC traded (left out); 4 of 6 trades more than 50 % from the middle of the book (left out).',
    ],
    [
      'an absurd price before the first book',
      { trades: [tradeLine(0, 'sell', '0.01', '2'), ...TRADES], books: [bookLine(1, ...TWO_SIDED), ...BOOKS.slice(1)] },
      '2 of 4 BTC traded (left out); 1 of 3 trades more than 50 % from the middle of the book (left out).',
    ],
    [
      'an absurd price after a book without asks',
      {
        trades: [...TRADES, tradeLine(SECOND_US, 'sell', '0.01', '2')],
        books: [BOOKS[0] ?? '', bookLine(1, '', '', '100.01', '2', '', '', '', '')],
      },
      '2 of 4 BTC traded (left out); 1 of 3 trades more than 50 % from the middle of the book (left out); ' +
        '1 of 2 books without a bid or an ask (played).',
    ],
    [
      'an absurd book',
      { books: [...BOOKS, bookLine(SECOND_US, '1', '1', '0.5', '2', '', '', '', '')] },
      '1 of 3 books more than 50 % from the one before (played).',
    ],
    [
      'one crossed book',
      { books: [...BOOKS, bookLine(SECOND_US, '100.01', '1', '100.02', '2', '', '', '', '')] },
      '1 of 3 books crossed (left out: the one before stays).',
    ],
  ])('%s', async (_what, written, expected) => {
    expect(await warnings(written)).toEqual([`${BENT}${expected}`]);
  });

  test.each([
    ['crossed', ['100.01', '1', '100.02', '2', '', '', '', ''], /120 of 122 books crossed/],
    ['one-sided', ['100.02', '1', '', '', '', '', '', ''], /120 of 122 books without a bid or an ask/],
    ['empty', ['', '', '', '', '', '', '', ''], /120 of 122 books without a bid or an ask/],
  ])('two minutes of %s books are a gap', async (_what, cells, counted) => {
    const [broken, bent] = await warnings({ books: stretch(cells), trades: flowing });
    expect(broken).toBe(
      'The recording of BTC/USDT has a gap in its books, the longest of 121.0 s before books.csv, line 123.',
    );
    expect(bent).toMatch(counted);
    const cut = await warnings({ books: stretch(cells).slice(0, -1), trades: flowing.slice(0, -1) });
    expect(cut[0]).toMatch(/ the longest of 120\.0 s before books\.csv, line 122\.$/);
  });
});

test('a recording that ends before another one that is played with it stands still from then on', async () => {
  const files = (name: string, seconds: readonly number[]) => ({
    symbol: name,
    recordedSymbol: 'BTCUSDT',
    trades: [folder.write(`${name}.trades`, [TRADES_HEADER, ...boughtAt(...seconds)])],
    books: [folder.write(`${name}.books`, [BOOK_HEADER, ...twoSidedAt(...seconds)])],
  });
  const long = Array.from({ length: 11 }, (_, index) => 8 * index);
  const tapes = [files('LONG', long), files('SHORT', [0, 8])];
  const instruments = tapes.map(({ symbol }) => ({ ...BTC_USDT, symbol }));
  const read = await readRecordings({ kind: 'tape', tapes, cancelAheadRatio: 0.5, loop: false }, instruments);
  expect(read.map((one) => one.warnings)).toEqual([
    [],
    [
      'The recording of SHORT has no books in the last 72.0 s of what is played.',
      'The recording of SHORT has no trades in the last 72.0 s of what is played.',
    ],
  ]);
});
