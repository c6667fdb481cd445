// Entries of executions: the strategy's own, the owner's, and the corrections of both.
import type { Decimal } from '../domain/decimal.ts';
import type { Fill } from '../domain/fill.ts';
import type { OrderId, TradeId } from '../domain/ids.ts';
import { type Asset, type InstrumentSymbol, parseSymbol } from '../domain/instrument.ts';
import type { Side } from '../domain/order.ts';
import { fail, ok, type Result } from '../domain/result.ts';
import { type Amount, add, amountOf, amountText, negate } from './amount.ts';
import type { Account, Change, Entry, ExternalAccount } from './ledger.ts';

/** The fill's owner: the strategy; the account's owner, by hand (R7); a simple buy or sell. */
export type FillOrigin = 'strategy' | 'manual' | 'conversion';

export interface FillBooking {
  readonly fill: BookableFill;
  readonly origin: FillOrigin;
}

const COUNTERPART: Readonly<Record<FillOrigin, Account>> = {
  strategy: 'trading',
  manual: 'external:manual',
  conversion: 'external:conversion',
};

/** Whether the ledger accounts for the wallet's balance of an asset. */
export type Keeps = (asset: Asset) => boolean;

/**
 * Books a fill: base and quote against the account of its origin, the commission to `fees` in its own asset, the
 * withheld tax to `tax-withheld`. Amounts of an asset that is not kept go against `opening`.
 */
export function fillEntry({ fill, origin }: FillBooking, keeps: Keeps): Entry {
  const bought: Amount = fill.side === 'buy' ? fill.quantity : negate(fill.quantity);
  const received: Amount = fill.side === 'buy' ? negate(fill.quoteQuantity) : fill.quoteQuantity;
  const counterpart = COUNTERPART[origin];
  const held = (asset: Asset): Account => (keeps(asset) ? 'wallet' : 'opening');
  return [
    ...moved(fill.base, held(fill.base), counterpart, bought),
    ...moved(fill.quote, held(fill.quote), counterpart, received),
    ...moved(fill.commissionAsset, 'fees', held(fill.commissionAsset), fill.commission),
    ...moved(fill.quote, 'tax-withheld', held(fill.quote), fill.tds),
  ];
}

/**
 * Reverses a booked fill and books it again: the same trade id came with other content, or turned out to have another
 * origin. `after: null` reverses only: the venue took the trade back (F50). `keeps` is as of now: an asset not kept at
 * the booking but kept since had moved before, and the correction moves it now.
 */
export function correctionEntry(before: FillBooking, after: FillBooking | null, keeps: Keeps): Entry {
  const reversed = fillEntry(before, keeps).map((change) => ({ ...change, by: negate(change.by) }));
  return [...reversed, ...(after ? fillEntry(after, keeps) : [])];
}

function moved(asset: string, to: Account, from: Account, by: Amount): Change[] {
  return [
    { asset, account: to, by },
    { asset, account: from, by: negate(by) },
  ];
}

// A fill with numbers proved to be exact amounts: safe to book for ledger and profit.

/**
 * The part of a fill that moves money, and its owner. Time and liquidity are excluded: they may be corrected freely.
 */
export interface BookableFill {
  readonly symbol: InstrumentSymbol;
  readonly base: Asset;
  readonly quote: Asset;
  readonly tradeId: TradeId;
  readonly orderId: OrderId;
  readonly side: Side;
  /** Quote per base. */
  readonly price: Amount;
  /** Base. */
  readonly quantity: Amount;
  /**
   * Quote, as the venue states it: this moves the wallet, and may differ from price × quantity by the venue's rounding.
   */
  readonly quoteQuantity: Amount;
  readonly commission: Amount;
  readonly commissionAsset: Asset;
  /** Quote, withheld from the proceeds of a sale. */
  readonly tds: Amount;
}

const NUMBERS = ['price', 'quantity', 'quoteQuantity', 'commission', 'tds'] as const;
type Numbers = Record<(typeof NUMBERS)[number], Amount>;

/**
 * Fails with a sentence if a number is negative, not finite or finer than 10^-18, or the symbol is not `BASE/QUOTE`.
 */
export function bookable(fill: Fill): Result<BookableFill> {
  const assets = parseSymbol(fill.symbol);
  if (!assets) return fail(`Trade ${fill.tradeId}: '${fill.symbol}' is not a symbol.`);
  const numbers: Partial<Numbers> = {};
  for (const name of NUMBERS) {
    const read = exact(fill[name]);
    if (!read.ok) return fail(`Trade ${fill.tradeId} of ${fill.symbol}, ${name}: ${read.error}`);
    numbers[name] = read.value;
  }
  const { tradeId, orderId, symbol, side, commissionAsset } = fill;
  return ok({ symbol, ...assets, tradeId, orderId, side, commissionAsset, ...(numbers as Numbers) });
}

function exact(number: Decimal): Result<Amount> {
  const read = amountOf(number);
  return read.ok && read.value < 0n ? fail(`${amountText(read.value)} is negative.`) : read;
}

// Entries for moves of the wallet without a trade: opening balances, and transfers.

/** The wallet at the first start, per asset: totals, free and locked together. */
export const openingEntry = (totals: ReadonlyMap<Asset, Amount>): Entry =>
  [...totals].flatMap(([asset, total]) => moved(asset, 'wallet', 'opening', total));

interface ExternalFlow {
  readonly account: ExternalAccount;
  readonly asset: Asset;
  /** The wallet's gain (positive) or loss (negative), including the fee. */
  readonly walletChange: Amount;
  /** The venue's fee included in that change, never negative: 11 leave the wallet, 10 arrive, the fee is 1. */
  readonly fee: Amount;
}

/** A deposit, withdrawal, conversion or other movement that is not the strategy's. */
export const externalFlowEntry = ({ account, asset, walletChange, fee }: ExternalFlow): Entry => [
  { asset, account: 'wallet', by: walletChange },
  { asset, account: 'fees', by: fee },
  { asset, account, by: negate(add(walletChange, fee)) },
];
