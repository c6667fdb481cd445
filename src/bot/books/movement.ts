// Movements of money as the books have them: one per record that changed the ledger.
import type { Liquidity } from '../../domain/fill.ts';
import type { IntentId } from '../../domain/ids.ts';
import type { EpochMs } from '../../domain/time.ts';
import type { Amount } from '../../ledger/amount.ts';
import type { BookableFill, FillOrigin } from '../../ledger/fill-entries.ts';
import { ACCOUNTS, type Change } from '../../ledger/ledger.ts';
import type { FlowRecord } from '../../trader/durable/events.ts';
import type { BookEvent } from '../state-folder/book-events.ts';

/** An execution as it is, or was, booked. */
export interface BookedTrade {
  readonly fill: BookableFill;
  /** Its owner: the bot, the owner by hand, or a simple buy or sell. */
  readonly origin: FillOrigin;
  /** Simple buys and sells have ids of their own. */
  readonly list: 'spot' | 'simple';
  readonly liquidity: Liquidity;
  /** For the bot's trades, the intent of the order. */
  readonly intentId: IntentId | null;
  readonly venueTime: EpochMs;
  /** The trusted mid price when it was booked, in quote per base; null if it was not the bot's. */
  readonly mid: Amount | null;
}

/** Owner of an execution, as exports and statements call it. */
export const ORIGINS = { strategy: 'bot', manual: 'owner', conversion: 'simple' } as const satisfies Readonly<
  Record<FillOrigin, string>
>;

/** Unique key of an execution: a self-trade has two rows with one id. */
export const tradeKey = ({ list, fill }: Pick<BookedTrade, 'list' | 'fill'>): string =>
  `${list} ${fill.symbol} ${fill.tradeId.replace(/^0+(?=\d)/, '')} ${fill.side}`;

/** The record's type; for an external flow its kind, and `fill-reversed` if no execution replaces it. */
export type MovementEvent = BookEvent['type'] | FlowRecord['kind'] | 'fill-reversed';

export interface Movement {
  /** The journal record's. A correction is two movements of one record. */
  readonly seq: number;
  /** Set on the movement that takes a booked execution back; its replacement is another movement. */
  readonly takesBack: boolean;
  readonly event: MovementEvent;
  /** When it was booked, by the machine's clock. */
  readonly bookedAt: EpochMs;
  /** When it happened, by the exchange's clock if a list states it; figures of a period go by this. */
  readonly happenedAt: EpochMs;
  /**
   * Change of each account, debits positive; sums to zero per asset. `wallet` is free plus locked, so reserving money
   * for orders is no movement.
   */
  readonly changes: readonly Change[];
  readonly trade: BookedTrade | null;
  /** The exchange's reference of a transfer, an execution's symbol and id, or the reason of a difference. */
  readonly reference: string;
}

const RANK = new Map(ACCOUNTS.map((account, index) => [account, index]));

/** By asset and account, so that the same movement always has the same lines. */
export const inOrder = (changes: readonly Change[]): readonly Change[] =>
  changes.toSorted((a, b) =>
    a.asset === b.asset ? (RANK.get(a.account) ?? 0) - (RANK.get(b.account) ?? 0) : a.asset < b.asset ? -1 : 1,
  );
