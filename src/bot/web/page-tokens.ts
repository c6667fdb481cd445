// What signs a person in: one token to steer and one to look, each in a file of the state folder that only its owner
// can read. Who may read the folder may steer by its socket as well, so the files give nobody more than that.
import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import { existsSync, lstatSync } from 'node:fs';
import path from 'node:path';
import { writeDurably } from '../base/durable-file.ts';
import { EXIT } from '../base/exit-codes.ts';
import { NotPrivate, readPrivateFile } from '../base/private-file.ts';
import { refusing } from '../base/system-error.ts';

/** `steer` may look as well. */
export type PageRole = 'steer' | 'read';

const PAGE_ROLES: readonly PageRole[] = ['steer', 'read'];

const FILES: Readonly<Record<PageRole, string>> = { steer: 'page-token', read: 'page-token-read' };
const TOKEN_BYTES = 32;
const LARGEST_FILE_BYTES = 256;
const TOKEN = /^[\w-]{43}$/;

export const pageTokenFile = (stateFolder: string, role: PageRole): string => path.join(stateFolder, FILES[role]);

/** Makes what is not there; gives back which it made. Throws `StartError` (73) where the folder can't be used. */
export function makePageTokens(stateFolder: string, roles: readonly PageRole[] = PAGE_ROLES): readonly PageRole[] {
  return roles.filter((role) => {
    if (existsSync(pageTokenFile(stateFolder, role))) return false;
    renewPageToken(stateFolder, role);
    return true;
  });
}

/** A new token in place of the old one: sessions that began with that end. Throws `StartError` (73). */
export function renewPageToken(stateFolder: string, role: PageRole): void {
  const file = pageTokenFile(stateFolder, role);
  const token = randomBytes(TOKEN_BYTES).toString('base64url');
  const unwritable = (code: string): string => `The token ${file} can't be written (${code}).`;
  refusing(EXIT.stateUnusable, unwritable, () => writeDurably(file, `${token}\n`));
}

/** The token of a file; else why there is none, one sentence that names the file. */
export function readPageToken(stateFolder: string, role: PageRole): { token: string } | { why: string } {
  const file = pageTokenFile(stateFolder, role);
  try {
    const bytes = readPrivateFile({ what: 'token', path: file, mostBytes: LARGEST_FILE_BYTES, isSecret: true });
    const token = bytes.toString('utf8').trim();
    if (TOKEN.test(token)) return { token };
    return { why: `The token ${file} is not one line of 43 letters, digits, - and _. Make a new one: --renew.` };
  } catch (error) {
    return { why: error instanceof NotPrivate ? error.message : `The token ${file} can't be read.` };
  }
}

/** The tokens of a folder, without those that can't be read. */
export const readableTokens = (stateFolder: string): readonly string[] =>
  PAGE_ROLES.flatMap((role) => {
    const read = readPageToken(stateFolder, role);
    return 'token' in read ? [read.token] : [];
  });

/** A token that was shown and fits. */
export interface TokenFit {
  readonly role: PageRole;
  /** Stands for the token in a session: where it is another one later, the session ends. */
  readonly fingerprint: string;
}

export type PageTokens = ReturnType<typeof pageTokens>;

interface Kept {
  readonly version: string;
  readonly digest: Buffer | null;
  readonly why: string | null;
}

/**
 * The tokens of the folder as they are at each question: a file is read again where it was changed. `learned` is told
 * each token that is read, so that no log has it.
 */
export function pageTokens(stateFolder: string, learned: (token: string) => void) {
  const kept = new Map<PageRole, Kept>();
  const now = (role: PageRole): Kept => {
    const version = versionOf(pageTokenFile(stateFolder, role));
    const before = kept.get(role);
    if (before?.version === version) return before;
    const read = readPageToken(stateFolder, role);
    if ('token' in read) learned(read.token);
    const found: Kept =
      'token' in read ? { version, digest: digestOf(read.token), why: null } : { version, digest: null, why: read.why };
    kept.set(role, found);
    return found;
  };
  for (const role of PAGE_ROLES) now(role);
  return {
    /** Null where it is neither. */
    fitOf(shown: string): TokenFit | null {
      // Both are always compared, and digests have one length: how long it takes says nothing.
      const digest = digestOf(shown);
      const [fit = null] = PAGE_ROLES.flatMap((role): TokenFit[] => {
        const own = now(role).digest;
        return own !== null && timingSafeEqual(own, digest) ? [{ role, fingerprint: own.toString('hex') }] : [];
      });
      return fit;
    },
    /** Whether this is still the token of the role. */
    isCurrent: ({ role, fingerprint }: TokenFit): boolean => now(role).digest?.toString('hex') === fingerprint,
    /** Why a token of a role can't be used; empty where all can. */
    troubles: (): readonly string[] => PAGE_ROLES.map((role) => now(role).why).filter((why) => why !== null),
  };
}

const digestOf = (text: string): Buffer => createHash('sha256').update(text).digest();

function versionOf(file: string): string {
  const found = lstatSync(file, { throwIfNoEntry: false });
  return found === undefined ? 'none' : `${found.ino} ${found.size} ${found.mtimeMs} ${found.mode}`;
}
