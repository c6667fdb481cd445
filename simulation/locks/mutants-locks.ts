// Mutants of locks: sides that are quoted all the same, locks that never end, protections that count nothing.
import { bySeed, type Mutant } from '../mutants/mutant-row.ts';

export const LOCK_MUTANTS: readonly Mutant[] = [
  bySeed(
    {
      id: 'm80',
      sentence: 'A lock of one side locks the other one.',
      patches: [{ in: 'keepToLocks', find: 'locksSide(each, side)', put: '!locksSide(each, side)' }],
    },
    { under: ['F129'], seed: 0, invariant: 'K14' },
  ),
  bySeed(
    {
      id: 'm81',
      sentence: 'A lock whose time is over goes on.',
      patches: [{ in: 'endLocks', find: 'turn.now >= lock.until', put: 'turn.now < 0' }],
    },
    { under: ['F129'], seed: 2, invariant: 'K14' },
  ),
  bySeed(
    {
      id: 'm82',
      sentence: 'The turnover of a day locks nothing.',
      patches: [{ in: 'watchTurnover', find: 'turn.now >= until', put: 'turn.now < until' }],
    },
    { under: ['F129'], seed: 7, profile: 'strategies', invariant: 'K14' },
  ),
];
