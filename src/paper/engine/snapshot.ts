// Copies a stopped exchange as plain data, and resumes it.
import { CROWD_ACCOUNT, CROWD_TAKER_ACCOUNT } from '../../crowd/types.ts';
import type { Asset } from '../../domain/instrument.ts';
import { invariant } from '../../domain/invariant.ts';
import { fail, ok, type Result } from '../../domain/result.ts';
import type { EpochMs } from '../../domain/time.ts';
import { toUnits } from '../../matching/conversion.ts';
import {
  FEES_ACCOUNT,
  reader,
  restore as restoreEngine,
  snapshot as snapshotEngine,
  TAX_ACCOUNT,
  validateState,
} from '../../matching/engine.ts';
import type { AccountName, Units } from '../../matching/types.ts';
import { type AccountRecord, createAccountRecord, type Kept, showUntil } from '../state/account-record.ts';
import { ownerOfPocket, PURPOSES, type Purpose, pocketBalance } from '../state/amounts.ts';
import { knowAsset, knownAssets } from '../state/back-office.ts';
import { moneyOf } from '../state/owner-actions.ts';
import { giveBackKeys, madeKeys, type PaperAccount, type PaperSettings } from '../state/settings.ts';
import { crowdTime, type ExchangeState, unsavedParts } from '../state/state.ts';
import { openOrdersOf, post } from './engine-step.ts';
import { execute, setAsideFor } from './execute.ts';

/**
 * Excludes rate-limit counts: a pause is longer than their windows. Quirks and keys come from the settings, except keys
 * made at runtime; faults are cleared. Creates in flight are dropped: they were never accepted. So are acknowledged
 * cancels not yet carried out: their orders stay open.
 */
export type ExchangeSnapshot = ReturnType<typeof snapshot>;

const LAYOUT = 3;

/** A copy of everything that is not in the settings: plain data with maps, sets and bigints. */
export function snapshot(state: ExchangeState) {
  const { instanceId, settings, lastAt, crowdClock, crowdState, accounts, markets, backOffice } = state;
  return structuredClone({
    /** The layout. */
    version: LAYOUT,
    instanceId,
    /** Must match for the numbers below to mean the same. */
    units: unitsFingerprint(settings),
    takenAt: lastAt,
    crowdAt: crowdTime(crowdClock, lastAt),
    crowd: crowdState,
    engine: snapshotEngine(state.engine),
    accounts,
    markets,
    backOffice,
    /** Keys made at runtime. */
    keys: madeKeys(state.callers, settings.accounts),
  });
}

/**
 * Resumes the saved exchange at `now`; it owns the snapshot from here on. The crowd's clock continues from where it
 * stopped, so the pause is not replayed and a recorded tape continues with its next row. New accounts of the settings
 * are opened; accounts no longer in them keep their orders and balances, without a key. When the engine's settings or
 * the crowd differ from the snapshot's, the result says why it can't continue. Throws where the snapshot contradicts
 * itself.
 */
export function restore(settings: PaperSettings, saved: ExchangeSnapshot, now: EpochMs): Result<ExchangeState> {
  if (saved.version !== LAYOUT) {
    return fail(`The state has layout ${String(saved.version)}, this program knows ${LAYOUT}.`);
  }
  if (saved.units !== unitsFingerprint(settings))
    return fail('Instruments, fees, rules or crowd are not those of the state.');
  const resumedAt = Math.max(now, saved.takenAt);
  const state: ExchangeState = {
    ...unsavedParts(settings, saved.instanceId),
    accounts: saved.accounts,
    owners: new Map(),
    markets: saved.markets,
    backOffice: saved.backOffice,
    crowdState: saved.crowd,
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
 * Orders hold reservations that include fees, so any change of the engine's settings changes the numbers' meaning. So
 * does another crowd: a position in one recording means nothing in another, nor does a random walk that starts at
 * another price.
 */
function unitsFingerprint({ engine, crowd }: PaperSettings): string {
  return JSON.stringify([engine, crowd && (crowd.identity ?? '')], (_, value: unknown) =>
    typeof value === 'bigint' ? value.toString() : value,
  );
}

// Everything that must hold for an exchange between any two commands, checked the slow way.

/**
 * Throws InvariantViolation where the state contradicts itself: the engine's own checks, money included; every pocket
 * holds what its account's stop orders and pending withdrawals need; every open order has an owner; trades are in
 * order.
 */
export function validateExchange(state: ExchangeState): void {
  validateState(state.engine);
  for (const [account, record] of state.accounts) validateAccount(state, account, record);
  let open = 0;
  for (const account of state.accounts.keys()) open += openOrdersOf(state, account).length;
  invariant(open === state.owners.size, () => `${open} orders are open, ${state.owners.size} have an owner.`);
}

function validateAccount(state: ExchangeState, account: AccountName, record: AccountRecord): void {
  const market = reader(state.engine);
  const needs = new Map<Purpose, ReadonlyMap<Asset, Units>>([
    ['order', waitingNeeds(state, account)],
    ['withdrawal', pendingNeeds(state, record)],
  ]);
  for (const purpose of PURPOSES) {
    for (const asset of knownAssets(state.backOffice)) {
      const content = pocketBalance(market, { account, purpose, asset });
      const needed = needs.get(purpose);
      const expected = needed === undefined ? content : (needed.get(asset) ?? 0n);
      invariant(
        content === expected,
        () => `${account} has ${content} units of ${asset} set aside for ${purpose}; ${expected} are needed.`,
      );
      const isKnown = content === 0n || record.pockets.has(purpose);
      invariant(isKnown, () => `${account} has a pocket for ${purpose} and doesn't know it.`);
    }
  }
  validateOrder(account, record.fills);
  validateOrder(account, record.sbsTrades);
  for (const { orderId, symbol } of openOrdersOf(state, account)) {
    const owner = state.owners.get(orderId);
    const isOwned = owner?.account === account && owner.symbol === symbol && !record.closed.has(orderId);
    invariant(isOwned, () => `${account} has an open order ${orderId}, which is said to be another's or closed.`);
  }
}

function waitingNeeds(state: ExchangeState, account: AccountName): ReadonlyMap<Asset, Units> {
  const needed = new Map<Asset, Units>();
  for (const order of state.backOffice.waiting.values()) {
    const { asset, amount } = setAsideFor(state, order);
    if (order.account === account) add(needed, asset, amount);
  }
  return needed;
}

function pendingNeeds(state: ExchangeState, { transfers }: AccountRecord): ReadonlyMap<Asset, Units> {
  const needed = new Map<Asset, Units>();
  for (const transfer of transfers.values()) {
    if (transfer.direction !== 'withdrawal' || transfer.status !== 'PENDING') continue;
    const { amount, fee } = moneyOf(transfer, state.settings.engine.assetDecimals);
    add(needed, transfer.asset, amount + fee);
  }
  return needed;
}

function add(amounts: Map<Asset, Units>, asset: Asset, amount: Units): void {
  amounts.set(asset, (amounts.get(asset) ?? 0n) + amount);
}

function validateOrder(account: AccountName, kept: readonly Kept[]): void {
  let last = Number.NEGATIVE_INFINITY;
  for (const { at, row } of kept) {
    invariant(last <= at, () => `Trade ${row.id} of ${account} stands behind a later one.`);
    last = at;
  }
}

// Opens an account: one of the settings, on a new or a resumed exchange, or one added by the owner.

/** With its first balances. Throws on a name that is taken, and on a balance finer than the smallest unit. */
export function openAccount(state: ExchangeState, { name, balances }: PaperAccount): void {
  invariant(isFreeName(state, name), `The account name ${name} is taken.`);
  const record = createAccountRecord();
  state.accounts.set(name, record);
  execute(state, { kind: 'open-account', account: name, unlimited: false }, state.lastAt);
  const { assetDecimals } = state.settings.engine;
  for (const [asset, balance] of Object.entries(balances)) {
    const amount = toUnits(balance, assetDecimals);
    invariant(
      amount !== null && amount >= 0n,
      `${name} can't start with ${balance.toFixed()} ${asset}: no less than zero, at most ${assetDecimals} decimals.`,
    );
    knowAsset(state.backOffice, asset);
    if (amount > 0n) post(state, [{ account: name, asset, amount }]);
  }
  // The first balances predate the exchange: a wallet that trails (Q6) trails later changes, not these.
  showUntil(record.wallet, state.lastAt);
}

/** The accounts of the exchange itself. */
export const OWN_ACCOUNTS = [CROWD_ACCOUNT, CROWD_TAKER_ACCOUNT, FEES_ACCOUNT, TAX_ACCOUNT];

/** Neither an account of the exchange itself nor a pocket's name. */
export function isFreeName({ accounts }: ExchangeState, name: AccountName): boolean {
  return !OWN_ACCOUNTS.includes(name) && !accounts.has(name) && ownerOfPocket(name) === null;
}
