// Waiting that ends when the server does.
import { expect, test } from '@jest/globals';
import { Waits } from '../../../src/paper/server-waits.ts';

test('a wait is over after its time, and at once where there is none', async () => {
  const waits = new Waits();
  const startedAt = performance.now();
  expect(await waits.wait(0)).toBe(true);
  expect(await waits.wait(-5)).toBe(true);
  expect(performance.now() - startedAt).toBeLessThan(20);
  expect(await waits.wait(30)).toBe(true);
  expect(performance.now() - startedAt).toBeGreaterThanOrEqual(29);
});

test('a close ends every wait and all that come after: none of them is over', async () => {
  const waits = new Waits();
  const open = [waits.wait(60_000), waits.wait(60_000)];
  waits.close();
  expect(await Promise.all([...open, waits.wait(60_000), waits.wait(0)])).toEqual([false, false, false, false]);
});
