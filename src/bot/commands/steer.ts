// Commands to a running bot.
import { createInterface } from 'node:readline/promises';
import { InvalidArgumentError } from 'commander';
import { EXIT, StartError } from '../base/exit-codes.ts';
import type { CommandIo } from '../io/command-io.ts';
import { type AccountNamed, accountLine, accountNamed } from '../keys/account-named.ts';
import type { Settings } from '../settings/types.ts';
import type { SteerAnswer, SteerRequest } from '../steer/command.ts';
import { askBot, personHere } from '../steer/control-socket.ts';
import { ACCOUNT_CONFIG_HELP, accountSettingsOf, type CommandContext, rootsOf } from './configuration-argument.ts';

const SYMBOL_HELP = 'the symbol, as in BTC/INR; all when none is named';

/** The options of all these commands; each takes some. */
interface SteerOptions {
  readonly config?: readonly string[];
  readonly json?: boolean;
  readonly side?: 'buy' | 'sell';
  readonly for?: number;
  readonly reason?: string;
  readonly at?: string;
  readonly yes?: boolean;
  /** The id of an earlier preview. */
  readonly confirm?: string;
  readonly temporary?: boolean;
}

/** Exits with 0 if it is done, with 64 if the bot refused it. */
async function steer(
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

/** The bot that a command is for; `settings` is null if its configuration can't be read. */
export interface BotMeant {
  readonly stateFolder: string;
  readonly files: readonly string[];
  readonly settings: Settings | null;
}

/**
 * Finds the bot by its configuration. If that can't be read (say, mid-edit), the note in the state folder still
 * identifies the running bot: nobody should have to fix a file before stopping a bot.
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
    const { runningBotOf } = await import('../state-folder/running-bot.ts');
    const bot = runningBotOf(rootsOf(files), files);
    if (bot === null) throw error;
    io.err(`${error.message}\nThe bot that runs with it was started before that, and is asked: ${bot.stateFolder}.`);
    return { stateFolder: bot.stateFolder, files: bot.files ?? files, settings: null };
  }
}

/** Prints the bot's answer; a refusal goes to standard error, unless JSON is requested. */
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
function sideNamed(text: string): 'buy' | 'sell' {
  if (text === 'buy' || text === 'sell') return text;
  throw new InvalidArgumentError('buy or sell was expected.');
}

// `pause`: stops quoting a symbol, or one side of it, until it is resumed.

export function addPause(context: CommandContext): void {
  context.program
    .command('pause')
    .summary('cancel the orders of a symbol or a side, and quote nothing there until it is resumed')
    .description(
      'Locks a symbol of the running bot, or one side of it: its orders are canceled, nothing new is placed, and ' +
        'what is held stays. The lock is in the journal: it outlasts a restart.',
    )
    .argument('[symbol]', SYMBOL_HELP)
    .option('--side <side>', 'buy or sell; both when left out', sideNamed)
    .option('--for <time>', 'how long, as in 90s, 10m, 2h or 1d; until `resume` when left out', spanOfTime)
    .option('--reason <text>', 'why, for the journal and the page', 'Paused by a person.')
    .option('--config <file...>', ACCOUNT_CONFIG_HELP)
    .option('--json', 'print JSON')
    .addHelpText('after', '\nExample:\n  quotekeeper pause BTC/INR --side buy --for 2h --reason "News at noon"')
    .action(async (symbol: string | undefined, options: SteerOptions) => {
      const { side = null, for: forMs = null, reason = '' } = options;
      const request = { command: 'pause', symbol: symbol ?? null, side, forMs, reason, by: personHere() } as const;
      await steer(context, request, options);
    });
}

// `resume`: removes locks of a symbol, and its halt unless that needs a restart.

export function addResume(context: CommandContext): void {
  context.program
    .command('resume')
    .summary('let a paused or halted symbol be quoted again, after you have looked at why')
    .description(
      'Removes the locks of a symbol of the running bot, and its halt; where only a start can look into a halt it ' +
        'says so and changes nothing.',
    )
    .argument('[symbol]', SYMBOL_HELP)
    .option('--side <side>', 'only locks of this side alone', sideNamed)
    .option('--at <price>', 'the price you believe is correct, of a symbol that was halted because its price jumped')
    .option('--config <file...>', ACCOUNT_CONFIG_HELP)
    .option('--json', 'print JSON')
    .addHelpText('after', '\nExample:\n  quotekeeper resume BTC/INR --at 5500000')
    .action(async (symbol: string | undefined, options: SteerOptions) => {
      const { side = null, at = null } = options;
      await steer(context, { command: 'resume', symbol: symbol ?? null, side, price: at, by: personHere() }, options);
    });
}

// `stop`: the same as Ctrl-C in the bot's own terminal.

export function addStop(context: CommandContext): void {
  context.program
    .command('stop')
    .summary('stop the running bot: it cancels and verifies')
    .description('Tells the running bot to stop, as Ctrl-C does: it cancels its orders and verifies that none is left.')
    .option('--config <file...>', ACCOUNT_CONFIG_HELP)
    .option('--json', 'print JSON')
    .addHelpText('after', '\nExample:\n  quotekeeper stop --config config/paper.yaml')
    .action((options: SteerOptions) => steer(context, { command: 'stop', by: personHere() }, options));
}

// `set` and `reload`: shows a preview of the changes, and applies them once the person confirms it.

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
    .action(async (symbol: string, changes: Change[], options: SteerOptions) => {
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
    .action((options: SteerOptions) =>
      change(context, { command: 'reload', confirm: null, by: personHere() }, options),
    );
}

type Change = Extract<SteerRequest, { readonly command: 'set' }>['changes'][number];

/** Parses `params.halfSpreadBps=60` and appends it to the earlier ones. */
function changeOf(text: string, before: readonly Change[] = []): Change[] {
  const at = text.indexOf('=');
  if (at < 1 || at === text.length - 1)
    throw new InvalidArgumentError('PATH=VALUE was expected, as in params.halfSpreadBps=60.');
  return [...before, { path: text.slice(0, at), value: text.slice(at + 1) }];
}

/** Exits with 0 if applied or only shown; with 64 if refused or not confirmed. */
async function change(context: CommandContext, request: ChangeRequest, options: SteerOptions): Promise<void> {
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

/** Asks only on a terminal, never in a pipe. */
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
