// The faults in our own program that the simulator must notice (order-truth §9): each as a replacement in one source file.
import type { FaultId, Harness } from './fault-kinds.ts';
import type { InvariantId } from './invariants.ts';

/** Replaces a text that stands exactly once in the file. */
export interface Patch {
  /** From the root of the tree. */
  readonly file: string;
  readonly from: string;
  readonly to: string;
}

export interface Mutant {
  readonly id: `m${number}`;
  readonly sentence: string;
  readonly harness: Harness;
  /** Empty where another harness has it. */
  readonly patches: readonly Patch[];
  /** The faults under which seeds are tried. */
  readonly under: readonly FaultId[];
  readonly quirks?: Readonly<Record<string, string | number>>;
  /** The seed that is known to notice it, and by what; null where none is recorded. */
  readonly killedBy: { readonly seed: number; readonly invariant: InvariantId } | null;
  readonly elsewhere: string | null;
}

const elsewhere = (id: Mutant['id'], sentence: string, harness: Harness, where: string): Mutant => ({
  id,
  sentence,
  harness,
  patches: [],
  under: [],
  killedBy: null,
  elsewhere: where,
});

interface Simulated extends Pick<Mutant, 'id' | 'sentence' | 'under' | 'quirks' | 'killedBy'> {
  readonly patches: readonly Patch[];
}

const simulated = (mutant: Simulated): Mutant => ({ ...mutant, harness: 'sim', elsewhere: null });

export const MUTANTS: readonly Mutant[] = [
  simulated({
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
    under: ['F02'],
    killedBy: { seed: 0, invariant: 'S1' },
  }),
  simulated({
    id: 'm2',
    sentence: 'A create whose answer timed out counts as failed.',
    patches: [
      { file: 'src/client/classify-create.ts', from: "result.fault.sent ? 'unknown' : 'not-sent'", to: "'not-sent'" },
    ],
    under: ['F01', 'F09'],
    killedBy: { seed: 0, invariant: 'R1' },
  }),
  simulated({
    id: 'm3',
    sentence: 'A list that could not be read counts as an empty list.',
    patches: [
      {
        file: 'src/trader/observe.ts',
        from: "if (outcome.kind === 'read') return observeOpenOrders(turn, request, outcome.read);",
        to: "return observeOpenOrders(turn, request, outcome.kind === 'read' ? outcome.read : { rows: [], complete: true, sentAt: turn.now, receivedAt: turn.now });",
      },
    ],
    under: ['F75', 'F01'],
    killedBy: { seed: 2, invariant: 'S8' },
  }),
  simulated({
    id: 'm4',
    sentence: 'The intent becomes durable only after its create has left.',
    patches: [
      { file: 'src/loop/loop.ts', from: 'take(choice.effects);', to: 'setTimeout(() => take(choice.effects), 5);' },
    ],
    under: ['F90'],
    killedBy: { seed: 0, invariant: 'S2' },
  }),
  simulated({
    id: 'm5',
    sentence: 'A page of exactly 20 rows counts as complete.',
    patches: [{ file: 'src/venue/parsers-open-orders.ts', from: 'POSSIBLE_CAPS.includes(count)', to: 'count === 51' }],
    under: ['F31'],
    killedBy: { seed: 10, invariant: 'R1' },
  }),
  simulated({
    id: 'm6',
    sentence: 'An order is closed as soon as one list lacks it.',
    patches: [
      {
        file: 'src/trader/closing.ts',
        from: 'if (gone && counted && isBorneOut(state, intent, countable) && !mayRest(state, intent, countable))\n      close',
        to: 'if (gone || counted || isBorneOut(state, intent, countable) || true) close',
      },
    ],
    under: ['F34', 'F41'],
    killedBy: { seed: 0, invariant: 'R1' },
  }),
  simulated({
    id: 'm7',
    sentence: 'An unknown create does not count as exposure, and its slot is free.',
    patches: [
      {
        file: 'src/trader/durable.ts',
        from: '.filter((intent) => intent.symbol === symbol)',
        to: ".filter((intent) => intent.symbol === symbol && intent.state !== 'unknown')",
      },
    ],
    under: ['F01', 'F02'],
    killedBy: { seed: 0, invariant: 'L4' },
  }),
  simulated({
    id: 'm8',
    sentence: 'Absence is concluded before the horizon.',
    patches: [
      {
        file: 'src/trader/resolve.ts',
        from: 'const without = Math.max(intent.horizon + readLagBoundMs, intent.since);',
        to: 'const without = intent.since;',
      },
    ],
    under: ['F01', 'F12', 'F56'],
    killedBy: { seed: 23, invariant: 'R1' },
  }),
  simulated({
    id: 'm9',
    sentence: 'A cancel that was acknowledged closes its order as unfilled.',
    patches: [
      {
        file: 'src/trader/observe-writes.ts',
        from: 'const intent = state.durable.intents.get(id);\n  if (!intent) return;',
        to: "const intent = state.durable.intents.get(id);\n  if (!intent) return;\n  if (outcome.kind === 'acknowledged') return emit(turn, { type: 'closed', payload: { intentId: id, as: 'canceled', at: now } });",
      },
    ],
    under: ['F26', 'F24', 'F41'],
    killedBy: { seed: 0, invariant: 'S8' },
  }),
  simulated({
    id: 'm10',
    sentence: 'Two trades are taken for one (the last digit of their ids alone counts).',
    patches: [
      {
        file: 'src/ledger/booked-trades.ts',
        from: 'id.replace(/^0+(?=',
        to: 'id.slice(-1).replace(/^0+(?=',
      },
    ],
    under: ['F40'],
    killedBy: { seed: 0, invariant: 'L4' },
  }),
  simulated({
    id: 'm11',
    sentence: 'Own trades are read from after the last one known, with nothing to prove that the pages join.',
    patches: [
      {
        file: 'src/trader/observe-trades.ts',
        from: "return { by: 'from-id', fromId: lastKnown(state, symbol)?.tradeId ?? FIRST_ID };",
        to: "const last = lastKnown(state, symbol); return { by: 'from-id', fromId: last ? (String(BigInt(last.tradeId) + 2n) as never) : FIRST_ID };",
      },
    ],
    under: ['F40'],
    killedBy: { seed: 0, invariant: 'L3' },
  }),
  simulated({
    id: 'm12',
    sentence: 'Money is rounded to a float.',
    patches: [
      {
        file: 'src/ledger/amount.ts',
        from: 'BigInt(decimal.toFixed(AMOUNT_DECIMALS)',
        to: 'BigInt(new Decimal(Math.fround(decimal.toNumber())).toFixed(AMOUNT_DECIMALS)',
      },
    ],
    under: [],
    killedBy: { seed: 0, invariant: 'M5' },
  }),
  simulated({
    id: 'm13',
    sentence: 'Ids are numbers.',
    patches: [
      {
        file: 'src/domain/ids.ts',
        from: 'export const tradeId = (text: string): TradeId => text as TradeId;',
        to: 'export const tradeId = (text: string): TradeId => String(Number(text)) as TradeId;',
      },
    ],
    under: ['F15'],
    killedBy: { seed: 0, invariant: 'L4' },
  }),
  elsewhere(
    'm14',
    'Durations are measured by the wall clock.',
    'unit',
    'test/unit/client: lanes and the clock estimate with a wall clock that steps; the running program has a clock that does not.',
  ),
  simulated({
    id: 'm15',
    sentence: 'Retry-After is ignored.',
    patches: [
      {
        file: 'src/client/lane-pace.ts',
        from: 'const wait = Math.max(named, backoffDelay',
        to: 'const wait = Math.max(0 * named, 0.01 * backoffDelay',
      },
    ],
    under: ['F18'],
    killedBy: { seed: 1, invariant: 'K6' },
  }),
  elsewhere('m16', 'The kill latch is in memory only.', 'process', 'test/process/latch.test.ts'),
  elsewhere('m17', 'The watchdog cancels without fencing the bot off.', 'process', 'test/process: the watchdog'),
  simulated({
    id: 'm18',
    sentence: 'An error of the disk is swallowed.',
    patches: [
      {
        file: 'src/loop/loop.ts',
        from: 'writeEvents(journal, effects.events);',
        to: 'try { writeEvents(journal, effects.events); } catch {}',
      },
    ],
    under: ['F93'],
    killedBy: { seed: 0, invariant: 'P3' },
  }),
  elsewhere(
    'm19',
    'The repair of the tail cuts damage in the middle of the file as well.',
    'unit',
    'test/unit/journal: images with damage before the last record',
  ),
  simulated({
    id: 'm20',
    sentence: 'The fee is assumed to be in the quote asset.',
    patches: [
      {
        file: 'src/ledger/fill-entries.ts',
        from: "...moved(fill.commissionAsset, 'fees', 'wallet', fill.commission),",
        to: "...moved(fill.quote, 'fees', 'wallet', fill.commission),",
      },
    ],
    under: ['F49'],
    killedBy: { seed: 0, invariant: 'L4' },
  }),
  simulated({
    id: 'm21',
    sentence: 'An empty side of the book is filled in from the other.',
    patches: [
      {
        file: 'src/domain/order-book.ts',
        from: 'const bid = book.bids[0];\n  const ask = book.asks[0];',
        to: 'const bid = book.bids[0] ?? (book.asks[0] && { ...book.asks[0], price: book.asks[0].price.mul(0.99) });\n  const ask = book.asks[0] ?? (bid && { ...bid, price: bid.price.mul(1.01) });',
      },
    ],
    under: ['F59'],
    killedBy: { seed: 1, invariant: 'S12' },
  }),
  elsewhere('m22', 'Redirects are followed.', 'contract', 'test/contract/client-transport.test.ts'),
  simulated({
    id: 'm23',
    sentence: 'A refusal by 200 and a message counts as an acceptance, or as proof that nothing happened.',
    patches: [
      {
        file: 'src/client/classify-create.ts',
        from: "if (msg !== null) return { kind: 'soft-rejected', msg };",
        to: "if (msg !== null) return { kind: 'rejected', status: 400, code: -1115, msg };",
      },
    ],
    under: ['F07'],
    killedBy: { seed: 2, invariant: 'R1' },
  }),
  simulated({
    id: 'm24',
    sentence: 'An older list overwrites what is known since.',
    patches: [
      {
        file: 'src/trader/observe-open-orders.ts',
        from: ': sentAt >= intent.sentAt + state.settings.assumptions.readLagBoundMs && sentAt > intent.since;',
        to: ': true;',
      },
      {
        file: 'src/trader/closing.ts',
        from: 'return Math.max(since, listedAt.get(intentId) ?? 0) + settings.assumptions.readLagBoundMs;',
        to: 'return Math.max(since, listedAt.get(intentId) ?? 0);',
      },
    ],
    under: ['F12', 'F36'],
    killedBy: { seed: 7, invariant: 'S8' },
  }),
  simulated({
    id: 'm25',
    sentence: "The owner's money counts as profit.",
    patches: [
      {
        file: 'src/ledger/fill-entries.ts',
        from: "manual: 'external:manual',",
        to: "manual: 'trading',",
      },
    ],
    under: ['F55'],
    killedBy: { seed: 0, invariant: 'M6' },
  }),
];

export const SIM_MUTANTS: readonly Mutant[] = MUTANTS.filter(({ harness }) => harness === 'sim');

/** The source with a patch in it; null where the text does not stand in it exactly once. */
export function patched(source: string, patch: Pick<Patch, 'from' | 'to'>): string | null {
  const parts = source.split(patch.from);
  return parts.length === 2 ? parts.join(patch.to) : null;
}
