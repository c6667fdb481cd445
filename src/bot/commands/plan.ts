// `plan`: what would be quoted now, in money, without sending an order.
import { ACCOUNT_CONFIG_HELP, accountSettingsOf, type CommandContext } from './configuration-argument.ts';

export function addPlan({ program, io, finish }: CommandContext): void {
  program
    .command('plan')
    .summary('show what would be quoted now')
    .description('Shows what would be quoted now: prices, sizes, locked funds, costs of a round trip. Sends no order.')
    .argument('[config...]', ACCOUNT_CONFIG_HELP)
    .option('--json', 'print JSON')
    .addHelpText('after', '\nExample:\n  quotekeeper plan config/live.yaml --json')
    .action(async (files: string[], { json = false }: { json?: boolean }) => {
      const settings = await accountSettingsOf(files, { command: 'plan', io });
      const { planQuotes } = await import('../show/plan-quotes.ts');
      finish(await planQuotes(settings, io, { json }));
    });
}
