// `check`: what keeps `run` from starting, what the configuration means, and whether the exchange agrees.
import { EXIT, type ExitCode, StartError } from '../base/exit-codes.ts';
import type { CommandIo } from '../io/command-io.ts';
import { type ApiKeys, type Environment, paperKeys, readKeys } from '../keys/keys.ts';
import { findPaperProcess } from '../paper/paper-process.ts';
import type { Settings } from '../settings/settings.ts';
import { meaningLines, meaningOf } from '../show/settings-meaning.ts';
import { lagMeaning } from '../status/lag-meaning.ts';
import { checkVenue } from './check-venue.ts';
import { type Finding, note, wrong } from './finding.ts';
import { checkStart, planFindings } from './start-findings.ts';

interface Wanted {
  readonly offline: boolean;
  readonly json: boolean;
}

export async function checkConfiguration(settings: Settings, io: CommandIo, wanted: Wanted): Promise<ExitCode> {
  const start = await checkStart(settings, wanted.offline ? null : io.environment);
  const ofVenue = await venueFindings(settings, io, wanted.offline);
  const findings = [...start.notes, ...ofVenue];
  const meaning = { ...meaningOf(settings), readLags: lagMeaning(settings) };
  const refused = start.refusals.map(({ message }) => wrong('start', message));
  if (wanted.json) io.out(JSON.stringify({ ...meaning, findings: [...refused, ...findings] }, null, 2));
  else
    io.out(
      [
        ...meaningLines(meaning),
        ...meaning.readLags.sentences,
        ...(findings.length === 0 ? [] : ['', ...findingLines(findings)]),
      ].join('\n'),
    );
  // In the words of `run`, and also on standard error.
  for (const { message } of start.refusals) io.err(message);
  return codeOf(ofVenue) || (start.refusals[0]?.code ?? EXIT.done);
}

async function venueFindings(settings: Settings, io: CommandIo, offline: boolean): Promise<readonly Finding[]> {
  if (offline) return [];
  if (settings.mode === 'paper' && (await findPaperProcess(settings)) === null)
    return [note('exchange', 'The paper exchange does not run; `run` starts it.')];
  const keys = keysOrNull(settings, io.environment);
  if (keys === null) return [];
  const findings = await checkVenue(settings, keys);
  if (findings.some(({ verdict }) => verdict === 'wrong')) return findings;
  return [...findings, ...(await planFindings(settings, keys))];
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
