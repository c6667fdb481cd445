// Rows as CSV (RFC 4180) and as JSON from one list of columns, with the same names in both.
import { plainText } from '../../domain/text.ts';
import type { EpochMs } from '../../domain/time.ts';
import { type Amount, amountText, NO_AMOUNT, negate, type Value, valueText } from '../../ledger/amount.ts';
import type { Change } from '../../ledger/ledger.ts';
import { changesOfFill } from '../../trader/durable/external-flow.ts';
import type { HoldingLine } from './holding-lines.ts';
import { type Dates, dayText, yearOfDay } from './local-time.ts';
import type { Disposal } from './lots.ts';
import { type BookedTrade, type Movement, ORIGINS } from './movement.ts';
import type { OrderRow } from './order-rows.ts';
import { incomeOf, lossOf } from './tax.ts';

export type Cell = string | number | null;

export interface Column<Row> {
  /** Documented in docs/statements.md; never renamed. */
  readonly name: string;
  readonly cell: (row: Row, dates: Dates) => Cell;
}

/** The header and one line per row, without line feeds. */
export function* csvLines<Row>(columns: readonly Column<Row>[], rows: Iterable<Row>, dates: Dates): Generator<string> {
  yield columns.map(({ name }) => name).join(',');
  for (const row of rows) yield columns.map(({ cell }) => csvCell(cell(row, dates))).join(',');
}

/** A spreadsheet would run such text as a formula. */
const FORMULA = /^[=+\-@＝＋－＠]/;
const NUMBER = /^[+-]?\d+(?:\.\d+)?$/;

/** Empty if unknown. */
function csvCell(cell: Cell): string {
  const plain = plainText(cell === null ? '' : String(cell));
  const text = FORMULA.test(plain) && !NUMBER.test(plain) ? `'${plain}` : plain;
  return /[",;]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/** `null` if unknown. */
export const jsonRow = <Row>(columns: readonly Column<Row>[], row: Row, dates: Dates): Readonly<Record<string, Cell>> =>
  Object.fromEntries(columns.map(({ name, cell }) => [name, cell(row, dates)]));

/** A time in two columns: `<name>` in UTC (ISO 8601), `<name>_ms` in milliseconds since 1970. */
export const momentColumns = <Row>(name: string, of: (row: Row) => EpochMs | null): readonly Column<Row>[] => [
  { name, cell: (row) => isoTime(of(row)) },
  { name: `${name}_ms`, cell: of },
];

const isoTime = (at: EpochMs | null): string | null => (at === null ? null : new Date(at).toISOString());

/** A day of the program's time zone, which a spreadsheet reads as a date. */
const dayColumn = <Row>(name: string, of: (row: Row) => EpochMs | null): Column<Row> => ({
  name,
  cell: (row, { calendar }) => {
    const at = of(row);
    return at === null ? null : dayText(calendar.dayOf(at));
  },
});

/** `date` and `year`: the local day, and the financial year that it belongs to. */
export const dateColumns = <Row>(of: (row: Row) => EpochMs | null): readonly Column<Row>[] => [
  dayColumn('date', of),
  {
    name: 'year',
    cell: (row, { calendar, begins }) => {
      const at = of(row);
      return at === null ? null : yearOfDay(calendar.dayOf(at), begins);
    },
  },
];

// Columns of each export. They are an interface: these stay, new ones come last.

export interface TradeRow extends Movement {
  readonly trade: BookedTrade;
}

const signed = ({ takesBack }: TradeRow, amount: Amount): string => amountText(takesBack ? negate(amount) : amount);
const changeOf = (row: TradeRow, asset: string): string =>
  signed(row, changesOfFill(row.trade.fill).get(asset) ?? NO_AMOUNT);

export const TRADE_COLUMNS: readonly Column<TradeRow>[] = [
  { name: 'record', cell: ({ seq }) => seq },
  ...momentColumns<TradeRow>('booked_at', ({ bookedAt }) => bookedAt),
  ...momentColumns<TradeRow>('traded_at', ({ happenedAt }) => happenedAt),
  { name: 'event', cell: ({ event }) => event },
  { name: 'sign', cell: ({ takesBack }) => (takesBack ? -1 : 1) },
  { name: 'origin', cell: ({ trade }) => ORIGINS[trade.origin] },
  { name: 'symbol', cell: ({ trade }) => trade.fill.symbol },
  { name: 'trade_id', cell: ({ trade }) => trade.fill.tradeId },
  { name: 'order_id', cell: ({ trade }) => trade.fill.orderId },
  { name: 'intent_id', cell: ({ trade }) => trade.intentId },
  { name: 'side', cell: ({ trade }) => trade.fill.side },
  { name: 'liquidity', cell: ({ trade }) => trade.liquidity },
  { name: 'price', cell: ({ trade }) => amountText(trade.fill.price) },
  { name: 'quantity', cell: ({ trade }) => amountText(trade.fill.quantity) },
  { name: 'quote_quantity', cell: ({ trade }) => amountText(trade.fill.quoteQuantity) },
  { name: 'commission', cell: ({ trade }) => amountText(trade.fill.commission) },
  { name: 'commission_asset', cell: ({ trade }) => trade.fill.commissionAsset },
  { name: 'tds', cell: ({ trade }) => amountText(trade.fill.tds) },
  { name: 'base_change', cell: (row) => changeOf(row, row.trade.fill.base) },
  { name: 'quote_change', cell: (row) => changeOf(row, row.trade.fill.quote) },
  ...dateColumns<TradeRow>(({ happenedAt }) => happenedAt),
];

/** When and why, of a row about a movement. */
const aboutMovement = <Row extends { readonly movement: Movement }>(): readonly Column<Row>[] => [
  ...momentColumns<Row>('booked_at', ({ movement }) => movement.bookedAt),
  ...momentColumns<Row>('happened_at', ({ movement }) => movement.happenedAt),
  { name: 'event', cell: ({ movement }) => movement.event },
];

/** One asset that changed without an execution. */
export interface FlowRow {
  readonly movement: Movement;
  readonly kind: HoldingLine;
  readonly asset: string;
  readonly walletChange: Amount;
  readonly fee: Amount;
}

export const FLOW_COLUMNS: readonly Column<FlowRow>[] = [
  { name: 'record', cell: ({ movement }) => movement.seq },
  ...aboutMovement<FlowRow>(),
  { name: 'kind', cell: ({ kind }) => kind },
  { name: 'asset', cell: ({ asset }) => asset },
  { name: 'wallet_change', cell: ({ walletChange }) => amountText(walletChange) },
  { name: 'fee', cell: ({ fee }) => amountText(fee) },
  { name: 'reference', cell: ({ movement }) => movement.reference },
  ...dateColumns<FlowRow>(({ movement }) => movement.happenedAt),
];

/** A posting: one account and asset of a transaction. */
export interface LedgerRow {
  readonly movement: Movement;
  readonly change: Change;
}

/** The record's number; the reversing half of a correction ends in `r`. */
export const transactionOf = ({ seq, takesBack }: Movement): string => `${seq}${takesBack ? 'r' : ''}`;

export const LEDGER_COLUMNS: readonly Column<LedgerRow>[] = [
  { name: 'transaction', cell: ({ movement }) => transactionOf(movement) },
  ...aboutMovement<LedgerRow>(),
  { name: 'account', cell: ({ change }) => change.account },
  { name: 'asset', cell: ({ change }) => change.asset },
  { name: 'amount', cell: ({ change }) => amountText(change.by) },
  { name: 'reference', cell: ({ movement }) => movement.reference },
  ...dateColumns<LedgerRow>(({ movement }) => movement.happenedAt),
];

export const ORDER_COLUMNS: readonly Column<OrderRow>[] = [
  { name: 'record', cell: ({ seq }) => seq },
  { name: 'intent_id', cell: ({ intentId }) => intentId },
  { name: 'order_id', cell: ({ orderId }) => orderId },
  { name: 'symbol', cell: ({ symbol }) => symbol },
  { name: 'side', cell: ({ side }) => side },
  { name: 'slot', cell: ({ slot }) => slot },
  { name: 'price', cell: ({ price }) => price },
  { name: 'quantity', cell: ({ quantity }) => quantity },
  { name: 'filled', cell: ({ filled }) => amountText(filled) },
  ...momentColumns<OrderRow>('sent_at', ({ sentAt }) => sentAt),
  { name: 'create_outcome', cell: ({ createOutcome }) => createOutcome },
  ...momentColumns<OrderRow>('cancel_sent_at', ({ cancelSentAt }) => cancelSentAt),
  { name: 'closed_as', cell: ({ closedAs }) => closedAs },
  ...momentColumns<OrderRow>('closed_at', ({ closedAt }) => closedAt),
  { name: 'replaces', cell: ({ replaces }) => replaces },
  { name: 'duplicate_of', cell: ({ duplicateOf }) => duplicateOf },
  { name: 'revision', cell: ({ revision }) => revision },
  ...dateColumns<OrderRow>(({ sentAt }) => sentAt),
];

const exactly = (value: Value | null): string | null => (value === null ? null : valueText(value));

export const LOT_COLUMNS: readonly Column<Disposal>[] = [
  { name: 'record', cell: ({ seq }) => seq },
  { name: 'acquired_record', cell: ({ acquiredSeq }) => acquiredSeq },
  { name: 'origin', cell: ({ origin }) => ORIGINS[origin] },
  { name: 'symbol', cell: ({ symbol }) => symbol },
  { name: 'asset', cell: ({ asset }) => asset },
  { name: 'quantity', cell: ({ quantity }) => amountText(quantity) },
  { name: 'money', cell: ({ quote }) => quote },
  { name: 'cost', cell: ({ cost }) => exactly(cost) },
  { name: 'consideration', cell: ({ proceeds }) => valueText(proceeds) },
  { name: 'income', cell: (row) => exactly(incomeOf(row)) },
  { name: 'loss', cell: (row) => exactly(lossOf(row)) },
  ...momentColumns<Disposal>('acquired_at', ({ acquiredAt }) => acquiredAt),
  ...momentColumns<Disposal>('transferred_at', ({ at }) => at),
  dayColumn('acquired_date', ({ acquiredAt }) => acquiredAt),
  ...dateColumns<Disposal>(({ at }) => at),
];
