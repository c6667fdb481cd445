// Settings of a paper exchange: market, accounts and keys, crowd, limits, quirks.
import { createSecretKey, type KeyObject } from 'node:crypto';
import type { Crowd } from '../../crowd/types.ts';
import type { Decimal } from '../../domain/decimal.ts';
import type { Asset } from '../../domain/instrument.ts';
import { invariant } from '../../domain/invariant.ts';
import { fail, ok, type Result } from '../../domain/result.ts';
import type { DurationMs } from '../../domain/time.ts';
import type { AccountName, EngineSettings } from '../../matching/types.ts';
import type { Permission } from '../../venue/endpoints.ts';
import { FIELD_QUIRKS, type Quirks, SPEC_QUIRKS } from '../wire/quirks.ts';
import type { RateLimits } from '../wire/rate-limit.ts';

/** What a key may do. `read`: all reads and nothing else. */
export type KeyPermission = Permission | 'read';
export const KEY_PERMISSIONS: readonly KeyPermission[] = ['wallet', 'orders', 'trades', 'read'];

export interface PaperKey {
  readonly apiKey: string;
  readonly secret: string;
  readonly permissions: readonly KeyPermission[];
  /** Addresses that may use the key; `null` allows all. */
  readonly ipWhitelist: readonly string[] | null;
}

export interface PaperAccount {
  readonly name: AccountName;
  readonly keys: readonly PaperKey[];
  /** The account's first balances. Later changes don't affect an existing account. */
  readonly balances: Readonly<Record<Asset, Decimal>>;
}

/** The crowd trades through `lastsMs` before the start, but only as often as it would in `actingMs`. */
interface History {
  readonly lastsMs: DurationMs;
  readonly actingMs: DurationMs;
}

export interface PaperSettings {
  readonly engine: EngineSettings;
  readonly accounts: readonly PaperAccount[];
  /** `null`: only clients trade. */
  readonly crowd: Crowd | null;
  /** The first values (`PROFILES`); both may be changed at runtime. */
  readonly rateLimits: RateLimits;
  readonly quirks: Quirks;
  /** Name of the header that carries the key. */
  readonly apiKeyHeader: string;
  /** Names this exchange as long as its accounts exist; a new set of accounts gets a new name. */
  readonly instanceId: string;
  /** The past of a new exchange; absent, its markets begin empty. */
  readonly history?: History;
}

// The two default behaviors of the paper exchange: as specified, or as observed on a live service.

export type ProfileName = 'spec' | 'field';

/** Quirks and rate limits together. */
export interface Profile {
  readonly quirks: Quirks;
  readonly rateLimits: RateLimits;
}

/** The specification gives no numbers: ten requests per second for each scope. */
const SPEC_RATE_LIMITS: RateLimits = {
  public: [{ requests: 10, perMs: 1_000 }],
  private: [{ requests: 10, perMs: 1_000 }],
  legacy: [{ requests: 10, perMs: 1_000 }],
};

/** `field` is N1–N7 of the field notes; N6 and N7 follow from how the exchange is built. */
export const PROFILES: Readonly<Record<ProfileName, Profile>> = {
  spec: { quirks: SPEC_QUIRKS, rateLimits: SPEC_RATE_LIMITS },
  field: { quirks: FIELD_QUIRKS, rateLimits: { ...SPEC_RATE_LIMITS, public: [{ requests: 1, perMs: 2_500 }] } },
};

/** A profile with single quirks and single scopes' limits replaced. */
export function profileWith(
  name: ProfileName,
  changes: { readonly quirks?: Partial<Quirks>; readonly rateLimits?: Partial<RateLimits> },
): Profile {
  const { quirks, rateLimits } = PROFILES[name];
  return { quirks: { ...quirks, ...changes.quirks }, rateLimits: { ...rateLimits, ...changes.rateLimits } };
}

// Callers by API key: the keys of the settings, and those added and revoked at runtime.

/** A key with the account it acts for. */
export interface Caller {
  readonly account: AccountName;
  readonly key: PaperKey;
  /** The key's secret, ready for the hash. */
  readonly secret: KeyObject;
}

/** The callers of the settings, by API key. Throws on a repeated key. */
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

/** The parts of an exchange that a change of keys affects. */
interface KeyHolder {
  readonly callers: Map<string, Caller>;
  readonly accounts: ReadonlyMap<AccountName, unknown>;
}

/** A key made at runtime, as stored in a snapshot. */
export interface MadeKey extends PaperKey {
  readonly account: AccountName;
}

/** Keys that are not from the settings. */
export function madeKeys(callers: ReadonlyMap<string, Caller>, settings: readonly PaperAccount[]): readonly MadeKey[] {
  const given = new Set(settings.flatMap(({ keys }) => keys.map(({ apiKey }) => apiKey)));
  return [...callers.values()]
    .filter(({ key }) => !given.has(key.apiKey))
    .map(({ account, key }) => ({ ...key, account }));
}

/** Restores the keys made before a restart, except one that the settings now have or whose account is gone. */
export function giveBackKeys(state: KeyHolder, made: readonly MadeKey[]): void {
  for (const { account, ...key } of made) addKey(state, account, key);
}

/** Fails for an account without a record, and for an existing key. A made key survives a restart. */
export function addKey({ accounts, callers }: KeyHolder, account: AccountName, key: PaperKey): Result<void> {
  if (!accounts.has(account)) return fail(`There is no account ${account} to add a key to.`);
  if (callers.has(key.apiKey)) return fail('This API key exists already.');
  callers.set(key.apiKey, callerOf(account, key));
  return ok(undefined);
}

/** From the next request on it is unknown (-2015). A revoked key of the settings is back after a restart. */
export function revokeKey({ callers }: Pick<KeyHolder, 'callers'>, apiKey: string): Result<void> {
  return callers.delete(apiKey) ? ok(undefined) : fail('There is no such API key to revoke.');
}
