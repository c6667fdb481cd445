import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import {
  isProved,
  movedBy,
  NOTHING_KNOWN,
  type OffsetBelief,
  type OffsetSample,
  PLAUSIBLE,
  weigh,
} from '../../../src/client/times/offset-belief.ts';

const OPEN = Number.POSITIVE_INFINITY;
/** `22+`: at least 22; `20..23`: between; `=22`: exactly; `!` at the end: firm. */
function sampleOf(text: string): OffsetSample {
  const firm = text.endsWith('!');
  const plain = text.replace('!', '');
  if (plain.startsWith('=')) return { least: Number(plain.slice(1)), most: Number(plain.slice(1)), firm };
  if (plain.endsWith('+')) return { least: Number(plain.slice(0, -1)), most: OPEN, firm };
  const [least = '', most = ''] = plain.split('..');
  return { least: Number(least), most: Number(most), firm };
}

const shown = ({ range, samples, misfits }: OffsetBelief): string => {
  const known = range.least === range.most ? `=${range.least}` : `${range.least}..${range.most}`;
  return `${known.replace('-48..56', '?').replace('..56', '+')} (${samples} fit, ${misfits} do not)`;
};

/** What is believed after the samples, and how often that contradicted what was believed before. */
function believedAfter(samples: string): string {
  let belief = NOTHING_KNOWN;
  let contradictions = 0;
  for (const text of samples.split(' ').filter((word) => word !== '')) {
    const weighed = weigh(belief, sampleOf(text));
    belief = weighed.belief;
    contradictions += weighed.contradicted ? 1 : 0;
  }
  return `${shown(belief)}${contradictions > 0 ? `, contradicted ${contradictions}` : ''}`;
}

describe.each<[string, readonly (readonly [string, string])[]]>([
  [
    'samples that fit narrow the range',
    [
      ['', '? (0 fit, 0 do not)'],
      ['22+', '22+ (1 fit, 0 do not)'],
      ['10+ 22+ 15+', '22+ (2 fit, 0 do not)'],
      ['22+ 20..22', '=22 (2 fit, 0 do not)'],
      ['=22 =22 22+', '=22 (3 fit, 0 do not)'],
      ['=22 3+ -40+', '=22 (1 fit, 0 do not)'],
      ['-96+', '? (0 fit, 0 do not)'],
      ['0..300', '0+ (1 fit, 0 do not)'],
    ],
  ],
  [
    'one that fits nothing, or no zone, counts against what is believed and for nothing',
    [
      ['0+ 2..1', '0+ (1 fit, 1 do not)'],
      ['0+ 2..1 2..1 2..1 2..1', '0+ (1 fit, 4 do not)'],
      ['57+ 300+', '? (0 fit, 2 do not)'],
      ['=22 =22 =22 100+ =22', '=22 (4 fit, 0 do not)'],
    ],
  ],
  [
    'less than an hour behind is a late row, however often',
    [
      ['=-1 =-1 =-1 =-1', '? (0 fit, 4 do not)'],
      ['=0 =-3 =-3 =-3 =-3', '=0 (1 fit, 4 do not)'],
      ['=22 =21 =21 =21 =19 =22', '=22 (2 fit, 0 do not)'],
    ],
  ],
  [
    'more behind needs three that agree, in a row',
    [
      ['=-20 =-20', '? (0 fit, 2 do not)'],
      ['=-20 =-20 =-20', '=-20 (3 fit, 0 do not)'],
      ['=-20 =-20 =-30 =-20 =-20', '? (0 fit, 5 do not)'],
      ['=-20 =-20 2..1 =-20', '? (0 fit, 4 do not)'],
      ['-20..-18 -21..-19 =-20', '=-20 (3 fit, 0 do not)'],
      ['=22 =0 =0 =22 =0 =0', '=22 (2 fit, 2 do not)'],
      ['=22 =0 =0 =0', '=0 (3 fit, 0 do not), contradicted 1'],
    ],
  ],
  [
    'more ahead needs three as well, where what is believed rests on three',
    [
      ['=20 22+', '22+ (1 fit, 0 do not), contradicted 1'],
      ['=20 =20 22+', '22+ (1 fit, 0 do not), contradicted 1'],
      ['=20 =20 =20 22+', '=20 (3 fit, 1 do not)'],
      ['=20 =20 =20 22+ 23+ 22+', '23+ (3 fit, 0 do not), contradicted 1'],
    ],
  ],
  [
    'a firm one is enough',
    [
      ['=-20!', '=-20 (1 fit, 0 do not)'],
      ['=-1!', '=-1 (1 fit, 0 do not)'],
      ['=22 =22 =22 =22 =0!', '=0 (1 fit, 0 do not), contradicted 1'],
      ['=22 2..1!', '=22 (1 fit, 1 do not)'],
      ['=22 =90!', '=22 (1 fit, 1 do not)'],
    ],
  ],
])('%s', (_name, table) => {
  test.each(table)('%s → %s', (samples, expected) => expect(believedAfter(samples)).toBe(expected));
});

test('rows that moved take the belief along', () => {
  const { belief } = weigh(NOTHING_KNOWN, sampleOf('=22'));
  expect(shown(movedBy(belief, -22))).toBe('=0 (1 fit, 0 do not)');
  expect(movedBy(belief, 100)).toEqual(NOTHING_KNOWN);
});

test('whatever comes, the range is never empty and never beyond the zones of the world', () => {
  const end = fc.integer({ min: -120, max: 120 });
  const sample = fc.record({ least: end, most: fc.oneof(end, fc.constant(OPEN)), firm: fc.boolean() });
  fc.assert(
    fc.property(fc.array(sample, { maxLength: 30 }), (samples) => {
      let belief = NOTHING_KNOWN;
      for (const one of samples) {
        belief = weigh(belief, one).belief;
        expect(belief.range.least).toBeLessThanOrEqual(belief.range.most);
        expect(belief.range.least).toBeGreaterThanOrEqual(PLAUSIBLE.least);
        expect(belief.range.most).toBeLessThanOrEqual(PLAUSIBLE.most);
        expect(isProved(belief)).toBe(belief.range.least === belief.range.most);
      }
    }),
  );
});
