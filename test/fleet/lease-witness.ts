// Sees who holds the account, by looking at the head from beside: the journal tells no renewals.
import postgres from 'postgres';
import type { Cluster, Server } from '../../bench/postgres-cluster.ts';

const LOOK_EVERY_MS = 200;
const LONGEST_LOOK_MS = 1_000;

/** Times are those of this machine. */
export interface Sighting {
  readonly epoch: number;
  /** Null where the watchdog raised the epoch. */
  readonly holder: string | null;
  readonly firstAt: number;
  /** Since when each host waited then; absent where it did not. */
  readonly waiting: Readonly<Record<string, number>>;
  /** The last renewal that was seen. */
  renewedAt: number;
  /** Of the account's latch; null if it was not set under this epoch. */
  latchedAt: number | null;
}

export interface LeaseWitness {
  /** By epoch, ascending. */
  readonly seen: Sighting[];
  /** The present latch. */
  latch(): string | null;
  end(): void;
}

interface Head {
  readonly epoch: number;
  readonly holder: string | null;
  readonly renewed: number;
  readonly latch: string | null;
}

const HEAD = `SELECT epoch::float8, holder, latch, extract(epoch FROM renewed_at)::float8 * 1000 AS renewed
  FROM quotekeeper.heads`;

interface Parts {
  readonly cluster: Cluster;
  readonly database: string;
  readonly writable: () => Server;
  /** Called before each look. */
  readonly waiting: () => Readonly<Record<string, number>>;
}

export function watchLease({ cluster, database, writable, waiting }: Parts): LeaseWitness {
  const clients = new Map<Server, ReturnType<typeof postgres>>();
  const clientOf = (server: Server) => {
    const url = cluster.url(database, { ports: [server.port] });
    const client = clients.get(server) ?? postgres(url, { max: 1, connect_timeout: 1, onnotice: () => undefined });
    clients.set(server, client);
    return client;
  };
  const seen: Sighting[] = [];
  let latch: string | null = null;
  const note = (head: Head): void => {
    ({ latch } = head);
    let last = seen.at(-1);
    if (last === undefined || last.epoch < head.epoch) {
      const { epoch, holder, renewed } = head;
      last = { epoch, holder, firstAt: Date.now(), waiting: waiting(), renewedAt: renewed, latchedAt: null };
      seen.push(last);
    }
    if (head.holder !== null) last.renewedAt = Math.max(last.renewedAt, head.renewed);
    if (latch !== null) last.latchedAt ??= Date.now();
  };
  let isAsking = false;
  const look = async (): Promise<void> => {
    waiting();
    if (isAsking) return;
    isAsking = true;
    const asked = clientOf(writable()).unsafe<Head[]>(HEAD);
    const late = new Promise<never[]>((resolve) => setTimeout(resolve, LONGEST_LOOK_MS, []));
    // No table yet, or no server.
    for (const head of await Promise.race([asked, late]).catch(() => [])) note(head);
    isAsking = false;
  };
  const timer = setInterval(look, LOOK_EVERY_MS);
  return {
    seen,
    latch: () => latch,
    end() {
      clearInterval(timer);
      for (const client of clients.values()) void client.end({ timeout: 0 }).catch(() => undefined);
    },
  };
}
