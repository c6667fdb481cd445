// Mutants of proofs: what is concluded from less than is asked for, and is mostly true all the same.
import { bySeed, type Mutant } from '../mutant-row.ts';

export const PROOF_MUTANTS: readonly Mutant[] = [
  bySeed(
    {
      id: 'm47',
      sentence: 'An order is closed as canceled one lag too early.',
      patches: [
        {
          file: 'src/trader/closing.ts',
          from: 'return Math.max(missed, takesEffectBy(state, intent)) + readLagBoundMs(state);',
          to: 'return Math.max(missed, takesEffectBy(state, intent));',
        },
      ],
    },
    { under: null, seed: 0, invariant: 'E1' },
  ),
  bySeed(
    {
      id: 'm48',
      sentence: 'The wallet that bears out what is booked of a closed order may be older than its lists.',
      patches: [
        {
          file: 'src/trader/closing.ts',
          from: 'return sentAt !== null && sentAt >= from;',
          to: 'return sentAt !== null;',
        },
      ],
    },
    { under: null, seed: 0, invariant: 'E1' },
  ),
  bySeed(
    {
      id: 'm49',
      sentence: 'One list that left late enough proves a create absent, and not two.',
      patches: [
        {
          file: 'src/trader/absent.ts',
          from: 'if (beforeSentAt === null || beforeSentAt < provable || sentAt === null) return false;',
          to: 'if (beforeSentAt === null || sentAt === null || sentAt < provable) return false;',
        },
      ],
    },
    { under: ['F02'], seed: 0, invariant: 'E2' },
  ),
  bySeed(
    {
      id: 'm50',
      sentence: 'Absence is looked for a lag after the create left, and not after its horizon.',
      patches: [
        {
          file: 'src/trader/absent.ts',
          from: 'const without = Math.max(intent.horizon + boundMs, intent.since);',
          to: 'const without = Math.max(intent.sentAt + boundMs, intent.since);',
        },
      ],
    },
    { under: ['F10'], seed: 2, invariant: 'E2' },
  ),
  bySeed(
    {
      id: 'm51',
      sentence: 'The stop is content with one list that shows nothing of ours.',
      patches: [
        {
          file: 'src/trader/stopping.ts',
          from: 'else if (proof.firstSentAt === null) proof.firstSentAt = read.sentAt;',
          to: 'else if (proof.firstSentAt === null) proof.firstSentAt = proof.secondSentAt = read.sentAt;',
        },
      ],
    },
    { under: null, seed: 0, invariant: 'E4' },
  ),
  bySeed(
    {
      id: 'm52',
      sentence: 'A page of own trades behind which there are more counts as read to the end.',
      patches: [
        {
          file: 'src/trader/observe-trades.ts',
          from: "if (bookPage(turn, symbol, read.rows) === 'held') return;\n      surface.morePages = true;",
          to: "if (bookPage(turn, symbol, read.rows) === 'held') return;\n      noteSuccess(surface, read.sentAt);",
        },
      ],
    },
    { under: ['F43'], seed: 2, invariant: 'L4' },
  ),
  bySeed(
    {
      id: 'm53',
      sentence: 'After a maintenance nobody waits for a wallet that equals the ledger.',
      patches: [
        {
          file: 'src/trader/refusal.ts',
          from: 'return read && reconciliation.equalSentAt !== null && reconciliation.equalSentAt >= moment;',
          to: 'return read && reconciliation.equalSentAt !== null;',
        },
      ],
    },
    { under: ['F21'], seed: 3, invariant: 'E5' },
  ),
  bySeed(
    {
      id: 'm54',
      sentence: 'A create is held for an order of a list that is not whole.',
      patches: [
        {
          file: 'src/trader/resolve.ts',
          from: 'if (!complete && !isDedicated(turn.state)) return;',
          to: 'if (!complete && rows.length === 0) return;',
        },
      ],
    },
    { under: ['F01', 'F37'], seed: 10, invariant: 'E3' },
  ),
  bySeed(
    {
      id: 'm55',
      sentence: 'An order that nobody canceled is closed though the wallet may lock its funds.',
      patches: [
        {
          file: 'src/trader/locks.ts',
          from: 'if (locksTooLittle(state, intent, from)) return from;',
          to: 'if (intent.orderId !== null || locksTooLittle(state, intent, from)) return from;',
        },
      ],
    },
    { under: null, seed: 11, invariant: 'E1' },
  ),
  bySeed(
    {
      id: 'm56',
      sentence: 'A fence that left before the horizon of a create counts as one behind it.',
      patches: [
        {
          file: 'src/trader/fence.ts',
          from: 'return fence?.acknowledged && fence.sentAt >= from ? fence.answeredAt : null;',
          to: 'return fence?.acknowledged && from > 0 ? fence.answeredAt : null;',
        },
      ],
    },
    { under: ['F10'], seed: 0, invariant: 'E2' },
  ),
];
