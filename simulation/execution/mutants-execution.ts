// Mutants of what leaves when: creates on what is not so any more, cancels that come too late or too often.
import { bySeed, type Mutant } from '../mutants/mutant-row.ts';

export const EXECUTION_MUTANTS: readonly Mutant[] = [
  bySeed(
    {
      id: 'm43',
      sentence: 'A book that stands still is never held for frozen.',
      patches: [
        {
          in: 'noteBook',
          beside: 'judgeBook',
          find: '!isSame || surface.unchangedSince === null',
          put: 'isSame || !isSame',
        },
      ],
    },
    { under: ['F63'], seed: 2, invariant: 'S12' },
  ),
  bySeed(
    {
      id: 'm44',
      sentence: 'An order that has come too near stays until its successor is on the book.',
      patches: [
        {
          in: 'judge',
          beside: 'diffQuotes',
          find: 'if (mustGo) return $CANCEL',
          put: 'if (mustGo && !mustGo) return $CANCEL',
        },
      ],
    },
    { under: null, seed: 0, invariant: 'K10' },
  ),
  bySeed(
    {
      id: 'm45',
      sentence: 'A create that cannot be proved is never given up, and nobody is called.',
      patches: [{ in: 'settleAbsent', find: 'now >= begun', put: 'now < 0' }],
    },
    { under: ['F02', 'F31'], seed: 17, invariant: 'R2' },
  ),
  bySeed(
    {
      id: 'm46',
      sentence: 'A cancel that was acknowledged is sent again at the next list that still shows its order.',
      patches: [{ in: 'isBelied', find: 'cancel.acknowledged && $PROOF', put: 'cancel.acknowledged' }],
    },
    { under: null, seed: 2, invariant: 'L9' },
  ),
  bySeed(
    {
      id: 'm61',
      sentence: 'Quotes stay where the book is too old to read them by.',
      patches: [
        {
          in: 'priceBlockers',
          find: "blocker('book-age', $TEXT, true)",
          put: "blocker('book-age', $TEXT, false)",
        },
      ],
    },
    { under: ['F128'], seed: 0, invariant: 'S12' },
  ),
];
