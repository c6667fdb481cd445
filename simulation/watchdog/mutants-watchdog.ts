// Mutants of the watchdog and of `cancel-all`.
import { bySeed, type Mutant } from '../mutants/mutant-row.ts';

export const WATCHDOG_MUTANTS: readonly Mutant[] = [
  bySeed(
    {
      id: 'm57',
      sentence: 'The watchdog cancels as soon as it has sent SIGTERM, while the bot may still be there.',
      patches: [{ in: 'afterSight', find: 'isGone(bot)', put: 'isGone(bot) || end.killedAt === null' }],
    },
    { under: ['F124'], seed: 6, invariant: 'S10' },
  ),
  bySeed(
    {
      id: 'm58',
      sentence: 'The watchdog is content with one list that shows nothing of ours.',
      patches: [{ in: 'noteClean', find: 'scope.firstSentAt = sentAt', put: 'scope.done = true' }],
    },
    { under: ['F125'], seed: 0, invariant: 'D3' },
  ),
  bySeed(
    {
      id: 'm59',
      sentence: 'The watchdog cancels the whole account, also one that it shares with its owner.',
      patches: [
        { in: 'sweepSettingsOf', find: "$REFUSES ? 'account' : 'own'", put: "$REFUSES ? 'account' : 'account'" },
      ],
    },
    { under: ['F125'], seed: 2, invariant: 'D1' },
  ),
  bySeed(
    {
      id: 'm60',
      sentence: 'The watchdog counts from when it first saw the bot, whatever the bot shows since.',
      patches: [
        {
          in: 'seen',
          beside: 'startWatch',
          find: '{ ...state, lease, lived: true, beatAt: now.mono }',
          put: '{ ...state, lease, lived: true }',
        },
      ],
    },
    { under: ['F125'], seed: 0, invariant: 'D5' },
  ),
];
