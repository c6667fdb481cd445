// `fleet page`: one page for all accounts of a database.
import { type Command, InvalidArgumentError } from 'commander';
import { EXIT } from '../base/exit-codes.ts';
import { logSignalsTo, stopSignal } from '../base/signals.ts';
import { makeStateFolder } from '../base/usable-paths.ts';
import { openFleetOf } from '../fleet/fleet-control.ts';
import { journalSecrets } from '../postgres/journal-of.ts';
import { makePageTokens, pageTokenFile } from '../web/page-tokens.ts';
import type { CommandContext } from './configuration-argument.ts';

interface Options {
  readonly port?: number;
}

export function addFleetPage({ io, finish }: CommandContext, command: Command): void {
  command
    .option('--port <number>', 'where it listens, instead of `web.port` outside `accounts`', portIn)
    .action(async (files: string[], { port }: Options) => {
      const stopping = stopSignal(EXIT.endedAtOnce);
      const { loadFleetPage } = await import('../settings/settings.ts');
      const { web, stateFolder } = loadFleetPage(files);
      const fleet = await openFleetOf(files, io.environment);
      try {
        makeStateFolder(stateFolder);
        makePageTokens(stateFolder);
        const { createLog } = await import('../base/log.ts');
        const log = createLog({ level: 'info' }, { stream: process.stderr, isTerminal: process.stderr.isTTY === true });
        for (const secret of journalSecrets(fleet.settings, io.environment)) log.registerSecret(secret);
        logSignalsTo(log);
        const { startFleetPage } = await import('../fleet/fleet-page.ts');
        const page = await startFleetPage(fleet, { web: { ...web, port: port ?? web.port }, stateFolder, log });
        io.out(`  page      ${page.url}/\n  sign-in   ${pageTokenFile(stateFolder, 'steer')}`);
        await stopping;
        await page.close();
      } finally {
        fleet.database.close();
      }
      finish(EXIT.done);
    });
}

/** Throws commander's error with a sentence. */
function portIn(text: string): number {
  if (/^\d{1,5}$/.test(text) && Number(text) <= 65_535) return Number(text);
  throw new InvalidArgumentError(`"${text}" is not a port: a number from 0 to 65535 was expected.`);
}
