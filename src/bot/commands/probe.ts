// `probe`: finds out by reads alone what the exchange's documents leave open.
import { InvalidArgumentError } from 'commander';
import { parseSymbol } from '../../domain/instrument.ts';
import { ACCOUNT_CONFIG_HELP, accountSettingsOf, type CommandContext } from './configuration-argument.ts';

interface Options {
  readonly symbols?: readonly string[];
  readonly budget: number;
  readonly interval?: number;
  readonly json?: boolean;
}

const BUDGET_DEFAULT = 60;

export function addProbe({ program, io, finish }: CommandContext): void {
  program
    .command('probe')
    .summary('find out what the exchange does not publish')
    .description(
      'Finds out, by few reads at a pace that no exchange minds, ' +
        'what the documents of the exchange leave open: rate limits, tick and lot size, fees, ' +
        'units and shifts of times, caps of pages. Sends no order. Ctrl+C keeps what was found.',
    )
    .argument('[config...]', ACCOUNT_CONFIG_HELP)
    .option('--symbols <list>', 'symbols to look at instead of those of the runs: BTC/INR,ETH/INR', symbolList)
    .option('--budget <requests>', 'most requests altogether', positiveInteger, BUDGET_DEFAULT)
    .option('--interval <ms>', 'time between two requests of one kind instead of 2500', positiveInteger)
    .option('--json', 'print JSON')
    .addHelpText('after', '\nExample:\n  quotekeeper probe config/live.yaml --symbols BTC/INR')
    .action(async (files: string[], options: Options) => {
      const settings = await accountSettingsOf(files, { command: 'probe', io });
      const { runProbe } = await import('../probe/run-probe.ts');
      const { symbols = null, budget, interval = null, json = false } = options;
      finish(await runProbe(settings, io, { symbols, budget, intervalMs: interval, json }));
    });
}

function symbolList(text: string): readonly string[] {
  const symbols = text.split(',').map((each) => each.trim());
  const wrong = symbols.find((symbol) => parseSymbol(symbol) === null);
  if (wrong === undefined) return [...new Set(symbols)];
  throw new InvalidArgumentError(`"${wrong}" is not a symbol such as BTC/INR.`);
}

function positiveInteger(text: string): number {
  const value = Number(text);
  if (/^\d{1,9}$/.test(text) && value > 0) return value;
  throw new InvalidArgumentError(`"${text}" is not a whole number above 0.`);
}
