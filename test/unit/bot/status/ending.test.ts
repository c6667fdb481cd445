// Why a bot ends: what page and last status say is what ended it.
import { describe, expect, test } from '@jest/globals';
import { type Ending, HAS_FAILED, whyItEnds } from '../../../../src/bot/status/ending.ts';
import { statusFixture } from '../../../browser/status-fixture.ts';

const goesOn = { because: null, isBroken: false };
const MOVED: Ending = { because: 'The journal was moved away.' };

describe('why it ends', () => {
  test.each([
    ['nothing, while it runs', { phase: 'running', latched: null }, goesOn, null],
    ['a person', { phase: 'stopping', latched: null }, goesOn, 'The bot was told to stop.'],
    ['what it saw itself', { phase: 'stopped', latched: null }, { ...goesOn, ...MOVED }, MOVED.because],
    ['the latch, whatever else', { phase: 'stopping', latched: 'Somebody.' }, { ...goesOn, ...MOVED }, 'Somebody.'],
    [
      'a failure, whatever the trader shows',
      { phase: 'running', latched: null },
      { ...MOVED, isBroken: true },
      HAS_FAILED,
    ],
  ] as const)('%s', (_what, trader, ending, sentence) => {
    expect(whyItEnds(trader, ending)).toBe(sentence);
  });

  test('a bot that has failed quotes nothing, whatever its trader last showed', () => {
    const { headline } = statusFixture({}, { stopping: HAS_FAILED });
    expect(headline).toMatchObject({ tone: 'stop', word: 'Failed' });
    expect(headline.sentence).toBe(`${HAS_FAILED} 6 own orders may still rest on the exchange.`);
  });
});
