// The owner buys a coin that no run trades, simply and on its market, while the bot runs: both are booked as his, and
// it quotes on (F54, F55).

import { readFileSync } from 'node:fs';
import { afterEach, expect, test } from '@jest/globals';
import { parse } from 'yaml';
import { endProjects, until } from './bot-process.ts';
import { controlledProject } from './controlled-project.ts';

afterEach(endProjects);

test('a coin that no run trades', async () => {
  const { paper } = parse(readFileSync('config/paper.yaml', 'utf8'));
  const markets = [...paper.crowd.markets, { symbol: 'SOL/INR', startPrice: 15_000 }];
  const controlled = await controlledProject({
    'paper.instruments': [{ symbol: 'SOL/INR', tickSize: 0.1, lotSize: 0.01, minNotional: 100 }],
    'paper.crowd.markets': markets,
  });
  const { project } = controlled;
  const bot = await project.readyBot();
  await controlled.quotes();
  const ofSol = { account: 'owner', side: 'buy' };
  const simple = { kind: 'sbs-trade', ...ofSol, coin: 'SOL', price: '15000', quantity: '0.5' };
  await controlled.control('POST', '/owner-actions', simple);
  await until('the simple buy is booked', () => project.log().includes('a simple buy of 0.5 @ 15000 (SOL/INR)'));
  const terms = { type: 'LIMIT', price: '20000' };
  const manual = { kind: 'place-order', ...ofSol, symbol: 'SOL/INR', quantity: '0.2', terms };
  await controlled.control('POST', '/owner-actions', manual);
  await until('the trade is booked', () => /: a buy of [\d.]+ @ [\d.]+ \(SOL\/INR\)/.test(project.log()));
  await until('nothing differs', async () =>
    (await project.status()).trader.symbols.every(({ state }) => state === 'quoting'),
  );
  bot.signal('SIGTERM');
  expect((await bot.ended).code).toBe(0);
  const { orders, totals } = await project.truth();
  expect(orders).toEqual([]);
  const { SOL, ...traded } = totals;
  expect(project.ledger()).toEqual(traded);
  expect(Number(SOL)).toBeGreaterThan(0.69);
  const kinds = project.journalled('external-flow').map(({ kind }) => kind);
  expect(kinds.filter((kind) => kind === 'conversion')).toHaveLength(1);
  expect(kinds).toContain('owner-trade');
  expect(project.log()).not.toContain('"op":"difference"');
});
