// Commands that only read: of one account, or of each of a file with several, whose outputs are joined.
import { EXIT, type ExitCode, StartError } from '../base/exit-codes.ts';
import type { CommandIo } from '../io/command-io.ts';
import type { Overrides, Settings } from '../settings/settings.ts';
import { accountSettingsOf } from './configuration-argument.ts';

interface Asked {
  /** For sentences. */
  readonly command: string;
  readonly io: CommandIo;
  /** Of the output; null if several can't be joined, and one account must be named. */
  readonly form: 'text' | 'json' | 'csv' | null;
  readonly overrides?: Overrides;
}

/** Calls `work` once for each account. Returns the first code that is not 0. Throws `StartError`. */
export async function forEachAccount(
  files: readonly string[],
  { command, io, form, overrides = {} }: Asked,
  work: (settings: Settings, io: CommandIo) => ExitCode | Promise<ExitCode>,
): Promise<ExitCode> {
  const { filesByAccount } = await import('../settings/settings.ts');
  const all = filesByAccount(files);
  const [first] = all;
  if (first === undefined || all.length === 1)
    return work(await accountSettingsOf(first?.files ?? files, { command, io }, overrides), io);
  if (form === null || overrides.state !== undefined)
    throw new StartError(
      EXIT.usage,
      `${command} is of one account: name it behind the file, as in ${first.files.join(' ')}.`,
    );
  const names = all.map(({ account }) => account ?? '');
  const outputs: string[] = [];
  let code: ExitCode = EXIT.done;
  for (const { account, files: its } of all) {
    let output = '';
    const out = (text: string): void => {
      output += `${text}\n`;
    };
    try {
      const ended = await work(await accountSettingsOf(its, { command, io }, overrides), { ...io, out });
      if (code === EXIT.done) code = ended;
    } catch (error) {
      if (!(error instanceof StartError)) throw error;
      io.err(`${account}: ${error.message}`);
      if (code === EXIT.done) code = error.code;
    }
    outputs.push(output.trimEnd());
  }
  io.out(JOINED[form](outputs, names));
  return code;
}

type Join = (outputs: readonly string[], names: readonly string[]) => string;

const JOINED: Readonly<Record<'text' | 'json' | 'csv', Join>> = {
  text: (outputs, names) => outputs.map((text, index) => `${names[index]}\n${text}\n`).join('\n'),
  /** By the account's name; null where there is none. */
  json: (outputs, names) =>
    `{${outputs.map((text, index) => `${JSON.stringify(names[index])}:${text === '' ? 'null' : text}`).join(',')}}`,
  /** One table, its first column the account. */
  csv: (outputs, names) =>
    outputs
      .flatMap((text, index) => {
        const [head, ...rows] = text.split('\n');
        const marked = rows.map((row) => `${names[index]},${row}`);
        return index === 0 && head !== undefined ? [`account,${head}`, ...marked] : marked;
      })
      .join('\n'),
};
