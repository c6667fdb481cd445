// What a person must know of a recording before they believe what came of playing it.
import { plain } from '../domain/decimal.ts';
import type { Instrument } from '../domain/instrument.ts';
import type { LoadedTape } from './load-tape.ts';
import type { PlayedSpan, TapeReport } from './types.ts';

/**
 * Sentences, the gravest first; empty for a recording that is what it was taken for. `recordedSymbol` is the symbol
 * that the configuration expects in the files, `null` where it names none; `played` is what it is played with, itself
 * included, `null` where there is no row.
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
    ...[...gapWords('books', books), ...brokenWords(books), ...edgeWords('books', books, played)].map(about),
    ...[...gapWords('trades', trades), ...edgeWords('trades', trades, played)].map(about),
    ...notAsRecorded(loaded).map(about),
  ];
}

/** Everything that is played otherwise than it stands in the files. */
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
    [trades.sharedIds, `${ofTrades} with the id of a different trade (played)`],
    [trades.alikeWithoutIds, `${ofTrades} equal to another of that moment, without ids (played)`],
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

function brokenWords({ brokenCount, longestBroken: longest, twoSidedBooks }: TapeReport): string[] {
  if (longest === null || twoSidedBooks === 0) return [];
  const seconds = ((longest.toAt - longest.fromAt) / 1e6).toFixed(1);
  const count = brokenCount === 1 ? 'a stretch' : `${brokenCount} stretches`;
  return [
    `has ${count} without a book of both sides that is not crossed, the longest of ${seconds} s before ` +
      `${longest.file}, line ${longest.line}.`,
  ];
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

function gapWords(kind: string, { gapCount, gaps: [first] }: TapeReport): string[] {
  if (first === undefined) return [];
  const seconds = ((first.toAt - first.fromAt) / 1e6).toFixed(1);
  const count = gapCount === 1 ? 'a gap' : `${gapCount} gaps`;
  return [`has ${count} in its ${kind}, the first of ${seconds} s before ${first.file}, line ${first.line}.`];
}

/** Before its first row and behind its last one nothing is between two rows, and yet a gap. */
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
