// What `pause`, `resume` and `stop` share: whose bot, what it answered, and the exit code.
import { InvalidArgumentError } from 'commander';
import { EXIT, StartError } from '../../base/exit-codes.ts';
import type { CommandIo } from '../../io/command-io.ts';
import { type AccountNamed, accountLine, accountNamed } from '../../keys/account-named.ts';
import type { Settings } from '../../settings/types.ts';
import { askBot } from '../../steer/ask-bot.ts';
import type { SteerAnswer, SteerRequest } from '../../steer/command.ts';
import type { CommandContext } from '../command-context.ts';
import { accountSettingsOf, rootsOf } from '../configuration-argument.ts';

export const SYMBOL_HELP = 'the symbol, as in BTC/INR; all when none is named';

export interface SteerOptions {
  readonly config?: readonly string[];
  readonly json?: boolean;
}

/** Ends with 0 where it is done, and with 64 where the bot refused it. */
export async function steer(
  { io, finish }: CommandContext,
  command: SteerRequest,
  { config = [], json = false }: SteerOptions,
): Promise<void> {
  const { stateFolder, settings } = await botMeant(config, { command: `${command.command} --config`, io });
  const answer = await askBot(stateFolder, command);
  const named = settings === null ? null : accountNamed(settings);
  tellAnswer(io, answer, { named, json });
  finish('done' in answer ? EXIT.done : EXIT.usage);
}

/** Whose bot is meant; `settings` is null where its configuration can't be read. */
export interface BotMeant {
  readonly stateFolder: string;
  readonly files: readonly string[];
  readonly settings: Settings | null;
}

/**
 * By its configuration. Somebody may be editing that: where it can't be read, the bot that runs with it is meant all
 * the same, by the note in its state folder. Who wants to stop a bot must not have to mend a file first.
 */
export async function botMeant(
  files: readonly string[],
  { command, io }: { readonly command: string; readonly io: CommandIo },
): Promise<BotMeant> {
  try {
    const settings = await accountSettingsOf(files, { command, io });
    return { stateFolder: settings.stateFolder, files: settings.files, settings };
  } catch (error) {
    if (!(error instanceof StartError) || error.code !== EXIT.configurationInvalid) throw error;
    const { runningBotOf } = await import('../../state-folder/running-bot.ts');
    const bot = runningBotOf(rootsOf(files), files);
    if (bot === null) throw error;
    io.err(`${error.message}\nThe bot that runs with it was started before that, and is asked: ${bot.stateFolder}.`);
    return { stateFolder: bot.stateFolder, files: bot.files ?? files, settings: null };
  }
}

/** What the bot said: what it refused to standard error, where it is no JSON. */
export function tellAnswer(
  io: CommandIo,
  answer: SteerAnswer,
  { named, json }: { readonly named: AccountNamed | null; readonly json: boolean },
): void {
  if (json) io.out(JSON.stringify({ ...named, ...answer }));
  else if ('refused' in answer) io.err(answer.refused);
  else
    io.out(
      [
        ...(named === null ? [] : [accountLine(named)]),
        ...('done' in answer ? answer.done : answer.preview.lines),
      ].join('\n'),
    );
}

const UNITS = { s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 } as const;

/** `90s`, `10m`, `2h`, `1d`, in milliseconds. */
export function spanOfTime(text: string): number {
  const [, digits, unit] = /^(\d{1,6})([smhd])$/.exec(text) ?? [];
  if (digits === undefined || unit === undefined || Number(digits) === 0)
    throw new InvalidArgumentError('A time such as 90s, 10m, 2h or 1d was expected.');
  return Number(digits) * UNITS[unit as keyof typeof UNITS];
}

/** `buy` or `sell`. */
export function sideNamed(text: string): 'buy' | 'sell' {
  if (text === 'buy' || text === 'sell') return text;
  throw new InvalidArgumentError('buy or sell was expected.');
}
