// Rows of one process of a fleet. Nothing here throws: a database that does not answer is the journal's to notice.
import { decimal } from '../../domain/decimal.ts';
import type { FleetAccount, FleetReporter } from '../state-folder/fleet-account.ts';
import * as statements from './fleet-statements.ts';
import type { Session } from './postgres-session.ts';

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
    reserve(resource, { held, wanted, limit, accounts }) {
      const amounts = [held, wanted, limit].map((each) => each.toFixed());
      const names = accounts === null ? null : JSON.stringify(accounts);
      const [row] = session.tryOnce(statements.RESERVE, [epoch(), resource, ...amounts, names])?.rows ?? [];
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
