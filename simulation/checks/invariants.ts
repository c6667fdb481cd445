// The invariants of order-truth §8 that the simulator judges, and the report of a violation.
import type { DurationMs } from '../../src/domain/time.ts';

export const INVARIANTS = [
  ...(['S1', 'S2', 'S3', 'S4', 'S5', 'S6', 'S7', 'S8', 'S9', 'S10', 'S11', 'S12'] as const),
  ...(['M1', 'M2', 'M3', 'M4', 'M5', 'M6', 'M7', 'M8', 'M9', 'M10'] as const),
  ...(['R1', 'R2', 'R3', 'R4', 'R5', 'R6', 'R7'] as const),
  ...(['K1', 'K2', 'K3', 'K4', 'K5', 'K6', 'K8', 'K9', 'K14', 'K15', 'K16'] as const),
  ...(['P1', 'P2', 'P3', 'P4', 'P5'] as const),
  ...(['L1', 'L2', 'L3', 'L4', 'L6', 'L7', 'L9'] as const),
  // The bot's own state against an independent fold of its records.
  'B1',
  // Conclusions are proved: an order that ended, never existed, or was found; the stop; new orders.
  ...(['E1', 'E2', 'E3', 'E4', 'E5'] as const),
  // Ending a bot and canceling for it: whose orders, what counts as flat, the proof, the time taken, and whether it was
  // needed.
  ...(['D1', 'D2', 'D3', 'D4', 'D5'] as const),
  'X1',
  // The program threw: an invariant of its own, or something unforeseen.
  'BUG',
] as const;

export type InvariantId = (typeof INVARIANTS)[number];

export interface Violation {
  readonly invariant: InvariantId;
  readonly sentence: string;
  /** From the start of the run. */
  readonly at: DurationMs;
}
