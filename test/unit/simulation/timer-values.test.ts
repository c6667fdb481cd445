// Virtual timers hand on the values behind the delay, as real ones do: HTTP connections of Node set such timers.
import { expect, test } from '@jest/globals';
import { startVirtualTime } from '../../../src/backtest/virtual-time.ts';

test('a timer is called with the values that stand behind its delay', async () => {
  const time = startVirtualTime(1_000);
  try {
    const seen: unknown[] = [];
    setTimeout((...values) => void seen.push(values), 10, 'once', 1);
    const repeated = setInterval((...values) => void seen.push(values), 15, 'again');
    await time.run(1_030);
    clearInterval(repeated);
    expect(seen).toEqual([['once', 1], ['again'], ['again']]);
  } finally {
    time.end();
  }
});
