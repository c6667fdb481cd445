// Mutants of the bot's own count of its orders: each is wrong in its state for long before anything wrong leaves.
import { bySeed, type Mutant } from '../mutants/mutant-row.ts';

export const FOLD_MUTANTS: readonly Mutant[] = [
  bySeed(
    {
      id: 'm38',
      sentence: 'A part of an order that fills leaves its reservation as it was.',
      patches: [
        {
          in: 'fillIntent',
          find: 'reserveLeft(intent, intent.quantity.sub($FILLED))',
          put: 'reserveLeft(intent, intent.quantity)',
        },
      ],
    },
    { under: null, seed: 0, invariant: 'B1' },
  ),
  bySeed(
    {
      id: 'm39',
      sentence: 'The horizon of a create leaves out the time from the gate of the exchange to its book.',
      patches: [{ in: 'commitCreate', find: '$HORIZON + settings.assumptions.venueInternalLagMs', put: '$HORIZON' }],
    },
    { under: null, seed: 0, invariant: 'B1' },
  ),
  bySeed(
    {
      id: 'm40',
      sentence: 'What a correction takes out of the filled part of an order stays out of its reservation.',
      patches: [{ in: 'changeFilled', find: 'if (!live) return', put: 'if (live || !live) return' }],
    },
    { under: ['F50'], seed: 5, invariant: 'B1' },
  ),
];
