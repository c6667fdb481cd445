// Why a symbol or one side has no order: one vocabulary for readiness, halts and the account of lost time. The word
// groups; a sentence next to it gives the exact reason.
import type { Decimal } from '../domain/decimal.ts';
import type { Side } from '../domain/order.ts';
import type { EpochMs } from '../domain/time.ts';

/** With its words for people, used after a number of seconds. The most severe first: it wins if several apply. */
export const BLOCK_WORDS = {
  latched: 'kill latch set',
  stopping: 'stopping',
  'not-alone': "someone else's order or trade on the bot's own account",
  'journal-stale': 'account shows what an old journal does not know',
  'answers-untrue': 'exchange contradicted itself',
  'trades-gap': 'own trades may be missing',
  'repeated-fills': 'one side filled again and again',
  loss: 'loss limit reached',
  paused: 'paused',
  'times-off': "times of the exchange's rows do not fit",
  exchange: 'exchange not answering, or refusing',
  starting: 'starting',
  difference: 'wallet and ledger differ',
  account: 'wallet and trades being checked',
  clock: 'clock of the exchange in doubt',
  book: 'no fresh order book',
  orders: 'list of own orders missing or too old',
  unlisted: 'market not listed',
  price: 'no price that is trusted',
  'order-unknown': 'fate of an order not known',
  locked: 'locked by a protection or a person',
  limits: 'refused by limits',
  inventory: 'inventory at its bound',
  'message-rate': 'own limit of messages reached',
  funds: 'funds too small',
  strategy: 'strategy wants no quote, or failed',
  leaving: 'waiting for room behind leaving orders',
  'off-price': 'orders too far from the price',
  placing: 'order on its way',
  lane: 'waiting for a turn on the lane',
} as const;

export type Block = keyof typeof BLOCK_WORDS;
export const BLOCKS = Object.keys(BLOCK_WORDS) as readonly Block[];

const RANK: ReadonlyMap<Block, number> = new Map(BLOCKS.map((block, index) => [block, index]));
const rankOf = (block: Block): number => RANK.get(block) ?? BLOCKS.length;

export const gravest = (blocks: readonly Block[]): Block | null =>
  blocks.reduce<Block | null>((worst, each) => (worst === null || rankOf(each) < rankOf(worst) ? each : worst), null);

/**
 * Blocks that only a person ends: each can halt a symbol. A bot that runs can be resumed from those that are true:
 * their counts are in the journal, and restart there. All others need a start to find out whose orders are whose, how a
 * create ended, or whether trades are missing. Numbers are those of the limits in docs/risk.md.
 */
export const ENDS_WHILE_RUNNING = {
  'order-unknown': false, // an order may be the bot's, differs from what was sent, or could not be proved in time
  exchange: true, // the exchange refused an order for a reason that repeating it can't change
  'answers-untrue': true, // it denied what it did, changed or took back a trade, or trails by more than is assumed
  price: true, // the price jumped and stayed
  'trades-gap': false,
  'not-alone': false,
  'journal-stale': false,
  'message-rate': true, // 7
  'repeated-fills': true, // 8
  loss: true, // 14
  strategy: false, // the strategy threw, or returned what is no list of quotes
} as const satisfies Partial<Record<Block, boolean>>;

export type HaltCode = keyof typeof ENDS_WHILE_RUNNING;
export const HALT_CODES = Object.keys(ENDS_WHILE_RUNNING) as readonly HaltCode[];

export interface Halt {
  readonly code: HaltCode;
  /** A sentence that carries the values. */
  readonly reason: string;
  /** Together with the code it identifies the halt. */
  readonly since: EpochMs;
  /** Only at a loss limit, with `limits.unwind`: what is traded during the halt. */
  readonly unwind?: Unwind;
}

/** What is left of an unwinding now. */
export interface Unwinding {
  readonly side: Side;
  /** Base to trade, above zero. */
  readonly left: Decimal;
  /** Whether its order may take from the book by now. */
  readonly takes: boolean;
}

/** Trades one side until own fills have brought the inventory (`Pnl.inventory`) there, in base, as text. */
export interface Unwind {
  readonly side: Side;
  readonly until: string;
}
