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
        if (text !== '') yield { number, text };
      }
    }
  } catch (error) {
    if (error instanceof TapeError) throw error;
    throw new TapeError({ file, line: number }, unreadableSentence(error));
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
  const named = typeof error === 'object' && error !== null && 'message' in error;
  const message = named ? String(error.message) : String(error);
  return message === 'unexpected end of file'
    ? 'The packed file ends before its data do; it was cut off after this line.'
    : `The file can't be read further: ${message}.`;
}
