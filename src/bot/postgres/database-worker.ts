// The thread that speaks to PostgreSQL: one connection to the first server that can be written, one statement at a
// time, each with a time limit. Knows nothing of the journal.
import { type MessagePort, workerData } from 'node:worker_threads';
import postgres from 'postgres';
import type { DurationMs } from '../../domain/time.ts';
import { realClock } from '../../ports/clock.ts';
import type { DatabaseAddress } from './database-address.ts';
import type { Answer, Asked, Failure } from './database-bridge.ts';

interface Given {
  readonly address: DatabaseAddress;
  /** Also the server's own limit for a statement, and for a wait for a lock. */
  readonly waitMs: DurationMs;
  readonly port: MessagePort;
  /** Set to 1 with every answer; the program's thread sleeps on it. */
  readonly signal: Int32Array;
}

type Host = DatabaseAddress['hosts'][number];
type Client = ReturnType<typeof clientFor>;

const OLDEST_VERSION = 140_000;
/** States of SQLSTATE in which a server takes no statement now and may take it soon. */
const PASSING = /^(?:08|40|53300|55P03|57|25006)/;
/** Of the client itself. */
const NO_ANSWER = 'NO_ANSWER';

const { address, waitMs, port, signal } = workerData as Given;
let open: { readonly client: Client; readonly at: string } | null = null;
let warnings = 0;

function clientFor({ host, port: hostPort }: Host, onclose: () => void) {
  const { tls, user, password, database } = address;
  return postgres({
    ...{ host, port: hostPort, user, password, database, max: 1, fetch_types: false },
    ...{ idle_timeout: 0, max_lifetime: null, connect_timeout: waitMs / 1_000 },
    onclose,
    ssl: tls === 'off' ? false : tls === 'unverified' ? 'require' : { ...authorities(tls), host },
    connection: {
      application_name: 'quotekeeper',
      // Nothing may be taken for durable that only this server's memory holds, whatever the role's default.
      synchronous_commit: 'on',
      default_transaction_isolation: 'read committed',
      statement_timeout: waitMs,
      lock_timeout: waitMs,
    },
    onnotice: ({ severity }) => {
      if (severity === 'WARNING') warnings += 1;
    },
  });
}

const authorities = (tls: { readonly authorities: string | null }) =>
  tls.authorities !== null && { ca: tls.authorities };

/** Rejects after the time limit, at least a moment; the statement may still be carried out. */
async function within<T>(timeoutMs: number, work: PromiseLike<T>): Promise<T> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(Object.assign(new Error(), { code: NO_ANSWER })), timeoutMs);
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}

const PROBE = `SELECT pg_is_in_recovery() OR current_setting('transaction_read_only')::boolean AS "readOnly",
  current_setting('server_version_num')::int AS version, current_setting('fsync') AS fsync`;

/**
 * Tries the hosts in order, each for its share of the time until then, with one left for the statement. Throws the
 * `Failure` of all of them together.
 */
async function connected(until: number): Promise<NonNullable<typeof open>> {
  if (open !== null) return open;
  const reasons: string[] = [];
  for (const [index, host] of address.hosts.entries()) {
    const shareMs = (until - realClock.monotonic()) / (address.hosts.length - index + 1);
    const at = `${host.host}:${host.port}`;
    // Else the client would connect again by itself, to a server that may have become a standby.
    const client = clientFor(host, () => open?.client === client && drop());
    try {
      const [found] = await within(shareMs, client.unsafe(PROBE));
      const why = whyUseless(found ?? {});
      if (why === null) {
        open = { client, at };
        return open;
      }
      reasons.push(`${at} ${why}`);
    } catch (error) {
      const failure = failureOf(error, at);
      if (failure.kind === 'refused') throw new Failed(failure);
      reasons.push(failure.message);
    }
    void client.end({ timeout: 0 });
  }
  throw new Failed({ kind: 'lost', message: reasons.join('; ') });
}

function whyUseless({ readOnly, version, fsync }: Readonly<Record<string, unknown>>): string | null {
  if (Number(version) < OLDEST_VERSION)
    throw new Failed({ kind: 'refused', code: 'too-old', message: `The server is of version ${version}` });
  if (readOnly === true) return 'can only be read (a standby)';
  return fsync === 'on' ? null : 'would lose what it has acknowledged (fsync is off)';
}

class Failed extends Error {
  readonly failure: Failure;
  constructor(failure: Failure) {
    super(failure.message);
    this.failure = failure;
  }
}

/** Errors of the client carry statement and parameters: only code and message leave this thread. */
function failureOf(error: unknown, at: string): Failure {
  if (error instanceof Failed) return error.failure;
  const { code, message, name } = error as { code?: unknown; message?: unknown; name?: unknown };
  if (code === NO_ANSWER) return { kind: 'lost', message: `${at} did not answer in time` };
  if (name !== 'PostgresError') return { kind: 'lost', message: `${at} can't be reached (${String(code ?? name)})` };
  const words = `${at} says: ${String(message)} (${String(code)})`;
  return PASSING.test(String(code))
    ? { kind: 'lost', message: words }
    : { kind: 'refused', code: String(code), message: words };
}

async function answerTo({ sql, parameters, timeoutMs, sameConnection }: Omit<Asked, 'id'>) {
  if (sameConnection && open === null) return { kind: 'lost', message: 'the connection is lost' } satisfies Failure;
  let at = '';
  try {
    const until = realClock.monotonic() + timeoutMs;
    const { client, at: place } = await connected(until);
    at = place;
    warnings = 0;
    const rows = await within(
      until - realClock.monotonic(),
      client.unsafe(sql, [...parameters], { prepare: parameters.length > 0 }),
    );
    return { kind: 'done', rows: [...rows], count: rows.count ?? 0, warned: warnings > 0, at } as const;
  } catch (error) {
    const failure = failureOf(error, at);
    if (failure.kind === 'lost') drop();
    return failure;
  }
}

/** A connection that did not answer is never used again: its answer would be taken for another's. */
function drop(): void {
  void open?.client.end({ timeout: 0 });
  open = null;
}

port.on('message', async ({ id, ...asked }: Asked) => {
  const answer = await answerTo(asked);
  port.postMessage({ id, answer } satisfies { id: number; answer: Answer });
  Atomics.store(signal, 0, 1);
  Atomics.notify(signal, 0);
});
