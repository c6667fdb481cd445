// `status`: what the bot that runs says about itself.

import type { CommandContext } from '../command-context.ts';
import { CONFIG_HELP, settingsOf } from '../configuration-argument.ts';
import { EXIT, StartError } from '../exit-codes.ts';
import { urlHost } from '../settings/resolve.ts';
import { statusLines, statusSchema } from '../status-table.ts';

/** The page is on this machine: what takes longer than this hangs. */
const PATIENCE_MS = 5_000;

export function addStatus({ program, io, finish }: CommandContext): void {
  program
    .command('status')
    .summary('show what the running bot does')
    .description('Asks the bot that runs with this configuration what it does.')
    .argument('[config...]', CONFIG_HELP)
    .option('--json', 'print JSON, as /api/status gives it')
    .addHelpText('after', '\nExample:\n  quotekeeper status config/paper.yaml')
    .action(async (files: string[], { json = false }: { json?: boolean }) => {
      const { web } = await settingsOf(files);
      const address = `http://${urlHost(web.host)}:${web.port}`;
      const answer = await fetchStatus(address);
      if (json) {
        io.out(JSON.stringify(answer));
      } else {
        const status = statusSchema.safeParse(answer);
        if (!status.success) throw unavailable(`${address} answered with something else than the status of a bot.`);
        io.out(statusLines(status.data).join('\n'));
      }
      finish(EXIT.done);
    });
}

async function fetchStatus(address: string): Promise<unknown> {
  try {
    const response = await fetch(`${address}/api/status`, {
      signal: AbortSignal.timeout(PATIENCE_MS),
      redirect: 'error',
    });
    if (response.ok) return await response.json();
  } catch {
    throw unavailable(`No bot answers at ${address}. Does it run with this configuration?`);
  }
  throw unavailable(`What listens at ${address} is not a bot of this kind.`);
}

const unavailable = (sentence: string): StartError => new StartError(EXIT.unavailable, sentence);
