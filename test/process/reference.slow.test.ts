// A bot that quotes around the price of another exchange, as an operator runs it: it follows that price, takes its
// quotes away when it is not known.
import { mkdirSync, symlinkSync } from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { type BinanceServer, startBinance } from '../unit/reference/binance-server.ts';
import { endProjects, newProject, type Project, until } from './bot-process.ts';
import { findCcxtFolder } from './tools.ts';

const folder = findCcxtFolder('a bot that quotes around the price of another exchange');
const withCcxt = folder === null ? test.skip : test;

let binance: BinanceServer;
beforeEach(async () => {
  binance = await startBinance();
});
afterEach(async () => {
  await endProjects();
  await binance.close();
});

function configure(project: Project, exchange: string): void {
  mkdirSync(path.join(project.folder, 'state'), { recursive: true });
  symlinkSync(folder ?? '', path.join(project.folder, 'state/packages'));
  project.configure({
    'runs.0.referenceSource': 'external',
    reference: {
      pollMs: 200,
      baseUrls: { [exchange]: binance.url },
      symbols: [
        {
          symbol: 'BTC/INR',
          sources: [{ exchange, symbol: 'BTC/USDT', rates: [{ kind: 'fixed', symbol: 'USDT/INR', price: 92 }] }],
        },
      ],
    },
  });
}

describe('with it', () => {
  withCcxt('an exchange that it does not know ends the start', async () => {
    const project = await newProject();
    configure(project, 'bynance');
    const { code, out, err } = await project.command('run');
    expect({ code, said: out + err }).toEqual({
      code: 78,
      said: expect.stringMatching(/reference: ccxt [\d.]+ does not know bynance, or not by this name\./),
    });
  });

  withCcxt('a bot follows the price, and takes its quotes away when it hears nothing', async () => {
    const project = await newProject();
    // 5,520,092 INR; the crowd of the paper exchange begins at 5,500,000.
    binance.quotes.set('BTCUSDT', { bid: '60000', ask: '60002', bidSize: '1', askSize: '1' });
    configure(project, 'binance');
    const bot = await project.readyBot();
    const symbol = async () => (await project.status()).trader.symbols[0];
    await until('it quotes around it', async () => {
      const { referencePrice, orders = [], external } = (await symbol()) ?? {};
      if (referencePrice !== '5520092' || orders.length === 0) return false;
      // No wider: an answer that is late makes them so for as long.
      return external?.price === '5520092' && external.why === null && external.widenBps === 0;
    });
    binance.quotes.set('BTCUSDT', { bid: '60100', ask: '60102', bidSize: '1', askSize: '1' });
    await until('it follows', async () => (await symbol())?.referencePrice === '5529292');
    binance.fault = 'hang';
    await until('it says why it stops', async () =>
      (await symbol())?.reason?.startsWith('There is no external price: 0 of 1 external sources are fresh'),
    );
    await until('its quotes are gone', async () => (await symbol())?.orders.length === 0);
    binance.fault = 'none';
    await until('it quotes again', async () => ((await symbol())?.orders.length ?? 0) > 0);
    bot.signal('SIGTERM');
    const { code } = await bot.ended;
    expect(code).toBe(0);
    const asked = binance.asked.length;
    await new Promise((resolve) => setTimeout(resolve, 500));
    expect(binance.asked).toHaveLength(asked);
  });
});
