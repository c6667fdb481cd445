// Whatever the umask is, nobody but its owner reads or changes a file of the bot, or speaks to its sockets.
import { lstatSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { afterEach, expect, test } from '@jest/globals';
import { EXIT } from '../../src/bot/base/exit-codes.ts';
import { endProjects, type Project, until } from './bot-process.ts';
import { type Program, QUOTEKEEPER } from './start-program.ts';
import { watchedProject } from './watchdog-project.ts';

afterEach(endProjects);

/** Not secret, and read by a scraper of another user (docs/operations.md). */
const FOR_OTHERS = ['state/paper/watchdog.prom 644'];

/** One of each kind has to be there, so that its mode is seen. */
const KINDS = [
  ...['^state', 'control.sock', 'journal.sqlite', 'journal.sqlite-wal', 'journal-witness.json', 'memory.sqlite'],
  ...['notify-bot.json', 'notify-watchdog.json', 'lease.json', 'bot.log', 'watchdog.log', 'own-orders.log'],
  ...['page-token', 'last-status.json', 'paper-keys', 'paper-exchange.json', 'a.backup', 'report.html'],
].map((name) => new RegExp(`${name.replaceAll('.', '\\.')} `));

const CHANNEL = { name: 'nobody', form: 'webhook', url: 'http://127.0.0.1:9/' };

/** Files, folders and sockets that the programs made, each with its mode. */
const made = ({ folder }: Project): readonly string[] =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => !/^config\b/.test(name))
    .map((name) => `${name} ${(lstatSync(path.join(folder, name)).mode & 0o7777).toString(8)}`);

/** Neither group nor others have anything. */
const isPrivate = (line: string): boolean => /[0-7]00$/.test(line);

test('under umask 000 group and others get nothing but what the documents say', async () => {
  const { project } = await watchedProject({ 'notify.channels': [CHANNEL] });
  const start = (...args: readonly string[]): Program =>
    project.start(['-c', 'umask 000; exec "$0" "$@"', QUOTEKEEPER, ...args], { executable: '/bin/sh' });
  const command = async (...args: readonly string[]): Promise<number | null> => (await start(...args).ended).code;
  const bot = start('run', project.config);
  await project.ready(bot);
  const watchdog = start('watchdog', project.config);
  await watchdog.said('"op":"bot-lives"');
  const codes = [
    await command('backup', project.config, '--to', 'a.backup'),
    await command('report', 'day', project.config, '--html', 'report.html'),
    await command('notify', 'test', project.config),
  ];
  await until('the watchdog’s figures', () => made(project).includes(FOR_OTHERS[0] ?? ''));
  const running = made(project);
  watchdog.signal('SIGTERM');
  bot.signal('SIGTERM');
  expect([(await bot.ended).code, (await watchdog.ended).code, codes]).toEqual([0, 0, [0, 0, EXIT.unavailable]]);
  const seen = [...new Set([...running, ...made(project)])];
  expect(seen).toEqual(expect.arrayContaining(KINDS.map((name) => expect.stringMatching(name))));
  expect(seen.filter((line) => !isPrivate(line))).toEqual(FOR_OTHERS);
});
