// Orders of a running bot that the owner, the exchange or a purge ends: gone at the exchange, and known for it.
import { expect, test } from '@jest/globals';
import { createEndings, type Endings } from '../../../../simulation/outside/end-orders.ts';
import { ACCOUNT } from '../../../../simulation/plan/configuration.ts';
import { randomStream } from '../../../../src/crowd/random.ts';
import { type Stage, staged } from '../staged.ts';

/** How many orders of each symbol rest before and after; those that are gone must be known for it, and no others. */
async function ended(act: (endings: Endings) => void): Promise<{ before: string[]; after: string[] }> {
  const seen = { before: [] as string[], after: [] as string[] };
  const play = ({ context: { oracle, exchange, now, settings } }: Stage): void => {
    const open = () => oracle.live().filter(({ orderId }) => exchange().owners.has(orderId));
    const traded = settings.runs.map(({ instrument }) => instrument);
    const endings = createEndings({ account: ACCOUNT, oracle, traded, exchange, now });
    const all = open();
    seen.before = all.map(({ symbol }) => symbol);
    act(endings);
    const left = open();
    seen.after = left.map(({ symbol }) => symbol);
    for (const order of all) expect(order.endedOutside).toBe(!left.includes(order));
  };
  await staged({}, play);
  return seen;
}

const stream = () => randomStream('1', 'test');

test('the owner cancels one of them, and now and then all of a symbol', async () => {
  const { before, after } = await ended((endings) => expect(endings.byOwner(stream())).toBe(true));
  expect(before.length).toBeGreaterThan(2);
  expect(after.length).toBeLessThan(before.length);
  const none = await ended((endings) => {
    const draws = stream();
    for (let i = 0; i < 40; i += 1) endings.byOwner(draws);
    expect(endings.byOwner(draws)).toBe(false);
  });
  expect(none.after).toEqual([]);
});

test('one expires', async () => {
  const { before, after } = await ended((endings) => expect(endings.byExpiry(stream())).toBe(true));
  expect(after).toHaveLength(before.length - 1);
});

test('a purge takes all of one market', async () => {
  const { before, after } = await ended((endings) => endings.purge(stream()));
  expect(new Set(before).size).toBe(2);
  expect(new Set(after).size).toBe(1);
  expect(after).toEqual(before.filter((symbol) => after.includes(symbol)));
});
