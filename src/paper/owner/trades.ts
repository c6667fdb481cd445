// Trades that change afterward (order-truth F41, F42, F50): undone, corrected, or shown late.
import { Decimal, plain } from '../../domain/decimal.ts';
import type { Asset } from '../../domain/instrument.ts';
import { allOf, fail, ok, type Result } from '../../domain/result.ts';
import type { EpochMs } from '../../domain/time.ts';
import { FEES_ACCOUNT, reader, TAX_ACCOUNT, tradeTerms } from '../../matching/engine.ts';
import type { EngineTrade, Lots, Posting, Ticks, Units } from '../../matching/types.ts';
import { fillRow, instrumentOf } from '../engine/engine-step.ts';
import { type AccountRecord, type KeptFill, recordTrade, type SbsRow } from '../state/account-record.ts';
import { readSteps, unitsText } from '../state/amounts.ts';
import { FIAT, knowAsset } from '../state/back-office.ts';
import type { ActionOf, OwnerActionAnswer } from '../state/owner-actions.ts';
import { type ExchangeState, ownTime } from '../state/state.ts';
import { DONE, knownAccount, momentOf, pay, wholeUnits } from './money.ts';

export function bustTrade(state: ExchangeState, { tradeId }: ActionOf<'bust-trade'>): Result<OwnerActionAnswer> {
  const trade = findTrade(state, tradeId);
  if (!trade.ok) return trade;
  const refusal = pay(state, reversed(postingsOf(state, trade.value)));
  if (refusal !== null) return fail(refusal);
  for (const { fills } of state.accounts.values()) replaceFills(fills, tradeId, () => null);
  return DONE;
}

/** Fee and tax are recomputed for the new price and quantity at the exchange's ratios. */
export function correctTrade(state: ExchangeState, action: ActionOf<'correct-trade'>): Result<OwnerActionAnswer> {
  const found = findTrade(state, action.tradeId);
  if (!found.ok) return found;
  const trade = correctedTrade(state, found.value, action);
  if (!trade.ok) return trade;
  const refusal = pay(state, [...reversed(postingsOf(state, found.value)), ...postingsOf(state, trade.value)]);
  if (refusal !== null) return fail(refusal);
  for (const { fills } of state.accounts.values()) {
    replaceFills(fills, action.tradeId, (fill) => ({
      ...fill,
      row: fillRow(state, trade.value, fill.row.isMaker),
      trade: trade.value,
    }));
  }
  return DONE;
}

function correctedTrade(
  { engine }: ExchangeState,
  trade: EngineTrade,
  action: ActionOf<'correct-trade'>,
): Result<EngineTrade> {
  const { symbol, makerSide } = trade;
  const instrument = instrumentOf(reader(engine), symbol);
  const price = readSteps(plain(action.price), instrument.tickSize);
  const quantity = readSteps(plain(action.quantity), instrument.lotSize);
  if (typeof price !== 'number' || typeof quantity !== 'number') {
    const [tick, lot] = [plain(instrument.tickSize), plain(instrument.lotSize)];
    const given = `${plain(action.quantity)} at ${plain(action.price)}`;
    return fail(`${symbol} can't be traded ${given}: above zero, in steps of ${lot} and ${tick}.`);
  }
  const steps = { price: price as Ticks, quantity: quantity as Lots };
  const { notional, tds, buyerFee, sellerFee } = tradeTerms(engine, { symbol, makerSide, ...steps });
  const [makerFee, takerFee] = makerSide === 'buy' ? [buyerFee, sellerFee] : [sellerFee, buyerFee];
  return ok({ ...trade, ...steps, notional, tds, makerFee, takerFee });
}

export function delayTrade(state: ExchangeState, action: ActionOf<'delay-trade'>): Result<OwnerActionAnswer> {
  const { account, tradeId, forMs } = action;
  const record = knownAccount(state, account);
  if (!record.ok) return record;
  const { fills } = record.value;
  if (!fills.some((fill) => fill.row.id === tradeId)) return fail(`${account} has no trade ${tradeId}.`);
  replaceFills(fills, tradeId, (fill) => ({ ...fill, shownFrom: state.lastAt + forMs }));
  state.revision += 1;
  return DONE;
}

export function delayNextTrades(
  state: ExchangeState,
  action: ActionOf<'delay-next-trades'>,
): Result<OwnerActionAnswer> {
  const { account, count, forMs } = action;
  const record: Result<AccountRecord> = knownAccount(state, account);
  if (!record.ok) return record;
  record.value.nextTrades = count === 0 ? null : { count, forMs };
  state.revision += 1;
  return DONE;
}

/** A trade of any recorded account. */
function findTrade(state: ExchangeState, tradeId: string): Result<EngineTrade> {
  for (const { fills } of state.accounts.values()) {
    const kept = fills.find((fill) => fill.row.id === tradeId);
    if (kept) return ok(kept.trade);
  }
  return fail(`There is no trade ${tradeId} of any account.`);
}

function postingsOf({ engine }: ExchangeState, trade: EngineTrade): readonly Posting[] {
  const { base, quote } = instrumentOf(reader(engine), trade.symbol);
  const { bought } = tradeTerms(engine, trade);
  const { notional, tds, makerAccount, takerAccount, makerFee, takerFee } = trade;
  const [buyer, seller] = trade.makerSide === 'buy' ? [makerAccount, takerAccount] : [takerAccount, makerAccount];
  return [
    { account: buyer, asset: quote, amount: -notional },
    { account: buyer, asset: base, amount: bought },
    { account: seller, asset: base, amount: -bought },
    { account: seller, asset: quote, amount: notional - tds },
    { account: TAX_ACCOUNT, asset: quote, amount: tds },
    { account: makerAccount, asset: makerFee.asset, amount: -makerFee.amount },
    { account: takerAccount, asset: takerFee.asset, amount: -takerFee.amount },
    { account: FEES_ACCOUNT, asset: makerFee.asset, amount: makerFee.amount },
    { account: FEES_ACCOUNT, asset: takerFee.asset, amount: takerFee.amount },
  ];
}

function reversed(postings: readonly Posting[]): readonly Posting[] {
  return postings.map((posting) => ({ ...posting, amount: -posting.amount }));
}

/** Changes the rows of one trade in place; `null` removes a row. */
function replaceFills(fills: KeptFill[], tradeId: string, change: (fill: KeptFill) => KeptFill | null): void {
  for (let index = fills.length - 1; index >= 0; index -= 1) {
    const fill = fills[index];
    if (fill?.row.id !== tradeId) continue;
    const changed = change(fill);
    if (changed === null) fills.splice(index, 1);
    else fills[index] = changed;
  }
}

// A simple buy or sell of the owner (specification 2.14): a coin against INR at the exchange's own price, without an
// order in a book.

type SbsAction = ActionOf<'sbs-trade'>;

interface Terms {
  readonly bought: Units;
  /** Price × quantity, rounded half up to the smallest unit. */
  readonly notional: Units;
  readonly commission: Units;
  readonly commissionAsset: Asset;
  readonly tds: Units;
  readonly at: EpochMs;
}

export function sbsTrade(state: ExchangeState, action: SbsAction): Result<OwnerActionAnswer> {
  const record = knownAccount(state, action.account);
  if (!record.ok) return record;
  const terms = sbsTerms(state, action);
  if (!terms.ok) return terms;
  const refusal = pay(state, sbsPostings(action, terms.value));
  if (refusal !== null) return fail(refusal);
  const row = rowOf(state, action, terms.value);
  state.backOffice.nextSbsNumber += 1n;
  knowAsset(state.backOffice, action.coin);
  recordTrade(record.value.sbsTrades, { row, at: terms.value.at });
  return ok({ kind: 'sbs-trade', tradeId: row.id });
}

function sbsTerms(state: ExchangeState, action: SbsAction): Result<Terms> {
  const { coin, price, quantity, commissionIn } = action;
  if (coin === FIAT) return fail(`${FIAT} can't be bought for ${FIAT}.`);
  const { assetDecimals } = state.settings.engine;
  const exact = price.mul(quantity).toDecimalPlaces(assetDecimals, Decimal.ROUND_HALF_UP);
  return allOf({
    bought: wholeUnits(state, quantity, 'The quantity'),
    notional: exact.isZero()
      ? fail(`${plain(quantity)} ${coin} at ${plain(price)} is nothing.`)
      : wholeUnits(state, exact, 'It'),
    commission: wholeUnits(state, action.commission, 'The commission'),
    commissionAsset: ok(commissionIn === 'coin' ? coin : FIAT),
    tds: wholeUnits(state, action.tds, 'The tds'),
    at: momentOf(state, action.at),
  });
}

/** The coin and its price come from outside or go there; commission and tax stay with the exchange. */
function sbsPostings({ account, coin, side }: SbsAction, terms: Terms): readonly Posting[] {
  const sign = side === 'buy' ? 1n : -1n;
  const { commissionAsset, commission, tds } = terms;
  return [
    { account, asset: coin, amount: sign * terms.bought },
    { account, asset: FIAT, amount: -sign * terms.notional - tds },
    { account: TAX_ACCOUNT, asset: FIAT, amount: tds },
    { account, asset: commissionAsset, amount: -commission },
    { account: FEES_ACCOUNT, asset: commissionAsset, amount: commission },
  ];
}

function rowOf(state: ExchangeState, { coin, side, price, quantity }: SbsAction, terms: Terms): SbsRow {
  const text = (units: Units) => unitsText(units, state.settings.engine.assetDecimals);
  return {
    symbol: `${coin}/${FIAT}`,
    id: state.backOffice.nextSbsNumber.toString(),
    price: plain(price),
    qty: plain(quantity),
    quoteQty: text(terms.notional),
    commission: text(terms.commission),
    commissionAsset: terms.commissionAsset,
    tds: text(terms.tds),
    time: ownTime(state, terms.at),
    isBuyer: side === 'buy',
    isMaker: false,
  };
}
