// A strategy that says it ignores the moment is asked only when the market has changed: then the moment must change
// nothing.

import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import type { QuotingInput } from '../../../src/quoting/pipeline/draft.ts';
import { marginIgnoresNow } from '../../../src/quoting/pipeline/guards.ts';
import { guardedQuotes, roundedQuotes, stepsIgnoreNow } from '../../../src/quoting/pipeline/pipeline.ts';
import type { Strategy } from '../../../src/quoting/strategy.ts';
import { strategy as avellanedaStoikov } from '../../../strategies/avellaneda-stoikov.ts';
import { strategy as carteaJaimungal } from '../../../strategies/cartea-jaimungal.ts';
import { strategy as fixedSpread } from '../../../strategies/fixed-spread.ts';
import { strategy as glft } from '../../../strategies/glft.ts';
import { strategy as joinBest } from '../../../strategies/join-best.ts';
import { strategy as micropricePegged } from '../../../strategies/microprice-pegged.ts';
import { quotingInputs, SEED } from '../quoting/random-market.ts';

const SHIPPED: readonly [string, Strategy, unknown][] = [
  ['fixed-spread', fixedSpread, fixedSpread.params.parse({ levels: 3, orderSize: '200', skewBps: 40 })],
  ['avellaneda-stoikov', avellanedaStoikov, avellanedaStoikov.params.parse({ orderSize: '200' })],
  ['glft', glft, glft.params.parse({ orderSize: '200', levels: 2 })],
  ['cartea-jaimungal', carteaJaimungal, carteaJaimungal.params.parse({ orderSize: '200' })],
  ['microprice-pegged', micropricePegged, micropricePegged.params.parse({ orderSize: '200' })],
  ['join-best', joinBest, joinBest.params.parse({ orderSizeBase: '0.5' })],
];

test.each(SHIPPED)(
  '%s ignores the moment, and so do all steps up to the guards, and the guards where prices do not travel',
  (_name, strategy, params) => {
    expect(strategy.ignoresNow).toBe(true);
    const run = fc.property(quotingInputs, fc.nat(100_000), (input, later) => {
      fc.pre(stepsIgnoreNow(input.settings));
      const memory = strategy.memory?.start(params);
      const now: QuotingInput = { ...input, strategy, params, memory };
      const view = { ...input.view, now: input.view.now + later };
      const rounded = roundedQuotes(now);
      expect(roundedQuotes({ ...now, view })).toEqual({ ...rounded, view });
      if (marginIgnoresNow(input.settings.guard))
        expect(guardedQuotes({ ...rounded, view })).toEqual(guardedQuotes(rounded));
    });
    fc.assert(run, { numRuns: 100, seed: SEED });
  },
);
