// Writes what was found as a configuration of its own: only what the program's own reading of settings accepts, never
// over a file.
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { EXIT, StartError } from '../../base/exit-codes.ts';
import { systemCode } from '../../base/system-error.ts';
import { loadSettings, type Settings } from '../../settings/settings.ts';
import type { Finding } from '../facts/finding.ts';
import { type Change, joinedText, liesBeside, rebased, withChange, wrapped } from './written-document.ts';

export interface Report {
  readonly settings: Settings;
  readonly findings: readonly Finding[];
  /** Lines about the probe itself, for the head of the file. */
  readonly head: readonly string[];
}

export interface Written {
  readonly file: string;
  readonly applied: readonly Change[];
  /** What follows from the evidence and does not fit the rest of the configuration. */
  readonly refused: readonly { readonly change: Change; readonly why: string }[];
}

const EDITOR_LINE = /^# yaml-language-server:.*\n/;

/**
 * Before anything is asked: makes the files that will be written, and removes them again. Throws `StartError`: 64 where
 * the file is there already, 74 where it can't be written.
 */
export function assertNew(file: string): void {
  for (const each of [file, trialOf(file)]) {
    write(each, '', file);
    rmSync(each);
  }
}

/** Throws as `assertNew` does. */
export async function writeConfiguration(file: string, report: Report): Promise<Written> {
  const { changes, refused } = withoutContradictions(report.findings);
  const whole = await complaintAbout(file, textOf(file, report, { applied: changes, refused }));
  const chosen = whole === null ? { applied: changes, refused } : await oneByOne(file, report, { changes, refused });
  write(file, textOf(file, report, chosen));
  return { file, ...chosen };
}

type Choice = Pick<Written, 'applied' | 'refused'>;

/**
 * Two findings may want different values in one place: fees of two symbols under one `costs`. Then neither is written.
 */
function withoutContradictions(findings: readonly Finding[]): {
  changes: readonly Change[];
  refused: Written['refused'];
} {
  const wanted = findings.filter((finding): finding is Change => finding.setting !== undefined);
  const place = ({ setting }: Change): string => JSON.stringify({ ...setting, value: null });
  const isContradicted = (change: Change): boolean =>
    wanted.some((other) => place(other) === place(change) && other.setting.value !== change.setting.value);
  const first = (change: Change, index: number): boolean =>
    wanted.findIndex((other) => place(other) === place(change)) === index;
  return {
    changes: wanted.filter((change, index) => !isContradicted(change) && first(change, index)),
    refused: wanted
      .filter(isContradicted)
      .map((change) => ({ change, why: 'Another finding wants another value there.' })),
  };
}

async function oneByOne(
  file: string,
  report: Report,
  { changes, refused }: { readonly changes: readonly Change[]; readonly refused: Written['refused'] },
): Promise<Choice> {
  const applied: Change[] = [];
  const left = [...refused];
  for (const change of changes) {
    const tried = { applied: [...applied, change], refused: left };
    const why = await complaintAbout(file, textOf(file, report, tried));
    if (why === null) applied.push(change);
    else left.push({ change, why });
  }
  return { applied, refused: left };
}

function textOf(file: string, { settings, findings, head }: Report, { applied, refused }: Choice): string {
  const source = joinedText(settings.files.map((each) => readFileSync(each, 'utf8')));
  const body = rebased(applied.reduce(withChange, source), settings, file);
  const editorLine = EDITOR_LINE.exec(body)?.[0] ?? '';
  const lines = [
    ...head,
    '',
    ...findings.flatMap((finding) => [
      `${finding.question}: ${finding.finding} [${finding.confidence}]`,
      `  ${finding.evidence}`,
    ]),
    ...refused.flatMap(({ change, why }) => ['', `NOT APPLIED: ${wantedWords(change)}. ${why}`]),
  ];
  const first = liesBeside(settings, file) ? editorLine : '';
  return `${first}${lines.map(comment).join('')}\n${body.replace(EDITOR_LINE, '')}`;
}

/** `lanes.public.requestsPerSecond 0.3`. */
export function wantedWords({ setting }: Change): string {
  const place = setting.at === 'run' ? `${setting.path.join('.')} of ${setting.symbol}` : setting.path.join('.');
  return `${place} ${String(setting.value)}`;
}

function comment(line: string): string {
  if (line === '') return '#\n';
  const indent = line.startsWith('  ') ? '    ' : '';
  return wrapped(line.trim())
    .map((part, index) => `# ${index === 0 && indent === '' ? '' : '    '}${part}\n`)
    .join('');
}

/**
 * What the program itself says of the text, `null` where it takes it. The file lies beside the one to be: paths mean
 * the same.
 */
async function complaintAbout(file: string, text: string): Promise<string | null> {
  const trial = trialOf(file);
  try {
    write(trial, text, file);
    await loadSettings([trial]);
    return null;
  } catch (error) {
    if (error instanceof StartError && error.code === EXIT.configurationInvalid) {
      return error.message.replaceAll(trial, file).replace(/\n/g, ' ');
    }
    throw error;
  } finally {
    rmSync(trial, { force: true });
  }
}

const trialOf = (file: string): string =>
  path.join(path.dirname(file), `.${path.basename(file)}.${process.pid}.trial.yaml`);

/** `named`: what the sentence calls the file. */
function write(file: string, text: string, named = file): void {
  try {
    writeFileSync(file, text, { flag: 'wx' });
  } catch (error) {
    const code = systemCode(error);
    if (code === 'EEXIST')
      throw new StartError(EXIT.usage, `${named} is there already; probe never writes over a file.`);
    throw new StartError(EXIT.diskError, `${named} cannot be written (${code}).`);
  }
}
