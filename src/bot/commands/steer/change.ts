// `set` and `reload`: what would change is shown first, and applied when the person confirms what he saw.
import { createInterface } from 'node:readline/promises';
import { InvalidArgumentError } from 'commander';
import { EXIT } from '../../base/exit-codes.ts';
import { accountNamed } from '../../keys/account-named.ts';
import { askBot, personHere } from '../../steer/ask-bot.ts';
import type { SteerAnswer, SteerRequest } from '../../steer/command.ts';
import type { CommandContext } from '../command-context.ts';
import { ACCOUNT_CONFIG_HELP, accountSettingsOf } from '../configuration-argument.ts';
import { type SteerOptions, tellAnswer } from './steering.ts';

interface ChangeOptions extends SteerOptions {
  readonly yes?: boolean;
  /** The id of a preview that was shown before. */
  readonly confirm?: string;
}

interface SetOptions extends ChangeOptions {
  readonly temporary?: boolean;
}

type ChangeRequest = Extract<SteerRequest, { readonly command: 'set' | 'reload' }>;

const YES_HELP = 'apply it at once; without it a terminal is asked, and a pipe is only shown what would change';
const CONFIRM_HELP = 'apply what a preview of this id showed, and nothing else';

export function addSet(context: CommandContext): void {
  context.program
    .command('set')
    .summary('change parameters of a symbol while the bot quotes it')
    .description(
      'Shows what would change, in money: which orders stay, move and are canceled. Applied, the new value stands in ' +
        'the configuration file as well, and every order from then on names the new revision.',
    )
    .argument('<symbol>', 'the symbol, as in BTC/INR')
    .argument('<path=value...>', 'what is set, below the run: params.halfSpreadBps=60', changeOf)
    .option('--temporary', 'until the next start: leave the file as it is')
    .option('--yes', YES_HELP)
    .option('--confirm <id>', CONFIRM_HELP)
    .option('--config <file...>', ACCOUNT_CONFIG_HELP)
    .option('--json', 'print JSON')
    .addHelpText('after', '\nExample:\n  quotekeeper set BTC/INR params.halfSpreadBps=60 params.levels=3')
    .action(async (symbol: string, changes: Change[], options: SetOptions) => {
      const { temporary = false } = options;
      await change(context, { command: 'set', symbol, changes, temporary, confirm: null, by: personHere() }, options);
    });
}

export function addReload(context: CommandContext): void {
  context.program
    .command('reload')
    .summary('take changed parameters of the configuration files while the bot quotes')
    .description(
      'Shows what the files would change, in money, and takes it when it is confirmed. Only `runs` can change while ' +
        'the bot runs; what else differs is named, and waits for a restart.',
    )
    .option('--yes', YES_HELP)
    .option('--confirm <id>', CONFIRM_HELP)
    .option('--config <file...>', ACCOUNT_CONFIG_HELP)
    .option('--json', 'print JSON')
    .addHelpText('after', '\nExample:\n  quotekeeper reload --config config/paper.yaml')
    .action((options: ChangeOptions) =>
      change(context, { command: 'reload', confirm: null, by: personHere() }, options),
    );
}

interface Change {
  readonly path: string;
  readonly value: string;
}

/** `params.halfSpreadBps=60`, after those that came before it. */
function changeOf(text: string, before: readonly Change[] = []): Change[] {
  const at = text.indexOf('=');
  if (at < 1 || at === text.length - 1)
    throw new InvalidArgumentError('PATH=VALUE was expected, as in params.halfSpreadBps=60.');
  return [...before, { path: text.slice(0, at), value: text.slice(at + 1) }];
}

/** Ends with 0 where it is applied, or only shown; with 64 where it is refused, or not confirmed. */
async function change(context: CommandContext, request: ChangeRequest, options: ChangeOptions): Promise<void> {
  const { io, finish } = context;
  const { config = [], json = false, yes = false, confirm = null } = options;
  const settings = await accountSettingsOf(config, { command: `${request.command} … --config`, io });
  const named = accountNamed(settings);
  const ask = (id: string | null): Promise<SteerAnswer> => askBot(settings.stateFolder, { ...request, confirm: id });
  const say = (answer: SteerAnswer): void => tellAnswer(io, answer, { named, json });
  const first = await ask(confirm);
  if (!('preview' in first)) {
    say(first);
    return finish('done' in first ? EXIT.done : EXIT.usage);
  }
  if (!yes || !json) say(first);
  const { id } = first.preview;
  if (!yes && !(await typedYes())) {
    if (!json) io.err(`Nothing is changed. To apply this: the same with --confirm ${id}.`);
    return finish(EXIT.done);
  }
  const applied = await ask(id);
  say(applied);
  finish('done' in applied ? EXIT.done : EXIT.usage);
}

/** Whoever sits before a terminal types it; nobody is asked in a pipe. */
async function typedYes(): Promise<boolean> {
  if (!process.stdin.isTTY || !process.stdout.isTTY) return false;
  const lines = createInterface({ input: process.stdin, output: process.stderr });
  try {
    return (await lines.question('Apply it? Type yes: ')).trim() === 'yes';
  } catch {
    return false;
  } finally {
    lines.close();
  }
}
