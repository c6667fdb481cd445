// `init`: writes a first configuration.
import { Argument } from 'commander';
import { EXIT } from '../base/exit-codes.ts';
import { completionScript, SHELLS, type Shell } from '../setup/completion.ts';
import type { Answers } from '../setup/wanted.ts';
import type { CommandContext } from './configuration-argument.ts';

interface Options extends Answers {
  readonly name?: string;
  readonly yes?: boolean;
}

export function addInit({ program, io, finish }: CommandContext): void {
  program
    .command('init')
    .summary('write a configuration to begin with')
    .description(
      'Writes a configuration to begin with, from the examples that come with the program, and checks it. On a ' +
        'terminal it asks for what the command line does not say. No file is overwritten.',
    )
    .argument('[folder]', 'where the file is to lie', 'config')
    .option('--mode <mode>', 'paper (an exchange on this machine, no money) or live')
    .option(
      '--symbol <symbol...>',
      'what is quoted, as in BTC/INR; one that the program knows no price of with about its price: DOGE/INR=12.5',
    )
    .option('--strategy <name>', 'a file of strategies/, without its ending')
    .option('--half-spread-bps <bps>', 'distance of the first quote from the middle; 100 is 1 %')
    .option('--order-size <amount>', 'of one order, in the quote asset; the limits follow it')
    .option('--max-day-loss <amount>', 'what a symbol may lose in a day, in its quote asset; live mode requires it')
    .option('--keys-file <file>', 'where the API key is; environment variables when left out')
    .option('--watchdog-keys-file <file>', 'where a key of the watchdog’s own is')
    .option('--base-url <url>', 'the address of the exchange')
    .option('--state <folder>', 'the state folder; state/<name> when left out')
    .option('--name <name>', 'of the file, without its ending; the mode when left out')
    .option('--yes', 'ask nothing')
    .addHelpText(
      'after',
      '\nExample:\n  quotekeeper init --mode live --symbol BTC/INR --max-day-loss 300 --keys-file ~/keys',
    )
    .action(async (folder: string, { yes = false, name, ...given }: Options) => {
      const isAsked = !yes && io.isTerminal && process.stdin.isTTY === true;
      const { modeOf, wantedOf } = await import('../setup/wanted.ts');
      const { freeFile, strategyChoices, writeConfiguration } = await import('../setup/first-configuration.ts');
      const { askAndMake, questionsOf } = await import('../setup/dialog.ts');
      const { placeholderLines } = await import('../settings/located.ts');
      const target = { folder, name };
      if (given.mode !== undefined) freeFile(given.mode, target);
      const make = (answers: Answers) => writeConfiguration(wantedOf(answers), target);
      const questions = questionsOf(await strategyChoices('live'), (text) => freeFile(modeOf(text), target));
      const { files, mode, texts } = isAsked ? await askAndMake(given, questions, make) : await make(given);
      const [file = ''] = files;
      const lines =
        mode === 'paper'
          ? [`Wrote ${file}: a paper exchange, no real money.`, `Next: quotekeeper run ${file}`]
          : [`Wrote ${file}. It cannot run yet:`, ...placeholderLines(texts), `Next: quotekeeper check ${file}`];
      io.out(lines.join('\n'));
      finish(EXIT.done);
    });
}

// `completion`: prints a script that lets a shell complete commands and options.

export function addCompletion({ program, io, finish }: CommandContext): void {
  program
    .command('completion')
    .summary('print a script that makes a shell complete commands and options')
    .description('Prints a script for bash, zsh or fish that completes commands and options of this program.')
    .addArgument(new Argument('<shell>', 'bash, zsh or fish').choices(SHELLS))
    .addHelpText('after', '\nExample:\n  source <(quotekeeper completion bash)')
    .action((shell: Shell) => {
      io.out(completionScript(program, shell).trimEnd());
      finish(EXIT.done);
    });
}
