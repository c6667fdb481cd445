// What fails again and again is told at its beginning, once a minute and at its end.
import { expect, test } from '@jest/globals';
import { repeatedNotices } from '../../../../src/bot/run/repeated-notices.ts';
import { intentId } from '../../../../src/domain/ids.ts';
import type { InstrumentSymbol } from '../../../../src/domain/instrument.ts';
import type { Notice } from '../../../../src/trader/state/turn.ts';

const START = Date.UTC(2026, 2, 17, 9, 0, 0);
const failed = (n: number): Notice => ({
  level: 'warn',
  op: 'read-failed',
  message: `The read of wallet failed: ${n}.`,
});

/** What is logged, second by second, when reads fail at these seconds. */
function lines(failures: readonly number[], seconds: number): string[] {
  const repeats = repeatedNotices();
  const said: string[] = [];
  for (let second = 0; second <= seconds; second += 1) {
    const now = START + second * 1_000;
    const taken = failures.includes(second) ? repeats.take(failed(second), now) : null;
    const due = second % 5 === 0 ? repeats.due(now) : [];
    said.push(
      ...[...(taken === null ? [] : [taken]), ...due].map(({ level, message }) => `${second} ${level} ${message}`),
    );
  }
  return said;
}

const every = (seconds: number, until: number): number[] =>
  Array.from({ length: Math.floor(until / seconds) + 1 }, (_, index) => index * seconds);

test('four minutes of failing reads are six lines, not a hundred and twenty-one', () => {
  expect(lines(every(2, 240), 400)).toEqual([
    '0 warn The read of wallet failed: 0.',
    '60 warn 30 more like it in the last minute, 31 since 09:00:00 UTC. The last: The read of wallet failed: 60.',
    '120 warn 30 more like it in the last minute, 61 since 09:00:00 UTC. The last: The read of wallet failed: 120.',
    '180 warn 30 more like it in the last minute, 91 since 09:00:00 UTC. The last: The read of wallet failed: 180.',
    '240 warn 30 more like it in the last minute, 121 since 09:00:00 UTC. The last: The read of wallet failed: 240.',
    '285 info Over (read-failed): 121 in 4 min, the last at 09:04:00 UTC.',
  ]);
});

test('one that fails alone is one line, and the next one later is one again', () => {
  expect(lines([0, 100], 200)).toHaveLength(2);
});

test('of any other kind ten a minute are given as they are, the rest is counted, and then they are given again', () => {
  const repeats = repeatedNotices();
  const foreign = (n: number): Notice => ({ level: 'warn', op: 'stray-order', message: `Order ${n} is not ours.` });
  const given = [];
  for (let n = 0; n < 40_000; n += 1) given.push(repeats.take(foreign(n), START + n));
  expect(given.flatMap((each) => each ?? [])).toEqual(Array.from({ length: 10 }, (_, n) => foreign(n)));
  expect(repeats.due(START + 59_999)).toEqual([]);
  const message = '39990 more like it in the last minute, 40000 since 09:00:00 UTC. The last: Order 39999 is not ours.';
  expect(repeats.due(START + 60_000)).toEqual([{ ...foreign(0), message }]);
  expect(repeats.take(foreign(7), START + 60_001)).toEqual(foreign(7));
  expect(repeats.due(START + 200_000)).toEqual([]);
});

test('what is said of own orders is never cut', () => {
  const repeats = repeatedNotices();
  const closed: Notice = { level: 'info', op: 'closed', message: 'Closed.', intentId: intentId('1-1') };
  const given = Array.from({ length: 50 }, () => repeats.take(closed, START));
  expect([new Set(given), repeats.due(START + 100_000)]).toEqual([new Set([closed]), []]);
});

test('what fails of one market does not hide what fails of another', () => {
  const repeats = repeatedNotices();
  const cut = (symbol: InstrumentSymbol): Notice => ({
    level: 'warn',
    op: 'read-failed',
    symbol,
    message: 'A trade has no price.',
  });
  const first = ['BTC/INR', 'ETH/INR'].map((each) => repeats.take(cut(each), START));
  expect(first.map((notice) => notice?.symbol)).toEqual(['BTC/INR', 'ETH/INR']);
  expect(repeats.take(cut('BTC/INR'), START + 10_000)).toBeNull();
  const over = repeats.due(START + 120_000);
  expect(over).toEqual([
    {
      level: 'info',
      op: 'read-failed',
      symbol: 'BTC/INR',
      message: 'Over (read-failed): 2 in 10 s, the last at 09:00:10 UTC.',
    },
  ]);
});

test('a clock that was set back by an hour hides nothing for an hour', () => {
  const repeats = repeatedNotices();
  repeats.take(failed(0), START);
  const back = START - 3_600_000;
  const said = [0, 2, 60, 61].flatMap((second) => {
    const taken = repeats.take(failed(second), back + second * 1_000);
    return [...(taken === null ? [] : [taken]), ...repeats.due(back + second * 1_000)].map(({ message }) => message);
  });
  expect(said).toEqual([
    'The read of wallet failed: 0.',
    '2 more like it in the last minute, 3 since 08:00:00 UTC. The last: The read of wallet failed: 60.',
  ]);
});
