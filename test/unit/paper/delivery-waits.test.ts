// Waiting that ends when the server does.
import { expect, test } from '@jest/globals';
import { Waits } from '../../../src/paper/server/shell.ts';

test('a wait is over after its time, and at once where there is none', async () => {
  const waits = new Waits();
  const late = (): Promise<string> => new Promise((resolve) => setImmediate(resolve, 'late'));
  expect(await Promise.race([waits.wait(0), late()])).toBe(true);
  expect(await Promise.race([waits.wait(-5), late()])).toBe(true);
  const startedAt = performance.now();
  expect(await waits.wait(30)).toBe(true);
  expect(performance.now() - startedAt).toBeGreaterThanOrEqual(29);
});

test('a close ends every wait and all that come after: none of them is over', async () => {
  const waits = new Waits();
  const open = [waits.wait(60_000), waits.wait(60_000)];
  waits.close();
  expect(await Promise.all([...open, waits.wait(60_000), waits.wait(0)])).toEqual([false, false, false, false]);
});
