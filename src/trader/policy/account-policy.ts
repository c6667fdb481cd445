// What depends on who uses the account, as questions with one answer each: `dedicated`, where nobody but the bot does,
// and `shared`, where its owner trades as well. Who asks does not know which of them answers.
import type { Fill } from '../../domain/fill.ts';
import type { OrderId } from '../../domain/ids.ts';
import type { InstrumentSymbol } from '../../domain/instrument.ts';
import type { OpenOrder } from '../../domain/order.ts';
import type { EpochMs } from '../../domain/time.ts';
import type { Intent } from '../durable/intent.ts';
import type { TraderState } from '../state/state.ts';
import type { UnmatchedOrder } from '../state/surfaces.ts';
import type { Turn } from '../state/turn.ts';

/** An order that may be a create's; `row` is null for one that shows only by its fills. */
export interface CandidateOrder {
  readonly orderId: OrderId;
  readonly row: OpenOrder | null;
}

/** All that is known of the fills of an order that no intent owns, and how a list showed it; absent where none did. */
export interface UnmatchedFills {
  readonly orderId: OrderId;
  readonly fills: readonly Fill[];
  readonly listed: UnmatchedOrder | undefined;
}

/** How surely an order is a create's: `possible` alone names none, and keeps another from being the only one. */
export type Match = 'certain' | 'possible' | 'none';

export interface AccountPolicy {
  // Facts.

  /**
   * Whether all orders of a symbol may be canceled at once: nobody else's is among them. Behind the horizon of a create
   * that is a fence: what no list has shown is canceled as well, so absence and a stop rest on it (decision 0009).
   */
  readonly cancelsBySymbol: boolean;
  /**
   * Whether the owner trades on the account. Then what the journal has never heard of may be his, and an order of his
   * may trade with one of the bot's, which moves the quote asset alone, by fees and tax (F51).
   */
  readonly ownerTrades: boolean;
  /**
   * Whether an incomplete list shows which order is a create's. Where others place orders it may leave out the bot's,
   * and show one of theirs that is like it (F39, decision 0015).
   */
  readonly trustsIncompleteLists: boolean;
  /** Whether orders of markets without a run matter: then the list of the whole account is read for one run, too. */
  readonly watchesOtherMarkets: boolean;

  // What is somebody else's.

  /** A list shows an order that is not the bot's; `isNew`: no list of this session has shown it before. */
  noteThirdPartyOrder(turn: Turn, row: OpenOrder, isNew: boolean): void;
  /** A trade was booked that is not the bot's; `what` names it. */
  noteThirdPartyTrade(turn: Turn, what: string): void;
  /** A list of the whole account was read: orders of markets without a run are not the bot's. */
  noteOtherMarkets(turn: Turn, rows: readonly OpenOrder[]): void;

  // Which order is a create's.

  /**
   * Of an order with the values of a create without an answer, or with what the exchange may have made of them, which
   * no list has shown before it: by its time.
   */
  matchOf(state: TraderState, intent: Intent, row: OpenOrder): Match;
  /** Whether fills that may be of a create without an answer are. */
  areFillsOf(state: TraderState, intent: Intent, unmatched: UnmatchedFills): boolean;
  /** Whether a list must show the order of these fills before they are booked; `couldBe`: the creates it may be of. */
  isListAwaited(couldBe: readonly Intent[], fills: readonly Fill[]): boolean;
  /** Asks a person where it is not certain which order is the create's. True where he was asked. */
  askIfAmbiguous(turn: Turn, intent: Intent, candidates: readonly CandidateOrder[]): boolean;
  /**
   * The order `row` has the values of `original`, and may be a second one that the exchange made of it (F11). True
   * where it is taken on as such; else a person was asked. `sentAt`: when the list left.
   */
  takeDuplicate(turn: Turn, original: Intent, listed: { readonly row: OpenOrder; readonly sentAt: EpochMs }): boolean;
  /** Takes on second orders that only their fills show: they may fill before any list shows them. */
  takeFilledDuplicates(turn: Turn, symbol: InstrumentSymbol, fills: readonly Fill[]): void;

  // Absence.

  /**
   * Nothing of the create rests. Asks a person whether trades that are not booked as the bot's are of it: it may have
   * filled, and ended before a list could show it, or beside another one like it. True where he was asked.
   */
  askAboutFills(turn: Turn, intent: Intent): boolean;
  /** Whether he was: no read settles what filled of the create. */
  isAskedAboutFills(state: TraderState, intent: Intent): boolean;
}
