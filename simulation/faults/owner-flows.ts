// Deposits, withdrawals, simple trades, trades in a market without a run, and rewards of the account's owner: coins and
// INR, with and without a fee or tax, at once or pending for a while.
import { chance, pick, type RandomStream, randomStream, uniform } from '../../src/crowd/random.ts';
import { Decimal, decimal, ZERO } from '../../src/domain/decimal.ts';
import type { Instrument } from '../../src/domain/instrument.ts';
import { type DurationMs, MINUTE } from '../../src/domain/time.ts';
import type { ActionOf, OwnerAction, TransferStatus } from '../../src/paper/state/owner-actions.ts';
import { ELSEWHERE } from '../plan/configuration.ts';
import type { Plan } from '../plan/plan.ts';
import { inQuote } from '../profile/quote-worth.ts';

export interface FlowParts {
  readonly account: string;
  readonly plan: Pick<Plan, 'seed' | 'firstKinds' | 'marketElsewhere'>;
  /** The result's id if it has one; null if it was refused. */
  readonly act: (action: OwnerAction) => string | null;
  /** Trades this much of the coin without a run, on its market. */
  readonly tradeByHand: (side: 'buy' | 'sell', quantity: Decimal) => boolean;
  readonly later: (ms: DurationMs, act: () => void) => void;
}

type SimpleTrade = Pick<ActionOf<'sbs-trade'>, 'coin' | 'side' | 'price' | 'quantity'>;

type Market = Pick<Instrument, 'base' | 'quote'>;

export interface OwnerFlows {
  /** This amount of the market's coin, or of its quote the worth of ten thousand times as many INR. */
  deposit(market: Market, amount: Decimal): boolean;
  /** Withdraws `share` of the coin or of the quote. */
  withdrawal(market: Market, share: (asset: string) => Decimal): boolean;
  /** Or one by hand in a market without a run; or a reward, or dust that is swept away, that no list shows. */
  simpleTrade(trade: SimpleTrade): boolean;
}

const LONGEST_PENDING_MS = 5 * MINUTE;
const FIAT = 'INR';
const INR_PER_COIN = 10_000;
const FEE = { INR: decimal('11.8'), coin: decimal('0.0005') };
const COIN_FEE_RATIO = 0.005;
const TAX_RATIO = 0.01;
/** Share of trades in a coin that no run trades, and the share of these on its market, if there is one. */
const ELSEWHERE_SHARE = 1 / 4;
const BY_HAND_SHARE = 1 / 2;
/** The exchange's decimals. */
const DECIMALS = 8;
/** A pending transfer that fails. */
const FAILED_SHARE = 1 / 8;

interface Terms {
  readonly account: string;
  readonly amount: Decimal;
  readonly fee: Decimal;
  readonly status: TransferStatus;
}

interface Flows extends FlowParts {
  readonly forms: RandomStream;
  readonly elsewhere: RandomStream;
  readonly byHand: RandomStream;
}

export function createOwnerFlows(parts: FlowParts): OwnerFlows {
  const { seed } = parts.plan;
  const flows: Flows = {
    ...parts,
    forms: randomStream(seed, 'owner.flows'),
    elsewhere: randomStream(seed, 'owner.elsewhere'),
    byHand: randomStream(seed, 'owner.elsewhere-by-hand'),
  };
  return {
    deposit({ base, quote }, amount) {
      if (!isDrawn(flows, 1 / 3)) return begin(flows, { fee: FEE.coin, amount }, (terms) => depositOf(base, terms));
      const inFiat = { fee: inQuote(FEE.INR, quote), amount: inQuote(amount.mul(INR_PER_COIN), quote) };
      return begin(flows, inFiat, (terms) => depositOf(quote, terms));
    },
    withdrawal({ base, quote }, share) {
      return isDrawn(flows, 1 / 2)
        ? begin(flows, { fee: FEE.coin, amount: share(base) }, (terms) => withdrawalOf(base, terms))
        : begin(flows, { fee: inQuote(FEE.INR, quote), amount: share(quote) }, (terms) => withdrawalOf(quote, terms));
    },
    simpleTrade: (trade) => simpleTrade(flows, trade),
  };
}

/** Kinds added later, each with its chance; a kept seed has only the first kinds. */
const isDrawn = (flows: Flows, share: number): boolean => !flows.plan.firstKinds && chance(flows.forms, share);

function begin(
  flows: Flows,
  { fee, amount }: Pick<Terms, 'fee' | 'amount'>,
  actionOf: (terms: Terms) => OwnerAction,
): boolean {
  const isPending = isDrawn(flows, 1 / 2);
  const isCharged = isDrawn(flows, 1 / 2);
  const status = isPending ? 'pending' : 'success';
  const transferId = flows.act(actionOf({ account: flows.account, amount, fee: isCharged ? fee : ZERO, status }));
  if (transferId === null || !isPending) return transferId !== null;
  const outcome = chance(flows.forms, FAILED_SHARE) ? 'failed' : 'success';
  flows.later(Math.ceil(uniform(flows.forms) * LONGEST_PENDING_MS), () =>
    flows.act({ kind: 'end-transfer', transferId, outcome }),
  );
  return true;
}

const ofCoin = (asset: string) => ({
  asset,
  network: 'net',
  transactionHash: null,
  fromAddress: null,
  toAddress: null,
});

const depositOf = (asset: string, terms: Terms): OwnerAction =>
  asset === FIAT ? { kind: 'fiat-deposit', ...terms } : { kind: 'crypto-deposit', ...ofCoin(asset), ...terms };

const withdrawalOf = (asset: string, terms: Terms): OwnerAction =>
  asset === FIAT ? { kind: 'fiat-withdrawal', ...terms } : { kind: 'crypto-withdrawal', ...ofCoin(asset), ...terms };

/** In a coin that no run trades. */
function tradeElsewhere(flows: Flows, side: 'buy' | 'sell'): boolean {
  const { instrument, price } = ELSEWHERE;
  const quantity = instrument.lotSize.mul(1 + pick(flows.elsewhere, 40));
  if (flows.plan.marketElsewhere && chance(flows.byHand, BY_HAND_SHARE)) return flows.tradeByHand(side, quantity);
  const isInCoin = chance(flows.elsewhere, 1 / 3);
  const charged = isInCoin
    ? { commission: quantity.mul(COIN_FEE_RATIO), commissionIn: 'coin' as const }
    : { commission: decimal(10), commissionIn: 'INR' as const };
  const tds = side === 'sell' ? price.mul(quantity).mul(TAX_RATIO) : ZERO;
  const { base: coin } = instrument;
  return (
    flows.act({ kind: 'sbs-trade', account: flows.account, coin, side, price, quantity, ...charged, tds }) !== null
  );
}

function simpleTrade(flows: Flows, trade: SimpleTrade): boolean {
  const { account } = flows;
  const { coin, side, price, quantity } = trade;
  const rounded = (amount: Decimal): Decimal => amount.toDecimalPlaces(DECIMALS, Decimal.ROUND_DOWN);
  if (!flows.plan.firstKinds && chance(flows.elsewhere, ELSEWHERE_SHARE)) return tradeElsewhere(flows, trade.side);
  if (isDrawn(flows, 1 / 5)) {
    const amount = rounded(quantity.mul(uniform(flows.forms)).mul(side === 'buy' ? 1 : -1));
    return flows.act({ kind: 'credit', account, asset: coin, amount }) !== null;
  }
  const isInCoin = isDrawn(flows, 1 / 3);
  const isTaxed = side === 'sell' && isDrawn(flows, 3 / 4);
  return (
    flows.act({
      kind: 'sbs-trade',
      account,
      ...trade,
      commission: isInCoin ? rounded(quantity.mul(COIN_FEE_RATIO)) : decimal(10),
      commissionIn: isInCoin ? 'coin' : 'INR',
      tds: isTaxed ? rounded(price.mul(quantity).mul(TAX_RATIO)) : ZERO,
    }) !== null
  );
}
