// Who may call with which key: the keys of the settings, and those that come and go while the exchange runs.
import { createSecretKey, type KeyObject } from 'node:crypto';
import { invariant } from '../domain/invariant.ts';
import { fail, ok, type Result } from '../domain/result.ts';
import type { AccountName } from '../matching/types.ts';
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
}

/**
 * Adds a key to an account, or takes one away: it is unknown (-2015) from the next request on. Fails for an account that has
 * no record, a key that exists, and one to revoke that doesn't. A restart goes back to the keys of the settings.
 */
export function changeKeys(state: KeyHolder, change: KeyChange): Result<void> {
  if (change.kind === 'revoke') {
    return state.callers.delete(change.apiKey) ? ok(undefined) : fail('There is no such API key to revoke.');
  }
  const { account, key } = change;
  if (!state.accounts.has(account)) return fail(`There is no account ${account} to add a key to.`);
  if (state.callers.has(key.apiKey)) return fail('This API key exists already.');
  state.callers.set(key.apiKey, callerOf(account, key));
  return ok(undefined);
}
