// What a paper exchange is made of: market, accounts and keys, the others in the market, limits, quirks.
import type { Crowd } from '../crowd/types.ts';
import type { Decimal } from '../domain/decimal.ts';
import type { Asset } from '../domain/instrument.ts';
import type { DurationMs } from '../domain/time.ts';
import type { AccountName, EngineSettings } from '../matching/types.ts';
import type { Permission } from '../venue/endpoints.ts';
import type { LaneName } from '../venue/requests.ts';
import type { Quirks } from './quirks.ts';

export interface PaperKey {
  readonly apiKey: string;
  readonly secret: string;
  readonly permissions: readonly Permission[];
  /** Addresses that may use the key; `null` allows all. */
  readonly ipWhitelist: readonly string[] | null;
}

export interface PaperAccount {
  readonly name: AccountName;
  readonly keys: readonly PaperKey[];
  /** What the account starts with. Later changes don't touch an account that exists already. */
  readonly balances: Readonly<Record<Asset, Decimal>>;
}

/** At most `requests` in each stretch of `perMs`, which begins with the first request in it. */
export interface RateWindow {
  readonly requests: number;
  readonly perMs: DurationMs;
}

export interface PaperSettings {
  readonly engine: EngineSettings;
  readonly accounts: readonly PaperAccount[];
  /** Stepped in order of time; the earlier in the list goes first at the same moment. */
  readonly crowds: readonly Crowd[];
  /** How fast the crowd's clock runs against the venue's. Scales nothing else. */
  readonly speedFactor: number;
  /** Per IP for public calls, per key for private ones; an empty list sets no limit. */
  readonly rateLimits: Readonly<Record<LaneName, readonly RateWindow[]>>;
  readonly quirks: Quirks;
  /** Name of the header that carries the key. */
  readonly apiKeyHeader: string;
  /** Names this exchange while its accounts live; a new set of accounts wants a new name. */
  readonly instanceId: string;
  /** Whether the server shows `/paper/truth`: all accounts' balances and orders, without a key. */
  readonly exposeTruth: boolean;
}
