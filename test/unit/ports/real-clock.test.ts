// The machine's clock does not follow a wall clock that is set back or ahead (F85).
import { afterEach, expect, test } from '@jest/globals';
import FakeTimers from '@sinonjs/fake-timers';
import { realClock } from '../../../src/ports/clock.ts';

let stop: () => void = () => {};
afterEach(() => stop());

test.each([-3_600_000, 3_600_000])('a step of %d ms changes nothing', (step) => {
  const before = realClock.now();
  const wall = FakeTimers.install({ now: before + step, toFake: ['Date'] });
  stop = () => wall.uninstall();
  expect(Math.abs(Date.now() - before - step)).toBeLessThan(60_000);
  expect(Math.abs(realClock.now() - before)).toBeLessThan(60_000);
});

test('it tells whole milliseconds, and begins with the time of the wall', () => {
  expect(Number.isInteger(realClock.now())).toBe(true);
  expect(Math.abs(realClock.now() - Date.now())).toBeLessThan(60_000);
});
