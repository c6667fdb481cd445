// `page-token`: shows the token that signs a person in at the page, or makes a new one.
import { EXIT, StartError } from '../base/exit-codes.ts';
import { type PageRole, pageTokenFile, readPageToken, renewPageToken } from '../web/page-tokens.ts';
import type { CommandContext } from './command-context.ts';
import { ACCOUNT_CONFIG_HELP, accountSettingsOf } from './configuration-argument.ts';

interface Options {
  readonly read?: boolean;
  readonly renew?: boolean;
}

export function addPageToken({ program, io, finish }: CommandContext): void {
  program
    .command('page-token')
    .summary('show the token that signs you in at the page, or make a new one')
    .description(
      'Prints the token to steer, and nothing else, for a person or a password manager; with --read the one to look, ' +
        'which is also what Prometheus sends. The first start makes both.',
    )
    .argument('[config...]', ACCOUNT_CONFIG_HELP)
    .option('--read', 'the token that only looks')
    .option('--renew', 'make a new one first: every session that began with the old one ends')
    .addHelpText('after', '\nExample:\n  quotekeeper page-token config/paper.yaml --renew')
    .action(async (files: string[], { read = false, renew = false }: Options) => {
      const { stateFolder } = await accountSettingsOf(files, { command: 'page-token', io });
      const role: PageRole = read ? 'read' : 'steer';
      if (renew) renewPageToken(stateFolder, role);
      const found = readPageToken(stateFolder, role);
      if ('why' in found) throw new StartError(EXIT.stateUnusable, `${found.why} ${remedyFor(stateFolder, role)}`);
      io.out(found.token);
      finish(EXIT.done);
    });
}

const remedyFor = (stateFolder: string, role: PageRole): string =>
  `\`page-token --renew${role === 'read' ? ' --read' : ''}\` makes a new ${pageTokenFile(stateFolder, role)}.`;
