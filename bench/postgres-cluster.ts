// A private PostgreSQL: a primary and a synchronous standby in a temporary folder, on free ports of this machine.
import { execFile, execFileSync, spawn } from 'node:child_process';
import { appendFileSync, chmodSync, chownSync, globSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';

const ROOT = '/usr/lib/postgresql';
export const PASSWORD = 'a-password-of-tests';

export interface Server {
  readonly port: number;
  /** Returns what `psql` prints of a statement, as the superuser. */
  query(sql: string, database?: string): string;
  /** As a power cut would: no process of it is left. */
  kill(): void;
  start(): void;
  /** The same in so many seconds, while this thread may be asleep. */
  startLater(seconds: number): void;
  /** Once a commit waits for its standby: a person ends that wait. */
  cancelWaitLater(): void;
  promote(): void;
  /** `pg_ctl <what>` while this thread goes on. Rejects where it fails. */
  control(...what: readonly string[]): Promise<void>;
  /** Its processes, the one that started the others first; none where it does not run. */
  pids(): number[];
}

export interface Cluster {
  readonly primary: Server;
  readonly standby: Server;
  /** A new, empty database; its owner is the role of `url`. */
  newDatabase(): string;
  /** Primary first. `password`: another than the right one. */
  url(database: string, options?: { ports?: readonly number[]; user?: string; password?: string }): string;
  end(): void;
}

/** The folder of the newest server's programs, as Debian has them; null if there is none. */
export function postgresPrograms(): string | null {
  const found = globSync(`${ROOT}/*/bin/initdb`).sort((one, other) => versionIn(other) - versionIn(one));
  return found[0] === undefined ? null : path.dirname(found[0]);
}

const versionIn = (program: string): number => Number(program.split('/').at(-3));

const CANCEL_WAIT = `DO $$ BEGIN
  FOR look IN 1..500 LOOP
    PERFORM pg_sleep(0.02);
    PERFORM pg_stat_clear_snapshot();
    PERFORM pg_cancel_backend(pid) FROM pg_stat_activity WHERE wait_event = 'SyncRep';
    EXIT WHEN FOUND;
  END LOOP;
END $$`;

const later = (script: string, command: readonly string[]): void => {
  spawn('sh', ['-c', script, 'sh', ...command], { stdio: 'ignore' }).unref();
};

/** The server refuses to run as root. */
const isRoot = process.getuid?.() === 0;

/** `ports`: for the primary and the standby. `under`: the folder for both. `connections`: the most of each. */
export function startCluster(
  bin: string,
  [ofPrimary, ofStandby]: readonly [number, number],
  under = tmpdir(),
  connections = 20,
): Cluster {
  const folder = mkdtempSync(path.join(under, 'quotekeeper-postgres-'));
  chmodSync(folder, 0o755);
  const commandOf = (program: string, args: readonly string[]): [string, ...string[]] => {
    const command = path.join(bin, program);
    return isRoot ? ['runuser', '-u', 'postgres', '--', command, ...args] : [command, ...args];
  };
  const run = (program: string, ...args: readonly string[]): string => {
    const [first, ...rest] = commandOf(program, args);
    return execFileSync(first, rest, { cwd: folder, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] });
  };
  const data = (name: string): string => {
    const made = path.join(folder, name);
    mkdirSync(made, { mode: 0o700 });
    if (isRoot) chownSync(made, ...idsOfPostgres());
    return made;
  };
  const places = { primary: data('primary'), standby: data('standby') };
  const ports = { primary: ofPrimary, standby: ofStandby };
  const serverOf = (name: 'primary' | 'standby'): Server => {
    const starting = ['-D', places[name], '-w', '-l', path.join(places[name], 'log'), 'start'];
    const asking = ['-h', places[name], '-p', String(ports[name]), '-XAtq', '-d'];
    return {
      port: ports[name],
      query: (sql, database = 'postgres') => run('psql', ...asking, database, '-c', sql).trim(),
      kill: () => void run('pg_ctl', '-D', places[name], '-m', 'immediate', 'stop'),
      start: () => void run('pg_ctl', ...starting),
      startLater: (seconds) => later(`sleep ${seconds}; exec "$@"`, commandOf('pg_ctl', starting)),
      cancelWaitLater: () => later('exec "$@"', commandOf('psql', [...asking, 'postgres', '-c', CANCEL_WAIT])),
      promote: () => void run('pg_ctl', '-D', places[name], '-w', 'promote'),
      control: async (...what) => {
        const [first, ...rest] = commandOf('pg_ctl', [
          '-D',
          places[name],
          '-l',
          path.join(places[name], 'log'),
          ...what,
        ]);
        // A server that it starts would keep pipes open.
        await promisify(execFile)('sh', ['-c', 'exec "$@" >/dev/null 2>&1', 'sh', first, ...rest], { cwd: folder });
      },
      pids: () => pidsOf(path.join(places[name], 'postmaster.pid')),
    };
  };
  const [primary, standby] = [serverOf('primary'), serverOf('standby')];
  const settingsOf = (name: 'primary' | 'standby'): string =>
    [
      ...[`port = ${ports[name]}`, "listen_addresses = '127.0.0.1'", `unix_socket_directories = '${places[name]}'`],
      ...[
        'shared_buffers = 16MB',
        `max_connections = ${connections}`,
        'wal_retrieve_retry_interval = 200ms',
        "synchronous_standby_names = ''",
        '',
      ],
    ].join('\n');

  run('initdb', '-D', places.primary, '-A', 'trust', '--no-instructions');
  appendFileSync(path.join(places.primary, 'postgresql.conf'), settingsOf('primary'));
  // Roles of tests prove themselves by a password, over TCP.
  const rules =
    'local all all trust\nhost replication all 127.0.0.1/32 trust\nhost all all 127.0.0.1/32 scram-sha-256\n';
  rmSync(path.join(places.primary, 'pg_hba.conf'));
  appendFileSync(path.join(places.primary, 'pg_hba.conf'), rules);
  if (isRoot) chownSync(path.join(places.primary, 'pg_hba.conf'), ...idsOfPostgres());
  primary.start();
  primary.query(`CREATE ROLE bot LOGIN PASSWORD '${PASSWORD}'`);
  primary.query(`CREATE ROLE stranger LOGIN PASSWORD '${PASSWORD}'`);
  run('pg_basebackup', '-h', '127.0.0.1', '-p', String(ports.primary), '-D', places.standby, '-R');
  appendFileSync(path.join(places.standby, 'postgresql.conf'), settingsOf('standby'));
  standby.start();
  primary.query("ALTER SYSTEM SET synchronous_standby_names = '*'");
  primary.query('SELECT pg_reload_conf()');
  const isThere = () => primary.query("SELECT count(*) FROM pg_stat_replication WHERE sync_state = 'sync'") === '1';
  // Each look takes some ten milliseconds.
  for (let looks = 0; !isThere(); looks += 1) if (looks === 1_000) throw new Error('The standby is not synchronous.');

  let made = 0;
  return {
    primary,
    standby,
    newDatabase() {
      made += 1;
      primary.query(`CREATE DATABASE journal${made} OWNER bot`);
      return `journal${made}`;
    },
    url: (database, { ports: tried = [ports.primary, ports.standby], user = 'bot', password = PASSWORD } = {}) =>
      `postgres://${user}:${password}@${tried.map((port) => `127.0.0.1:${port}`).join(',')}/${database}`,
    end() {
      for (const server of [primary, standby]) {
        try {
          server.kill();
        } catch {
          // It was ended by the test.
        }
      }
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

function pidsOf(file: string): number[] {
  try {
    const pid = Number(readFileSync(file, 'utf8').split('\n')[0]);
    const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8');
    return [pid, ...children.split(' ').filter(Boolean).map(Number)];
  } catch {
    return [];
  }
}

function idsOfPostgres(): [number, number] {
  const id = (option: string): number => Number(execFileSync('id', [option, 'postgres'], { encoding: 'utf8' }));
  return [id('-u'), id('-g')];
}
