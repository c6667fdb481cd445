// A person says that a difference was his own doing: it is booked as external, and quoting begins.
import { expect, test } from '@jest/globals';
import { accepted, BOTH, HOUR, move, told, waitingDesk } from './added-market-kit.ts';

test('an accepted difference excludes a loss an hour later, even if no wallet matched in between', () => {
  const { desk } = waitingDesk();
  move(desk, 'BTC', '-0.3');
  desk.restart(BOTH, [], 0, { acceptDifferences: true });
  desk.run(2 * 60_000);
  expect(accepted(desk)).toEqual(['-0.3 BTC']);
  desk.run(HOUR, 1_000);
  move(desk, 'BTC', '-0.2'); // stolen
  desk.run(10 * 60_000, 500);
  expect(accepted(desk)).toEqual(['-0.3 BTC']);
  expect(told(desk)).toEqual(['BTC']);
});
