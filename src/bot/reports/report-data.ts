// A report as JSON. Its fields are an interface (docs/reports.md): what stands here stays, and new ones are added.
// Money and quantities are exact decimal text; what the memory knows are numbers.
import type { TradeSum } from '../../books/trade-sums.ts';
import { type Amount, amountText, type Value, valueText } from '../../ledger/amount.ts';
import type { NoticeRow } from '../../memory/batch.ts';
import type { PriceKnown, QuoteReport, Report, SymbolReport } from '../../reports/report.ts';

const orNull = (exact: Value | null): string | null => (exact === null ? null : valueText(exact));
const price = (known: PriceKnown | null): object | null =>
  known && { price: amountText(known.price), at: known.at, from: known.from };

export function reportData(report: Report): object {
  const { period, until, rememberedFrom, symbols, totals, account, flows, holds, notices, isWhole } = report;
  return {
    ...{ period, until, rememberedFrom, whole: isWhole },
    symbols: symbols.map(symbolData),
    totals: totals.map(totalData),
    flows: flows.map(({ asset, line, amount }) => ({ asset, line, amount: amountText(amount) })),
    ...account,
    holds: holds.map(noticeData),
    notices: account.notices,
    messages: notices.map(noticeData),
  };
}

const noticeData = ({ at, level, op, symbol, message }: NoticeRow): object => ({ at, level, op, symbol, message });

function symbolData(report: SymbolReport): object {
  const { symbol, base, quote, trades, buys, sells, profit, prices, inventory, counts, halts, locks } = report;
  return {
    ...{ symbol, base, quote },
    profit: profitData(profit),
    prices: { begin: price(prices.begin), end: price(prices.end) },
    fills: { trades: trades?.trades ?? 0, buys, sells, ...tradedData(trades) },
    inventory: {
      begin: amountText(inventory.begin),
      end: amountText(inventory.end),
      largest: amountText(inventory.largest),
      largestAt: inventory.largestAt,
    },
    watchedMs: counts.watchedMs,
    spread: counts.spread,
    presence: counts.presence,
    markouts: counts.markouts,
    ...{ halts, locks },
  };
}

function profitData(profit: SymbolReport['profit']): object {
  const { spread, inventory, fees, taxWithheld, taxInTotal, total } = profit;
  return {
    spread: valueText(spread),
    inventory: orNull(inventory),
    fees: valueText(fees),
    taxWithheld: valueText(taxWithheld),
    ...{ taxInTotal, total: orNull(total) },
  };
}

function tradedData(trades: TradeSum | null): object {
  const text = (of: (sum: TradeSum) => Amount): string => (trades === null ? '0' : amountText(of(trades)));
  return {
    bought: text((sum) => sum.bought),
    boughtFor: text((sum) => sum.boughtFor),
    sold: text((sum) => sum.sold),
    soldFor: text((sum) => sum.soldFor),
    feesTax: trades === null ? '0' : valueText(trades.feesTax),
    otherFees: (trades?.otherFees ?? []).map(({ asset, amount }) => ({ asset, amount: amountText(amount) })),
  };
}

function totalData({ quote, symbols, trades, volume, profit, equity }: QuoteReport): object {
  const { spread, inventory, fees, taxWithheld, taxInTotal, taxAsCost, total } = profit;
  return {
    ...{ quote, symbols, trades, volume: amountText(volume) },
    profit: {
      spread: valueText(spread),
      inventory: orNull(inventory),
      fees: valueText(fees),
      taxWithheld: valueText(taxWithheld),
      ...{ taxInTotal, taxAsCost: valueText(taxAsCost), total: orNull(total) },
    },
    equity: { begin: orNull(equity.begin), end: orNull(equity.end) },
  };
}
