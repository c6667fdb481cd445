// `exchange`: the paper exchange alone, for experiments and for other programs.

import path from 'node:path';
import { Option } from 'commander';
import { invariant } from '../../domain/invariant.ts';
import { realClock } from '../../ports/real-clock.ts';
import type { CommandContext } from '../command-context.ts';
import { CONFIG_HELP, LOOP_HELP, settingsOf, TAPE_BOOKS_HELP, TAPE_TRADES_HELP } from '../configuration-argument.ts';
import type { ExchangeOptions } from '../exchange-options.ts';
import { EXIT } from '../exit-codes.ts';
import type { PaperExchange } from '../paper-exchange.ts';
import type { Overrides, Settings } from '../settings.ts';
import { stopSignal } from '../stop-signal.ts';

interface Options extends Overrides, ExchangeOptions {
  readonly keys?: string;
  readonly json?: boolean;
}

const EXAMPLES = `
Examples:
  quotekeeper exchange
  quotekeeper exchange --profile field --quirk openOrdersLagMs=2000 --control
  quotekeeper exchange config/paper.yaml --keys keys/sandbox

docs/paper-exchange.md says what it is good for: quirks, faults on demand, the control interface.`;

export function addExchange({ program, io, finish }: CommandContext): void {
  program
    .command('exchange')
    .summary('run the paper exchange alone')
    .description('Runs the paper exchange alone until it is told to stop (Ctrl+C, SIGTERM).')
    .argument('[config...]', CONFIG_HELP)
    .addOption(
      new Option('--profile <name>', 'behave as specified, or as a live service was seen to').choices([
        'spec',
        'field',
      ]),
    )
    .option('--quirk <name=value>', 'change one choice of the profile; may be repeated', collect)
    .option('--control [port]', 'open the control interface, on this machine only')
    .option('--keys <file>', 'where the key of the account is, or is to be made')
    .option('--tape-trades <file...>', TAPE_TRADES_HELP)
    .option('--tape-books <file...>', TAPE_BOOKS_HELP)
    .option('--loop', LOOP_HELP)
    .option('--json', 'print where it listens as one line of JSON')
    .addHelpText('after', EXAMPLES)
    .action(async (files: string[], { json = false, keys, tapeTrades, tapeBooks, loop, ...options }: Options) => {
      const tapes = { ...(tapeTrades && { tapeTrades }), ...(tapeBooks && { tapeBooks }), ...(loop && { loop }) };
      const { withExchangeOptions } = await import('../exchange-options.ts');
      const settings = withExchangeOptions(await settingsOf(files, tapes), options);
      // Before anything listens: whoever reads that it does may stop it at once.
      const stopping = stopSignal(EXIT.endedAtOnce);
      const [{ createLog }, { startPaperExchange }] = await Promise.all([
        import('../log.ts'),
        import('../paper-exchange.ts'),
      ]);
      // Standard output is for where it listens; the log goes beside it.
      const log = createLog(settings.log, { stream: process.stderr, isTerminal: process.stderr.isTTY === true });
      const keysFile = keys === undefined ? {} : { keysFile: path.resolve(keys) };
      const started = await startPaperExchange(settings, { log, clock: realClock, ...keysFile });
      io.out(json ? asJson(settings, started) : await introduction(settings, started));
      const signal = await stopping;
      await started.server.close();
      log.logEvent({ op: 'exchange-stopped', signal });
      await log.close();
      finish(EXIT.done);
    });
}

const collect = (text: string, before: readonly string[] = []): readonly string[] => [...before, text];

function asJson({ paper }: Settings, { server: { url, instanceId, controlUrl }, keyFiles }: PaperExchange): string {
  const { stateFile = null, profile = null } = paper ?? {};
  return JSON.stringify({ url, instanceId, stateFile, profile, controlUrl, keys: keyFiles });
}

/** All that somebody needs who has never seen it. */
async function introduction({ paper, venue, files }: Settings, started: PaperExchange): Promise<string> {
  invariant(paper !== null, 'The paper exchange was started without its settings.');
  const { changedQuirks } = await import('../exchange-options.ts');
  const { server, keyFiles } = started;
  const holdings = Object.entries(paper.openingBalances).map(([asset, amount]) => `${amount.toFixed()} ${asset}`);
  const quirks = changedQuirks(paper);
  return [
    `The paper exchange ${server.instanceId} listens at ${server.url}.`,
    `It is made from ${files.join(', ')}, with the profile ${paper.profile}${quirks.length > 0 ? ` and ${quirks.join(', ')}` : ''}.`,
    `${server.url}/openapi.json describes its interface; an account begins with ${holdings.join(', ')}.`,
    `A key goes into the header ${venue.apiKeyHeader}, its secret signs. Both are in the file:`,
    ...keyFiles.map(({ account, file, permissions }) => `  ${account}: ${file} (${permissions.join(', ')})`),
    server.controlUrl === null
      ? 'The control interface is closed; --control opens it.'
      : `The control interface is at ${server.controlUrl}: GET / lists what it does.`,
    `Its state is in ${paper.stateFile}. Stop it with Ctrl+C.`,
  ].join('\n');
}
