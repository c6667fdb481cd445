// Mutants of the watchdog and of `cancel-all`.
import { bySeed, type Mutant } from '../mutant-row.ts';

export const WATCHDOG_MUTANTS: readonly Mutant[] = [
  bySeed(
    {
      id: 'm57',
      sentence: 'The watchdog cancels as soon as it has sent SIGTERM, while the bot may still be there.',
      patches: [
        {
          file: 'src/watchdog/watch-kill.ts',
          from: 'if (isGone(bot)) {\n    const message',
          to: 'if (isGone(bot) || end.killedAt === null) {\n    const message',
        },
      ],
    },
    { under: ['F124'], seed: 0, invariant: 'S10' },
  ),
  bySeed(
    {
      id: 'm58',
      sentence: 'The watchdog is content with one list that shows nothing of ours.',
      patches: [
        {
          file: 'src/watchdog/sweep.ts',
          from: 'if (scope.firstSentAt === null) scope.firstSentAt = sentAt;',
          to: 'if (scope.firstSentAt === null) scope.done = true;',
        },
      ],
    },
    { under: ['F125'], seed: 0, invariant: 'D3' },
  ),
  bySeed(
    {
      id: 'm59',
      sentence: 'The watchdog cancels the whole account, also one that it shares with its owner.',
      patches: [
        {
          file: 'src/watchdog/watch-settings.ts',
          from: "whose: trader.foreignOrders === 'refuse' ? 'account' : 'own',",
          to: "whose: trader.foreignOrders === 'refuse' ? 'account' : 'account',",
        },
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
          file: 'src/watchdog/watch.ts',
          from: 'lease, lived: true, beatAt: now.mono }',
          to: 'lease, lived: true }',
        },
      ],
    },
    { under: ['F125'], seed: 0, invariant: 'D5' },
  ),
];
