// Everything a paper exchange is at one moment. One owner: what takes a state changes it in place and gives it back.
import type { Crowd } from '../../crowd/types.ts';
import type { InstrumentSymbol } from '../../domain/instrument.ts';
import { invariant } from '../../domain/invariant.ts';
import type { DurationMs, EpochMs } from '../../domain/time.ts';
import type { EngineState } from '../../matching/engine.ts';
import type { AccountName, EngineOrderId } from '../../matching/types.ts';
import { createRateCounts, type RateCounts } from '../wire/rate-limit.ts';
import type { AccountRecord } from './account-record.ts';
import type { BackOffice } from './back-office.ts';
import { type Controls, initialControls } from './controls.ts';
import type { CrowdClock } from './crowd-clock.ts';
import { createInFlight, type InFlight } from './in-flight.ts';
import { type Caller, callersOf } from './keys.ts';
import { createMarketRecord, type MarketRecord } from './market-record.ts';
import type { PaperSettings } from './settings.ts';

/** One source of the crowd's orders and where it stands. */
export interface CrowdSeat {
  readonly crowd: Crowd;
  state: unknown;
}

export interface ExchangeState {
  readonly settings: PaperSettings;
  readonly instanceId: string;
  /** By API key; `changeKeys` adds and revokes. */
  readonly callers: Map<string, Caller>;
  /** The header that carries the key, in lower case. */
  readonly keyHeader: string;
  readonly controls: Controls;
  readonly accounts: Map<AccountName, AccountRecord>;
  /** Whose each resting order of a recorded account is. */
  readonly owners: Map<EngineOrderId, { readonly account: AccountName; readonly symbol: InstrumentSymbol }>;
  readonly markets: Map<InstrumentSymbol, MarketRecord>;
  /** What it knows beside its market and its accounts. */
  readonly backOffice: BackOffice;
  readonly rateCounts: RateCounts;
  /** What passed the gate and has not reached the book, and the answers that nobody has collected. */
  readonly inFlight: InFlight;
  readonly seats: CrowdSeat[];
  crowdClock: CrowdClock;
  engine: EngineState;
  /**
   * The exchange's present: the latest moment at which something happened. It runs on where the clock by which it is
   * asked is set back; lags and windows are measured by it.
   */
  lastAt: EpochMs;
  /** How far the present is ahead of that clock. */
  aheadMs: DurationMs;
  /** Rises with every command, so that whoever stores the state knows when it changed. */
  revision: number;
}

/** The parts of a state that begin anew with every start: they come from the settings, and no snapshot holds them. */
export type Unsaved = Pick<
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
    inFlight: createInFlight(),
    revision: 0,
  };
}

/** What the exchange's own clock shows at a moment of its present. */
export function ownTime({ controls, aheadMs }: Pick<ExchangeState, 'controls' | 'aheadMs'>, at: EpochMs): EpochMs {
  return clockTime({ aheadMs }, at) + controls.clockOffsetMs;
}

/** What the clock by which the exchange is asked shows then. */
export function clockTime({ aheadMs }: Pick<ExchangeState, 'aheadMs'>, at: EpochMs): EpochMs {
  return at - aheadMs;
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
