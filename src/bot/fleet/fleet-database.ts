// All accounts of a database, for who holds none of them.
import { z } from 'zod';
import type { DurationMs } from '../../domain/time.ts';
import type { Clock } from '../../ports/clock.ts';
import { parsed } from '../postgres/fleet-rows.ts';
import * as statements from '../postgres/fleet-statements.ts';
import type { PostgresPlace } from '../postgres/postgres-place.ts';
import { opened } from '../postgres/postgres-session.ts';
import type { Role } from '../state-folder/fleet-account.ts';
import { type SteerAnswer, type SteerRequest, steerAnswerSchema } from '../steer/command.ts';

/** One process of a fleet. */
export interface FleetProcess {
  readonly account: string;
  readonly role: Role;
  /** Host and state folder. */
  readonly holder: string;
}

export interface ProcessSeen extends FleetProcess {
  /** Since it last told of itself, by the database's clock. */
  readonly agoMs: DurationMs;
  /** What it told; null where it can't be read. */
  readonly status: unknown;
}

/** One account, with the processes that have told of themselves. */
export interface AccountSeen {
  readonly account: string;
  readonly heldBy: string | null;
  readonly latch: string | null;
  readonly processes: readonly ProcessSeen[];
}

export type FleetDatabase = ReturnType<typeof openFleet>;

const rowSchema = z.object({
  account: z.string(),
  role: z.enum(['bot', 'standby', 'watchdog']).nullable(),
  holder: z.string().nullable(),
  status: z.string().nullable(),
  agoMs: z.number().nullable(),
  heldBy: z.string().nullable(),
  latch: z.string().nullable(),
});
const commandSchema = z.object({
  id: z.string(),
  account: z.string(),
  role: z.enum(['bot', 'standby', 'watchdog']),
  holder: z.string(),
});

/** `accounts`: their names; null for all of the database. Everything throws a `JournalError`, and may be repeated. */
export function openFleet(place: PostgresPlace, accounts: readonly string[] | null, clock: Clock) {
  const meant = accounts === null ? null : JSON.stringify(accounts);
  return opened(place, clock, (session) => {
    session.makeTables();
    return {
      /** In the order of their names. */
      look(): readonly AccountSeen[] {
        const rows = z.array(rowSchema).parse(session.insistOnAll(statements.PROCESSES, [meant]).rows);
        const found = new Map<string, AccountSeen & { processes: ProcessSeen[] }>();
        for (const { account, role, holder, status, agoMs, heldBy, latch } of rows) {
          const seen = found.get(account) ?? { account, heldBy, latch, processes: [] };
          found.set(account, seen);
          if (role !== null && holder !== null && agoMs !== null)
            seen.processes.push({ account, role, holder, agoMs, status: parsed(status ?? '') });
        }
        return [...found.values()];
      },
      /** Returns each command's number. */
      command(request: SteerRequest, processes: readonly FleetProcess[]) {
        const parameters = [JSON.stringify(request), JSON.stringify(processes)];
        return z.array(commandSchema).parse(session.insistOnAll(statements.COMMAND, parameters).rows);
      },
      /** Those given so far, by the commands' numbers. */
      answers(ids: readonly string[]): ReadonlyMap<string, SteerAnswer> {
        const { rows } = session.insistOnAll(statements.ANSWERS, [JSON.stringify(ids)]);
        const unread: SteerAnswer = { refused: 'Its answer can not be read.' };
        return new Map(
          rows.map(({ id, answer }) => [
            String(id),
            steerAnswerSchema.safeParse(parsed(String(answer))).data ?? unread,
          ]),
        );
      },
      latch: (names: readonly string[], reason: string) =>
        void session.insistOnAll(statements.LATCH_THESE, [JSON.stringify(names), reason]),
      /** What is reserved of each resource, as plain text. */
      shares: (): ReadonlyMap<string, string> =>
        new Map(
          session.insistOnAll(statements.SHARES, []).rows.map(({ resource, used }) => [String(resource), String(used)]),
        ),
      close: session.close,
    };
  });
}
