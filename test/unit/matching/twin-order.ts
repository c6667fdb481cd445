// An order as the twin keeps it, and as it shows it.
import type { Instrument } from '../../../src/domain/instrument.ts';
import type { Side } from '../../../src/domain/order.ts';
import type { EpochMs } from '../../../src/domain/time.ts';
import type { AccountName, EngineOrder, Lots, Ticks } from '../../../src/matching/types.ts';

/** A whole number of ticks, lots: the twin is handed bad ones too, so nothing is checked here. */
export const ticks = (value: number): Ticks => value as Ticks;
export const lots = (value: number): Lots => value as Lots;

export interface TwinOrder {
  /** Its age. */
  readonly number: bigint;
  /** The number in its id: an older one where it waited outside the book before. */
  readonly name: bigint;
  readonly account: AccountName;
  readonly instrument: Instrument;
  readonly side: Side;
  readonly price: number;
  readonly quantity: number;
  remaining: number;
  readonly createdAt: EpochMs;
}

export const idOf = (order: TwinOrder): string => `1-${order.name}-1`;

/** As the engine shows it. */
export function shown(order: TwinOrder): EngineOrder {
  const { account, instrument, side, createdAt } = order;
  return {
    orderId: idOf(order),
    account,
    symbol: instrument.symbol,
    side,
    price: ticks(order.price),
    quantity: lots(order.quantity),
    remaining: lots(order.remaining),
    createdAt,
  };
}
