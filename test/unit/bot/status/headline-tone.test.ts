// The headline becomes no calmer when more quotes are missing.
import { expect, test } from '@jest/globals';
import type { SymbolView } from '../../../../src/trader/status/snapshot.ts';
import { btc, eth, statusFixture } from '../../../browser/status-fixture.ts';

const TONES: readonly string[] = ['good', 'calm', 'warn', 'stop'];
const halted = { state: 'halted', reason: 'Halted: the price jumped.' } as const;
/** No side quoted, with the missing times. */
const gone = (make: typeof btc, buy: number, sell: number): SymbolView =>
  make({ orders: [], noQuote: { buy: null, sell: null }, missingMs: { buy, sell } });

test('a canceled quote makes the headline no calmer, and hides no side that is late', () => {
  const views = (make: typeof btc) => {
    const only = (side: 'buy' | 'sell', ms: number) =>
      make({ orders: btc().orders.filter((each) => each.side === side), missingMs: { buy: ms, sell: ms } });
    const both = [gone(make, 0, 0), gone(make, 0, 18_000), gone(make, 18_000, 0), gone(make, 30_000, 90_000)];
    const late = [only('buy', 18_000), only('sell', 18_000)];
    return [make({ orders: btc().orders }), only('buy', 0), only('sell', 0), ...late, ...both, make(halted)];
  };
  const isLess = (after: SymbolView, before: SymbolView): boolean =>
    (['buy', 'sell'] as const).every((side) => {
      const [now, then] = [after.sides[side], before.sides[side]];
      return now.missingMs >= then.missingMs && (now.state !== 'quoted' || then.state === 'quoted');
    });
  for (const other of views(eth))
    for (const before of views(btc).filter(({ state }) => state === 'quoting'))
      for (const after of views(btc).filter((view) => isLess(view, before))) {
        const [was, is] = [before, after].map((view) => statusFixture({ symbols: [view, other] }).headline);
        expect(TONES.indexOf(is?.tone ?? '')).toBeGreaterThanOrEqual(TONES.indexOf(was?.tone ?? ''));
        const { buy, sell } = other.sides;
        const isLate = other.state === 'quoting' && Math.max(buy.missingMs, sell.missingMs) > 15_000;
        expect([is?.sentence, /ETH\/INR has no \w+ for /.test(is?.sentence ?? '')]).toEqual([is?.sentence, isLate]);
      }
});
