// `exchange`: the paper exchange alone, for experiments and for other programs.
import path from 'node:path';
import { Option } from 'commander';
import { invariant } from '../../domain/invariant.ts';
import { realClock } from '../../ports/clock.ts';
import { EXIT, StartError } from '../base/exit-codes.ts';
import type { Log, LogSettings } from '../base/log.ts';
import { logSignalsTo, stopSignal } from '../base/signals.ts';
import type { PaperExchange } from '../paper/paper-exchange.ts';
import type { AccountWord, SandboxOptions } from '../paper/sandbox-options.ts';
import type { Overrides, Settings } from '../settings/settings.ts';
import { type CommandContext, LOOP_HELP, settingsOf, withTapes } from './configuration-argument.ts';

interface Options extends Overrides, SandboxOptions {
  readonly keys?: string;
  readonly ofBot?: boolean;
  readonly json?: boolean;
}

const PROFILE_HELP = 'behave as specified, or as a live service was seen to';
const EXAMPLES = `
Examples:
  quotekeeper exchange
  quotekeeper exchange --port 9000 --account alice --balance INR=1000000,BTC=1 --profile field
  quotekeeper exchange --symbols BTC/INR,DOGE/INR=12.5 --state sandbox --control
  quotekeeper exchange config/paper.yaml --keys keys/paper --quirk openOrdersLagMs=2000

Without a configuration it is a sandbox for programs of any language, which it tells their keys.

docs/paper-exchange.md says what it is good for: quirks, faults on demand, the control interface.`;

export function addExchange(context: CommandContext): void {
  const words: AccountWord[] = [];
  const take = (kind: AccountWord['kind']) => (text: string) => void words.push({ kind, text });
  const command = context.program
    .command('exchange')
    .summary('run the paper exchange alone')
    .description('Runs the paper exchange alone until it is told to stop (Ctrl+C, SIGTERM).')
    .argument('[config...]', "configuration files, for the bot's own exchange; a sandbox when none is named")
    .addOption(new Option('--profile <name>', PROFILE_HELP).choices(['spec', 'field']))
    .option('--quirk <name=value>', 'change one choice of the profile; may be repeated', collect)
    .option('--control [port]', 'open the control interface, on this machine only')
    .option('--port <number>', 'sandbox: where it listens (8788; 0 lets the system choose)')
    .option('--account <name>', 'sandbox: an account; may be repeated', take('account'))
    .option('--balance <asset=amount,...>', 'sandbox: what the account before it begins with', take('balance'))
    .option('--symbols <list>', 'sandbox: its markets, such as BTC/INR,DOGE/INR=12.5')
    .option('--state <folder>', 'sandbox: keep accounts, orders and keys in this folder')
    .option('--keys <file>', "with a configuration: where the key of the bot's account is, or is to be made");
  withTapes(command)
    .option('--loop', LOOP_HELP)
    // A bot of this configuration has started it, and the last one ends it.
    .addOption(new Option('--of-bot').hideHelp())
    .option('--json', 'print where it listens as one line of JSON')
    .addHelpText('after', EXAMPLES)
    .action((files: string[], options: Options) =>
      files.length > 0
        ? runConfigured(context, files, refuseMixed(options, words))
        : runSandbox(context, options, words),
    );
}

/** A configuration already states all these options. */
function refuseMixed(options: Options, words: readonly AccountWord[]): Options {
  const { port, symbols, state } = options;
  const given = Object.entries({ port, symbols, state, [words[0]?.kind ?? 'account']: words[0]?.text });
  const [name] = given.find(([, value]) => value !== undefined) ?? [];
  if (name === undefined) return options;
  throw new StartError(EXIT.usage, `--${name} is for a sandbox, which has no configuration: leave out one of the two.`);
}

async function runConfigured(context: CommandContext, files: readonly string[], given: Options): Promise<void> {
  const { json = false, keys, ofBot = false, tapeTrades, tapeBooks, loop, ...behavior } = given;
  const tapes = { ...(tapeTrades && { tapeTrades }), ...(tapeBooks && { tapeBooks }), ...(loop && { loop }) };
  const { withBehavior } = await import('../paper/sandbox-options.ts');
  const settings = withBehavior(await settingsOf(files, tapes), behavior);
  const { startPaperExchange } = await import('../paper/paper-exchange.ts');
  const { writePaperPid } = await import('../paper/paper-process.ts');
  await runUntilStopped(context, settings.log, async (log) => {
    const keysFile = keys === undefined ? {} : { keysFile: path.resolve(keys) };
    const started = await startPaperExchange(settings, { log, clock: realClock, ...keysFile });
    if (ofBot) writePaperPid(settings);
    context.io.out(json ? asJson(settings, started) : await introduction(settings, started));
    return started.server;
  });
}

async function runSandbox(context: CommandContext, options: Options, words: readonly AccountWord[]): Promise<void> {
  const { keys, tapeTrades, tapeBooks, loop, json = false } = options;
  for (const [name, value] of Object.entries({ keys, 'tape-trades': tapeTrades, 'tape-books': tapeBooks, loop })) {
    if (value !== undefined)
      throw new StartError(EXIT.usage, `--${name} goes with a configuration, and none is named.`);
  }
  const [{ sandboxOf }, { startSandbox }, { sandboxJson, sandboxText }] = await Promise.all([
    import('../paper/sandbox-options.ts'),
    import('../paper/sandbox.ts'),
    import('../paper/sandbox-words.ts'),
  ]);
  const sandbox = sandboxOf(options, words);
  await runUntilStopped(context, { level: 'info' }, async (log) => {
    const running = await startSandbox(sandbox, { log, clock: realClock });
    context.io.out(json ? sandboxJson(running) : sandboxText(running));
    return running.server;
  });
}

/** Starts something that listens, and says where. */
type Start = (log: Log) => Promise<{ close(): Promise<void> }>;

async function runUntilStopped({ finish }: CommandContext, settings: LogSettings, start: Start): Promise<void> {
  // Before anything listens: a program that reads the address may stop it at once.
  const stopping = stopSignal(EXIT.endedAtOnce);
  const { createLog } = await import('../base/log.ts');
  // Standard output is for the address; the log goes to standard error.
  const log = createLog(settings, { stream: process.stderr, isTerminal: process.stderr.isTTY === true });
  logSignalsTo(log);
  const started = await start(log);
  const signal = await stopping;
  await started.close();
  log.logEvent({ op: 'exchange-stopped', signal });
  await log.close();
  finish(EXIT.done);
}

const collect = (text: string, before: readonly string[] = []): readonly string[] => [...before, text];

function asJson({ paper }: Settings, { server: { url, instanceId, controlUrl }, keyFiles }: PaperExchange): string {
  const { stateFile = null, profile = null } = paper ?? {};
  return JSON.stringify({ url, instanceId, stateFile, profile, controlUrl, keys: keyFiles });
}

/** Everything a first-time user needs. */
async function introduction({ paper, venue, files }: Settings, started: PaperExchange): Promise<string> {
  invariant(paper !== null, 'The paper exchange was started without its settings.');
  const { changedQuirks } = await import('../paper/sandbox-options.ts');
  const { server, keyFiles } = started;
  const holdings = Object.entries(paper.openingBalances).map(([asset, amount]) => `${amount.toFixed()} ${asset}`);
  const quirks = changedQuirks(paper);
  return [
    `The paper exchange ${server.instanceId} listens at ${server.url}.`,
    `It is made from ${files.join(', ')}, with the profile ` +
      `${paper.profile}${quirks.length > 0 ? ` and ${quirks.join(', ')}` : ''}.`,
    `${server.url}/openapi.json describes its interface; an account begins with ${holdings.join(', ')}.`,
    `A key goes into the header ${venue.apiKeyHeader}, its secret signs. Both are in the file:`,
    ...keyFiles.map(({ account, file, permissions }) => `  ${account}: ${file} (${permissions.join(', ')})`),
    server.controlUrl === null
      ? 'The control interface is closed; --control opens it.'
      : `The control interface is at ${server.controlUrl}: GET / lists what it does.`,
    `Its state is in ${paper.stateFile}. Stop it with Ctrl+C.`,
  ].join('\n');
}
