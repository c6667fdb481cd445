// Everything a paper exchange is at one moment. One owner: what takes a state changes it in place and gives it back.
import { createSecretKey, type KeyObject } from 'node:crypto';
import type { Crowd } from '../crowd/types.ts';
import type { InstrumentSymbol } from '../domain/instrument.ts';
import { invariant } from '../domain/invariant.ts';
import type { EpochMs } from '../domain/time.ts';
import type { EngineState } from '../matching/engine.ts';
import type { AccountName, EngineOrderId } from '../matching/types.ts';
import type { AccountRecord } from './account-record.ts';
import type { CrowdClock } from './crowd-clock.ts';
import { createMarketRecord, type MarketRecord } from './market-record.ts';
import type { Quirks } from './quirks.ts';
import type { RateCounts } from './rate-limit.ts';
import type { PaperKey, PaperSettings } from './settings.ts';

/** A key with the account it acts for. */
export interface Caller {
  readonly account: AccountName;
  readonly key: PaperKey;
  /** The key's secret, ready for the hash. */
  readonly secret: KeyObject;
}

/** One source of the crowd's orders and where it stands. */
export interface CrowdSeat {
  readonly crowd: Crowd;
  state: unknown;
}

/** What may be changed while the exchange runs: the control interface writes here and nowhere else. */
export interface Controls {
  quirks: Quirks;
  maintenance: boolean;
}

export interface ExchangeState {
  readonly settings: PaperSettings;
  readonly instanceId: string;
  readonly callers: ReadonlyMap<string, Caller>;
  /** The header that carries the key, in lower case. */
  readonly keyHeader: string;
  readonly controls: Controls;
  readonly accounts: Map<AccountName, AccountRecord>;
  /** Whose each resting order of a recorded account is. */
  readonly owners: Map<EngineOrderId, { readonly account: AccountName; readonly symbol: InstrumentSymbol }>;
  readonly markets: Map<InstrumentSymbol, MarketRecord>;
  readonly rateCounts: RateCounts;
  readonly seats: CrowdSeat[];
  crowdClock: CrowdClock;
  engine: EngineState;
  /** The latest moment at which something happened: the engine's time never goes back, even when the clock does. */
  lastAt: EpochMs;
  /** Rises with every command, so that whoever stores the state knows when it changed. */
  revision: number;
}

export function callersOf(settings: PaperSettings): ReadonlyMap<string, Caller> {
  const callers = new Map<string, Caller>();
  for (const account of settings.accounts) {
    for (const key of account.keys) {
      invariant(!callers.has(key.apiKey), `Account ${account.name} has an API key that is used twice.`);
      const secret = createSecretKey(Buffer.from(key.secret, 'utf8'));
      callers.set(key.apiKey, { account: account.name, key, secret });
    }
  }
  return callers;
}

/** The record of an account of the settings; any other (the crowd's) has none. */
export function accountRecord(state: ExchangeState, account: AccountName): AccountRecord {
  const record = state.accounts.get(account);
  invariant(record !== undefined, `Account ${account} has no record.`);
  return record;
}

export function marketRecord(state: ExchangeState, symbol: InstrumentSymbol): MarketRecord {
  const known = state.markets.get(symbol);
  if (known) return known;
  const fresh = createMarketRecord();
  state.markets.set(symbol, fresh);
  return fresh;
}
