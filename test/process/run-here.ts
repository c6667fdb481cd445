// Runs a command of the program in this process, as `src/bot/main.ts` runs it in one of its own: a start costs a second
// of a core. The tests of the command line and of the package start the program as a person does.
import { createCommandLine } from '../../src/bot/command-line.ts';
import { plainLines } from '../../src/domain/text.ts';
import type { Ended } from './start-program.ts';

/** Not for commands that stop at a signal: those are the whole process's. */
export async function runHere(args: readonly string[], environment: Record<string, string> = {}): Promise<Ended> {
  const said = { out: '', err: '' };
  const say = (to: 'out' | 'err') => (text: string) => {
    said[to] += `${plainLines(text)}\n`;
  };
  const code = await createCommandLine({ out: say('out'), err: say('err'), isTerminal: false, environment }).run(args);
  return { code, signal: null, ...said };
}
