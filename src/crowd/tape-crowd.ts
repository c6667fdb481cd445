// Recorded markets as a crowd: the recorded book rests around the orders of others, the recorded trades arrive as takers.
import { invariant } from '../domain/invariant.ts';
import type { EpochMs } from '../domain/time.ts';
import type { MarketReader } from '../matching/market-reader.ts';
import type { EngineCommand } from '../matching/types.ts';
import type { EpochUs, Tape, TapeBook } from '../tape/types.ts';
import { mirrorBook } from './mirror-book.ts';
import { replayTrade } from './replay-trade.ts';
import { type Crowd, OPEN_CROWD_ACCOUNTS } from './types.ts';

export interface TapeCrowdSettings {
  /** One per symbol; all share one time line, which begins at the first row of any of them. */
  readonly tapes: readonly Tape[];
  /**
   * When a recorded level shrinks by more than was traded there, this share is taken from ahead of our orders, the rest
   * from behind them (where one part has too little, the other gives more). 0 is the pessimist's bound of fills, 1 the
   * optimist's.
   */
  readonly cancelAheadRatio: number;
}

/** The neutral estimate: a cancel is as likely ahead of us as behind. */
export const NEUTRAL_CANCEL_AHEAD_RATIO = 0.5;

/** Plain data; the tapes themselves stay outside. */
export interface TapeCrowdState {
  readonly startAt: EpochMs;
  /** In the order of the tapes. */
  readonly positions: TapePosition[];
}

interface TapePosition {
  /** The row to be played next. */
  row: number;
  /** The last book that was played, `null` before the first. */
  book: number | null;
}

/**
 * Plays one row per step, as of its own time. After the last row `nextAt` is `null` and the crowd's orders stay where
 * they are. A row is played whether or not the step is late, so a pause of the caller loses nothing.
 *
 * The recorded market does not react to us: what our orders took or absorbed stands there again at the next book.
 */
export function createTapeCrowd(settings: TapeCrowdSettings): Crowd<TapeCrowdState> {
  const { tapes, cancelAheadRatio } = settings;
  const valid = cancelAheadRatio >= 0 && cancelAheadRatio <= 1;
  invariant(valid, () => `cancelAheadRatio is ${cancelAheadRatio}, not a share between 0 and 1.`);
  const firstAt = Math.min(...tapes.filter((tape) => tape.length > 0).map((tape) => tape.timeOf(0)));
  return {
    start: (startAt) => ({ startAt, positions: tapes.map(() => ({ row: 0, book: null })) }),
    nextAt(state) {
      const next = nextTape(tapes, state);
      return next === null ? null : state.startAt + Math.floor((next.at - firstAt) / 1_000);
    },
    step(state, market) {
      const next = nextTape(tapes, state);
      if (next === null) return { state, commands: [] };
      return { state, commands: playRow(next, market, cancelAheadRatio) };
    },
  };
}

interface NextRow {
  readonly tape: Tape;
  readonly position: TapePosition;
  readonly at: EpochUs;
}

/** The tape whose next row is the oldest; the earlier one in the settings where two are as old. */
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
  return row.kind === 'trade'
    ? [...opening, ...replayTrade(market, symbol, row)]
    : [...opening, ...mirrorBook(market, { symbol, book: row, before, cancelAheadRatio })];
}

function bookAt(tape: Tape, index: number | null): TapeBook | null {
  if (index === null) return null;
  const row = tape.row(index);
  return row.kind === 'book' ? row : null;
}
