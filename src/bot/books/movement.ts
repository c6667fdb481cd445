// What moved money, as the books have it: one movement for each record of the journal that the ledger has an entry of.
import type { Liquidity } from '../../domain/fill.ts';
import type { IntentId } from '../../domain/ids.ts';
import type { EpochMs } from '../../domain/time.ts';
import type { Amount } from '../../ledger/amount.ts';
import { ACCOUNTS, type Change } from '../../ledger/entry.ts';
import type { BookableFill, FillOrigin } from '../../ledger/fill-entries.ts';
import type { FlowRecord } from '../../trader/durable/events.ts';
import type { BookEvent } from '../state-folder/book-events.ts';

/** An execution as it is booked, or was. */
export interface BookedTrade {
  readonly fill: BookableFill;
  /** Whose it is: the bot's, the owner's by hand, a simple buy or sell. */
  readonly origin: FillOrigin;
  /** Ids of simple buys and sells are a series of their own. */
  readonly list: 'spot' | 'simple';
  readonly liquidity: Liquidity;
  /** Of the bot's: the intent whose order it was. */
  readonly intentId: IntentId | null;
  readonly venueTime: EpochMs;
  /** What the market was trusted to be worth when it was booked, in quote per base; null where it was not the bot's. */
  readonly mid: Amount | null;
}

/** Whose an execution is, as exports and statements call it. */
export const ORIGINS = { strategy: 'bot', manual: 'owner', conversion: 'simple' } as const satisfies Readonly<
  Record<FillOrigin, string>
>;

/** What names an execution among all others: a trade with ourselves has two rows of one id. */
export const tradeKey = ({ list, fill }: Pick<BookedTrade, 'list' | 'fill'>): string =>
  `${list} ${fill.symbol} ${fill.tradeId.replace(/^0+(?=\d)/, '')} ${fill.side}`;

/** The record's type; of an external flow its kind, and `fill-reversed` where no execution takes the place of one. */
export type MovementEvent = BookEvent['type'] | FlowRecord['kind'] | 'fill-reversed';

export interface Movement {
  /** Of the journal's record. A correction is two movements of one record. */
  readonly seq: number;
  /** Set on the movement that takes a booked execution back; what takes its place is another. */
  readonly takesBack: boolean;
  readonly event: MovementEvent;
  /** When it was booked, by the machine's clock. */
  readonly bookedAt: EpochMs;
  /** When it happened, by the exchange's clock where a list says so: what figures of a period go by. */
  readonly happenedAt: EpochMs;
  /**
   * What it did to each account, debits positive; their sum is zero in each asset. `wallet` is free and locked
   * together: what orders reserve is no movement.
   */
  readonly changes: readonly Change[];
  readonly trade: BookedTrade | null;
  /** What names it: the exchange's reference of a transfer, an execution's symbol and id, why of a difference. */
  readonly reference: string;
}

const RANK = new Map(ACCOUNTS.map((account, index) => [account, index]));

/** By asset and account, so that the same movement always has the same lines. */
export const inOrder = (changes: readonly Change[]): readonly Change[] =>
  changes.toSorted((a, b) =>
    a.asset === b.asset ? (RANK.get(a.account) ?? 0) - (RANK.get(b.account) ?? 0) : a.asset < b.asset ? -1 : 1,
  );
