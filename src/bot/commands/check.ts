// `check`: whether the configuration is valid, what it means, and whether the exchange agrees. Read-only. `plan`: what
// the bot would quote now, in money, without sending an order.
import type { Overrides } from '../settings/settings.ts';
import { ACCOUNT_CONFIG_HELP, accountSettingsOf, type CommandContext, withTapes } from './configuration-argument.ts';
import { forEachAccount } from './each-account.ts';

interface Options extends Overrides {
  readonly offline?: boolean;
  readonly json?: boolean;
}

export function addCheck({ program, io, finish }: CommandContext): void {
  const command = program
    .command('check')
    .summary('check the configuration and ask the exchange')
    .description(
      'Checks configuration and keys, says what they mean, and asks the exchange whether they fit: symbols, ' +
        'trading rules, fees, clock, what the key may read. Read-only.',
    )
    .argument('[config...]', ACCOUNT_CONFIG_HELP)
    .option('--offline', 'send nothing and look at no key: for a machine that has neither keys nor network');
  withTapes(command)
    .option('--json', 'print JSON')
    .addHelpText('after', '\nExample:\n  quotekeeper check config/live.yaml')
    .action(async (files: string[], { offline = false, json = false, ...overrides }: Options) => {
      const { checkConfiguration } = await import('../check/check-configuration.ts');
      const asked = { command: 'check', io, form: json ? 'json' : 'text', overrides } as const;
      finish(
        await forEachAccount(files, asked, (settings, its) => checkConfiguration(settings, its, { offline, json })),
      );
    });
}

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
