// What one process of a fleet tells the others, and takes from them, where several hosts share a database. Nothing here
// throws: a database that does not answer is the journal's to notice.
import type { Decimal } from '../../domain/decimal.ts';

export type Role = 'bot' | 'standby' | 'watchdog';

export interface WaitingCommand {
  readonly id: string;
  readonly request: unknown;
}

export interface FleetReporter {
  /** Tells what this process does, as JSON; returns the commands that wait for it. */
  report(role: Role, status: object): readonly WaitingCommand[];
  answer(id: string, answer: object): void;
  /** A process that has ended as it was told is no longer shown. */
  leave(role: Role): void;
}

export interface Sample {
  readonly name: string;
  readonly label: string;
  readonly value: number | string;
}

export interface Reservation {
  readonly held: Decimal;
  readonly wanted: Decimal;
  /** The most of all accounts together. */
  readonly limit: Decimal;
  /** Whose reservations count: one that has left the configuration gives its own back by that. Null for all. */
  readonly accounts: readonly string[] | null;
}

export interface FleetAccount extends FleetReporter {
  /** What this account may have of a resource; null if the database did not say. */
  reserve(resource: string, reservation: Reservation): Decimal | null;
  /** Gives back every resource whose name begins so, but for one. */
  giveBack(beginning: string, kept: string): void;
  sample(samples: readonly Sample[]): void;
}
