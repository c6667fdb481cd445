// The mixtures that are played are mixtures, of faults that the simulator injects, for each mechanism and profile; a
// file that is wrong is refused with its place.
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { MECHANISMS, ordersOf, readMixtures } from '../../../simulation/plan/mixtures.ts';
import { drawPlan, planned } from '../../../simulation/plan/plan.ts';
import { PROFILE_NAMES } from '../../../simulation/profile/profile.ts';

const FILE = path.join(import.meta.dirname, '../../simulation/mixtures.json');

describe('the mixtures that are kept', () => {
  const read = readMixtures('mixtures.json', readFileSync(FILE, 'utf8'));
  const mixtures = read.ok ? read.value : [];

  test('are some for each mechanism, and some in each profile', () => {
    expect(read.ok ? '' : read.error).toBe('');
    for (const mechanism of MECHANISMS)
      expect(mixtures.filter((each) => each.mechanism === mechanism).length).toBeGreaterThanOrEqual(2);
    expect(new Set(mixtures.map(({ profile }) => profile))).toEqual(new Set(PROFILE_NAMES));
  });

  test('are played with just these faults, each mixture once', () => {
    const orders = ordersOf(mixtures);
    for (const { seed, ...changes } of orders) {
      const plan = drawPlan(String(seed), changes);
      expect(planned(plan).toSorted()).toEqual([...(changes.faults ?? [])].toSorted());
      expect(plan.profile).toBe(changes.profile);
    }
    expect(new Set(orders.map((order) => JSON.stringify(order))).size).toBe(orders.length);
  });
});

const ONE = { mechanism: 'creates', faults: ['F01', 'F24'], seeds: [3] };

test('a mixture is half an hour of the default profile unless it says otherwise', () => {
  const read = readMixtures('some.json', JSON.stringify([ONE, { ...ONE, seeds: [4, 5], profile: 'tight', hours: 2 }]));
  expect(read.ok && ordersOf(read.value)).toEqual([
    { seed: 3, hours: 0.5, profile: 'default', faults: ['F01', 'F24'] },
    { seed: 4, hours: 2, profile: 'tight', faults: ['F01', 'F24'] },
    { seed: 5, hours: 2, profile: 'tight', faults: ['F01', 'F24'] },
  ]);
});

test.each([
  ['no JSON', '{', '--mixtures some.json: this is no JSON.'],
  ['no list', '{}', '--mixtures some.json: Invalid input: expected array'],
  ['an empty list', '[]', '--mixtures some.json: Too small'],
  ['a fault that nobody injects', [{ ...ONE, faults: ['F01', 'F08'] }], 'some.json[0].faults[1]: F08 is no fault of'],
  ['one fault alone', [{ ...ONE, faults: ['F01'] }], 'some.json[0].faults: Too small'],
  ['another mechanism', [ONE, { ...ONE, mechanism: 'luck' }], 'some.json[1].mechanism: Invalid option'],
  [
    'another profile',
    [{ ...ONE, profile: 'loud' }],
    'some.json[0].profile: Invalid option: expected one of "default"|',
  ],
])('%s is refused', (_name, content, sentence) => {
  const read = readMixtures('some.json', typeof content === 'string' ? content : JSON.stringify(content));
  expect(read.ok ? 'accepted' : read.error).toContain(sentence);
});
