// A start whose exchange does not answer, lacks a market or refuses the key, with orders at rest and without.
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterEach, describe, expect, test } from '@jest/globals';
import { endProjects, expectStop, newProject, type Project, pause, STILL, until } from '../bot-process.ts';
import { freePort } from '../free-port.ts';
import { endProxies, type RecordingProxy, startRecordingProxy } from '../recording-proxy.ts';

afterEach(endProjects);
afterEach(endProxies);

const WRONG_KEYS = `key: ${'k'.repeat(32)}\nsecret: ${'s'.repeat(32)}\n`;

interface Live {
  readonly project: Project;
  readonly proxy: RecordingProxy;
  /** How many orders rest. */
  resting(): Promise<number>;
}

/** A paper exchange that the bot takes for a live one, behind a line that can be cut. */
async function live(): Promise<Live> {
  const project = await newProject(STILL);
  const behind = project.exchangePort;
  await project.exchange();
  const port = await freePort();
  const proxy = await startRecordingProxy(port, behind);
  const limits = Object.fromEntries([0, 1].map((run) => [`runs.${run}.limits.maxDayLoss`, '1000000']));
  project.configure({
    ...STILL,
    ...limits,
    mode: 'live',
    paper: undefined,
    'paper.port': undefined,
    'venue.baseUrl': `http://127.0.0.1:${port}`,
    keys: { file: path.join(project.stateFolder, 'paper-keys') },
    'watchdog.mode': 'off',
  });
  const resting = async (): Promise<number> => (await project.truth()).orders.length;
  return { project, proxy, resting };
}

describe('an exchange that does not answer at the start', () => {
  test('is said at once with its address, asked on and on, shown on the page; a signal ends it clean', async () => {
    const { project, proxy } = await live();
    proxy.cut('reset');
    const bot = project.bot();
    await bot.said('"op":"exchange-awaited"');
    expect(bot.out()).toMatch(/The exchange at http:\/\/127\.0\.0\.1:\d+ cannot be asked: The connection ended/);
    await pause(12_000);
    const gaps = proxy.at.slice(1).map((at, index) => at - (proxy.at[index] ?? at));
    expect(Math.max(...gaps)).toBeLessThan(10_000);
    const page = `http://127.0.0.1:${project.pagePort}`;
    expect((await fetch(`${page}/ready`)).status).toBe(503);
    const { trader } = await project.status();
    expect(trader).toMatchObject({ phase: 'starting', contact: { usedAt: null, lanes: { public: 'silent' } } });
    expect(trader.blockers.join(' ')).toContain('has not said since');
    expect(bot.out().split('"op":"exchange-awaited"')).toHaveLength(2);
    await expectStop(bot);
  });

  test('and answers later is quoted on; orders that rest over a crash are recovered and stopped clean', async () => {
    const setting = await live();
    const { project, proxy } = setting;
    proxy.cut('page');
    const first = project.bot();
    await first.said('"op":"exchange-awaited"');
    proxy.cut(null);
    await project.ready(first);
    await project.quotes();
    expect(first.out()).toContain('"op":"exchange-answers"');
    first.signal('SIGKILL');
    await first.ended;
    proxy.cut('reset');
    const second = project.bot();
    await second.said('"op":"exchange-awaited"');
    second.signal('SIGTERM');
    await second.said('"op":"told-to-stop"');
    await pause(3_000);
    expect(await setting.resting()).toBe(8);
    proxy.cut(null);
    expect((await second.ended).code).toBe(0);
    expect(await setting.resting()).toBe(0);
  });
});

test('a market that was delisted while its orders rest loses them; the others are quoted', async () => {
  const setting = await live();
  const { project, proxy } = setting;
  const first = await project.readyBot();
  await project.quotes();
  first.signal('SIGKILL');
  await first.ended;
  proxy.hide('ETH/INR');
  const second = await project.readyBot();
  await until('only BTC/INR rests', async () => {
    const { orders } = await project.truth();
    return orders.length === 4 && orders.every(({ symbol }) => symbol === 'BTC/INR');
  });
  await until('the one is quoted, the other waits', async () => {
    const { symbols } = (await project.status()).trader;
    return symbols.map(({ state }) => state).join() === 'quoting,waiting';
  });
  await expectStop(second);
  expect(await setting.resting()).toBe(0);
});

describe('a key that is refused at the start', () => {
  test('ends it with 78 where no order can rest', async () => {
    const { project } = await live();
    writeFileSync(path.join(project.folder, 'wrong-keys'), WRONG_KEYS, { mode: 0o600 });
    const text = readFileSync(path.join(project.folder, project.config), 'utf8');
    const file = path.join(project.stateFolder, 'paper-keys');
    writeFileSync(
      path.join(project.folder, project.config),
      text.replace(file, path.join(project.folder, 'wrong-keys')),
    );
    const { code, err } = await project.bot().ended;
    expect(code).toBe(78);
    expect(err).toContain('The exchange refuses the key: -2015');
  });

  test('is waited for where orders rest, and they go as soon as it is taken', async () => {
    const setting = await live();
    const { project } = setting;
    const first = await project.readyBot();
    await project.quotes();
    first.signal('SIGKILL');
    await first.ended;
    const config = path.join(project.folder, project.config);
    const right = readFileSync(config, 'utf8');
    writeFileSync(path.join(project.folder, 'wrong-keys'), WRONG_KEYS, { mode: 0o600 });
    const file = path.join(project.stateFolder, 'paper-keys');
    writeFileSync(config, right.replace(file, path.join(project.folder, 'wrong-keys')));
    const second = project.bot();
    await second.said('"op":"refused"');
    await pause(4_000);
    expect((await project.status()).trader.phase).toBe('starting');
    second.signal('SIGTERM');
    expect((await second.ended).code).toBe(75);
    writeFileSync(config, right);
    const third = await project.readyBot();
    await expectStop(third);
    expect(await setting.resting()).toBe(0);
  });
});
