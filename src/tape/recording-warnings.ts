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
  const counts: readonly [count: number, words: string][] = [
    [trades.duplicates, `of its ${rows} trades are there twice and are left out the second time`],
    [far.trade, `of its ${rows} trades are more than 50 % from the middle of the book and are left out`],
    [trades.sharedIds, `of its ${rows} trades differ from another one with their id: they are played`],
    [trades.alikeWithoutIds, `of its ${rows} trades equal another one of that moment and have no ids: they are played`],
    [trades.unknownSides, `of its ${rows} trades are without a side and are left out`],
    [trades.droppedQuantities, `of its ${rows} trades are under one lot and are left out`],
    [trades.flooredQuantities, `of its ${rows} trades are no whole number of lots and are rounded down`],
    [trades.backwardTimes, `of its ${rows} trades go back in time and are played at the time of the one before`],
    [books.crossedBooks, `of its ${books.rows} books are crossed and are left out: the one before stays`],
    [books.played - books.twoSidedBooks, `of its ${books.rows} books lack a side and are played so`],
    [far.book, `of its ${books.rows} books are more than 50 % from the one before and are played`],
    [books.droppedQuantities, 'levels of its books are under one lot and are left out'],
    [books.flooredQuantities, 'levels of its books are no whole number of lots and are rounded down'],
    [books.backwardTimes, `of its ${books.rows} books go back in time and are played at the time of the one before`],
  ];
  const said = [
    ...(lost.isZero() ? [] : [`${plain(lost)} of ${plain(volume)} ${base} traded is left out`]),
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
