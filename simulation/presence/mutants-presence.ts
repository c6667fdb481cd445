// Mutants of the time in the market: what is not quoted, and what the bot says of it.
import { bySeed, type Mutant } from '../mutants/mutant-row.ts';

export const PRESENCE_MUTANTS: readonly Mutant[] = [
  bySeed(
    {
      id: 'm41',
      sentence: 'An empty level of a side that is quoted is never placed.',
      patches: [
        {
          in: 'pickCreate',
          find: 'for (const need of needs) { $$$PICKED }',
          put: "for (const need of needs.filter((each) => each !== 'empty-level')) { $$$PICKED }",
        },
      ],
    },
    { under: null, seed: 1, invariant: 'L7' },
  ),
  bySeed(
    {
      id: 'm42',
      sentence: 'What is too old to be fresh is counted with the whole clock in the account of time in the market.',
      patches: [{ in: 'piecesOf', beside: 'notePresence', find: 'ms: until - stale', put: 'ms: until + stale' }],
    },
    { under: null, seed: 0, invariant: 'L8' },
  ),
  bySeed(
    {
      id: 'm42b',
      sentence: 'No time in the market is counted at all.',
      patches: [{ in: 'addTo', beside: 'addPiece', find: '($COUNTED ?? 0) + ms', put: '($COUNTED && 0) + ms' }],
    },
    { under: null, seed: 0, invariant: 'L8' },
  ),
];
