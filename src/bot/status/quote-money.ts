// One quote in money: the amount it locks, the amount a fill pays, the price from which a round trip earns, and how
// much.
import { BPS, type Decimal, ONE, plain, shownPlain } from '../../domain/decimal.ts';
import { ceilToTick, type Instrument } from '../../domain/instrument.ts';
import type { Quote } from '../../domain/order.ts';
import { breakEvenAskRatio, lowestAskThatEarns } from '../../quoting/costs.ts';
import type { Costs } from '../../quoting/strategy.ts';
import { inColumns } from '../base/columns.ts';

export interface QuotePlace {
  /** In quote per base. */
  readonly reference: Decimal;
  readonly costs: Costs;
  readonly instrument: Instrument;
}

/** As text; in the quote asset, unless the name says otherwise. */
export interface QuoteInMoney {
  readonly side: Quote['side'];
  readonly level: number;
  readonly price: string;
  readonly quantity: string;
  readonly notional: string;
  readonly distanceBps: string;
  readonly makerFee: string;
  /** Zero for a bid. */
  readonly taxWithheld: string;
  /** The amount that the order locks: quote plus fee for a bid, base for an ask. */
  readonly locks: string;
  /** The nearest price of the other side at which the round trip earns. */
  readonly earnsFrom: string;
  /**
   * Profit of a fill that is reversed at the reference price: the distance, minus half of the round trip's costs, since
   * both sides bear fees and tax alike.
   */
  readonly earns: string;
}

export function quoteInMoney(
  { side, level, price, quantity }: Quote,
  { reference, costs, instrument }: QuotePlace,
): QuoteInMoney {
  const { makerFeeRatio: fee, tdsRatio, effectiveTaxRatio } = costs;
  const trip = { buyFeeRatio: fee, sellFeeRatio: fee, effectiveTaxRatio };
  const notional = price.mul(quantity);
  const isBid = side === 'buy';
  const toReference = (isBid ? reference.sub(price) : price.sub(reference)).mul(quantity);
  const earnsFrom = isBid
    ? lowestAskThatEarns(price, trip, instrument)
    : ceilToTick(price.div(breakEvenAskRatio(trip)), instrument).sub(instrument.tickSize);
  const money = (value: Decimal): string => shownPlain(value, instrument.quote);
  return {
    ...{ side, level, price: plain(price), quantity: plain(quantity) },
    notional: money(notional),
    distanceBps: bps(price.sub(reference).abs().div(reference)),
    makerFee: money(notional.mul(fee)),
    taxWithheld: isBid ? '0' : money(notional.mul(tdsRatio)),
    locks: isBid ? money(notional.mul(ONE.add(fee))) : plain(quantity),
    earnsFrom: plain(earnsFrom),
    earns: money(toReference.sub(notional.mul(fee.add(effectiveTaxRatio.div(2))))),
  };
}

const bps = (ratio: Decimal): string => plain(ratio.mul(BPS).toDecimalPlaces(1));

type Assets = Pick<Instrument, 'base' | 'quote'>;

interface Column {
  readonly title: string;
  /** Left out if a line must fit a terminal after its time and symbol. */
  readonly isWideOnly?: true;
  readonly cell: (quote: QuoteInMoney) => string;
}

const columnsOf = ({ base, quote: asset }: Assets): readonly Column[] => [
  { title: '', cell: ({ side, level }) => `${side === 'buy' ? 'bid' : 'ask'} ${level}` },
  { title: 'price', cell: ({ price }) => price },
  { title: `size ${base}`, cell: ({ quantity }) => quantity },
  { title: asset, isWideOnly: true, cell: ({ notional }) => notional },
  { title: 'bps away', isWideOnly: true, cell: ({ distanceBps }) => distanceBps },
  { title: 'locks', cell: ({ side, locks }) => `${locks} ${side === 'buy' ? asset : base}` },
  { title: 'fee', cell: ({ makerFee }) => makerFee },
  { title: 'tax', cell: ({ taxWithheld }) => taxWithheld },
  { title: 'earns from', cell: ({ earnsFrom }) => earnsFrom },
  { title: 'a fill earns', cell: ({ earns }) => earns },
];

/** The first title, for the names of the rows, is empty. */
export interface MoneyCells {
  readonly titles: readonly string[];
  readonly rows: readonly (readonly string[])[];
}

/** One row per quote; money is in the quote asset. */
export function moneyCells(quotes: readonly QuoteInMoney[], assets: Assets, width: 'wide' | 'narrow'): MoneyCells {
  const columns = columnsOf(assets).filter(({ isWideOnly }) => width === 'wide' || isWideOnly === undefined);
  return {
    titles: columns.map(({ title }) => title),
    rows: quotes.map((quote) => columns.map(({ cell }) => cell(quote))),
  };
}

/** One line per row, in columns. */
export const linesOfCells = ({ titles, rows }: MoneyCells): string[] =>
  inColumns([titles, ...rows], { right: titles.map((_, column) => column) }).map((line) => `  ${line}`.trimEnd());

export const moneyTable = (quotes: readonly QuoteInMoney[], assets: Assets, width: 'wide' | 'narrow'): string[] =>
  linesOfCells(moneyCells(quotes, assets, width));
