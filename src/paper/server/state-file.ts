// Keeps a stopped exchange in one file: written to a temporary file and renamed, readable by its owner only.
import { open, readFile, rename } from 'node:fs/promises';
import { canonicalText, fromCanonicalText } from '../../journal/canonical.ts';
import type { ExchangeSnapshot } from '../engine/snapshot.ts';
import type { MadeKey } from '../state/settings.ts';

/** Why the paper exchange could not start, as a sentence for the user. */
export class PaperStartError extends Error {
  override readonly name: string = 'PaperStartError';
}

/** The same, for an unavailable state file. */
export class PaperStateError extends PaperStartError {
  override readonly name = 'PaperStateError';
}

/** The file's content. `clean` is true only when the exchange was stopped in good order after writing it. */
interface Stored {
  readonly format: 'quotekeeper-paper';
  readonly clean: boolean;
  /** A truncated file may have the format and nothing else. */
  readonly snapshot?: ExchangeSnapshot;
}

type StoredState =
  | { readonly kind: 'none' }
  | { readonly kind: 'clean'; readonly snapshot: ExchangeSnapshot; readonly keys: readonly MadeKey[] }
  /** Why the exchange can't be resumed from it, one sentence. */
  | { readonly kind: 'unusable'; readonly reason: string; readonly keys: readonly MadeKey[] };

export async function readState(path: string): Promise<StoredState> {
  const unusable = (reason: string, keys: readonly MadeKey[] = []): StoredState => ({ kind: 'unusable', reason, keys });
  let text: string;
  try {
    text = await readFile(path, 'utf8');
  } catch (error) {
    return isMissing(error) ? { kind: 'none' } : unusable(`${path} can't be read.`);
  }
  const stored = parseStored(text);
  if (stored === null) return unusable(`${path} is not a state of the paper exchange.`);
  const { clean, snapshot } = stored;
  const keys = snapshot?.keys ?? [];
  if (!clean) return unusable(`${path} was left by an exchange that did not stop in good order.`, keys);
  return snapshot === undefined ? unusable(`${path} holds no exchange.`) : { kind: 'clean', snapshot, keys };
}

/** On the disk when it resolves. */
export async function writeState(path: string, snapshot: ExchangeSnapshot, clean: boolean): Promise<void> {
  const stored: Stored = { format: 'quotekeeper-paper', clean, snapshot };
  const text = canonicalText(stored);
  const beside = `${path}.new`;
  const file = await open(beside, 'w', 0o600);
  try {
    await file.writeFile(text, 'utf8');
    await file.sync();
  } finally {
    await file.close();
  }
  await rename(beside, path);
}

/** Most old files kept; one more needs a person's attention. */
const ASIDE_MAX = 1_000;

/** Moves a file out of the way and returns its new path: `<path>.aside-1`, or the first free number. */
export async function setAside(path: string): Promise<string> {
  for (let number = 1; number <= ASIDE_MAX; number += 1) {
    const aside = `${path}.aside-${number}`;
    if (!(await isFree(aside))) continue;
    await rename(path, aside);
    return aside;
  }
  throw new Error(`There are ${ASIDE_MAX} old files beside ${path}.`);
}

async function isFree(path: string): Promise<boolean> {
  try {
    await (await open(path, 'r')).close();
    return false;
  } catch (error) {
    return isMissing(error);
  }
}

function isMissing(error: unknown): boolean {
  return systemCodeOf(error) === 'ENOENT';
}

/** `ENOENT`, `EADDRINUSE` …; `undefined` for anything but a system error. */
export function systemCodeOf(error: unknown): string | undefined {
  const hasCode = typeof error === 'object' && error !== null && 'code' in error;
  return hasCode ? String(error.code) : undefined;
}

function parseStored(text: string): Stored | null {
  try {
    const value: unknown = fromCanonicalText(text);
    const known =
      typeof value === 'object' && value !== null && 'format' in value && value.format === 'quotekeeper-paper';
    return known ? (value as Stored) : null;
  } catch {
    return null;
  }
}
