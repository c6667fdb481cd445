// Mutants of what is known of orders: creates and cancels whose fate is open, lists that prove less than they seem to.
import { bySeed, byTest, type Mutant } from './mutant-row.ts';

export const ORDER_MUTANTS: readonly Mutant[] = [
  bySeed(
    {
      id: 'm1',
      sentence: 'A create that got 504 is sent again.',
      patches: [
        {
          file: 'src/client/exchange-client.ts',
          from: 'const result = await transport.send(wire.http);',
          to: `let result = await transport.send(wire.http);
      if (request.kind === 'create' && result.kind === 'response' && result.status === 504) result = await transport.send(wire.http);`,
        },
      ],
    },
    { under: ['F02'], seed: 0, invariant: 'S1' },
  ),
  bySeed(
    {
      id: 'm2',
      sentence: 'A create whose answer timed out counts as failed.',
      patches: [
        { file: 'src/client/classify-create.ts', from: "result.fault.sent ? 'unknown' : 'not-sent'", to: "'not-sent'" },
      ],
    },
    { under: ['F01', 'F09'], seed: 0, invariant: 'R1' },
  ),
  bySeed(
    {
      id: 'm3',
      sentence: 'A list that could not be read counts as an empty list.',
      patches: [
        {
          file: 'src/trader/observe.ts',
          from: "if (outcome.kind === 'read') return observeOpenOrders(turn, request, outcome.read);",
          to: "return observeOpenOrders(turn, request, outcome.kind === 'read' ? outcome.read : { rows: [], complete: true, sentAt: turn.now, receivedAt: turn.now });",
        },
      ],
    },
    { under: ['F75', 'F01'], seed: 7, invariant: 'S3' },
  ),
  bySeed(
    {
      id: 'm5',
      sentence: 'A page of exactly 20 rows counts as complete.',
      patches: [
        { file: 'src/venue/parsers-open-orders.ts', from: 'POSSIBLE_CAPS.includes(count)', to: 'count === 51' },
      ],
    },
    { under: ['F31'], seed: 0, invariant: 'S8' },
  ),
  bySeed(
    {
      id: 'm6',
      sentence: 'An order is closed as soon as one list lacks it.',
      patches: [
        {
          file: 'src/trader/closing.ts',
          from: 'const from = gone ? countedFrom(state, intent, countable) : null;',
          to: 'const from = gone ? countable : countable;',
        },
        {
          file: 'src/trader/closing.ts',
          from: 'if (counted && isBorneOut(state, intent, from))',
          to: 'if (counted || isBorneOut(state, intent, from) || true)',
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
          file: 'src/trader/durable.ts',
          from: '.filter((intent) => intent.symbol === symbol)',
          to: ".filter((intent) => intent.symbol === symbol && intent.state !== 'unknown')",
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
          file: 'src/trader/live-orders.ts',
          from: 'remaining: remainingOf(intent),',
          to: "remaining: remainingOf(intent).mul(intent.state === 'unknown' ? 0 : 1),",
        },
        {
          file: 'src/trader/live-orders.ts',
          from: "if (intent.state !== 'closing') return remaining;",
          to: "if (intent.state === 'unknown') return remaining.mul(0);\n  if (intent.state !== 'closing') return remaining;",
        },
      ],
    },
    { harness: 'unit', file: 'test/unit/trader/creates.test.ts', name: 'exposure' },
  ),
  bySeed(
    {
      id: 'm8',
      sentence: 'Absence is concluded before the horizon.',
      patches: [
        {
          file: 'src/trader/absent.ts',
          from: 'const without = Math.max(intent.horizon + boundMs, intent.since);',
          to: 'const without = intent.since;',
        },
      ],
    },
    { under: ['F01', 'F12', 'F56'], seed: 23, invariant: 'R1' },
  ),
  bySeed(
    {
      id: 'm9',
      sentence: 'A cancel that was acknowledged closes its order as unfilled.',
      patches: [
        {
          file: 'src/trader/observe-writes.ts',
          from: 'const intent = state.durable.intents.get(id);\n  if (!intent) return;',
          to: "const intent = state.durable.intents.get(id);\n  if (!intent) return;\n  if (outcome.kind === 'acknowledged') return emit(turn, { type: 'closed', payload: { intentId: id, as: 'canceled', at: now } });",
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
          file: 'src/client/classify-create.ts',
          from: "if (msg !== null) return { kind: 'soft-rejected', msg };",
          to: "if (msg !== null) return { kind: 'accepted', orderId: orderId(String(undefined)) };",
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
          file: 'src/client/classify-create.ts',
          from: "if (msg !== null) return { kind: 'soft-rejected', msg };",
          to: "if (msg !== null) return { kind: 'rejected', status: 400, code: -1115, msg };",
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
          file: 'src/trader/observe-open-orders.ts',
          from: ': sentAt >= intent.sentAt + readLagBoundMs(state) && sentAt > intent.since;',
          to: ': true;',
        },
        {
          file: 'src/trader/closing.ts',
          from: 'return Math.max(missed, takesEffectBy(state, intent)) + readLagBoundMs(state);',
          to: 'return missed;',
        },
      ],
    },
    { under: ['F12', 'F36'], seed: 0, invariant: 'K3' },
  ),
  bySeed(
    {
      id: 'm31',
      sentence: 'A level is free as soon as the cancel of its order was sent.',
      patches: [
        {
          file: 'src/trader/intent.ts',
          from: "return state === 'cancel-sent' && cancel === 'acknowledged';",
          to: "return state === 'cancel-sent';",
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
          file: 'src/quoting/exposure-checks.ts',
          from: 'return orders.reduce((sum, order) =>',
          to: 'return orders.filter((order) => !isLeaving(order)).reduce((sum, order) =>',
        },
      ],
    },
    { harness: 'unit', file: 'test/unit/quoting/risk.test.ts', name: 'orders that leave' },
  ),
];
