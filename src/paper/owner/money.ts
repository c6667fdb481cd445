// The owner's actions on an account and its money, apart from transfers: open, unexplained changes, lock and unlock.
import { type Decimal, plain } from '../../domain/decimal.ts';
import type { Instrument, InstrumentSymbol } from '../../domain/instrument.ts';
import { allOf, fail, ok, type Result } from '../../domain/result.ts';
import type { EpochMs } from '../../domain/time.ts';
import { fromUnits, toUnits } from '../../matching/conversion.ts';
import { reader } from '../../matching/engine.ts';
import type { AccountName, Posting, Units } from '../../matching/types.ts';
import { freeOf, giveBack, post, setAside } from '../engine/engine-step.ts';
import { isFreeName, openAccount } from '../engine/snapshot.ts';
import type { AccountRecord } from '../state/account-record.ts';
import { pocketBalance } from '../state/amounts.ts';
import { knowAsset, networkRow, plainAsset } from '../state/back-office.ts';
import type { ActionOf, OwnerActionAnswer } from '../state/owner-actions.ts';
import { addKey, type PaperKey } from '../state/settings.ts';
import { clockTime, type ExchangeState } from '../state/state.ts';

export const DONE: Result<OwnerActionAnswer> = ok({ kind: 'done' });

/** The keys last until the exchange restarts. */
export function openByOwner(state: ExchangeState, action: ActionOf<'open-account'>): Result<OwnerActionAnswer> {
  const { account, keys, balances } = action;
  if (!isFreeName(state, account)) return fail(`The account name ${account} is taken.`);
  for (const [asset, balance] of Object.entries(balances)) {
    const checked = wholeUnits(state, balance, `The first balance of ${asset}`);
    if (!checked.ok) return checked;
  }
  const refusal = refusalOfKeys(state, keys);
  if (refusal !== null) return fail(refusal);
  openAccount(state, { name: account, keys, balances });
  for (const key of keys) addKey(state, account, key);
  return DONE;
}

function refusalOfKeys({ callers }: ExchangeState, keys: readonly PaperKey[]): string | null {
  const names = new Set(keys.map((key) => key.apiKey));
  if (names.size < keys.length) return 'Two of the API keys are the same.';
  return keys.some(({ apiKey }) => callers.has(apiKey)) ? 'One of the API keys exists already.' : null;
}

export function credit(state: ExchangeState, action: ActionOf<'credit'>): Result<OwnerActionAnswer> {
  const { account, asset, amount } = action;
  const given = allOf({ record: knownAccount(state, account), units: wholeUnits(state, amount, 'The amount') });
  if (!given.ok) return given;
  const postings = [{ account, asset, amount: given.value.units }];
  const refusal = unpayable(state, postings);
  if (refusal !== null) return fail(refusal);
  knowAsset(state.backOffice, asset);
  post(state, postings);
  return DONE;
}

/** Locks free money, or frees money locked for the purpose. */
export function lockOrUnlock(state: ExchangeState, action: ActionOf<'lock' | 'unlock'>): Result<OwnerActionAnswer> {
  const { account, asset, purpose } = action;
  const given = allOf({ record: knownAccount(state, account), units: wholeUnits(state, action.amount, 'The amount') });
  if (!given.ok) return given;
  const { units } = given.value;
  const portion = { account, asset, purpose, amount: units };
  if (action.kind === 'lock') {
    const free = freeOf(state, account, asset);
    return setAside(state, portion) ? DONE : fail(shortSentence(state, { account, asset, free, needed: units }));
  }
  const isGiven = pocketBalance(reader(state.engine), portion) >= units && giveBack(state, portion);
  return isGiven ? DONE : fail(`${account} has not locked ${plain(action.amount)} ${asset} for ${purpose}.`);
}

// Changes an asset's published settings: its name, whether it is active, its networks.

/** Changes the published settings only: deposits and trades work as before. */
export function settleAsset(
  state: ExchangeState,
  { asset, name, status, networks }: ActionOf<'asset-settings'>,
): Result<OwnerActionAnswer> {
  const { assets } = state.backOffice;
  const row = assets.get(asset) ?? plainAsset(asset);
  assets.set(asset, {
    asset,
    name: name ?? row.name,
    status: status ?? row.status,
    networks: networks?.map(networkRow) ?? row.networks,
  });
  state.revision += 1;
  return DONE;
}

// Checks of an owner's action before it has any effect: each returns a value or a sentence.

export function knownAccount(state: ExchangeState, account: AccountName): Result<AccountRecord> {
  const record = state.accounts.get(account);
  return record ? ok(record) : fail(`There is no account ${account}.`);
}

export function knownInstrument(state: ExchangeState, symbol: InstrumentSymbol): Result<Instrument> {
  const instrument = reader(state.engine).instrument(symbol);
  return instrument ? ok(instrument) : fail(`The symbol ${symbol} is not traded here.`);
}

/** The moment of an action: now, or a whole millisecond before. */
export function momentOf(state: ExchangeState, at: EpochMs | undefined): Result<EpochMs> {
  if (at === undefined) return ok(state.lastAt);
  const clockNow = clockTime(state, state.lastAt);
  const isPast = Number.isSafeInteger(at) && at >= 0 && at <= clockNow;
  return isPast
    ? ok(at + state.aheadMs)
    : fail(`It can't have happened at ${at}: whole milliseconds since epoch, up to ${clockNow}.`);
}

/** As whole units; `what` begins the sentence. */
export function wholeUnits(state: ExchangeState, amount: Decimal, what: string): Result<Units> {
  const { assetDecimals } = state.settings.engine;
  const units = toUnits(amount, assetDecimals);
  return units === null ? fail(`${what} can't be ${plain(amount)}: at most ${assetDecimals} decimals.`) : ok(units);
}

/** Why recorded accounts can't pay the postings, or `null`. */
export function unpayable(state: ExchangeState, postings: readonly Posting[]): string | null {
  const market = reader(state.engine);
  for (const { account, asset } of postings) {
    if (!state.accounts.has(account)) continue;
    const isSame = (one: Posting) => one.account === account && one.asset === asset;
    const change = postings.filter(isSame).reduce((sum, one) => sum + one.amount, 0n);
    const { free } = market.balance(account, asset);
    if (free + change < 0n) return shortSentence(state, { account, asset, free, needed: -change });
  }
  return null;
}

/** Applies all postings, or returns why none. */
export function pay(state: ExchangeState, postings: readonly Posting[]): string | null {
  return unpayable(state, postings) ?? post(state, postings);
}

export function shortSentence(
  state: ExchangeState,
  { account, asset, free, needed }: Omit<Posting, 'amount'> & Readonly<Record<'free' | 'needed', Units>>,
): string {
  const { assetDecimals } = state.settings.engine;
  const text = (units: Units) => plain(fromUnits(units, assetDecimals));
  return `${account} has ${text(free)} ${asset} free, not ${text(needed)}.`;
}
