// The lines of a text file, unpacked where it is packed.
import { createReadStream } from 'node:fs';
import { pipeline, type Readable } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { TapeError } from './tape-error.ts';

export interface TapeLine {
  /** The first line is 1. */
  readonly number: number;
  /** Without its end of line; never empty. */
  readonly text: string;
}

const LONGEST_LINE = 2 ** 20;
/** The first two bytes of a gzip file, the second of which is no UTF-8. */
const PACKED_AS_TEXT = '\u001f\ufffd';
const UNNAMED_PACKED_SENTENCE = 'The file is packed with gzip; a name that ends with .gz was expected.';
const LONG_LINE_SENTENCE = `The line is longer than ${LONGEST_LINE} characters; this is no table of market data.`;

/** Reads `file` line by line and leaves empty lines out. Throws TapeError when it can't be read to its end. */
export async function* readLines(file: string): AsyncGenerator<TapeLine> {
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
    // Text that was read ahead is lost with the error, so the last line that was seen is no place.
    throw error instanceof TapeError ? error : new TapeError({ file }, unreadableSentence(error));
  }
  const text = withoutLineEnd(rest, number + 1);
  if (text !== '') yield { number: number + 1, text };
}

function openText(file: string): Readable {
  const bytes = createReadStream(file);
  if (!file.endsWith('.gz')) return bytes.setEncoding('utf8');
  // `pipeline` carries an error of the file over to the unpacked stream, where the loop meets it.
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
