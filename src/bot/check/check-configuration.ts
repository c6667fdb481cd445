// `check`: what keeps `run` from starting, what the configuration means, and whether the exchange agrees.
import { EXIT, type ExitCode, StartError } from '../base/exit-codes.ts';
import type { CommandIo } from '../io/command-io.ts';
import { type ApiKeys, type Environment, paperKeys, readKeys } from '../keys/keys.ts';
import { findPaperProcess } from '../paper/paper-process.ts';
import type { Settings } from '../settings/settings.ts';
import { meaningLines, meaningOf } from '../show/settings-meaning.ts';
import { lagMeaning } from '../status/lag-meaning.ts';
import { checkVenue, type VenueReport } from './check-venue.ts';
import { endpointLines, type Finding, wrong } from './finding.ts';
import { checkStart, planFindings } from './start-findings.ts';

interface Wanted {
  readonly offline: boolean;
  readonly all: boolean;
  readonly json: boolean;
}

export async function checkConfiguration(settings: Settings, io: CommandIo, wanted: Wanted): Promise<ExitCode> {
  const start = await checkStart(settings, wanted.offline ? null : io.environment);
  const report = await reportOf(settings, io, wanted);
  const { endpoints } = report;
  const findings = [...start.notes, ...report.findings];
  const meaning = { ...meaningOf(settings), readLags: lagMeaning(settings) };
  const refused = start.refusals.map(({ message }) => wrong('start', message));
  if (wanted.json) io.out(JSON.stringify({ ...meaning, findings: [...refused, ...findings], endpoints }, null, 2));
  else
    io.out(
      [
        ...meaningLines(meaning),
        ...meaning.readLags.sentences,
        ...section(endpointLines(endpoints)),
        ...section(findingLines(findings)),
      ].join('\n'),
    );
  // In the words of `run`, and also on standard error.
  for (const { message } of start.refusals) io.err(message);
  return codeOf(report.findings) || (start.refusals[0]?.code ?? EXIT.done);
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

/** `null` for unreadable keys: the refusals above have already reported them. */
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
