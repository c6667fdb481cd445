// B2, of money: balances, fills and profit as they are shown, from the records of the journal alone.
import { Decimal, ZERO } from '../../src/domain/decimal.ts';
import type { AssetView, PnlView, SymbolView } from '../../src/trader/status/snapshot.ts';
import type { BookedFill, JournalModel } from '../checks/journal-model.ts';
import type { Totals } from '../proofs/ledger-totals.ts';
import type { Differs } from './differs.ts';

/** Each part of a profit is shown to eight places. */
const ROUNDED = new Decimal('0.00000002');
const RECENT = 20;

export interface Money {
  readonly totals: Totals;
  readonly reserved: Totals;
  readonly journal: JournalModel;
  /** What the wallet that was last read showed in all; null where that can't be told. */
  readonly wallet: Totals | null;
}

const sum = (amounts: Iterable<Decimal | string | number>): Decimal =>
  [...amounts].reduce<Decimal>((all, each) => all.add(each), ZERO);

export function judgeAsset(view: AssetView, { totals, reserved, journal, wallet }: Money, differs: Differs): void {
  const { asset } = view;
  const total = totals.get(asset) ?? ZERO;
  const what = (name: string): string => `${name} of ${asset}`;
  differs(what('the total'), view.expected, total.toFixed());
  differs(what('what is reserved'), view.reserved, (reserved.get(asset) ?? ZERO).toFixed());
  const trades = [...journal.fills.values(), ...journal.conversions.values()];
  const paid = sum([
    ...trades.filter(({ commissionAsset }) => commissionAsset === asset).map(({ commission }) => commission),
    ...journal.transfers.filter((each) => each.asset === asset).map(({ fee }) => fee),
  ]);
  differs(what('the fees paid'), view.feesPaid, paid.toFixed());
  const withheld = sum(trades.filter(({ symbol }) => symbol.endsWith(`/${asset}`)).map(({ tds }) => tds));
  differs(what('the tax withheld'), view.taxWithheld, withheld.toFixed());
  differs(what('whether a difference'), view.differenceStands, journal.differences.has(asset));
  if (view.differenceHaltsAt !== null && !view.differenceStands) differs(what('the moment of a halt'), 'one', 'none');
  if (view.difference !== null && view.wallet !== null)
    differs(what('the difference'), view.difference, new Decimal(view.wallet).sub(view.expected).toFixed());
  const shown = wallet?.get(asset);
  if (shown !== undefined && view.wallet !== null) differs(what('the wallet'), view.wallet, shown.toFixed());
}

/** `fills` are those of the symbol in the order in which they were booked; null where one was changed since. */
export function judgeFills(view: SymbolView, fills: readonly Taken[] | null, differs: Differs): void {
  if (fills === null) return;
  const ours = fills.filter(({ intentId }) => intentId !== null);
  const takers = ours.filter(({ liquidity }) => liquidity === 'taker');
  const count = (of: readonly Taken[], side: string): number => of.filter((fill) => fill.side === side).length;
  const what = (name: string): string => `the ${name} of ${view.symbol}`;
  differs(what('buys'), view.fills.buys, count(ours, 'buy'));
  differs(what('sells'), view.fills.sells, count(ours, 'sell'));
  differs(what('takers'), view.fills.takers, takers.length);
  differs(what('takers that bought'), view.fills.takerBuys, count(takers, 'buy'));
  const volume = sum(ours.map(({ quoteQuantity }) => quoteQuantity));
  differs(what('volume'), view.fills.quoteVolume, volume.toFixed());
  const recent = fills.slice(-RECENT).toReversed();
  differs(what('number of recent fills'), view.recentFills.length, recent.length);
  for (const [place, fill] of view.recentFills.entries())
    differs(
      what(`recent fill ${place}`),
      wordsOf(fill, fill.ours),
      wordsOf(recent[place], recent[place]?.intentId != null),
    );
}

export interface Taken extends Omit<BookedFill, 'at'> {
  readonly liquidity: string;
  readonly venueTime: number;
}

const WORDS = ['tradeId', 'side', 'price', 'quantity', 'quoteQuantity', 'commission', 'commissionAsset'] as const;
const MORE = ['tds', 'liquidity', 'venueTime'] as const;

const wordsOf = (fill: Partial<Omit<Taken, 'side'> & { readonly side: string }> | undefined, ours: boolean): string =>
  [...[...WORDS, ...MORE].map((name) => String(fill?.[name])), ours ? 'ours' : 'not ours'].join(' ');

/** What a symbol's own fills have made, with what is held at the price that is shown. */
export function judgePnl({ symbol, pnl }: SymbolView, fills: Iterable<BookedFill>, differs: Differs): void {
  const [base, quote] = symbol.split('/');
  const own = [...fills].filter((fill) => fill.intentId !== null && fill.symbol === symbol);
  const feesIn = (asset: string | undefined): Decimal =>
    sum(own.filter(({ commissionAsset }) => commissionAsset === asset).map(({ commission }) => commission));
  const signed = (amount: (fill: BookedFill) => string): Decimal =>
    sum(own.map((fill) => new Decimal(amount(fill)).mul(fill.side === 'buy' ? 1 : -1)));
  const held = signed(({ quantity }) => quantity).sub(feesIn(base));
  const feesInBase = sum(
    own
      .filter(({ commissionAsset }) => commissionAsset === base)
      .map((fill) => new Decimal(fill.commission).mul(fill.price)),
  );
  const fees = feesIn(quote).add(feesInBase);
  const tax = sum(own.map(({ tds }) => tds));
  const what = (name: string): string => `the ${name} of ${symbol}`;
  near(pnl.fees, fees, (so) => differs(what('fees'), pnl.fees, so));
  near(pnl.taxWithheld, tax, (so) => differs(what('tax withheld'), pnl.taxWithheld, so));
  near(pnl.total, sum([pnl.spread, pnl.inventory, `-${pnl.fees}`.replace('--', '')]), (so) =>
    differs(what('parts of the profit'), pnl.total, so),
  );
  if (pnl.taxInTotal) differs(what('tax in the profit'), true, false);
  if (pnl.price === null && !held.isZero()) return;
  const made = signed(({ quoteQuantity }) => quoteQuantity)
    .neg()
    .sub(feesIn(quote))
    .add(held.mul(pnl.price ?? 0));
  near(pnl.total, made, (so) => differs(what('profit'), pnl.total, so));
  judgeOtherFees(pnl, own, { base, quote, differs, what });
}

interface OtherFees {
  readonly base: string | undefined;
  readonly quote: string | undefined;
  readonly differs: Differs;
  readonly what: (name: string) => string;
}

function judgeOtherFees(pnl: PnlView, own: readonly BookedFill[], { base, quote, differs, what }: OtherFees): void {
  const others = own.filter(({ commissionAsset: asset }) => asset !== base && asset !== quote);
  const assets = [...new Set(others.map(({ commissionAsset }) => commissionAsset))];
  differs(what('fees in other assets'), pnl.otherFees.length, assets.length);
}

/** Tells what is so, where it is not what is shown. */
function near(shown: string, so: Decimal, tell: (so: string) => void): void {
  if (so.sub(shown).abs().gt(ROUNDED)) tell(so.toFixed());
}
