// Why a bot ends: page and last status give the real reason.
import { describe, expect, test } from '@jest/globals';
import { type Ending, HAS_FAILED, whyItEnds } from '../../../../src/bot/status/headline.ts';
import { statusFixture } from '../../../browser/status-fixture.ts';

const goesOn = { because: null, leftMs: null, isBroken: false };
const MOVED: Ending = { because: 'The journal was moved away.', leftMs: null };
const TAKES = 'The stop takes 42 s more at most.';

describe('why it ends', () => {
  test.each([
    ['nothing, while it runs', { phase: 'running', latched: null }, goesOn, null],
    ['a person', { phase: 'stopping', latched: null }, goesOn, 'The bot was told to stop.'],
    [
      'a person, and how long the stop may take',
      { phase: 'stopping', latched: null },
      { ...goesOn, leftMs: (): number => 42_000 },
      `The bot was told to stop. ${TAKES}`,
    ],
    [
      'the latch, and how long the stop may take',
      { phase: 'stopping', latched: 'Somebody' },
      { ...goesOn, leftMs: (): number => 42_000 },
      `Somebody. ${TAKES}`,
    ],
    [
      'a person, once it has stopped',
      { phase: 'stopped', latched: null },
      { ...goesOn, leftMs: (): number => 0 },
      'The bot was told to stop.',
    ],
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

  test('a failed bot quotes nothing, whatever its trader showed last', () => {
    const { headline } = statusFixture({}, { stopping: HAS_FAILED });
    expect(headline).toMatchObject({ tone: 'stop', word: 'Failed' });
    expect(headline.sentence).toBe(`${HAS_FAILED} 6 own orders may still rest on the exchange.`);
  });
});
