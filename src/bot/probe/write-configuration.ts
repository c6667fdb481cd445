// Writes the user's configuration with the values that were found: only what the program's own reading of settings
// accepts, never over a file.
import { rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { EXIT, StartError } from '../base/exit-codes.ts';
import { systemCode } from '../base/system-error.ts';
import { editedYaml, runNumber, writtenAt } from '../settings/edit-yaml.ts';
import { projectRootOf } from '../settings/resolve.ts';
import { loadSettings, type Settings } from '../settings/settings.ts';
import type { Finding, Setting } from './finding.ts';

/** A finding of which a setting follows. */
export type Change = Finding & { readonly setting: Setting };

export interface Report {
  readonly settings: Settings;
  readonly findings: readonly Finding[];
  /** Lines about the probe itself, for the head of the file. */
  readonly head: readonly string[];
}

export interface Written {
  readonly file: string;
  readonly applied: readonly Change[];
  /** Changes that do not fit the rest of the configuration. */
  readonly refused: readonly { readonly change: Change; readonly why: string }[];
}

const EDITOR_LINE = /^# yaml-language-server:.*\n/;
const WIDEST_COMMENT = 110;

/**
 * Before anything is asked: makes the file, and removes it again. Throws `StartError`: 64 where it is there already or
 * its paths would mean other files, 74 where it can't be written.
 */
export function assertNew(file: string, settings: Settings): void {
  const why = whyNot(file, settings);
  if (why !== null) throw new StartError(EXIT.usage, why);
  write(file, '');
  rmSync(file);
}

function whyNot(file: string, { files, projectRoot, paper }: Settings): string | null {
  const folder = path.dirname(path.resolve(file));
  if (files.length > 1) return `--out writes one configuration; name one of ${files.join(', ')}.`;
  const [source = ''] = files;
  const isBeside = path.dirname(path.resolve(source)) === folder;
  const isSame = projectRootOf(path.resolve(file)) === projectRoot && (isBeside || paper?.crowd.kind !== 'tape');
  return isSame ? null : `${file}: relative paths would point to other files from there; write it beside ${source}.`;
}

/** Throws as `assertNew` does. */
export async function writeConfiguration(file: string, { settings, findings, head }: Report): Promise<Written> {
  const wanted = findings.filter((finding): finding is Change => finding.setting !== undefined);
  const applied: Change[] = [];
  const refused: Written['refused'][number][] = [];
  let [text = ''] = settings.texts.values();
  for (const change of wanted) {
    if (applied.some(({ setting }) => JSON.stringify(setting) === JSON.stringify(change.setting))) continue;
    const changed = withChange(text, change);
    const why = isContradicted(change, wanted)
      ? 'Another finding wants another value there.'
      : changed && (await complaintAbout(file, changed));
    if (changed === null || why !== null) refused.push({ change, why: why ?? 'The file has no place for it.' });
    else {
      applied.push(change);
      text = changed;
    }
  }
  const notes = refused.map(({ change, why }) => `NOT APPLIED: ${settingWords(change.setting)}. ${why}`);
  write(file, withHead(text, [...head, ...notes]));
  return { file, applied, refused };
}

/** Two findings may want different values in one place, as fees of two symbols under one `costs`: none is written. */
function isContradicted({ setting }: Change, all: readonly Change[]): boolean {
  const place = (one: Setting): string => JSON.stringify([one.symbol, one.path]);
  return all.some((other) => place(other.setting) === place(setting) && other.setting.value !== setting.value);
}

/** Why the program refuses the text as a configuration; `null` if it accepts it. */
async function complaintAbout(file: string, text: string): Promise<string | null> {
  try {
    await loadSettings([file], {}, () => text);
    return null;
  } catch (error) {
    const isRefused = error instanceof StartError && error.code === EXIT.configurationInvalid;
    if (!isRefused) throw error;
    return error.message.replace(/\n/g, ' ');
  }
}

/** `lanes.public.requestsPerSecond 0.3`. */
export function settingWords({ symbol, path: keys, value }: Setting): string {
  return `${keys.join('.')}${symbol === null ? '' : ` of ${symbol}`} ${value}`;
}

/** The value in its place, below a comment with the old one and with what was seen. */
function withChange(text: string, { setting, question, evidence, confidence }: Change): string | null {
  const at = setting.symbol === null ? [] : ['runs', runNumber(text, setting.symbol) ?? 0];
  const place = [...at, ...setting.path];
  const before = writtenAt(text, place)?.written;
  const edited = editedYaml(text, place, setting.value);
  if (edited === null) return null;
  const begin = writtenAt(edited, place)?.at ?? 0;
  const line = edited.lastIndexOf('\n', begin - 1) + 1;
  const indent = ' '.repeat(Math.max(0, edited.slice(line).search(/\S/)));
  const was = before === undefined ? 'left out before' : `${before} before`;
  const comment = wrapped(`probe: ${was}. ${question}: ${evidence} [${confidence}]`, indent);
  return edited.slice(0, line) + comment + edited.slice(line);
}

/** Below the line that tells editors the schema, which comes first. */
function withHead(text: string, lines: readonly string[]): string {
  const editorLine = EDITOR_LINE.exec(text)?.[0] ?? '';
  return `${editorLine}${lines.map((line) => wrapped(line, '')).join('')}\n${text.slice(editorLine.length)}`;
}

/** As lines of comment. */
function wrapped(words: string, indent: string): string {
  const lines = [''];
  for (const word of words.split(/\s+/)) {
    const last = lines.at(-1) ?? '';
    if (last.length + word.length >= WIDEST_COMMENT) lines.push(` ${word}`);
    else lines[lines.length - 1] = `${last} ${word}`;
  }
  return lines.map((line) => `${indent}#${line}\n`).join('');
}

function write(file: string, text: string): void {
  try {
    writeFileSync(file, text, { flag: 'wx' });
  } catch (error) {
    const code = systemCode(error);
    if (code === 'EEXIST')
      throw new StartError(EXIT.usage, `${file} is there already; probe never writes over a file.`);
    throw new StartError(EXIT.diskError, `${file} cannot be written (${code}).`);
  }
}
