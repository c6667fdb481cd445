// `check`: whether the configuration is good, what it means, and whether the exchange agrees. Read-only.
import { checkVenue, type Finding } from '../check-venue.ts';
import type { CommandContext } from '../command-context.ts';
import type { CommandIo } from '../command-io.ts';
import { CONFIG_HELP, settingsOf } from '../configuration-argument.ts';
import { EXIT, type ExitCode } from '../exit-codes.ts';
import { readKeys } from '../keys.ts';
import { paperKeys } from '../paper-keys.ts';
import { findPaperProcess } from '../paper-process.ts';
import type { Settings } from '../settings.ts';
import { meaningLines, meaningOf } from '../settings-meaning.ts';

interface Options {
  readonly offline?: boolean;
  readonly json?: boolean;
}

export function addCheck({ program, io, finish }: CommandContext): void {
  program
    .command('check')
    .summary('check the configuration and ask the exchange')
    .description(
      'Checks configuration and keys, says what they mean, and asks the exchange whether they fit: symbols, trading rules, clock, what the key may read. Read-only.',
    )
    .argument('[config...]', CONFIG_HELP)
    .option('--offline', 'send nothing')
    .option('--json', 'print JSON')
    .addHelpText('after', '\nExample:\n  quotekeeper check config/live.yaml')
    .action(async (files: string[], { offline = false, json = false }: Options) => {
      const settings = await settingsOf(files);
      const findings = await findingsOf(settings, io, offline);
      const meaning = meaningOf(settings);
      if (json) io.out(JSON.stringify({ ...meaning, findings }, null, 2));
      else io.out([...meaningLines(meaning), '', ...findingLines(findings)].join('\n'));
      finish(codeOf(findings));
    });
}

async function findingsOf(settings: Settings, io: CommandIo, offline: boolean): Promise<readonly Finding[]> {
  const keys = settings.keys === null ? null : readKeys(settings.keys, io.environment);
  if (offline) return [];
  if (keys !== null) return checkVenue(settings, keys);
  if ((await findPaperProcess(settings)) !== null) return checkVenue(settings, paperKeys(settings.stateFolder));
  return [{ what: 'exchange', verdict: 'note', detail: 'The paper exchange does not run; `run` starts it.' }];
}

function findingLines(findings: readonly Finding[]): string[] {
  const mark = { good: 'ok   ', note: 'note ', wrong: 'WRONG' };
  const width = Math.max(0, ...findings.map(({ what }) => what.length));
  return findings.map(({ what, verdict, detail }) => `${mark[verdict]} ${what.padEnd(width)}  ${detail}`);
}

function codeOf(findings: readonly Finding[]): ExitCode {
  const [first] = findings;
  if (first?.what === 'exchange' && first.verdict === 'wrong') return EXIT.unavailable;
  return findings.some(({ verdict }) => verdict === 'wrong') ? EXIT.configurationInvalid : EXIT.done;
}
