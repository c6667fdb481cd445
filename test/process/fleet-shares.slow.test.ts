// What accounts reserve of a limit never comes to more than it, whoever asks at the same time.
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect } from '@jest/globals';
import { RESERVE } from '../../src/bot/postgres/fleet-statements.ts';
import { openPostgresJournal } from '../../src/bot/postgres/postgres-journal.ts';
import { decimal, ZERO } from '../../src/domain/decimal.ts';
import { invariant } from '../../src/domain/invariant.ts';
import { realClock } from '../../src/ports/clock.ts';
import { clusterForTests } from './postgres.ts';
import { placeAt } from './postgres-kit.ts';

const { withServer, cluster } = clusterForTests('reservations of a fleet');

function opened(database: string, account: string) {
  const place = { ...placeAt(cluster().url(database)), account };
  const journal = openPostgresJournal(place, `host of ${account}`, realClock);
  const { fleet } = journal;
  invariant(fleet !== undefined, 'A journal in a database has no fleet.');
  const reserve = (held: string, wanted: string, accounts: readonly string[] | null = null): string | undefined =>
    fleet
      .reserve('base BTC', { held: decimal(held), wanted: decimal(wanted), limit: decimal('1'), accounts })
      ?.toFixed();
  return { journal, fleet, reserve };
}

withServer('an account gets what the others leave, gives back what it needs no more, and keeps what it holds', () => {
  const database = cluster().newDatabase();
  const [alice, bob] = [opened(database, 'alice'), opened(database, 'bob')];
  expect(alice.reserve('0', '0.7')).toBe('0.7');
  expect(bob.reserve('0', '0.5')).toBe('0.3');
  expect(alice.reserve('0.1', '0.2')).toBe('0.2');
  expect(bob.reserve('0', '0.5')).toBe('0.5');
  // What is there counts, also where it is too much; nobody else gets anything then.
  expect(bob.reserve('1.2', '1.3')).toBe('1.2');
  expect(alice.reserve('0', '0.2')).toBe('0');
  // Bob has left the configuration, or alice's reservations are given back.
  expect(alice.reserve('0', '0.2', ['alice'])).toBe('0.2');
  alice.fleet.giveBack('base', '');
  expect(bob.reserve('0', '1')).toBe('1');
  for (const { journal } of [alice, bob]) journal.close();
});

withServer('a host that has lost the account changes no reservation', () => {
  const database = cluster().newDatabase();
  const first = opened(database, 'alice');
  expect(first.reserve('0', '0.4')).toBe('0.4');
  const second = opened(database, 'alice');
  expect(first.reserve('0', '0.9')).toBeUndefined();
  expect(second.reserve('0', '0.5')).toBe('0.5');
  for (const { journal } of [first, second]) journal.close();
});

withServer('requests of an address are given back where the account runs at another one', () => {
  const database = cluster().newDatabase();
  const { journal, fleet } = opened(database, 'alice');
  const asked = { held: ZERO, wanted: decimal('3'), limit: decimal('4'), accounts: null };
  for (const address of ['a', 'b']) fleet.reserve(`requests ${address}`, asked);
  fleet.giveBack('requests ', 'requests b');
  const amounts = cluster().primary.query('SELECT resource, amounts FROM quotekeeper.shares ORDER BY 1', database);
  expect(amounts.trim().split('\n')).toEqual(['requests a|{}', 'requests b|{"alice": 3}']);
  journal.close();
});

const ASK = (account: string, wanted: number): string =>
  `EXECUTE reserve('${account}', 1, 'base BTC', '0', '${wanted}', '1', NULL);`;
const NEVER_MORE = `
  CREATE FUNCTION judge() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
    IF (SELECT sum(value::numeric) FROM jsonb_each_text(new.amounts)) > 1 THEN RAISE 'more than the limit'; END IF;
    RETURN new;
  END $$;
  CREATE TRIGGER judge AFTER INSERT OR UPDATE ON quotekeeper.shares FOR EACH ROW EXECUTE FUNCTION judge()`;

withServer('four accounts that ask at once', async () => {
  const database = cluster().newDatabase();
  const names = ['a', 'b', 'c', 'd'];
  for (const name of names) opened(database, name).journal.close();
  cluster().primary.query(NEVER_MORE, database);
  const script = (name: string): string => {
    const asks = Array.from({ length: 150 }, (_, n) => ASK(name, ((n * 37 + name.charCodeAt(0) * 11) % 70) / 100));
    return [`PREPARE reserve(text, bigint, text, text, text, text, text) AS ${RESERVE};`, ...asks].join('\n');
  };
  // From standard input, so that each statement is a transaction, as the program has it.
  const psql = 'printf "%s" "$1" | psql -X -q -v ON_ERROR_STOP=1 -d "$2"';
  const run = (name: string) => promisify(execFile)('sh', ['-c', psql, 'sh', script(name), cluster().url(database)]);
  const outputs = await Promise.all(names.map(run));
  // Each was given less than it asked for, and more than nothing: they were in each other's way.
  for (const { stdout } of outputs) expect(new Set(stdout.match(/0\.\d+/g)).size).toBeGreaterThan(10);
});
