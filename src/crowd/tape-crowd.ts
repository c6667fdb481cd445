// Recorded markets as a crowd: the recorded book rests around others' orders, the recorded trades arrive as takers.
import type { InstrumentSymbol } from '../domain/instrument.ts';
import { invariant } from '../domain/invariant.ts';
import { opposite, type Side } from '../domain/order.ts';
import type { DurationMs, EpochMs } from '../domain/time.ts';
import type { CreateCommand, EngineCommand, EngineOrder, Lots, MarketReader, Ticks } from '../matching/types.ts';
import type { EpochUs, PlayedSpan, Tape, TapeBook, TapeTrade } from '../tape/types.ts';
import { cancelOf, isCrowds, isOthers, mirrorBook, quantityOf } from './mirror-book.ts';
import { CROWD_ACCOUNT, CROWD_TAKER_ACCOUNT, type Crowd, OPEN_CROWD_ACCOUNTS } from './types.ts';

interface TapeCrowdSettings {
  /** One per symbol; all share one time line, which begins at their earliest row. */
  readonly tapes: readonly Tape[];
  /**
   * When a recorded level shrinks by more than was traded there, this share is taken from ahead of our orders, the rest
   * from behind them (where one part has too little, the other gives more). Of a level that becomes visible with our
   * orders in it, this share came after them. 0 is the pessimist's bound of fills, 1 the optimist's.
   */
  readonly cancelAheadRatio: number;
  /** Whether the tapes repeat after the last row of all; each row keeps its distance from the start. */
  readonly loop: boolean;
}

/** Between the last row and the first one of the next pass. */
export const LOOP_PAUSE_MS: DurationMs = 1_000;

/** Plain data; the tapes themselves stay outside. */
export interface TapeCrowdState {
  /** When this pass began. */
  readonly startAt: EpochMs;
  /** In the order of the tapes. */
  readonly positions: TapePosition[];
}

interface TapePosition {
  /** The next row to play. */
  row: number;
  /** The last book played, `null` before the first. */
  book: number | null;
}

/**
 * Plays one row per step, as of its own time. After the last row `nextAt` is `null` and the crowd's orders stay where
 * they are, or the tapes begin again. A row is played whether or not the step is late, so a pause of the caller loses
 * nothing.
 *
 * The recorded market does not react to us: quantity that our orders took or absorbed is back with the next book.
 */
export function createTapeCrowd(settings: TapeCrowdSettings): Crowd<TapeCrowdState> {
  const { tapes, cancelAheadRatio } = settings;
  const valid = cancelAheadRatio >= 0 && cancelAheadRatio <= 1;
  invariant(valid, () => `cancelAheadRatio is ${cancelAheadRatio}, not a share between 0 and 1.`);
  const span = spanOf(tapes);
  const loops = settings.loop && span !== null;
  const passMs = span === null ? 0 : span.lastAt - span.firstAt + LOOP_PAUSE_MS;
  /** At the end of a pass the next one, if there is one. */
  const current = (state: TapeCrowdState): TapeCrowdState =>
    loops && nextTape(tapes, state) === null ? nextPass(state, passMs) : state;
  return {
    identity: tapes.map(identityOf).join('; '),
    start: (startAt) => ({ startAt, positions: tapes.map(() => ({ row: 0, book: null })) }),
    nextAt(before) {
      const state = current(before);
      const next = nextTape(tapes, state);
      // In whole milliseconds of the tape, so that an exchange that begins at its first row shows the exact recorded
      // times.
      return next === null || span === null ? null : state.startAt + wholeMs(next.at) - span.firstAt;
    },
    step(before, market) {
      const state = current(before);
      const next = nextTape(tapes, state);
      if (next === null) return { state, commands: [] };
      return { state, commands: playRow(next, market, cancelAheadRatio) };
    },
  };
}

/** First and last moment of all tapes; `null` without rows. */
export function spanOf(tapes: readonly Tape[]): PlayedSpan | null {
  const played = tapes.filter((tape) => tape.length > 0);
  if (played.length === 0) return null;
  return {
    firstAt: wholeMs(Math.min(...played.map((tape) => tape.timeOf(0)))),
    lastAt: wholeMs(Math.max(...played.map((tape) => tape.timeOf(tape.length - 1)))),
  };
}

const wholeMs = (at: EpochUs): EpochMs => Math.floor(at / 1_000);

function identityOf({ instrument, length, timeOf }: Tape): string {
  const times = length === 0 ? '' : ` from ${timeOf(0)} to ${timeOf(length - 1)}`;
  return `${instrument.symbol}: ${length} rows${times}`;
}

/** The last book is kept: the first one of the next pass is mirrored as its successor. */
function nextPass({ startAt, positions }: TapeCrowdState, passMs: DurationMs): TapeCrowdState {
  return { startAt: startAt + passMs, positions: positions.map((position) => ({ ...position, row: 0 })) };
}

interface NextRow {
  readonly tape: Tape;
  readonly position: TapePosition;
  readonly at: EpochUs;
}

/** The tape whose next row is the oldest; on a tie the earlier one in the settings. */
function nextTape(tapes: readonly Tape[], state: TapeCrowdState): NextRow | null {
  let next: NextRow | null = null;
  for (const [index, tape] of tapes.entries()) {
    const position = state.positions[index];
    if (position === undefined || position.row >= tape.length) continue;
    const at = tape.timeOf(position.row);
    if (next === null || at < next.at) next = { tape, position, at };
  }
  return next;
}

/** Writes the new position. */
function playRow(
  { tape, position }: NextRow,
  market: MarketReader,
  cancelAheadRatio: number,
): readonly EngineCommand[] {
  const { symbol } = tape.instrument;
  const index = position.row;
  const row = tape.row(index);
  const before = bookAt(tape, position.book);
  position.row = index + 1;
  if (row.kind === 'book') position.book = index;
  const opening = index === 0 ? OPEN_CROWD_ACCOUNTS : [];
  const commands =
    row.kind === 'trade'
      ? replayTrade(market, symbol, row)
      : mirrorBook(market, { symbol, book: row, before, cancelAheadRatio });
  return [...opening, ...commands];
}

function bookAt(tape: Tape, index: number | null): TapeBook | null {
  if (index === null) return null;
  const row = tape.row(index);
  return row.kind === 'book' ? row : null;
}

// Sends a recorded trade into the engine as its taker.

/**
 * Commands that trade the whole recorded quantity. The taker meets better prices first and then the queue at its own
 * price in order of priority, our orders included. A trade proves that no other order rested at a better price, on
 * either side, so the crowd's orders there are canceled first. It also proves a maker at its price, who supplies the
 * quantity missing there: first against others' orders in the way, as when a recorded book moves through them, then
 * behind everyone at that price.
 */
function replayTrade(market: MarketReader, symbol: InstrumentSymbol, trade: TapeTrade): readonly EngineCommand[] {
  const { takerSide } = trade;
  const makerSide = opposite(takerSide);
  const price = trade.priceTicks as Ticks;
  const better = ordersUntil(market, { symbol, side: makerSide, isBeyond: (at) => !isBetter(at, price) });
  const inTheWay = ordersUntil(market, { symbol, side: takerSide, isBeyond: (at) => isBetter(at, price) });
  const queue = market.queue(symbol, makerSide, price);
  const commands = [...better, ...inTheWay].filter(isCrowds).map(cancelOf);
  const throughOthers = Math.min(trade.quantityLots, quantityOf(inTheWay.filter(isOthers)));
  const quantity = trade.quantityLots - throughOthers;
  const meets = quantityOf(better.filter(isOthers)) + quantityOf(queue);
  const takes = { kind: 'create', account: CROWD_TAKER_ACCOUNT, symbol, price, immediateOrCancel: true } as const;
  const steps: readonly CreateCommand[] = [
    { ...takes, side: makerSide, quantity: throughOthers as Lots },
    { kind: 'create', account: CROWD_ACCOUNT, symbol, price, side: makerSide, quantity: (quantity - meets) as Lots },
    { ...takes, side: takerSide, quantity: quantity as Lots },
  ];
  return [...commands, ...steps.filter((step) => step.quantity > 0)];

  /** Better for the taker: lower for a buyer, higher for a seller. */
  function isBetter(one: number, other: number): boolean {
    return takerSide === 'buy' ? one < other : one > other;
  }
}

interface Best {
  readonly symbol: InstrumentSymbol;
  readonly side: Side;
  /** Whether a price is out of the range. */
  readonly isBeyond: (price: Ticks) => boolean;
}

/** The resting orders of a side from the best price on. */
function ordersUntil(market: MarketReader, { symbol, side, isBeyond }: Best): EngineOrder[] {
  const best = market.best(symbol, side);
  if (best === undefined || isBeyond(best.price)) return [];
  const orders: EngineOrder[] = [];
  for (const { price } of market.levels(symbol, side, Number.MAX_SAFE_INTEGER)) {
    if (isBeyond(price)) break;
    orders.push(...market.queue(symbol, side, price));
  }
  return orders;
}
