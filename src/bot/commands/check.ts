// `check`: whether the configuration is good, what it means, and whether the exchange agrees. Read-only.
import { EXIT, type ExitCode, StartError } from '../base/exit-codes.ts';
import { checkVenue, type VenueReport } from '../check/check-venue.ts';
import { endpointLines, type Finding, wrong } from '../check/finding.ts';
import { checkStart, planFindings } from '../check/start-findings.ts';
import type { CommandIo } from '../io/command-io.ts';
import { type ApiKeys, type Environment, paperKeys, readKeys } from '../keys/keys.ts';
import { findPaperProcess } from '../paper/paper-process.ts';
import type { Overrides, Settings } from '../settings/settings.ts';
import { meaningLines, meaningOf } from '../show/settings-meaning.ts';
import { lagMeaning } from '../status/lag-meaning.ts';
import {
  ACCOUNT_CONFIG_HELP,
  accountSettingsOf,
  type CommandContext,
  TAPE_BOOKS_HELP,
  TAPE_TRADES_HELP,
} from './configuration-argument.ts';

interface Options extends Overrides {
  readonly offline?: boolean;
  readonly all?: boolean;
  readonly json?: boolean;
}

export function addCheck({ program, io, finish }: CommandContext): void {
  program
    .command('check')
    .summary('check the configuration and ask the exchange')
    .description(
      'Checks configuration and keys, says what they mean, and asks the exchange whether they fit: symbols, ' +
        'trading rules, fees, clock, what the key may read. Read-only.',
    )
    .argument('[config...]', ACCOUNT_CONFIG_HELP)
    .option('--offline', 'send nothing and look at no key: for a machine that has neither keys nor network')
    .option('--all', 'ask each of the 22 endpoints that read, once')
    .option('--tape-trades <file...>', TAPE_TRADES_HELP)
    .option('--tape-books <file...>', TAPE_BOOKS_HELP)
    .option('--json', 'print JSON')
    .addHelpText('after', '\nExample:\n  quotekeeper check config/live.yaml')
    .action(async (files: string[], { offline = false, all = false, json = false, ...overrides }: Options) => {
      const settings = await accountSettingsOf(files, { command: 'check', io }, overrides);
      const start = await checkStart(settings, offline ? null : io.environment);
      const report = await reportOf(settings, io, { offline, all });
      const { endpoints } = report;
      const findings = [...start.notes, ...report.findings];
      const meaning = { ...meaningOf(settings), readLags: lagMeaning(settings) };
      const refused = start.refusals.map(({ message }) => wrong('start', message));
      if (json) io.out(JSON.stringify({ ...meaning, findings: [...refused, ...findings], endpoints }, null, 2));
      else
        io.out(
          [
            ...meaningLines(meaning),
            ...meaning.readLags.sentences,
            ...section(endpointLines(endpoints)),
            ...section(findingLines(findings)),
          ].join('\n'),
        );
      // As `run` would say it, and where it would.
      for (const { message } of start.refusals) io.err(message);
      finish(codeOf(report.findings) || (start.refusals[0]?.code ?? EXIT.done));
    });
}

interface Wanted {
  readonly offline: boolean;
  readonly all: boolean;
}

async function reportOf(settings: Settings, io: CommandIo, { offline, all }: Wanted): Promise<VenueReport> {
  if (offline) return { findings: [], endpoints: [] };
  if (settings.mode === 'paper' && (await findPaperProcess(settings)) === null) {
    const detail = 'The paper exchange does not run; `run` starts it.';
    return { findings: [{ what: 'exchange', verdict: 'note', detail }], endpoints: [] };
  }
  const keys = keysOrNull(settings, io.environment);
  if (keys === null) return { findings: [], endpoints: [] };
  const report = await checkVenue(settings, keys, { all });
  if (report.findings.some(({ verdict }) => verdict === 'wrong')) return report;
  return { ...report, findings: [...report.findings, ...(await planFindings(settings, keys))] };
}

/** `null` for keys that can't be read, which was said with what keeps `run` from starting. */
function keysOrNull({ keys, stateFolder }: Settings, environment: Environment): ApiKeys | null {
  try {
    return keys === null ? paperKeys(stateFolder) : readKeys(keys, environment);
  } catch (error) {
    if (error instanceof StartError) return null;
    throw error;
  }
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

// `plan`: what would be quoted now, in money, without sending an order.

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
