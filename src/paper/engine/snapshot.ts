// A stopped exchange as plain JSON, and back.
import type { InstrumentSymbol } from '../../domain/instrument.ts';
import { fail, ok, type Result } from '../../domain/result.ts';
import type { EpochMs } from '../../domain/time.ts';
import {
  type EngineSnapshot,
  reader,
  restore as restoreEngine,
  snapshot as snapshotEngine,
} from '../../matching/engine.ts';
import type { AccountName } from '../../matching/types.ts';
import { type AccountSnapshot, restoreAccount, snapshotAccount } from '../state/account-record.ts';
import { type BackOfficeSnapshot, restoreBackOffice, snapshotBackOffice } from '../state/back-office.ts';
import { crowdTime } from '../state/crowd-clock.ts';
import { giveBackKeys, type MadeKey, madeKeys } from '../state/keys.ts';
import type { MarketRecord } from '../state/market-record.ts';
import type { PaperSettings } from '../state/settings.ts';
import { type ExchangeState, unsavedParts } from '../state/state.ts';
import { openAccount } from './open-account.ts';
import { validateExchange } from './validate-exchange.ts';

/**
 * Rate-limit counts are not in it: a pause is longer than their windows. Quirks and keys come from the settings, but
 * for keys that were made while it ran, and nothing is wrong again. Creates in flight are dropped: they were never
 * accepted. So are cancels that were acknowledged and had not
 * happened: their orders stay open.
 */
export interface ExchangeSnapshot {
  /** Of this layout. */
  readonly version: typeof LAYOUT;
  readonly instanceId: string;
  /** What must be the same for the numbers below to mean the same. */
  readonly units: string;
  readonly takenAt: EpochMs;
  readonly crowdAt: EpochMs;
  readonly crowds: readonly unknown[];
  readonly engine: EngineSnapshot;
  readonly accounts: readonly (readonly [AccountName, AccountSnapshot])[];
  readonly markets: readonly (readonly [InstrumentSymbol, MarketRecord])[];
  readonly backOffice: BackOfficeSnapshot;
  /** Keys that were made while it ran. */
  readonly keys: readonly MadeKey[];
}

const LAYOUT = 2;

/**
 * Everything that can't be had from the settings. It shares parts with the state: carry it through JSON before either
 * goes on.
 */
export function snapshot(state: ExchangeState): ExchangeSnapshot {
  return {
    version: LAYOUT,
    instanceId: state.instanceId,
    units: unitsFingerprint(state.settings),
    takenAt: state.lastAt,
    crowdAt: crowdTime(state.crowdClock, state.settings.speedFactor, state.lastAt),
    crowds: state.seats.map((seat) => seat.state),
    engine: snapshotEngine(state.engine),
    accounts: [...state.accounts].map(([name, record]) => [name, snapshotAccount(record)]),
    markets: [...state.markets],
    backOffice: snapshotBackOffice(state.backOffice),
    keys: madeKeys(state.callers, state.settings.accounts),
  };
}

/**
 * The exchange as it was, going on at `now`. The crowd's clock goes on from where it stood, so nothing of the pause is
 * replayed, and a recorded tape goes on with its next row. Accounts that the settings have anew are opened; those they
 * no longer have keep their orders and balances, without a key. When the engine's settings or the crowds are not those
 * of the snapshot, the result says why it can't go on. Throws where the snapshot contradicts itself.
 */
export function restore(settings: PaperSettings, saved: ExchangeSnapshot, now: EpochMs): Result<ExchangeState> {
  if (saved.version !== LAYOUT) {
    return fail(`The state has layout ${String(saved.version)}, this program knows ${LAYOUT}.`);
  }
  if (saved.units !== unitsFingerprint(settings))
    return fail('Instruments, fees, rules or crowds are not those of the state.');
  const resumedAt = Math.max(now, saved.takenAt);
  const state: ExchangeState = {
    ...unsavedParts(settings, saved.instanceId),
    accounts: new Map(saved.accounts.map(([name, record]) => [name, restoreAccount(record)])),
    owners: new Map(),
    markets: new Map(saved.markets),
    backOffice: restoreBackOffice(settings, saved.backOffice),
    seats: settings.crowds.map((crowd, index) => ({ crowd, state: saved.crowds[index] })),
    crowdClock: { venueAt: resumedAt, crowdAt: saved.crowdAt },
    engine: restoreEngine(settings.engine, saved.engine),
    lastAt: resumedAt,
    aheadMs: resumedAt - now,
  };
  findOwners(state);
  validateExchange(state);
  for (const account of settings.accounts) if (!state.accounts.has(account.name)) openAccount(state, account);
  giveBackKeys(state, saved.keys);
  return ok(state);
}

function findOwners(state: ExchangeState): void {
  const market = reader(state.engine);
  for (const account of state.accounts.keys()) {
    for (const { orderId, symbol } of market.ordersOf(account)) state.owners.set(orderId, { account, symbol });
  }
  for (const { orderId, account, symbol } of state.backOffice.waiting.values()) {
    state.owners.set(orderId, { account, symbol });
  }
}

/**
 * Orders hold reservations that include fees: any change of the engine's settings changes what the numbers mean. So
 * does another crowd: a place in one recording says nothing of another, nor does a walk from another price.
 */
function unitsFingerprint({ engine, crowds }: PaperSettings): string {
  const identities = crowds.flatMap(({ identity }) => identity ?? []);
  return JSON.stringify([engine, crowds.length, ...identities], (_, value: unknown) =>
    typeof value === 'bigint' ? value.toString() : value,
  );
}
