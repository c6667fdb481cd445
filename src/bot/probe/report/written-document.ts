// A configuration as text: joined from several files, changed in place, and marked with the evidence.
import path from 'node:path';
import { type Document, isMap, isScalar, isSeq, parseDocument } from 'yaml';
import { projectRootOf } from '../../settings/resolve.ts';
import type { Settings } from '../../settings/settings.ts';
import type { Finding, SettingChange } from '../facts/finding.ts';
import { edited, type Place, runIndex, writtenAt } from './yaml-edit.ts';

/** A finding of which a setting follows. */
export type Change = Finding & { readonly setting: SettingChange };

const WIDEST_COMMENT = 110;

/**
 * A single file as it is. Of several one that says the same: the settings have joined them before, so that what they
 * share is equal.
 */
export function joinedText(texts: readonly string[]): string {
  const [first = '', ...others] = texts;
  if (others.length === 0) return first;
  const document = parseDocument(first);
  for (const text of others) addEntries(document, [], parseDocument(text).contents);
  return document.toString({ lineWidth: 0 });
}

function addEntries(document: Document, at: Place, node: unknown): void {
  if (!isMap(node)) return;
  for (const { key, value } of node.items) {
    const name = isScalar(key) ? String(key.value) : String(key);
    const here = [...at, name];
    const known: unknown = document.getIn(here, true);
    if (known === undefined) document.setIn(here, value);
    else if (isSeq(known) && isSeq(value) && name === 'runs') known.items.push(...value.items);
    else addEntries(document, here, value);
  }
}

/** The value in its place, with what was seen in a comment above it. */
export function withChange(text: string, change: Change): string {
  const place = placeOf(text, change.setting);
  if (place === null) return text;
  const before = writtenAt(text, place);
  const was = before === null ? 'left out before' : `${before} before`;
  const words = `probe: ${was}. ${change.question}: ${change.evidence} [${change.confidence}]`;
  return edited(text, { place, value: String(change.setting.value), comment: wrapped(words) });
}

function placeOf(text: string, setting: SettingChange): Place | null {
  if (setting.at === 'configuration') return setting.path;
  const index = runIndex(text, setting.symbol);
  return index === null ? null : ['runs', index, ...setting.path];
}

/** Lines of at most `WIDEST_COMMENT` characters. */
export function wrapped(words: string): readonly string[] {
  const lines = [''];
  for (const word of words.split(/\s+/)) {
    const last = lines.at(-1) ?? '';
    if (last !== '' && last.length + word.length >= WIDEST_COMMENT) lines.push(word);
    else lines[lines.length - 1] = last === '' ? word : `${last} ${word}`;
  }
  return lines;
}

/** In another folder relative paths would mean other files: they are written out. */
export function rebased(text: string, settings: Settings, out: string): string {
  const { projectRoot, stateFolder, keys, log, paper } = settings;
  const moved: [Place, unknown][] = [];
  if (projectRootOf(path.resolve(out)) !== projectRoot) {
    moved.push([['state'], stateFolder]);
    if (keys?.kind === 'file') moved.push([['keys', 'file'], keys.path]);
    if (log.file !== undefined) moved.push([['log', 'file'], log.file]);
  }
  if (!liesBeside(settings, out) && paper?.crowd.kind === 'tape') {
    paper.crowd.tapes.forEach(({ trades, books }, index) => {
      moved.push([['paper', 'crowd', 'tapes', index, 'trades'], trades]);
      moved.push([['paper', 'crowd', 'tapes', index, 'books'], books]);
    });
  }
  // YAML reads JSON.
  return moved.reduce(
    (left, [place, value]) => edited(left, { place, value: JSON.stringify(value), comment: [] }),
    text,
  );
}

/** Whether `out` is in the folder of every file of the configuration. */
export function liesBeside({ files }: Settings, out: string): boolean {
  return files.every((file) => path.dirname(path.resolve(file)) === path.dirname(path.resolve(out)));
}
