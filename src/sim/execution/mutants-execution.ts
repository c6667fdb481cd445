// Mutants of what leaves when: creates on what is not so any more, cancels that come too late or too often.
import { bySeed, type Mutant } from '../mutant-row.ts';

export const EXECUTION_MUTANTS: readonly Mutant[] = [
  bySeed(
    {
      id: 'm43',
      sentence: 'A book that stands still is never held for frozen.',
      patches: [
        {
          file: 'src/trader/decision/frozen-book.ts',
          from: 'if (!isSame || surface.unchangedSince === null)',
          to: 'if (isSame || !isSame)',
        },
      ],
    },
    { under: ['F63'], seed: 2, invariant: 'S12' },
  ),
  bySeed(
    {
      id: 'm44',
      sentence: 'An order that has come too near stays until its successor is on the book.',
      patches: [{ file: 'src/quoting/diff.ts', from: 'if (mustGo) return', to: 'if (mustGo && !mustGo) return' }],
    },
    { under: null, seed: 0, invariant: 'K10' },
  ),
  bySeed(
    {
      id: 'm45',
      sentence: 'A create that can not be proved is never given up, and nobody is called.',
      patches: [{ file: 'src/trader/absent.ts', from: 'if (now >= begun) absence', to: 'if (now < 0) absence' }],
    },
    { under: ['F02', 'F31'], seed: 17, invariant: 'R2' },
  ),
  bySeed(
    {
      id: 'm46',
      sentence: 'A cancel that was acknowledged is sent again at the next list that still shows its order.',
      patches: [
        {
          file: 'src/trader/observe-open-orders.ts',
          from: 'cancel?.answeredAt !== null && cancel !== undefined && sentAt >= cancel.answeredAt + readLagBoundMs(state);',
          to: 'cancel !== undefined;',
        },
      ],
    },
    { under: null, seed: 2, invariant: 'L9' },
  ),
];
