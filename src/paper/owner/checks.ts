// What an owner's action must be before anything is done: each check is a value or a sentence.
import { type Decimal, Decimal as Exact, plain } from '../../domain/decimal.ts';
import type { Asset, Instrument, InstrumentSymbol } from '../../domain/instrument.ts';
import { fail, ok, type Result } from '../../domain/result.ts';
import type { EpochMs } from '../../domain/time.ts';
import { fromUnits, toUnits } from '../../matching/conversion.ts';
import { reader } from '../../matching/engine.ts';
import type { AccountName, Posting, Units } from '../../matching/types.ts';
import type { AccountRecord } from '../state/account-record.ts';
import { isAssetText } from '../state/asset-record.ts';
import { clockTime, type ExchangeState } from '../state/state.ts';

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
export function anyUnits(state: ExchangeState, amount: Decimal, what: string): Result<Units> {
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
