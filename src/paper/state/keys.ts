// Who may call with which key: the keys of the settings, and those that come and go while the exchange runs.
import { createSecretKey, type KeyObject } from 'node:crypto';
import { invariant } from '../../domain/invariant.ts';
import { fail, ok, type Result } from '../../domain/result.ts';
import type { AccountName } from '../../matching/types.ts';
import type { PaperAccount, PaperKey } from './settings.ts';

/** A key with the account it acts for. */
export interface Caller {
  readonly account: AccountName;
  readonly key: PaperKey;
  /** The key's secret, ready for the hash. */
  readonly secret: KeyObject;
}

/** The callers of the settings, by API key. Throws on a key that is used twice. */
export function callersOf(accounts: readonly Pick<PaperAccount, 'name' | 'keys'>[]): Map<string, Caller> {
  const callers = new Map<string, Caller>();
  for (const account of accounts) {
    for (const key of account.keys) {
      invariant(!callers.has(key.apiKey), `Account ${account.name} has an API key that is used twice.`);
      callers.set(key.apiKey, callerOf(account.name, key));
    }
  }
  return callers;
}

function callerOf(account: AccountName, key: PaperKey): Caller {
  return { account, key, secret: createSecretKey(Buffer.from(key.secret, 'utf8')) };
}

export type KeyChange =
  | { readonly kind: 'add'; readonly account: AccountName; readonly key: PaperKey }
  | { readonly kind: 'revoke'; readonly apiKey: string };

/** What of an exchange a change of keys touches. */
interface KeyHolder {
  readonly callers: Map<string, Caller>;
  readonly accounts: ReadonlyMap<AccountName, unknown>;
  revision: number;
}

/** A key that was made while the exchange ran, as a snapshot holds it. */
export interface MadeKey extends PaperKey {
  readonly account: AccountName;
}

/** Those that are not of the settings. */
export function madeKeys(callers: ReadonlyMap<string, Caller>, settings: readonly PaperAccount[]): readonly MadeKey[] {
  const given = new Set(settings.flatMap(({ keys }) => keys.map(({ apiKey }) => apiKey)));
  return [...callers.values()]
    .filter(({ key }) => !given.has(key.apiKey))
    .map(({ account, key }) => ({ ...key, account }));
}

/**
 * Gives back the keys that were made before a restart; one that the settings have now, or whose account is gone, is
 * left out.
 */
export function giveBackKeys(state: KeyHolder, made: readonly MadeKey[]): void {
  for (const { account, ...key } of made) changeKeys(state, { kind: 'add', account, key });
}

/**
 * Adds a key to an account, or takes one away: it is unknown (-2015) from the next request on. Fails for an account
 * that has no record, a key that exists, and one to revoke that doesn't. What was made outlives a restart; a key of the
 * settings that was revoked is back after it.
 */
export function changeKeys(state: KeyHolder, change: KeyChange): Result<void> {
  if (change.kind === 'revoke') {
    if (!state.callers.delete(change.apiKey)) return fail('There is no such API key to revoke.');
    state.revision += 1;
    return ok(undefined);
  }
  const { account, key } = change;
  if (!state.accounts.has(account)) return fail(`There is no account ${account} to add a key to.`);
  if (state.callers.has(key.apiKey)) return fail('This API key exists already.');
  state.callers.set(key.apiKey, callerOf(account, key));
  state.revision += 1;
  return ok(undefined);
}
