// `check`: whether the configuration is good, what it means, and whether the exchange agrees. Read-only.
import { endpointLines } from '../check/endpoint-rows.ts';
import type { Finding } from '../check/finding.ts';
import { checkVenue, type VenueReport } from '../check-venue.ts';
import type { CommandContext } from '../command-context.ts';
import type { CommandIo } from '../command-io.ts';
import { ACCOUNT_CONFIG_HELP, accountSettingsOf } from '../configuration-argument.ts';
import { EXIT, type ExitCode } from '../exit-codes.ts';
import { readKeys } from '../keys.ts';
import { paperKeys } from '../paper-keys.ts';
import { findPaperProcess } from '../paper-process.ts';
import type { Settings } from '../settings.ts';
import { meaningLines, meaningOf } from '../settings-meaning.ts';

interface Options {
  readonly offline?: boolean;
  readonly all?: boolean;
  readonly json?: boolean;
}

export function addCheck({ program, io, finish }: CommandContext): void {
  program
    .command('check')
    .summary('check the configuration and ask the exchange')
    .description(
      'Checks configuration and keys, says what they mean, and asks the exchange whether they fit: symbols, trading rules, fees, clock, what the key may read. Read-only.',
    )
    .argument('[config...]', ACCOUNT_CONFIG_HELP)
    .option('--offline', 'send nothing')
    .option('--all', 'ask each of the 22 endpoints that read, once')
    .option('--json', 'print JSON')
    .addHelpText('after', '\nExample:\n  quotekeeper check config/live.yaml')
    .action(async (files: string[], { offline = false, all = false, json = false }: Options) => {
      const settings = await accountSettingsOf(files, 'check');
      const { findings, endpoints } = await reportOf(settings, io, { offline, all });
      const meaning = meaningOf(settings);
      if (json) io.out(JSON.stringify({ ...meaning, findings, endpoints }, null, 2));
      else
        io.out(
          [...meaningLines(meaning), ...section(endpointLines(endpoints)), ...section(findingLines(findings))].join(
            '\n',
          ),
        );
      finish(codeOf(findings));
    });
}

interface Wanted {
  readonly offline: boolean;
  readonly all: boolean;
}

async function reportOf(settings: Settings, io: CommandIo, { offline, all }: Wanted): Promise<VenueReport> {
  const keys = settings.keys === null ? null : readKeys(settings.keys, io.environment);
  if (offline) return { findings: [], endpoints: [] };
  if (keys !== null) return checkVenue(settings, keys, { all });
  const paper = await findPaperProcess(settings);
  if (paper !== null) return checkVenue(settings, paperKeys(settings.stateFolder), { all });
  const detail = 'The paper exchange does not run; `run` starts it.';
  return { findings: [{ what: 'exchange', verdict: 'note', detail }], endpoints: [] };
}

const section = (lines: readonly string[]): readonly string[] => (lines.length === 0 ? [] : ['', ...lines]);

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
