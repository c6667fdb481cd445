// What tests ask of the halts in a durable state.
import type { InstrumentSymbol } from '../../../src/domain/instrument.ts';
import type { Halt } from '../../../src/quoting/block.ts';
import type { Durable } from '../../../src/trader/durable/durable.ts';

/** One side of each market's halt; a market that is not halted is left out. */
const ofHalts =
  <K extends keyof Halt>(what: K) =>
  ({ markets }: Durable): Map<InstrumentSymbol, Halt[K]> =>
    new Map([...markets].flatMap(([symbol, { halt }]) => (halt === null ? [] : [[symbol, halt[what]]])));

export const haltsIn = ofHalts('reason');
export const codesIn = ofHalts('code');
