// Each symbol's samples in the memory file, and how reports use them.
import { expect, test } from '@jest/globals';
import { createCollector } from '../../../../src/bot/memory/collector.ts';
import { readMemory } from '../../../../src/bot/memory/read-memory.ts';
import { sampleMarkets } from '../../../../src/bot/memory/sample-markets.ts';
import { trustedPrice } from '../../../../src/trader/money/trusted-price.ts';
import { marketOf } from '../../../../src/trader/state/state.ts';
import { takeSnapshot } from '../../../../src/trader/status/snapshot.ts';
import { BTC } from '../../trader/desk-settings.ts';
import { quotingDesk } from '../../trader/trader-kit.ts';
import { KOLKATA } from '../books/books-kit.ts';
import { open } from './memory-kit.ts';

test('the price of a symbol without new books is dated by when it was trusted, not by each sample since', () => {
  const desk = quotingDesk();
  const { memory, file } = open(undefined, desk.now());
  const collector = createCollector(KOLKATA);
  const look = (): void => {
    for (const { symbol, sample } of sampleMarkets(takeSnapshot(desk.state(), desk.now())))
      collector.sample(symbol, sample, desk.now());
  };
  desk.run(5_000);
  look();
  desk.reply = () => null;
  for (let minute = 0; minute < 10; minute += 1) {
    desk.run(60_000);
    look();
  }
  memory.write(collector.take(desk.now()));
  memory.close();
  const reader = readMemory(file);
  const found = reader?.lastPoint(BTC, desk.now());
  reader?.close();
  const trusted = trustedPrice(desk.state(), marketOf(desk.state(), BTC));
  if (trusted === null) throw new Error('nothing was trusted');
  expect(desk.now() - trusted.at).toBeGreaterThan(590_000);
  expect(found?.reference).toBe(trusted.price.toNumber());
  const latestMs = desk.state().settings.ageLimits.bookMs;
  expect((found?.at ?? 0) - trusted.at).toBeLessThanOrEqual(latestMs);
});
