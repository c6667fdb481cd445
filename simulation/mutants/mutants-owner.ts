// Mutants of how the owner's own doing is told apart and booked: what the wallet shows, and no trade of the bot's
// explains.
import { bySeed, type Mutant } from './mutant-row.ts';

export const OWNER_MUTANTS: readonly Mutant[] = [
  bySeed(
    {
      id: 'm26',
      sentence: 'No transfer and no simple trade explains a difference.',
      patches: [
        {
          in: 'possibleNow',
          find: '[...possibleReversals($STATE), ...possibleExternalFlows($STATE)]',
          put: 'possibleReversals($STATE)',
        },
      ],
    },
    { under: ['F52'], seed: 2, invariant: 'M10' },
  ),
  bySeed(
    {
      id: 'm27',
      sentence: "A difference that nothing explains is taken for the owner's doing, and nobody is asked.",
      patches: [
        {
          in: 'confirmDifference',
          beside: 'observeWallet',
          find: 'if (turn.state.session.acceptDifferences) return accept(turn, difference)',
          put: 'return accept(turn, difference)',
        },
      ],
    },
    { under: ['F54'], seed: 20, invariant: 'M2' },
  ),
  bySeed(
    {
      id: 'm28',
      sentence: 'A deposit is booked as a withdrawal, and a withdrawal as a conversion.',
      patches: [
        {
          in: 'flowOf',
          find: "return { kind: 'transfer', $$$REST }",
          put: `return { kind: 'transfer', $$$REST,
    ...{ account: direction === 'deposit' ? 'external:withdrawal' : 'external:conversion' } };`,
        },
      ],
    },
    { under: ['F52'], seed: 0, invariant: 'M6' },
  ),
  bySeed(
    {
      id: 'm29',
      sentence: 'A trade that the exchange took back is never reversed.',
      patches: [
        {
          in: 'possibleReversals',
          find: '$MISSING.confirmed ? $BOOKED : null',
          put: '$MISSING.firstMissedAt < 0 ? $BOOKED : null',
        },
      ],
    },
    { under: ['F50'], seed: 6, invariant: 'L4' },
  ),
  bySeed(
    {
      id: 'm30',
      sentence: "The owner's trades in a market that no run has are looked for nowhere.",
      patches: [{ in: 'marketsOf', beside: 'isInOtherMarket', find: 'spot: others', put: 'spot: []' }],
    },
    { under: ['F54'], seed: 26, invariant: 'M10' },
  ),
  bySeed(
    {
      id: 'm91',
      sentence: 'What the wallet locks for others counts as free.',
      patches: [{ in: 'lockedByOthers', find: 'if ($BEYOND.gt(0)) $SET', put: 'if (false) $SET' }],
    },
    { profile: 'tight', under: ['F20'], seed: 5, tries: 5, invariant: 'E5' },
  ),
];
