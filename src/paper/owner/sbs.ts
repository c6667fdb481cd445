// A simple buy or sell of the owner's (specification 2.14): a coin against INR at a price of the exchange's own, no
// order of a book.
import { Decimal, plain } from '../../domain/decimal.ts';
import type { Asset } from '../../domain/instrument.ts';
import { fail, ok, type Result } from '../../domain/result.ts';
import type { EpochMs } from '../../domain/time.ts';
import { toUnits } from '../../matching/conversion.ts';
import { FEES_ACCOUNT, TAX_ACCOUNT } from '../../matching/engine.ts';
import type { Posting, Units } from '../../matching/types.ts';
import { post } from '../engine/pockets.ts';
import { recordTrade, type SbsRow } from '../state/account-record.ts';
import { unitsText } from '../state/amounts.ts';
import { FIAT } from '../state/asset-record.ts';
import { knowAsset } from '../state/back-office.ts';
import type { ActionOf, OwnerActionAnswer } from '../state/owner-action-types.ts';
import { type ExchangeState, ownTime } from '../state/state.ts';
import {
  assetText,
  knownAccount,
  momentOf,
  positiveDecimal,
  unitsAboveZero,
  unitsOrZero,
  unpayable,
} from './checks.ts';

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
  const terms = readTerms(state, action);
  if (!terms.ok) return terms;
  const postings = postingsOf(action, terms.value);
  const refusal = unpayable(state, postings) ?? post(state, postings);
  if (refusal !== null) return fail(refusal);
  const row = rowOf(state, action, terms.value);
  state.backOffice.nextSbsNumber += 1n;
  knowAsset(state.backOffice, action.coin);
  recordTrade(record.value.sbsTrades, { row, at: terms.value.at });
  return ok({ kind: 'sbs-trade', tradeId: row.id });
}

function readTerms(state: ExchangeState, action: SbsAction): Result<Terms> {
  const { coin, price, commissionIn } = action;
  const asset = coin === FIAT ? fail(`${FIAT} can't be bought for ${FIAT}.`) : assetText(coin);
  if (!asset.ok) return asset;
  const perCoin = positiveDecimal(price, 'The price');
  if (!perCoin.ok) return perCoin;
  const bought = unitsAboveZero(state, action.quantity, 'The quantity');
  if (!bought.ok) return bought;
  const { assetDecimals } = state.settings.engine;
  const exact = price.mul(action.quantity).toDecimalPlaces(assetDecimals, Decimal.ROUND_HALF_UP);
  const notional = toUnits(exact, assetDecimals);
  if (notional === null || notional === 0n)
    return fail(`${plain(action.quantity)} ${coin} at ${plain(price)} is nothing.`);
  const commission = unitsOrZero(state, action.commission, 'The commission');
  if (!commission.ok) return commission;
  const tds = unitsOrZero(state, action.tds, 'The tds');
  if (!tds.ok) return tds;
  const at = momentOf(state, action.at);
  if (!at.ok) return at;
  const commissionAsset = commissionIn === 'coin' ? coin : FIAT;
  const values = { bought: bought.value, notional, commission: commission.value, tds: tds.value, at: at.value };
  return ok({ ...values, commissionAsset });
}

/** The coin and its price come from outside or go there; commission and tax stay with the exchange. */
function postingsOf({ account, coin, side }: SbsAction, terms: Terms): readonly Posting[] {
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
