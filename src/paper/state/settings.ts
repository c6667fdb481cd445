// What a paper exchange is made of: market, accounts and keys, the others in the market, limits, quirks.
import type { Crowd } from '../../crowd/types.ts';
import type { Decimal } from '../../domain/decimal.ts';
import type { Asset } from '../../domain/instrument.ts';
import type { DurationMs } from '../../domain/time.ts';
import type { AccountName, EngineSettings } from '../../matching/types.ts';
import type { Permission } from '../../venue/endpoint.ts';
import type { Quirks } from '../wire/quirks.ts';
import type { RateLimits } from '../wire/rate-limit.ts';

/** What a key may do. `read`: everything that only reads, and nothing else. */
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
  /** What the account starts with. Later changes don't touch an account that exists already. */
  readonly balances: Readonly<Record<Asset, Decimal>>;
}

/** The others trade through `lastsMs` before the start, but act only as often as they would in `actingMs`. */
export interface History {
  readonly lastsMs: DurationMs;
  readonly actingMs: DurationMs;
}

export interface PaperSettings {
  readonly engine: EngineSettings;
  readonly accounts: readonly PaperAccount[];
  /** Stepped in order of time; the earlier in the list goes first at the same moment. */
  readonly crowds: readonly Crowd[];
  /** How fast the crowd's clock runs against the venue's. Scales nothing else. */
  readonly speedFactor: number;
  /** What the exchange starts with (`profiles.ts`); both may be changed while it runs. */
  readonly rateLimits: RateLimits;
  readonly quirks: Quirks;
  /** Name of the header that carries the key. */
  readonly apiKeyHeader: string;
  /** Names this exchange while its accounts live; a new set of accounts wants a new name. */
  readonly instanceId: string;
  /** What a new exchange looks back on; left out, its markets begin with it. */
  readonly history?: History;
  /** Whether the server shows `/paper/truth`: all accounts' balances and orders, without a key. */
  readonly exposeTruth: boolean;
}
