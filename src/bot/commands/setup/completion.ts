// `completion`: prints what makes a shell complete commands and options.
import { Argument } from 'commander';
import { EXIT } from '../../base/exit-codes.ts';
import { completionScript, SHELLS, type Shell } from '../../setup/completion.ts';
import type { CommandContext } from '../command-context.ts';

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
