// A missing market is looked up again and again; a failed lookup's effect on the others.
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { startVirtualTime, type VirtualTime } from '../../../../src/backtest/virtual-time.ts';
import { watchListing } from '../../../../src/bot/run/venue-check.ts';
import { notReady } from '../../../../src/trader/decision/readiness.ts';
import { marketOf } from '../../../../src/trader/state/state.ts';
import { BTC, deskSettings, ETH } from '../../trader/desk-settings.ts';
import { quotingDesk, START } from '../../trader/trader-kit.ts';

let time: VirtualTime;
beforeEach(() => {
  time = startVirtualTime(START);
});
afterEach(() => time.end());

const listed = (...rows: readonly string[]) => ({ kind: 'read', read: { rows, complete: true } });
const FAILED = { kind: 'failed', fault: { sent: true, reason: 'status', status: 503, detail: 'HTTP 503.' } };

/** A desk of two markets, and the answers to each lookup; the last answer repeats. */
function watched(...answers: readonly [object, ...object[]]) {
  const desk = quotingDesk(deskSettings({ symbols: [BTC, ETH] }));
  const looks: number[] = [];
  const said: string[] = [];
  const watch = watchListing({
    trading: {
      listMarkets: async () => {
        looks.push(time.clock.now() - START);
        return { kind: 'symbols', outcome: answers[looks.length - 1] ?? answers.at(-1) } as never;
      },
      loop: { tell: (input) => desk.tell(input) },
    },
    symbols: [BTC, ETH],
    baseUrl: 'https://x.example',
    clock: time.clock,
    log: { logEvent: ({ op }) => said.push(op) },
  });
  const blocks = (symbol: string): string[] =>
    notReady(desk.state(), marketOf(desk.state(), symbol), desk.now()).map(({ code }) => code);
  return { watch, looks, said, blocks };
}

test('a failed lookup of a missing market keeps no other market from being quoted', async () => {
  const { watch, looks, said, blocks } = watched(listed(BTC), FAILED, FAILED, FAILED, listed(BTC, ETH));
  await time.run(START + 90_000);
  expect(looks.map((at) => Math.round(at / 1_000)).slice(0, 2)).toEqual([0, 60]);
  expect(blocks(ETH)).toContain('unlisted');
  expect(blocks(BTC)).toEqual([]);
  // The exchange has stated its list, and nothing is starting.
  expect(said).toEqual([]);
  await time.run(START + 400_000);
  expect(blocks(ETH)).not.toContain('unlisted');
  expect(looks).toHaveLength(5);
  watch.end();
});

const because = 'Row 2 of 2: it is "ETH/IN?", not a symbol BASE/QUOTE.';
const unreadable = { kind: 'read', read: { rows: [BTC], complete: false, incompleteBecause: because } };

test('a list with an unreadable row lacks no market: it is requested again', async () => {
  const { watch, looks, said, blocks } = watched(unreadable, FAILED, listed(BTC, ETH));
  await time.run(START + 400);
  expect(blocks(ETH)).toEqual(['starting']);
  await time.run(START + 10_000);
  expect(looks).toHaveLength(3);
  expect(said).toEqual(['exchange-awaited', 'exchange-answers']);
  expect(blocks(ETH)).toEqual([]);
  watch.end();
});

test('if that row stays unreadable, the other markets are quoted', async () => {
  const { watch, blocks } = watched(unreadable);
  await time.run(START + 10_000);
  expect(blocks(ETH)).toContain('unlisted');
  expect(blocks(BTC)).toEqual([]);
  watch.end();
});

test('before the exchange has stated its list nothing is quoted, and it is asked again at once', async () => {
  const { watch, looks, said, blocks } = watched(FAILED, FAILED, listed(BTC, ETH));
  await time.run(START + 400);
  expect(blocks(BTC)).toContain('starting');
  await time.run(START + 10_000);
  expect(looks).toHaveLength(3);
  expect(said).toEqual(['exchange-awaited', 'exchange-answers']);
  expect(blocks(BTC)).toEqual([]);
  watch.end();
});
