// `exchange`: the paper exchange alone, for experiments and for other programs.

import { realClock } from '../../ports/real-clock.ts';
import type { CommandContext } from '../command-context.ts';
import { CONFIG_HELP, settingsOf, TAPE_BOOKS_HELP, TAPE_TRADES_HELP } from '../configuration-argument.ts';
import { EXIT } from '../exit-codes.ts';
import type { Overrides } from '../settings.ts';
import { stopSignal } from '../stop-signal.ts';

interface Options extends Overrides {
  readonly json?: boolean;
}

export function addExchange({ program, io, finish }: CommandContext): void {
  program
    .command('exchange')
    .summary('run the paper exchange alone')
    .description('Runs the paper exchange alone until it is told to stop (Ctrl+C, SIGTERM).')
    .argument('[config...]', CONFIG_HELP)
    .option('--tape-trades <file...>', TAPE_TRADES_HELP)
    .option('--tape-books <file...>', TAPE_BOOKS_HELP)
    .option('--json', 'print where it listens as one line of JSON')
    .addHelpText('after', '\nExample:\n  quotekeeper exchange config/paper.yaml')
    .action(async (files: string[], { json = false, ...overrides }: Options) => {
      const settings = await settingsOf(files, overrides);
      // Before anything listens: whoever reads that it does may stop it at once.
      const stopping = stopSignal(EXIT.internalError);
      const [{ createLog }, { startPaperExchange }] = await Promise.all([
        import('../log.ts'),
        import('../paper-exchange.ts'),
      ]);
      // Standard output is for where it listens; the log goes beside it.
      const log = createLog(settings.log, { stream: process.stderr, isTerminal: process.stderr.isTTY === true });
      const { server } = await startPaperExchange(settings, { log, clock: realClock });
      const stateFile = settings.paper?.stateFile ?? null;
      const { url, instanceId } = server;
      if (json) io.out(JSON.stringify({ url, instanceId, stateFile }));
      else
        io.out(
          `The paper exchange ${instanceId} listens at ${url}.\nIts state is in ${stateFile}. Stop it with Ctrl+C.`,
        );
      const signal = await stopping;
      await server.close();
      log.logEvent({ op: 'exchange-stopped', signal });
      await log.close();
      finish(EXIT.done);
    });
}
