// A symbol that is priced through two others of the same exchange, as an operator runs it.
import { readFileSync } from 'node:fs';
import { afterEach, expect, test } from '@jest/globals';
import { parse } from 'yaml';
import { endProjects, newProject, type Project, until } from './bot-process.ts';

afterEach(endProjects);

const LEGS = [
  { symbol: 'BTC/USDT', tickSize: '0.01', lotSize: '0.00001', minNotional: '1' },
  { symbol: 'USDT/INR', tickSize: '0.01', lotSize: '0.01', minNotional: '10' },
];

/** One run, BTC/INR, and two more markets of the crowd that nobody quotes. */
function crossProject(legs: readonly string[]): Promise<Project> {
  const { paper } = parse(readFileSync('config/paper.yaml', 'utf8'));
  return newProject({
    'paper.instruments': LEGS,
    'paper.crowd.markets': [
      paper.crowd.markets[0],
      { symbol: 'BTC/USDT', startPrice: 64_000 },
      { symbol: 'USDT/INR', startPrice: 86 },
    ],
    'runs.1': undefined,
    'runs.0.strategy': 'cross-rate',
    'runs.0.params.legs': legs,
  });
}

test('it reads both books, quotes around their product, and says what they add', async () => {
  const project = await crossProject(['BTC/USDT', 'USDT/INR']);
  const bot = await project.readyBot();
  const symbol = async () => (await project.status()).trader.symbols[0];
  await until('it quotes', async () => ((await symbol())?.orders.length ?? 0) === 4);
  const { explain = [], orders = [] } = (await symbol()) ?? {};
  const cross = explain.find(({ name }) => name === 'cross rate');
  expect(cross?.why).toMatch(/^BTC\/USDT and USDT\/INR make this price; crossing both adds [\d.]+ bps to each side\.$/);
  const price = Number(cross?.after);
  expect(price / 5_504_000).toBeCloseTo(1, 1);
  for (const order of orders) expect(Math.abs(Number(order.price) / price - 1)).toBeGreaterThan(0.009);
  bot.signal('SIGTERM');
  expect((await bot.ended).code).toBe(0);
});
