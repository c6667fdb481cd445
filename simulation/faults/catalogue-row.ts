// The form of a row in the catalogue of faults.
import type { HaltCode } from '../../src/quoting/block.ts';
import type { Excuse, FaultGroup, FaultId, FaultSpec, Injection } from './fault-kinds.ts';

/**
 * Ranges of chances per message: faults of the network, of single answers, and of answers on which everything depends.
 */
export const OFTEN = [0.005, 0.5] as const;
export const SOMETIMES = [0.003, 0.3] as const;
export const SELDOM = [0.002, 0.15] as const;

type Row = Omit<FaultSpec, 'group'>;

interface Injected {
  readonly magnitude: FaultSpec['magnitude'];
  readonly excuses?: readonly Excuse[];
  readonly halts?: readonly HaltCode[];
  readonly partly?: string;
}

export function simulated(id: FaultId, sentence: string, injection: Injection, injected: Injected): Row {
  const { magnitude, excuses = [], halts = [], partly = null } = injected;
  return { id, sentence, injection, magnitude, excuses, halts, elsewhere: null, partly };
}

export function elsewhere(id: FaultId, sentence: string, where: string): Row {
  return { id, sentence, injection: null, magnitude: [0, 0], excuses: [], halts: [], elsewhere: where, partly: null };
}

export function group(name: FaultGroup, rows: readonly Row[]): readonly FaultSpec[] {
  return rows.map((row) => ({ ...row, group: name }));
}
