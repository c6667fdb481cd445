// A paper exchange's complete state at one moment. Functions that take a state change it in place.
import type { InstrumentSymbol } from '../../domain/instrument.ts';
import { invariant } from '../../domain/invariant.ts';
import type { DurationMs, EpochMs } from '../../domain/time.ts';
import type { EngineState } from '../../matching/engine.ts';
import type { AccountName, EngineOrderId } from '../../matching/types.ts';
import type { EndpointName } from '../../venue/requests.ts';
import { type DeliveryRules, NO_DELIVERY_RULES } from '../delivery/delivery.ts';
import type { Quirks } from '../wire/quirks.ts';
import { createRateCounts, type RateCounts, type RateLimits } from '../wire/rate-limit.ts';
import type { AccountRecord } from './account-record.ts';
import type { BackOffice } from './back-office.ts';
import type { InFlight } from './in-flight.ts';
import type { MarketRecord } from './market-record.ts';
import { type Caller, callersOf, type PaperSettings } from './settings.ts';

export interface ExchangeState {
  readonly settings: PaperSettings;
  readonly instanceId: string;
  /** By API key; `addKey` and `revokeKey` change them. */
  readonly callers: Map<string, Caller>;
  /** The header that carries the key, in lower case. */
  readonly keyHeader: string;
  readonly controls: Controls;
  readonly accounts: Map<AccountName, AccountRecord>;
  /** The owner of each resting order of a recorded account. */
  readonly owners: Map<EngineOrderId, { readonly account: AccountName; readonly symbol: InstrumentSymbol }>;
  readonly markets: Map<InstrumentSymbol, MarketRecord>;
  /** Its state apart from the market and the accounts. */
  readonly backOffice: BackOffice;
  readonly rateCounts: RateCounts;
  /** Requests that passed the gate but have not reached the book. */
  readonly inFlight: InFlight;
  /** Of the crowd of the settings. */
  crowdState: unknown;
  crowdClock: CrowdClock;
  engine: EngineState;
  /**
   * The exchange's present: the latest moment at which something happened. It runs on when the caller's clock is set
   * back; lags and windows are measured by it.
   */
  lastAt: EpochMs;
  /** How far the present is ahead of that clock. */
  aheadMs: DurationMs;
  /** Rises with every command, so that a reader can tell whether anything has changed. */
  revision: number;
}

/** Parts that start fresh with every start: they come from the settings and are in no snapshot. */
type Unsaved = Pick<
  ExchangeState,
  'settings' | 'instanceId' | 'callers' | 'keyHeader' | 'controls' | 'rateCounts' | 'inFlight' | 'revision'
>;

export function unsavedParts(settings: PaperSettings, instanceId: string): Unsaved {
  return {
    settings,
    instanceId,
    callers: callersOf(settings.accounts),
    keyHeader: settings.apiKeyHeader.toLowerCase(),
    controls: initialControls(settings),
    rateCounts: createRateCounts(),
    inFlight: { waiting: [] },
    revision: 0,
  };
}

/** The exchange's own clock at a moment of its present. */
export function ownTime({ controls, aheadMs }: Pick<ExchangeState, 'controls' | 'aheadMs'>, at: EpochMs): EpochMs {
  return clockTime({ aheadMs }, at) + controls.clockOffsetMs;
}

/** The caller's clock at that moment. */
export function clockTime({ aheadMs }: Pick<ExchangeState, 'aheadMs'>, at: EpochMs): EpochMs {
  return at - aheadMs;
}

/** The record of an account of the settings; others (the crowd's) have none. */
export function accountRecord(state: ExchangeState, account: AccountName): AccountRecord {
  const record = state.accounts.get(account);
  invariant(record !== undefined, `Account ${account} has no record.`);
  return record;
}

export function marketRecord(state: ExchangeState, symbol: InstrumentSymbol): MarketRecord {
  const known = state.markets.get(symbol);
  if (known) return known;
  const fresh: MarketRecord = { prints: [], buckets: [] };
  state.markets.set(symbol, fresh);
  return fresh;
}

// Controls that may change while the exchange runs, and their first values.

/** Only `control` writes here, for the control interface; a change counts from the next request on. */
export interface Controls {
  quirks: Quirks;
  /** Per address for public and legacy calls, per key for private ones; an empty list means no limit. */
  rateLimits: RateLimits;
  /** Every request gets 503: -1125, or on the legacy interface a status without a code. */
  maintenance: boolean;
  /** These get 404: -1404 `Endpoint disabled.`, or on the legacy interface a status without a code. */
  disabledEndpoints: readonly EndpointName[];
  /** API keys without an account: with a valid signature, they get -2004. */
  unidentifiedKeys: readonly string[];
  /**
   * Creates get 200 `{msg}`, including those in flight; the crowd's orders there are dropped, so nothing matches.
   * Cancels work.
   */
  frozenSymbols: readonly InstrumentSymbol[];
  /** Creates of these accounts get 200 `{msg}`, including those in flight. Cancels work. */
  frozenAccounts: readonly AccountName[];
  /**
   * How far the exchange's own clock is ahead of `now`, negative behind: it shifts the `Date` header, the resets of
   * rate limits, the timestamps it accepts and the times it stamps on events (`ownTime`). It does not shift lags,
   * windows, or when the crowd acts.
   */
  clockOffsetMs: DurationMs;
  /** Faults of requests and answers in transit; the HTTP shell counts and carries them out, `answer` ignores them. */
  delivery: DeliveryRules;
}

/** First values: nothing is wrong. */
function initialControls({ quirks, rateLimits }: Pick<Controls, 'quirks' | 'rateLimits'>): Controls {
  return {
    quirks,
    rateLimits,
    maintenance: false,
    disabledEndpoints: [],
    unidentifiedKeys: [],
    frozenSymbols: [],
    frozenAccounts: [],
    clockOffsetMs: 0,
    delivery: NO_DELIVERY_RULES,
  };
}

// The crowd's own time: it stops while the exchange does.

/** At the venue's `venueAt` the crowd's clock showed `crowdAt`. */
interface CrowdClock {
  readonly venueAt: EpochMs;
  readonly crowdAt: EpochMs;
}

export function crowdTime(clock: CrowdClock, now: EpochMs): EpochMs {
  return clock.crowdAt + Math.max(0, now - clock.venueAt);
}

/** The venue's time when the crowd's clock shows `crowdAt`: whole milliseconds, never before the clock's anchor. */
export function venueTime(clock: CrowdClock, crowdAt: EpochMs): EpochMs {
  return clock.venueAt + Math.max(0, Math.floor(crowdAt - clock.crowdAt));
}
