// Mutants of what is known of orders: creates and cancels whose fate is open, lists that prove less than they seem to.
import { bySeed, byTest, type Mutant } from './mutant-row.ts';

export const ORDER_MUTANTS: readonly Mutant[] = [
  bySeed(
    {
      id: 'm1',
      sentence: 'A create that got 504 is sent again.',
      patches: [
        {
          in: 'createExchangeClient',
          find: 'const result = await transport.send($HTTP)',
          put: `let result = await transport.send($HTTP);
            if (request.kind === 'create' && result.kind === 'response' && result.status === 504)
              result = await transport.send($HTTP);`,
        },
      ],
    },
    { under: ['F02'], seed: 0, invariant: 'S1' },
  ),
  bySeed(
    {
      id: 'm2',
      sentence: 'A create whose answer timed out counts as failed.',
      patches: [{ in: 'classifyCreate', find: "$SENT ? 'unknown' : 'not-sent'", put: "'not-sent'" }],
    },
    { under: ['F01', 'F09'], seed: 0, invariant: 'R1' },
  ),
  bySeed(
    {
      id: 'm3',
      sentence: 'A list that could not be read counts as an empty list.',
      patches: [
        {
          in: 'observeOrderList',
          find: "if (outcome.kind === 'read') return observeOpenOrders(turn, request, outcome.read)",
          put: `return observeOpenOrders(
            turn,
            request,
            outcome.kind === 'read'
              ? outcome.read
              : { rows: [], complete: true, sentAt: turn.now, receivedAt: turn.now },
          )`,
        },
      ],
    },
    { under: ['F75', 'F01'], seed: 7, invariant: 'S3' },
  ),
  bySeed(
    {
      id: 'm5',
      sentence: 'A page of exactly 20 rows counts as complete.',
      patches: [{ in: 'parseOpenOrders', find: 'POSSIBLE_CAPS.includes($COUNT)', put: '$COUNT === 51' }],
    },
    { under: ['F31'], seed: 0, invariant: 'S8' },
  ),
  bySeed(
    {
      id: 'm6',
      sentence: 'An order is closed as soon as one list lacks it.',
      patches: [
        { in: 'settleClosing', find: 'if (!gone) continue', put: 'if (!gone && countable < 0) continue' },
        { in: 'settleClosing', find: 'countedFrom($$$FROM)', put: 'countable' },
        {
          in: 'settleClosing',
          find: 'counted && isConfirmed($$$FROM)',
          put: 'counted || isConfirmed($$$FROM) || true',
        },
      ],
    },
    { under: ['F34', 'F41'], seed: 0, invariant: 'R1' },
  ),
  bySeed(
    {
      id: 'm7',
      sentence: 'An unknown create does not count as exposure, and its slot is free.',
      patches: [
        {
          in: 'liveIntents',
          find: '$INTENT.symbol === symbol',
          put: "$INTENT.symbol === symbol && $INTENT.state !== 'unknown'",
        },
      ],
    },
    { under: ['F01', 'F02'], seed: 0, invariant: 'S3' },
  ),
  byTest(
    {
      id: 'm7b',
      sentence: 'An unknown create does not count as exposure; its slot stays taken.',
      patches: [
        {
          in: 'liveOrders',
          find: 'remaining: remainingOf($INTENT)',
          put: "remaining: remainingOf($INTENT).mul($INTENT.state === 'unknown' ? 0 : 1)",
        },
        {
          in: 'exposedPart',
          find: "if (intent.state !== 'closing') return remaining",
          put: `if (intent.state === 'unknown') return remaining.mul(0);
            if (intent.state !== 'closing') return remaining;`,
        },
      ],
    },
    { harness: 'unit', file: 'test/unit/trader/creates.test.ts', name: 'exposure' },
  ),
  bySeed(
    {
      id: 'm8',
      sentence: 'Absence is concluded before the horizon.',
      patches: [{ in: 'provableAt', find: 'Math.max(intent.horizon + $LAG, intent.since)', put: 'intent.since' }],
    },
    { under: ['F01', 'F12', 'F56'], seed: 23, invariant: 'R1' },
  ),
  bySeed(
    {
      id: 'm9',
      sentence: 'A cancel that was acknowledged closes its order as unfilled.',
      patches: [
        {
          in: 'observeCancel',
          find: 'if (!intent) return',
          put: `if (!intent) return;
            if (outcome.kind === 'acknowledged')
              return emit(turn, { type: 'closed', payload: { intentId: id, as: 'canceled', at: now } });`,
        },
      ],
    },
    { under: ['F26', 'F24', 'F41'], seed: 0, invariant: 'S8' },
  ),
  bySeed(
    {
      id: 'm23',
      sentence: 'A create that is answered by 200 and a message counts as accepted.',
      patches: [
        {
          in: 'classifyOk',
          beside: 'classifyCreate',
          find: "return { kind: 'soft-rejected', msg }",
          put: "return { kind: 'accepted', orderId: orderId(String(undefined)) }",
        },
      ],
    },
    { under: ['F06', 'F07'], seed: 2, invariant: 'S5' },
  ),
  bySeed(
    {
      id: 'm23b',
      sentence: 'A create that is answered by 200 and a message counts as proved never placed.',
      patches: [
        {
          in: 'classifyOk',
          beside: 'classifyCreate',
          find: "return { kind: 'soft-rejected', msg }",
          put: "return { kind: 'rejected', status: 400, code: -1115, msg }",
        },
      ],
    },
    { under: ['F07'], seed: 2, invariant: 'R1' },
  ),
  bySeed(
    {
      id: 'm24',
      sentence: 'An older list overwrites what is known since.',
      patches: [
        {
          in: 'isGone',
          beside: 'observeOpenOrders',
          find: 'listedAt !== null ? $LATER : $PROVED',
          put: 'listedAt !== null ? $LATER : true',
        },
        { in: 'countableAt', find: 'return Math.max(missed, $EFFECT) + readLagBoundMs(state)', put: 'return missed' },
      ],
    },
    { under: ['F12', 'F36'], seed: 1, invariant: 'E1' },
  ),
  bySeed(
    {
      id: 'm31',
      sentence: 'A level is free as soon as the cancel of its order was sent.',
      patches: [
        {
          in: 'isLeaving',
          find: "state === 'cancel-sent' && cancel === 'acknowledged'",
          put: "state === 'cancel-sent'",
        },
      ],
    },
    { under: ['F23'], seed: 18, invariant: 'S3' },
  ),
  byTest(
    {
      id: 'm32',
      sentence: 'What leaves counts in no limit on notional, inventory and funds.',
      patches: [
        {
          in: 'sumOf',
          beside: 'checkFunds',
          find: 'orders.reduce($$$SUM)',
          put: "orders.filter(({ status }) => status !== 'leaving').reduce($$$SUM)",
        },
      ],
    },
    { harness: 'unit', file: 'test/unit/quoting/risk.test.ts', name: 'orders that leave' },
  ),
];
