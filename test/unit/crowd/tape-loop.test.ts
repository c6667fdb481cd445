// Recordings that begin again when they end: times go on, and nothing of the market is lost at the seam.
import { describe, expect, test } from '@jest/globals';
import { createTapeCrowd, LOOP_PAUSE_MS } from '../../../src/crowd/tape-crowd.ts';
import { tapeOf } from '../../../src/tape/compact-tape.ts';
import { newEngine, playMarket, refusalsOf, START_AT } from './played-market.ts';
import { ANY_SIZE, book, sideOf, trade } from './played-tape.ts';

const ROWS = [book(10, [[100, 5]], [[102, 4]]), trade(20, 'buy', [102, 4]), book(40, [[99, 1]], [[103, 2]])];
const looping = (rows = ROWS, loop = true) =>
  createTapeCrowd({ tapes: [tapeOf(ANY_SIZE, rows)], cancelAheadRatio: 0.5, loop });

describe('a recording that loops', () => {
  test('begins again a moment after its last row, each row as long after as it was recorded', () => {
    const crowd = looping();
    const played = playMarket(crowd, newEngine([ANY_SIZE]));
    const times: number[] = [];
    for (let row = 0; row < 8; row += 1) {
      times.push((crowd.nextAt(played.state) ?? Number.NaN) - START_AT);
      played.playSteps(1);
    }
    const pass = 30 + LOOP_PAUSE_MS;
    expect(times).toEqual([0, 10, 30, pass, pass + 10, pass + 30, 2 * pass, 2 * pass + 10]);
  });

  test('shows the recorded book again, and the engine refuses nothing', () => {
    const played = playMarket(looping(), newEngine([ANY_SIZE]));
    played.playUntil(START_AT + 30 + LOOP_PAUSE_MS);
    expect([sideOf(played, 'buy')[0], sideOf(played, 'sell')[0]]).toEqual([
      [100, 5],
      [102, 4],
    ]);
    played.playUntil(START_AT + 10 * LOOP_PAUSE_MS);
    expect(refusalsOf(played.events)).toEqual([]);
  });

  test('goes on from the state of one that had ended', () => {
    const once = looping(ROWS, false);
    const played = playMarket(once, newEngine([ANY_SIZE]));
    played.playUntil(START_AT + 1_000_000);
    expect(once.nextAt(played.state)).toBeNull();
    expect(looping().nextAt(played.state)).toBe(START_AT + 30 + LOOP_PAUSE_MS);
  });

  test('without a row has nothing to do', () => {
    const empty = looping([]);
    expect(empty.nextAt(empty.start(START_AT))).toBeNull();
  });
});

test('an exchange that begins at the first row shows the times of the tape, whole milliseconds', () => {
  const rows = [book(0.4, [[100, 5]], [[102, 4]]), trade(7.9, 'buy', [102, 1])];
  const crowd = looping(rows, false);
  const tape = tapeOf(ANY_SIZE, rows);
  const start = Math.floor(tape.timeOf(0) / 1_000);
  const after = crowd.step(crowd.start(start), playMarket(crowd, newEngine([ANY_SIZE])).market, start).state;
  expect(crowd.nextAt(after)).toBe(Math.floor(tape.timeOf(1) / 1_000));
});

test('has the identity of what it plays', () => {
  expect(looping().identity).toBe(looping(ROWS, false).identity);
  expect(looping(ROWS.slice(1)).identity).not.toBe(looping().identity);
});
