// Mutants of proofs: what is concluded from less than is asked for, and is mostly true all the same.
import { bySeed, type Mutant } from '../mutants/mutant-row.ts';

export const PROOF_MUTANTS: readonly Mutant[] = [
  bySeed(
    {
      id: 'm47',
      sentence: 'An order is closed as canceled one lag too early.',
      patches: [{ in: 'countableAt', find: 'return $EFFECT + readLagBoundMs(state)', put: 'return $EFFECT' }],
    },
    { under: null, seed: 0, invariant: 'E1' },
  ),
  bySeed(
    {
      id: 'm48',
      sentence: 'The wallet that confirms what is booked of a closed order may be older than its lists.',
      patches: [{ in: 'isConfirmed', find: 'sentAt !== null && sentAt >= from', put: 'sentAt !== null' }],
    },
    { under: null, seed: 0, invariant: 'E1' },
  ),
  bySeed(
    {
      id: 'm49',
      sentence: 'One list that left late enough proves a create absent, and not two.',
      patches: [
        {
          in: 'lookedFrom',
          find: 'beforeSentAt === null || beforeSentAt < provable || sentAt === null',
          put: 'beforeSentAt === null || sentAt === null || sentAt < provable',
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
          in: 'provableAt',
          find: 'Math.max(intent.horizon + $LAG, intent.since)',
          put: 'Math.max(intent.sentAt + $LAG, intent.since)',
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
          in: 'noteStopProof',
          find: 'proof.firstSentAt = read.sentAt',
          put: 'proof.firstSentAt = proof.secondSentAt = read.sentAt',
        },
      ],
    },
    { under: null, seed: 0, invariant: 'E4' },
  ),
  bySeed(
    {
      id: 'm52',
      sentence: 'A page of own trades behind which there are more counts as read to the end.',
      patches: [{ in: 'observeTrades', find: 'surface.morePages = true', put: 'noteSuccess(surface, read.sentAt)' }],
    },
    { under: ['F43'], seed: 2, invariant: 'L4' },
  ),
  bySeed(
    {
      id: 'm53',
      sentence: 'After a maintenance nobody waits for a wallet that equals the ledger.',
      patches: [
        {
          in: 'isReconciledSince',
          find: 'return $READ && $SENT_AT !== null && $SENT_AT >= moment',
          put: 'return $READ && $SENT_AT !== null',
        },
      ],
    },
    { under: ['F21'], seed: 20, invariant: 'E5' },
  ),
  bySeed(
    {
      id: 'm54',
      sentence: 'A create is held for an order of a list that is not whole.',
      patches: [
        {
          in: 'adoptFromOrders',
          find: 'if (!complete && !policyOf($STATE).trustsIncompleteLists) return',
          put: 'if (!complete && rows.length === 0) return',
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
          in: 'countsFrom',
          find: 'if (locksTooLittle($$$BY)) return missed.from',
          put: 'if (intent.orderId !== null || locksTooLittle($$$BY)) return missed.from',
        },
      ],
    },
    { under: null, seed: 11, invariant: 'E1' },
  ),
  bySeed(
    {
      id: 'm56',
      sentence: 'A fence that left before the horizon of a create counts as one behind it.',
      patches: [{ in: 'fencedAt', find: '$ACKNOWLEDGED && $FENCE.sentAt >= from', put: '$ACKNOWLEDGED && from > 0' }],
    },
    { under: ['F10'], seed: 0, invariant: 'E2' },
  ),
];
