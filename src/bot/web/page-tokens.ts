// Sign-in tokens: one with full control and a read-only one, each in a file of the state folder that only its owner can
// read. Access to the folder includes control through its socket, so the files grant nothing extra.
import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import { existsSync, lstatSync } from 'node:fs';
import path from 'node:path';
import { writeDurably } from '../base/durable-file.ts';
import { EXIT } from '../base/exit-codes.ts';
import { NotPrivate, readPrivateFile } from '../base/private-file.ts';
import { refusing } from '../base/system-error.ts';

/** `steer` includes `read`. */
export type PageRole = 'steer' | 'read';

const PAGE_ROLES: readonly PageRole[] = ['steer', 'read'];

const FILES: Readonly<Record<PageRole, string>> = { steer: 'page-token', read: 'page-token-read' };
const TOKEN_BYTES = 32;
const LARGEST_FILE_BYTES = 256;
const TOKEN = /^[\w-]{43}$/;

export const pageTokenFile = (stateFolder: string, role: PageRole): string => path.join(stateFolder, FILES[role]);

/** Makes missing tokens and returns their roles. Throws `StartError` (73) if the folder can't be used. */
export function makePageTokens(stateFolder: string, roles: readonly PageRole[] = PAGE_ROLES): readonly PageRole[] {
  return roles.filter((role) => {
    if (existsSync(pageTokenFile(stateFolder, role))) return false;
    renewPageToken(stateFolder, role);
    return true;
  });
}

/** Replaces the token: its sessions end. Throws `StartError` (73). */
export function renewPageToken(stateFolder: string, role: PageRole): void {
  const file = pageTokenFile(stateFolder, role);
  const token = randomBytes(TOKEN_BYTES).toString('base64url');
  const unwritable = (code: string): string => `The token ${file} can't be written (${code}).`;
  refusing(EXIT.stateUnusable, unwritable, () => writeDurably(file, `${token}\n`));
}

/** The token in a file, or one sentence that names the file and why there is none. */
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

/** The readable tokens of a folder. */
export const readableTokens = (stateFolder: string): readonly string[] =>
  PAGE_ROLES.flatMap((role) => {
    const read = readPageToken(stateFolder, role);
    return 'token' in read ? [read.token] : [];
  });

/** A valid token. */
export interface TokenFit {
  readonly role: PageRole;
  /** Represents the token in a session: if the token changes, the session ends. */
  readonly fingerprint: string;
}

export type PageTokens = ReturnType<typeof pageTokens>;

interface Kept {
  readonly version: string;
  readonly digest: Buffer | null;
  readonly why: string | null;
}

/**
 * The current tokens of the folder: reads a file again when it has changed. `learned` gets each token read, so that no
 * log shows it.
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
    /** Null if it is neither. */
    fitOf(shown: string): TokenFit | null {
      // Always compares both, and digests have the same length, so timing reveals nothing.
      const digest = digestOf(shown);
      const [fit = null] = PAGE_ROLES.flatMap((role): TokenFit[] => {
        const own = now(role).digest;
        return own !== null && timingSafeEqual(own, digest) ? [{ role, fingerprint: own.toString('hex') }] : [];
      });
      return fit;
    },
    /** Whether this is still the role's token. */
    isCurrent: ({ role, fingerprint }: TokenFit): boolean => now(role).digest?.toString('hex') === fingerprint,
    /** Sentences about unusable tokens; empty if all are fine. */
    troubles: (): readonly string[] => PAGE_ROLES.map((role) => now(role).why).filter((why) => why !== null),
  };
}

const digestOf = (text: string): Buffer => createHash('sha256').update(text).digest();

function versionOf(file: string): string {
  const found = lstatSync(file, { throwIfNoEntry: false });
  return found === undefined ? 'none' : `${found.ino} ${found.size} ${found.mtimeMs} ${found.mode}`;
}
