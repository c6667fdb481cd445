// Mutants of the bot's own count of its orders: each is wrong in its state for long before anything wrong leaves.
import { bySeed, type Mutant } from '../mutant-row.ts';

export const FOLD_MUTANTS: readonly Mutant[] = [
  bySeed(
    {
      id: 'm38',
      sentence: 'A part of an order that fills leaves its reservation as it was.',
      patches: [
        {
          file: 'src/trader/apply-fill.ts',
          from: 'reserveLeft(intent, intent.quantity.sub(filled.filled))',
          to: 'reserveLeft(intent, intent.quantity)',
        },
      ],
    },
    { under: null, seed: 0, invariant: 'B1' },
  ),
  bySeed(
    {
      id: 'm39',
      sentence: 'The horizon of a create leaves out the time from the gate of the exchange to its book.',
      patches: [{ file: 'src/trader/next.ts', from: ' + settings.assumptions.venueInternalLagMs', to: '' }],
    },
    { under: null, seed: 0, invariant: 'B1' },
  ),
  bySeed(
    {
      id: 'm40',
      sentence: 'What a correction takes out of the filled part of an order stays out of its reservation.',
      patches: [
        {
          file: 'src/trader/correct-fill.ts',
          from: 'if (!live) return;\n  const amount',
          to: 'if (live || !live) return;\n  const amount',
        },
      ],
    },
    { under: ['F50'], seed: 0, invariant: 'B1' },
  ),
];
