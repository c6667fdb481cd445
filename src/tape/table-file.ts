// A file with one header line, columns found by name, and cells read with the place of any error.
import { createReadStream } from 'node:fs';
import { pipeline, type Readable } from 'node:stream';
import { createGunzip } from 'node:zlib';
import type { EpochUs } from './types.ts';

export interface TableHeader {
  readonly file: string;
  readonly names: readonly string[];
}

export interface TableRow {
  readonly header: TableHeader;
  readonly line: number;
  readonly cells: readonly string[];
}

/** The result of `columnsOf` for the header comes with every row; it is called even if no row follows. */
interface FoundRow<Columns> {
  readonly row: TableRow;
  readonly columns: Columns;
}

/** The data rows of a comma-separated file; each has exactly as many cells as the header. */
export async function* readTable<Columns>(
  file: string,
  columnsOf: (header: TableHeader) => Columns,
): AsyncGenerator<FoundRow<Columns>> {
  let found: { header: TableHeader; columns: Columns } | null = null;
  for await (const { number, text } of readLines(file)) {
    const cells = text.split(',');
    if (found === null) {
      const header = { file, names: cells };
      found = { header, columns: columnsOf(header) };
      continue;
    }
    const { header, columns } = found;
    if (cells.length !== header.names.length) {
      const sentence = `The row has ${cells.length} cells, the header names ${header.names.length} columns.`;
      throw new TapeError({ file, line: number }, sentence);
    }
    yield { row: { header, line: number, cells }, columns };
  }
  if (found === null) throw new TapeError({ file, line: 1 }, 'The file is empty; a header line was expected.');
}

/** The index of column `name`, or -1 if the header has none. */
export function findColumn(header: TableHeader, name: string): number {
  return header.names.indexOf(name);
}

/** The index of column `name`. Throws TapeError if the header has none. */
export function requireColumn(header: TableHeader, name: string): number {
  const index = findColumn(header, name);
  if (index >= 0) return index;
  throw new TapeError({ file: header.file, line: 1, column: name }, 'The header has no such column; one was expected.');
}

/** A TapeError about one cell of a row. */
export function cellError(row: TableRow, index: number, sentence: string): TapeError {
  const column = row.header.names[index] ?? '';
  return new TapeError({ file: row.header.file, line: row.line, column, value: row.cells[index] ?? '' }, sentence);
}

// Microseconds of 2001-09-09 and of 2255-06-05: values outside are in another unit.
const EARLIEST_US = 1e15;
const LATEST_US = Number.MAX_SAFE_INTEGER;
const INTEGER = /^\d+$/;

/** A time in microseconds. Throws TapeError for anything else. */
export function timeCell(row: TableRow, index: number): EpochUs {
  const text = row.cells[index] ?? '';
  const value = Number(text);
  if (INTEGER.test(text) && value >= EARLIEST_US && value <= LATEST_US) return value;
  throw cellError(row, index, `"${text}" is not a time in microseconds since 1970.`);
}

// The lines of a text file, decompressed if necessary.

interface TapeLine {
  /** The first line is 1. */
  readonly number: number;
  /** Without its end of line; never empty. */
  readonly text: string;
}

const LONGEST_LINE = 2 ** 20;
/** The first two bytes of a gzip file, the second of which is not valid UTF-8. */
const PACKED_AS_TEXT = '\u001f\ufffd';
const UNNAMED_PACKED_SENTENCE = 'The file is packed with gzip; a name that ends with .gz was expected.';
const LONG_LINE_SENTENCE = `The line is longer than ${LONGEST_LINE} characters; this is no table of market data.`;

/** Reads `file` line by line and skips empty lines. Throws TapeError if it can't be read to the end. */
async function* readLines(file: string): AsyncGenerator<TapeLine> {
  let number = 0;
  let rest = '';
  try {
    for await (const chunk of openText(file)) {
      const lines = (rest + String(chunk)).split('\n');
      rest = lines.pop() ?? '';
      if (rest.length > LONGEST_LINE) throw new TapeError({ file, line: number + 1 }, LONG_LINE_SENTENCE);
      for (const line of lines) {
        number += 1;
        const text = withoutLineEnd(line, number);
        if (text.startsWith(PACKED_AS_TEXT)) throw new TapeError({ file }, UNNAMED_PACKED_SENTENCE);
        if (text !== '') yield { number, text };
      }
    }
  } catch (error) {
    // Text read ahead is lost with the error, so the last line read is not its place.
    throw error instanceof TapeError ? error : new TapeError({ file }, unreadableSentence(error));
  }
  const text = withoutLineEnd(rest, number + 1);
  if (text !== '') yield { number: number + 1, text };
}

function openText(file: string): Readable {
  const bytes = createReadStream(file);
  if (!file.endsWith('.gz')) return bytes.setEncoding('utf8');
  // `pipeline` passes an error of the file on to the decompressed stream, where the loop gets it.
  return pipeline(bytes, createGunzip(), () => undefined).setEncoding('utf8');
}

function withoutLineEnd(line: string, number: number): string {
  const text = number === 1 && line.startsWith('\uFEFF') ? line.slice(1) : line;
  return text.endsWith('\r') ? text.slice(0, -1) : text;
}

function unreadableSentence(error: unknown): string {
  const { code, message } = (error ?? {}) as { code?: unknown; message?: unknown };
  if (message === 'unexpected end of file') return 'The packed file ends before its data do: it was cut off.';
  switch (code) {
    case 'ENOENT':
      return 'There is no such file; a recording was expected.';
    case 'EISDIR':
      return 'This is a folder; a file was expected.';
    case 'EACCES':
    case 'EPERM':
      return `The file may not be read (${code}); one that this user may read was expected.`;
    case 'Z_DATA_ERROR':
      return `The name ends with .gz, but what follows is not packed with gzip (${String(message)}).`;
    default:
      return `The file can't be read further (${String(code ?? message)}).`;
  }
}

// An error in a recorded file, and its place.

/** The place of an error: the file as the caller named it, the line (the header is line 1) and the text there. */
interface TapePlace {
  readonly file: string;
  /** Absent if no line was read. */
  readonly line?: number;
  readonly column?: string;
  readonly value?: string;
}

/** Thrown only by the readers of this folder. The message is a sentence that names the place. */
export class TapeError extends Error {
  override readonly name = 'TapeError';
  readonly file: string;
  readonly line: number | undefined;
  readonly column: string | undefined;
  readonly value: string | undefined;

  constructor(place: TapePlace, sentence: string) {
    const column = place.column === undefined ? '' : `, column ${place.column}`;
    const line = place.line === undefined ? '' : `, line ${place.line}`;
    super(`${place.file}${line}${column}: ${sentence}`);
    this.file = place.file;
    this.line = place.line;
    this.column = place.column;
    this.value = place.value;
  }
}
