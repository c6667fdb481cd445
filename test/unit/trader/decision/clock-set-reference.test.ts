// How old the last good price is, where the clock of this machine was set between two sessions.
import { expect, test } from '@jest/globals';
import { HOUR, MINUTE } from '../../../../src/domain/time.ts';
import { haltOf } from '../../../../src/trader/decision/readiness.ts';
import { marketToChange } from '../../../../src/trader/durable/market.ts';
import { moveReferences } from '../../../../src/trader/observe/recover.ts';
import { marketOf } from '../../../../src/trader/state/state.ts';
import { BTC } from '../desk-settings.ts';
import { type Desk, quotingDesk } from '../trader-kit.ts';

/** The price has moved by 30 % when the bot starts again, `awayMs` later, by a clock that was set by so much. */
function startedAgain(awayMs: number, clockSetMs: number): Desk {
  const desk = quotingDesk();
  desk.run(20_000);
  desk.pass(awayMs);
  desk.shows.books[BTC] = [128_000, 132_000];
  desk.restart(undefined, [], clockSetMs);
  desk.run(2 * MINUTE);
  return desk;
}

test('one of a minute ago tells a jump, though the clock was set ahead by hours', () => {
  expect(haltOf(startedAgain(MINUTE, 0).state(), BTC)?.code).toBe('price');
  expect(haltOf(startedAgain(MINUTE, 2 * HOUR).state(), BTC)?.code).toBe('price');
});

test('one of hours ago tells none, though the clock was set back by as much', () => {
  expect(haltOf(startedAgain(3 * HOUR, 0).state(), BTC)).toBeNull();
  expect(haltOf(startedAgain(3 * HOUR, -3 * HOUR).state(), BTC)).toBeNull();
});

test.each([
  ['one of the session before is as old as it was', -1, 2 * HOUR - 1],
  ['one of the moment at which this one began is by its own clock', 0, 0],
])('%s', (_, at, moved) => {
  const state = quotingDesk().state();
  const { startedAt } = state.session;
  marketToChange(state.durable, BTC).lastReference = { price: '100000', at: startedAt + at };
  marketOf(state, BTC).lastGoodAt = startedAt + at;
  moveReferences(state, 2 * HOUR);
  expect(marketOf(state, BTC).lastGoodAt).toBe(startedAt + moved);
});
