// The columns of each export. They are an interface: what stands here stays, and new columns come last.
import type { HoldingLine } from '../../books/holding-lines.ts';
import type { BookedTrade, Movement } from '../../books/movement.ts';
import type { OrderRow } from '../../books/order-rows.ts';
import { type Amount, amountText, NO_AMOUNT, negate } from '../../ledger/amount.ts';
import type { Change } from '../../ledger/entry.ts';
import { changesOfFill } from '../../trader/durable/external-flow.ts';
import { type Column, momentColumns } from './columns.ts';

export interface TradeRow extends Movement {
  readonly trade: BookedTrade;
}

const ORIGINS: Readonly<Record<BookedTrade['origin'], string>> = {
  strategy: 'bot',
  manual: 'owner',
  conversion: 'simple',
};

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
];

/** One asset that moved by no execution. */
export interface FlowRow {
  readonly movement: Movement;
  readonly kind: HoldingLine;
  readonly asset: string;
  readonly walletChange: Amount;
  readonly fee: Amount;
}

export const FLOW_COLUMNS: readonly Column<FlowRow>[] = [
  { name: 'record', cell: ({ movement }) => movement.seq },
  ...momentColumns<FlowRow>('booked_at', ({ movement }) => movement.bookedAt),
  ...momentColumns<FlowRow>('happened_at', ({ movement }) => movement.happenedAt),
  { name: 'event', cell: ({ movement }) => movement.event },
  { name: 'kind', cell: ({ kind }) => kind },
  { name: 'asset', cell: ({ asset }) => asset },
  { name: 'wallet_change', cell: ({ walletChange }) => amountText(walletChange) },
  { name: 'fee', cell: ({ fee }) => amountText(fee) },
  { name: 'reference', cell: ({ movement }) => movement.reference },
];

/** A posting: one account and asset of a transaction. */
export interface LedgerRow {
  readonly movement: Movement;
  readonly change: Change;
}

/** The record; the part of a correction that takes back ends in `r`. */
export const transactionOf = ({ seq, takesBack }: Movement): string => `${seq}${takesBack ? 'r' : ''}`;

export const LEDGER_COLUMNS: readonly Column<LedgerRow>[] = [
  { name: 'transaction', cell: ({ movement }) => transactionOf(movement) },
  ...momentColumns<LedgerRow>('booked_at', ({ movement }) => movement.bookedAt),
  ...momentColumns<LedgerRow>('happened_at', ({ movement }) => movement.happenedAt),
  { name: 'event', cell: ({ movement }) => movement.event },
  { name: 'account', cell: ({ change }) => change.account },
  { name: 'asset', cell: ({ change }) => change.asset },
  { name: 'amount', cell: ({ change }) => amountText(change.by) },
  { name: 'reference', cell: ({ movement }) => movement.reference },
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
];
