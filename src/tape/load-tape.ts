// Loads files on disk into a tape in memory.
import { type Decimal, decimal, plain } from '../domain/decimal.ts';
import type { Instrument } from '../domain/instrument.ts';
import type { DurationMs } from '../domain/time.ts';
import { tapeBuilder } from './compact-tape.ts';
import { readBooks, readTrades } from './read-rows.ts';
import { TapeError } from './table-file.ts';
import type { PlayedSpan, Tape, TapeBook, TapeReport, TapeRow, TapeSource, TapeTrade } from './types.ts';

interface TapeFiles extends Pick<TapeSource, 'instrument' | 'maxBackwardMs' | 'recordedSymbol'> {
  /** Consecutive `book_snapshot_N` files, oldest first. */
  readonly books: readonly string[];
  /** Consecutive `trades` files, oldest first. */
  readonly trades: readonly string[];
  /** Longest time without a book of both sides, and without a trade, that is no gap. */
  readonly maxBookSilenceMs: DurationMs;
  readonly maxTradeSilenceMs: DurationMs;
}

export interface LoadedTape {
  readonly tape: Tape;
  readonly books: TapeReport;
  readonly trades: TapeReport;
  /** Rows whose price is far from the middle of the last book: trades are left out, books are played. */
  readonly far: { readonly trade: number; readonly book: number };
  /** In base: the played part of `trades.volume`. */
  readonly playedVolume: Decimal;
}

/** Reads the files and merges them by the exchange's time. Rejects with TapeError. */
export async function loadTape(files: TapeFiles): Promise<LoadedTape> {
  const { instrument, maxBackwardMs, recordedSymbol } = files;
  const shared = { instrument, maxBackwardMs, recordedSymbol };
  const trades = readTrades({ ...shared, files: files.trades, maxSilenceMs: files.maxTradeSilenceMs });
  const bookSource = { ...shared, files: files.books, maxSilenceMs: files.maxBookSilenceMs };
  const books = readBooks(bookSource);
  const builder = tapeBuilder(instrument);
  const far = { trade: 0, book: 0 };
  let middle = await firstMiddle(bookSource);
  let playedVolume = decimal(0);
  for await (const row of mergeByTime(trades.rows, books.rows)) {
    const price = row.kind === 'trade' ? row.priceTicks : middleOf(row);
    const isFar = price !== null && middle !== null && Math.abs(price - middle) > middle * FARTHEST_RATIO;
    if (isFar) far[row.kind] += 1;
    if (row.kind === 'book') middle = price ?? middle;
    else if (isFar) continue;
    else playedVolume = playedVolume.add(instrument.lotSize.mul(row.quantityLots));
    builder.add(row);
  }
  const report = trades.report();
  const played = { trades: { ...report, played: report.played - far.trade }, far, playedVolume };
  const loaded = { tape: builder.build(), books: books.report(), ...played };
  requireOneSymbol(loaded);
  return loaded;
}

/** As a ratio of the book's middle. A trade this far from it is a fault of the recording, and would sweep the book. */
const FARTHEST_RATIO = 0.5;

/** Trades before the first book are compared with it too. */
async function firstMiddle(source: TapeSource): Promise<number | null> {
  for await (const book of readBooks(source).rows) {
    const middle = middleOf(book);
    if (middle !== null) return middle;
  }
  return null;
}

function middleOf({ bids: [bid], asks: [ask] }: TapeBook): number | null {
  return bid === undefined || ask === undefined ? null : (bid.priceTicks + ask.priceTicks) / 2;
}

/** Trades of one market in the book of another would be played at impossible prices. */
function requireOneSymbol({ trades, books }: Pick<LoadedTape, 'trades' | 'books'>): void {
  if (trades.symbol === null || books.symbol === null || trades.symbol.text === books.symbol.text) return;
  const { text, file, line } = books.symbol;
  const sentence = `The books are about ${text}; those of ${trades.symbol.text} were expected (${trades.symbol.file}).`;
  throw new TapeError({ file, line, column: 'symbol', value: text }, sentence);
}

// Merges two recordings into one order of events.

/**
 * Both in order of the exchange's time, each in its own order. On a tie trades come first: a book shows the market
 * after the trades up to its time.
 */
export async function* mergeByTime(
  trades: AsyncIterable<TapeTrade>,
  books: AsyncIterable<TapeBook>,
): AsyncGenerator<TapeRow> {
  const tradeRows = trades[Symbol.asyncIterator]();
  const bookRows = books[Symbol.asyncIterator]();
  try {
    let trade = await tradeRows.next();
    let book = await bookRows.next();
    while (trade.done !== true || book.done !== true) {
      if (trade.done !== true && (book.done === true || trade.value.at <= book.value.at)) {
        yield trade.value;
        trade = await tradeRows.next();
      } else if (book.done !== true) {
        yield book.value;
        book = await bookRows.next();
      }
    }
  } finally {
    await tradeRows.return?.();
    await bookRows.return?.();
  }
}

// Warnings that a person needs before trusting the results of a recording.

/**
 * Sentences, the most severe first; empty for a recording as expected. `recordedSymbol` is the symbol that the
 * configuration expects in the files, `null` where it names none; `played` is the span of all tapes played together,
 * this one included, `null` where there is no row.
 */
export function recordingWarnings(
  loaded: LoadedTape,
  recordedSymbol: string | null,
  played: PlayedSpan | null,
): readonly string[] {
  const { tape, trades, books } = loaded;
  const { symbol } = tape.instrument;
  const about = (words: string): string => `The recording of ${symbol} ${words}`;
  return [
    ...(recordedSymbol === null ? otherSymbol(loaded) : []),
    ...noTrades(trades).map(about),
    ...(books.rows > 0 && books.twoSidedBooks === 0 ? [about('never has a bid and an ask at the same time.')] : []),
    ...(books.rows === 0 ? [about('has no books.')] : []),
    ...(tape.length > 0 && tape.timeOf(0) === tape.timeOf(tape.length - 1) ? [about('covers no time at all.')] : []),
    ...(areApart(trades, books) ? [about('has no trade at a time of which it has a book.')] : []),
    ...[...(books.twoSidedBooks > 0 ? gapWords('books', books) : []), ...edgeWords('books', books, played)].map(about),
    ...[...(trades.played > 0 ? gapWords('trades', trades) : []), ...edgeWords('trades', trades, played)].map(about),
    ...notAsRecorded(loaded).map(about),
  ];
}

/** Everything that is played differently from the files. */
function notAsRecorded({ tape, trades, books, far, playedVolume }: LoadedTape): string[] {
  const { rows, volume } = trades;
  const { base } = tape.instrument;
  const lost = volume.sub(playedVolume);
  const [ofTrades, ofBooks] = [`of ${rows} trades`, `of ${books.rows} books`];
  const counts: readonly [count: number, words: string][] = [
    [trades.duplicates, `${ofTrades} recorded twice (left out the second time)`],
    [far.trade, `${ofTrades} more than 50 % from the middle of the book (left out)`],
    [trades.unknownSides, `${ofTrades} without a side (left out)`],
    [trades.droppedQuantities, `${ofTrades} under one lot (left out)`],
    [trades.flooredQuantities, `${ofTrades} with a fraction of a lot (rounded down)`],
    [trades.backwardTimes, `${ofTrades} back in time (played at the time of the one before)`],
    [books.crossedBooks, `${ofBooks} crossed (left out: the one before stays)`],
    [books.played - books.twoSidedBooks, `${ofBooks} without a bid or an ask (played)`],
    [far.book, `${ofBooks} more than 50 % from the one before (played)`],
    [books.droppedQuantities, 'of the book levels under one lot (left out)'],
    [books.flooredQuantities, 'of the book levels with a fraction of a lot (rounded down)'],
    [books.backwardTimes, `${ofBooks} back in time (played at the time of the one before)`],
  ];
  const said = [
    ...(lost.isZero() ? [] : [`${plain(lost)} of ${plain(volume)} ${base} traded (left out)`]),
    ...counts.filter(([count]) => count > 0).map(([count, words]) => `${count} ${words}`),
  ];
  return said.length === 0 ? [] : [`is not played as recorded: ${said.join('; ')}.`];
}

function otherSymbol({ tape: { instrument }, trades, books }: LoadedTape): string[] {
  const found = trades.symbol ?? books.symbol;
  if (found === null || isNameOf(found.text, instrument)) return [];
  const { text, file, line } = found;
  return [
    `The recording played as ${instrument.symbol} is one of ${text} (${file}, line ${line}); where that is wanted, ` +
      `write recordedSymbol: ${text} beside its files.`,
  ];
}

/** `BTCUSDT`, `BTC-USDT` and `btc_usdt` are BTC/USDT. */
function isNameOf(text: string, { base, quote }: Instrument): boolean {
  return text.replace(/[^a-z0-9]/gi, '').toUpperCase() === `${base}${quote}`.toUpperCase();
}

function noTrades({ rows, played }: TapeReport): string[] {
  if (played > 0) return [];
  if (rows === 0) return ['has no trades.'];
  return [`has no trade that can be played: all ${rows} are left out.`];
}

function areApart(trades: TapeReport, books: TapeReport): boolean {
  const [from, to] = [trades.firstAt, trades.lastAt];
  if (from === null || to === null || books.firstAt === null || books.lastAt === null) return false;
  return to < books.firstAt || from > books.lastAt;
}

function gapWords(kind: string, { gapCount, longestGap: longest }: TapeReport): string[] {
  if (longest === null) return [];
  const seconds = ((longest.toAt - longest.fromAt) / 1e6).toFixed(1);
  const count = gapCount === 1 ? 'a gap' : `${gapCount} gaps`;
  return [`has ${count} in its ${kind}, the longest of ${seconds} s before ${longest.file}, line ${longest.line}.`];
}

/** Before its first row and after its last one there are no two rows, yet it is a gap. */
function edgeWords(kind: string, { firstAt, lastAt, maxSilenceMs }: TapeReport, played: PlayedSpan | null): string[] {
  if (firstAt === null || lastAt === null || played === null) return [];
  const silences = [
    { part: 'first', ms: firstAt / 1_000 - played.firstAt },
    { part: 'last', ms: played.lastAt - lastAt / 1_000 },
  ];
  return silences
    .filter(({ ms }) => ms > maxSilenceMs)
    .map(({ part, ms }) => `has no ${kind} in the ${part} ${(ms / 1_000).toFixed(1)} s of what is played.`);
}
