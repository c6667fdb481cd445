// The dashboard of a fleet: each of its queries, as a role that may only read what it shows.
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect } from '@jest/globals';
import { z } from 'zod';
import { fleetStatusSchema, waitingStatus } from '../../src/bot/fleet/fleet-status.ts';
import { openPostgresJournal } from '../../src/bot/postgres/postgres-journal.ts';
import { decimal, ZERO } from '../../src/domain/decimal.ts';
import { invariant } from '../../src/domain/invariant.ts';
import { realClock } from '../../src/ports/clock.ts';
import { clusterForTests } from './postgres.ts';
import { placeAt } from './postgres-kit.ts';
import { PROJECT_ROOT } from './start-program.ts';

const { withServer, cluster } = clusterForTests('the dashboard of a fleet');

const dashboardSchema = z.object({
  panels: z.array(z.object({ title: z.string(), targets: z.array(z.object({ rawSql: z.string() })) })),
  templating: z.object({ list: z.array(z.object({ name: z.string(), query: z.string() })) }),
});
const dashboard = dashboardSchema.parse(
  JSON.parse(readFileSync(path.join(PROJECT_ROOT, 'config/grafana-postgres/fleet.json'), 'utf8')),
);
/** As docs/fleet.md has them. */
const GRANTS = `CREATE ROLE viewer; GRANT USAGE ON SCHEMA quotekeeper TO viewer;
  GRANT SELECT ON quotekeeper.heads, quotekeeper.processes, quotekeeper.samples, quotekeeper.shares TO viewer`;

withServer('every panel shows what the accounts have told, to a role that may read these tables alone', () => {
  const database = cluster().newDatabase();
  const journal = openPostgresJournal({ ...placeAt(cluster().url(database)), account: 'alice' }, 'host a', realClock);
  const { fleet } = journal;
  invariant(fleet !== undefined, 'A journal in a database has no fleet.');
  fleet.report('bot', fleetStatusSchema.parse(waitingStatus('Quoting', 'Both sides are quoted.')));
  fleet.sample([
    { name: 'profit', label: 'BTC/INR', value: '12.5' },
    { name: 'presence', label: 'BTC/INR', value: 0.99 },
    { name: 'inventory', label: 'BTC', value: '0.123456789012345678' },
  ]);
  fleet.reserve('base BTC', { held: ZERO, wanted: decimal('0.7'), limit: decimal('1'), accounts: null });
  cluster().primary.query(GRANTS, database);
  const asked = (sql: string): string =>
    cluster()
      .primary.query(`SET ROLE viewer; ${sql}`, database)
      .replace(/^SET\n/, '')
      .trim();
  const variable = (name: string): string =>
    asked(dashboard.templating.list.find((each) => each.name === name)?.query ?? '');
  expect([variable('account'), variable('asset')]).toEqual(['alice', 'BTC']);
  const shown = dashboard.panels.map(({ title, targets: [target] }) => {
    const sql = (target?.rawSql ?? '')
      .replaceAll(/\$__timeFilter\(([\w.]+)\)/g, "$1 BETWEEN now() - interval '1 hour' AND now()")
      .replaceAll(/\$(account|asset)\b/g, (_, name) => `'${variable(name)}'`);
    return `${title}: ${asked(sql)}`;
  });
  expect(shown).toEqual([
    expect.stringMatching(/^Accounts: alice\|Quoting\|Both sides are quoted\.\|\|\d\|host a\|$/),
    expect.stringMatching(/^Profit: .*\|alice BTC\/INR\|12\.5$/),
    expect.stringMatching(/^Time in the market: .*\|alice BTC\/INR\|0\.99$/),
    expect.stringMatching(/^Inventory: .*\|alice BTC\|0\.123456789012345678$/),
    'Reserved of limits over all accounts: base BTC|0.7|1',
  ]);
  expect(() => asked('SELECT * FROM quotekeeper.records')).toThrow(/permission denied/);
  journal.close();
});
