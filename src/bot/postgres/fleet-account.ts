// What one process of a fleet tells the others, and takes from them, through the database. Nothing here throws: a
// database that does not answer is the journal's to notice.
import { type Decimal, decimal } from '../../domain/decimal.ts';
import type { SteerAnswer } from '../steer/command.ts';
import * as statements from './fleet-statements.ts';
import type { Session } from './postgres-session.ts';

export type Role = 'bot' | 'standby' | 'watchdog';

export interface WaitingCommand {
  readonly id: string;
  readonly request: unknown;
}

export interface FleetReporter {
  /** Tells what this process does, as JSON; returns the commands that wait for it. */
  report(role: Role, status: object): readonly WaitingCommand[];
  answer(id: string, answer: SteerAnswer): void;
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
}

export interface FleetAccount extends FleetReporter {
  /** What this account may have of a resource; null if the database did not say. */
  reserve(resource: string, reservation: Reservation): Decimal | null;
  /** Gives back every resource whose name begins so, but for one. */
  giveBack(beginning: string, kept: string): void;
  sample(samples: readonly Sample[]): void;
}

export function reporterOn(session: Pick<Session, 'tryOnce'>, holder: string): FleetReporter {
  return {
    report(role, status) {
      const rows = session.tryOnce(statements.REPORT, [role, holder, JSON.stringify(status)])?.rows ?? [];
      return rows.map(({ id, request }) => ({ id: String(id), request: parsed(String(request)) }));
    },
    answer: (id, answer) => void session.tryOnce(statements.ANSWER, [id, JSON.stringify(answer)]),
    leave: (role) => void session.tryOnce(statements.LEAVE, [role, holder]),
  };
}

export function fleetAccountOn(session: Pick<Session, 'tryOnce'>, holder: string, epoch: () => number): FleetAccount {
  return {
    ...reporterOn(session, holder),
    reserve(resource, { held, wanted, limit }) {
      const amounts = [held, wanted, limit].map((each) => each.toFixed());
      const [row] = session.tryOnce(statements.RESERVE, [epoch(), resource, ...amounts])?.rows ?? [];
      return row === undefined ? null : decimal(String(row.amount));
    },
    giveBack: (beginning, kept) => void session.tryOnce(statements.GIVE_BACK, [epoch(), beginning, kept]),
    sample: (samples) => void session.tryOnce(statements.SAMPLE, [JSON.stringify(samples)]),
  };
}

/** What another process has written: null where that is no JSON. */
export function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
