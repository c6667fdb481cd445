// Output and exit code of a command of the books.
import { StartError } from '../../../../src/bot/base/exit-codes.ts';
import type { CommandIo } from '../../../../src/bot/io/command-io.ts';

export interface Said {
  readonly code: number;
  readonly out: string;
  readonly err: string;
}

/** A refusal becomes its sentence and code. */
export function saying(run: (io: CommandIo) => number): Said {
  const said = { out: '', err: '' };
  const add = (where: 'out' | 'err') => (text: string) => {
    said[where] += `${text}\n`;
  };
  const io = { out: add('out'), err: add('err'), isTerminal: false, environment: {} };
  try {
    return { code: run(io), ...said };
  } catch (error) {
    if (!(error instanceof StartError)) throw error;
    return { code: error.code, out: said.out, err: `${said.err}${error.message}\n` };
  }
}
