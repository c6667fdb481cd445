// Recorded trades in the Tardis column layout (`trades`): timestamp, local_timestamp, side, price, amount.
import { priceCell, quantityCell, type RowFormat, startReading } from './reading.ts';
import { cellError, requireColumn } from './table-file.ts';
import type { TapeReading, TapeSource, TapeTrade } from './types.ts';

interface TradeColumns {
  readonly side: number;
  readonly price: number;
  readonly amount: number;
}

const TRADES: RowFormat<TradeColumns, TapeTrade> = {
  kind: 'trades',
  columns: (header) => ({
    side: requireColumn(header, 'side'),
    price: requireColumn(header, 'price'),
    amount: requireColumn(header, 'amount'),
  }),
  row(row, columns, pass) {
    const takerSide = row.cells[columns.side] ?? '';
    const priceTicks = priceCell(row, columns.price, pass);
    const quantityLots = quantityCell(row, columns.amount, pass);
    switch (takerSide) {
      case 'buy':
      case 'sell':
        return quantityLots === 0 ? null : { kind: 'trade', takerSide, priceTicks, quantityLots };
      case 'unknown':
        pass.counts.unknownSides += 1;
        return null;
      default:
        throw cellError(row, columns.side, `"${takerSide}" is not a taker's side (buy, sell or unknown).`);
    }
  },
};

/** Reads the trades of consecutive files. Walking `rows` throws TapeError. */
export function readTrades(source: TapeSource): TapeReading<TapeTrade> {
  return startReading(source, TRADES);
}
