// The owner's account and money, apart from transfers: opening, unexplained changes, what is locked and unlocked.
import { type Decimal, Decimal as Exact, plain } from '../../domain/decimal.ts';
import type { Asset, Instrument, InstrumentSymbol } from '../../domain/instrument.ts';
import { fail, ok, type Result } from '../../domain/result.ts';
import type { EpochMs } from '../../domain/time.ts';
import { fromUnits, toUnits } from '../../matching/conversion.ts';
import { reader } from '../../matching/engine.ts';
import type { AccountName, Posting, Units } from '../../matching/types.ts';
import { freeOf, giveBack, post, setAside } from '../engine/engine-step.ts';
import { isFreeName, openAccount } from '../engine/snapshot.ts';
import type { AccountRecord } from '../state/account-record.ts';
import { pocketBalance } from '../state/amounts.ts';
import { isAssetText, knowAsset, networkRow, plainAsset } from '../state/back-office.ts';
import type { ActionOf, OwnerActionAnswer, PaperNetwork } from '../state/owner-actions.ts';
import { changeKeys, type PaperKey } from '../state/settings.ts';
import { clockTime, type ExchangeState } from '../state/state.ts';

export const DONE: Result<OwnerActionAnswer> = ok({ kind: 'done' });

/** With its keys, which last until the exchange is started anew. */
export function openByOwner(state: ExchangeState, action: ActionOf<'open-account'>): Result<OwnerActionAnswer> {
  const { account, keys, balances } = action;
  if (account === '') return fail('An account needs a name.');
  if (!isFreeName(state, account)) return fail(`The account name ${account} is taken.`);
  for (const [asset, balance] of Object.entries(balances)) {
    const checked = [assetText(asset), unitsOrZero(state, balance, `The first balance of ${asset}`)];
    for (const one of checked) if (!one.ok) return one;
  }
  const refusal = refusalOfKeys(state, keys);
  if (refusal !== null) return fail(refusal);
  openAccount(state, { name: account, keys, balances });
  for (const asset of Object.keys(balances)) knowAsset(state.backOffice, asset);
  for (const key of keys) changeKeys(state, { kind: 'add', account, key });
  return DONE;
}

function refusalOfKeys({ callers }: ExchangeState, keys: readonly PaperKey[]): string | null {
  const names = new Set(keys.map((key) => key.apiKey));
  if (names.size < keys.length) return 'Two of the API keys are the same.';
  if (keys.some(({ apiKey, secret }) => apiKey === '' || secret === '')) return 'An API key or its secret is empty.';
  return keys.some(({ apiKey }) => callers.has(apiKey)) ? 'One of the API keys exists already.' : null;
}

export function credit(state: ExchangeState, action: ActionOf<'credit'>): Result<OwnerActionAnswer> {
  const { account, asset, amount } = action;
  const units = anyUnits(state, amount, 'The amount');
  for (const one of [knownAccount(state, account), assetText(asset), units]) if (!one.ok) return one;
  if (!units.ok) return units;
  const postings = [{ account, asset, amount: units.value }];
  const refusal = unpayable(state, postings);
  if (refusal !== null) return fail(refusal);
  knowAsset(state.backOffice, asset);
  post(state, postings);
  return DONE;
}

/** Locks what is free, or gives back what is locked for the purpose. */
export function lockOrUnlock(state: ExchangeState, action: ActionOf<'lock' | 'unlock'>): Result<OwnerActionAnswer> {
  const { account, asset, purpose } = action;
  const units = unitsAboveZero(state, action.amount, 'The amount');
  for (const one of [knownAccount(state, account), assetText(asset)]) if (!one.ok) return one;
  if (!units.ok) return units;
  const portion = { account, asset, purpose, amount: units.value };
  if (action.kind === 'lock') {
    const free = freeOf(state, account, asset);
    return setAside(state, portion) ? DONE : fail(shortSentence(state, { account, asset, free, needed: units.value }));
  }
  const isGiven = pocketBalance(reader(state.engine), portion) >= units.value && giveBack(state, portion);
  return isGiven ? DONE : fail(`${account} has not locked ${plain(action.amount)} ${asset} for ${purpose}.`);
}

// What the exchange says about an asset from now on: its name, whether it is active, its networks.

/** Changes what is said, not what happens: deposits and trades go on as they are told. */
export function settleAsset(
  state: ExchangeState,
  { asset, name, status, networks }: ActionOf<'asset-settings'>,
): Result<OwnerActionAnswer> {
  const known = assetText(asset);
  if (!known.ok) return known;
  const refusal = networks?.map(refusalOf).find((sentence) => sentence !== null);
  if (typeof refusal === 'string') return fail(refusal);
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

function refusalOf({ name, deposit, withdraw }: PaperNetwork): string | null {
  const amounts: readonly (readonly [string, Decimal])[] = [
    ['least deposit', deposit.min],
    ['least withdrawal', withdraw.min],
    ['greatest withdrawal', withdraw.max],
    ['fee', withdraw.fee],
  ];
  for (const [what, amount] of amounts) {
    if (!amount.isFinite() || amount.lt(0)) return `The ${what} of ${name} can't be ${plain(amount)}.`;
  }
  const isCount = Number.isSafeInteger(deposit.confirmations) && deposit.confirmations >= 0;
  return isCount
    ? null
    : `The network ${name} can't need ${deposit.confirmations} confirmations: a whole number, zero or more.`;
}

// What an owner's action must be before anything is done: each check is a value or a sentence.

export function knownAccount(state: ExchangeState, account: AccountName): Result<AccountRecord> {
  const record = state.accounts.get(account);
  return record ? ok(record) : fail(`There is no account ${account}.`);
}

export function assetText(asset: Asset): Result<Asset> {
  return isAssetText(asset)
    ? ok(asset)
    : fail(`${JSON.stringify(asset)} is no asset: 1 to 20 capital letters and digits are.`);
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

/** Most digits before the point: beyond any supply, and short enough for every list. */
const WHOLE_DIGITS_MAX = 30;

/** As whole units; `what` begins the sentence. */
function anyUnits(state: ExchangeState, amount: Decimal, what: string): Result<Units> {
  const { assetDecimals } = state.settings.engine;
  const units = amount.abs().lt(Exact.pow(10, WHOLE_DIGITS_MAX)) ? toUnits(amount, assetDecimals) : null;
  if (units !== null) return ok(units);
  return fail(`${what} can't be ${plain(amount)}: at most ${WHOLE_DIGITS_MAX} digits and ${assetDecimals} decimals.`);
}

export function unitsAboveZero(state: ExchangeState, amount: Decimal, what: string): Result<Units> {
  const units = anyUnits(state, amount, what);
  return units.ok && units.value <= 0n ? fail(`${what} can't be ${plain(amount)}: it must be above zero.`) : units;
}

export function unitsOrZero(state: ExchangeState, amount: Decimal, what: string): Result<Units> {
  const units = anyUnits(state, amount, what);
  return units.ok && units.value < 0n ? fail(`${what} can't be ${plain(amount)}: it must not be negative.`) : units;
}

export function positiveDecimal(value: Decimal, what: string): Result<Decimal> {
  const isPositive = value.isFinite() && value.gt(0) && value.lt(Exact.pow(10, WHOLE_DIGITS_MAX));
  return isPositive ? ok(value) : fail(`${what} can't be ${plain(value)}: it must be above zero.`);
}

/** Why accounts of the exchange's own records can't pay what the postings take from them, or `null`. */
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

interface Shortage {
  readonly account: AccountName;
  readonly asset: Asset;
  readonly free: Units;
  readonly needed: Units;
}

export function shortSentence(state: ExchangeState, { account, asset, free, needed }: Shortage): string {
  const { assetDecimals } = state.settings.engine;
  const text = (units: Units) => plain(fromUnits(units, assetDecimals));
  return `${account} has ${text(free)} ${asset} free, not ${text(needed)}.`;
}
